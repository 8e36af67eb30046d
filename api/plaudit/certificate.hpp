// Proofs of bands as files, and their checker, which shares no number with their writer
// (docs/certificates.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plaudit/plaudit.hpp"

namespace plaudit {

inline namespace v0 {

struct Certificate {
  std::string text;    ///< JSON
  std::string remark;  ///< where a wider band is proven than was found: which, and why
  Band band;           ///< that was found
};

/// A certificate of a band of epsilon or delta, or of a wider one, that the checker has proven
/// again. The band is not computed once more: the certificate is made of what proved it.
/// @throws std::runtime_error where the band is not certified, or nothing proves it, with the
/// reason of each kind of proof.
/// @throws std::invalid_argument where the band has no source (Band::source).
/// @param timeout_seconds > 0, for the certificate.
Certificate certify(const Band& band, double timeout_seconds = 60);

/// A band, and a certificate of it as `certify` makes it.
/// `timeout_seconds` is for the band and for the certificate each.
/// @throws std::runtime_error where nothing proves it, with the reason of each kind of proof.
Certificate certify_epsilon(const Composition& composition, const Number& delta,
                            const Options& options = {});
Certificate certify_delta(const Composition& composition, const Number& epsilon,
                          const Options& options = {});

/// What the checker proved, in its own words.
struct CertificateCheck {
  bool accepted = false;
  std::string reason;  ///< why not
  std::string spec;    ///< canonical, as the checker prints it
  /// The law behind each file that the spec names, one line each: how many losses, between which
  /// ends, and the SHA-256 of the law's canonical text (docs/certificates.md).
  std::vector<std::string> laws;
  std::string adjacency;  ///< with the group size, and "no privacy guarantee" where so
  std::string claim;      ///< "epsilon at delta = ... lies in [..., ...]"
  std::vector<std::string> statements;  ///< what was proven, one line each
};

/// Proves the certificate again. Never throws for what the text contains.
/// @param timeout_seconds > 0. @param operations of interval arithmetic at 128 bits, at most.
CertificateCheck check_certificate(std::string_view text, double timeout_seconds = 600,
                                   double operations = 3e9);

}  // namespace v0
}  // namespace plaudit

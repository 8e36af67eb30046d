// Certificates: files with the choices from which a checker proves a band anew, in another
// arithmetic and with code of its own (docs/certificates.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plaudit/plaudit.hpp"

namespace plaudit {

inline namespace v0 {

struct Certificate {
  std::string text;    ///< JSON
  std::string remark;  ///< empty, or which wider band the certificate proves, and why
  Band band;           ///< the band that was found
};

/// A certificate of a band of epsilon or delta, or of a wider one; the checker has accepted it. It
/// is made of what proved the band, which is not computed once more.
/// @throws std::runtime_error where the band is not certified, or no kind of proof proves it, with
/// the reason of each kind.
/// @throws std::invalid_argument where the band has no source (Band::source).
/// @param timeout_seconds > 0, for the certificate.
Certificate certify(const Band& band, double timeout_seconds = 60);

/// Finds a band and makes a certificate of it, as `certify` does and with the same exceptions.
/// `timeout_seconds` is for the band and for the certificate each.
Certificate certify_epsilon(const Composition& composition, const Number& delta,
                            const Options& options = {});
Certificate certify_delta(const Composition& composition, const Number& epsilon,
                          const Options& options = {});

/// What the checker proved, in its own words: nothing here is copied from the certificate.
struct CertificateCheck {
  bool accepted = false;
  std::string reason;  ///< of a rejection
  std::string spec;    ///< canonical, as the checker prints it
  /// The law behind each file that the spec names, one line each: how many losses, between which
  /// ends, and the SHA-256 of the law's canonical text (docs/certificates.md).
  std::vector<std::string> laws;
  std::string adjacency;  ///< with the group size, and "no privacy guarantee" where there is none
  std::string claim;      ///< "epsilon at delta = ... lies in [..., ...]"
  std::vector<std::string> statements;  ///< what was proven, one line each
  /// Of an observation: what it takes for granted and no computation can check.
  std::vector<std::string> assumptions;
};

/// Proves the certificate again. Never throws for what the text contains.
/// @param timeout_seconds > 0. @param operations a certificate is rejected where the checker would
/// need more than so many operations of interval arithmetic at 128 bits.
CertificateCheck check_certificate(std::string_view text, double timeout_seconds = 600,
                                   double operations = 3e9);

}  // namespace v0
}  // namespace plaudit

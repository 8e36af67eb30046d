// Writes certificates (docs/certificates.md): for every statement that a claim needs, the first
// proposal of any kind that the checker proves. Nothing of the writer itself is trusted.
#pragma once

#include <string>

#include "accountants/session/answer.hpp"
#include "api/plaudit/errors.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

/// The quantity at the argument lies in [lower, upper]: exact texts, "inf" for an infinite epsilon.
struct CertificateClaim {
  Quantity quantity;
  Rational argument;
  std::string lower;
  std::string upper;
  /// A wider band will do where nothing proves this one.
  bool may_widen = false;
};

struct Certificate {
  std::string text;
  std::string remark;  ///< of a wider band: what is proven instead, and why
};

/// Whether what proved the answer, a line or a path, takes long to be proven again.
bool takes_long_to_certify(const Answer& answer);

/// @param answer says which direction decides, and what proved its bands, which is proposed first;
/// where it is about one direction, so is the claim.
/// @throws NoCertificate, also when `seconds` are over.
Certificate write_certificate(const Composition& composition, const CertificateClaim& claim,
                              const Answer& answer, double seconds);

}  // namespace plaudit

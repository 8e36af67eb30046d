// What accountants that are not ours claim: whether a proven band refutes it, and when they are not
// to be asked.
#pragma once

#include "accountants/accountant.hpp"

namespace plaudit {

/// "band", "upper", "lower", "estimate".
std::string_view name_of(ClaimForm form);

/// While it lives, sessions that this thread opens ask no claims: what a plug-in asks of plaudit on
/// the way to its own answer must not ask it again.
class WithoutClaims {
 public:
  WithoutClaims() noexcept;
  ~WithoutClaims();
  WithoutClaims(const WithoutClaims&) = delete;
  WithoutClaims& operator=(const WithoutClaims&) = delete;

  static bool in_force() noexcept;

 private:
  bool former_;
};

/// Whether certainly no number of the band fulfils the claim. An estimate claims nothing.
bool contradicts(const Enclosure& band, const Enclosure& claimed, ClaimForm form);

}  // namespace plaudit

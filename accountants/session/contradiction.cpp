#include "accountants/session/contradiction.hpp"

namespace plaudit {

namespace {
thread_local bool without_claims = false;
}

WithoutClaims::WithoutClaims() noexcept : former_(without_claims) { without_claims = true; }
WithoutClaims::~WithoutClaims() { without_claims = former_; }
bool WithoutClaims::in_force() noexcept { return without_claims; }

std::string_view name_of(ClaimForm form) {
  switch (form) {
    case ClaimForm::band:
      return "band";
    case ClaimForm::upper:
      return "upper";
    case ClaimForm::lower:
      return "lower";
    case ClaimForm::estimate:
      break;
  }
  return "estimate";
}

bool contradicts(const Enclosure& band, const Enclosure& claimed, ClaimForm form) {
  if (form == ClaimForm::estimate) return false;
  const bool above = form != ClaimForm::lower && certainly_less(claimed.upper, band.lower);
  const bool below = form != ClaimForm::upper && certainly_less(band.upper, claimed.lower);
  return above || below;
}

}  // namespace plaudit

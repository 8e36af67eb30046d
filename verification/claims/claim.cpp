#include "verification/claims/claim.hpp"

namespace plaudit {

const char* name_of(ClaimKind kind) {
  switch (kind) {
    case ClaimKind::upper:
      return "upper";
    case ClaimKind::lower:
      return "lower";
    case ClaimKind::estimate:
      return "estimate";
    case ClaimKind::band:
      return "band";
    case ClaimKind::pessimistic:
      return "pessimistic";
    case ClaimKind::optimistic:
      return "optimistic";
  }
  return "";
}

std::string quantity_of(const Claim& claim) {
  if (claim.subject == Subject::renyi) return "renyi";
  if (claim.subject == Subject::mu) return "mu";
  return claim.quantity == Quantity::epsilon ? "epsilon" : "delta";
}

std::string argument_of(const Claim& claim) {
  if (claim.subject == Subject::renyi) return "order";
  if (claim.subject == Subject::mu) return "";
  return claim.quantity == Quantity::epsilon ? "delta" : "epsilon";
}

Room room_of(const Claim& claim, const Rational& claimed) {
  if (claim.relative_tolerance) {
    const Rational& share = *claim.relative_tolerance;
    return {claimed / (1 + share), claimed / (1 - share)};
  }
  const Rational tolerance = claim.tolerance.value_or(0);
  return {claimed - tolerance, claimed + tolerance};
}

bool has_tolerance(const Claim& claim) {
  return claim.tolerance.value_or(0) > 0 || claim.relative_tolerance.value_or(0) > 0;
}

}  // namespace plaudit

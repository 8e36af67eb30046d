// What every claim that was read must satisfy, whatever it was read from.
#pragma once

#include "tests/fuzz/harness.hpp"
#include "tests/support/claims.hpp"

namespace plaudit::fuzz {

inline void demand_in_order(const Claim& claim) {
  if (claim.kind == ClaimKind::pessimistic || claim.kind == ClaimKind::optimistic) {
    demand(claim.pld && !claim.pld->probabilities.empty() && claim.pld->interval > 0, "no pld");
    return;
  }
  demand(claim.at_least || claim.at_most, "a claim that states nothing");
  demand(!claim.values.empty(), "a claim without its numbers");
  if (claim.subject == Subject::curve && claim.quantity == Quantity::epsilon) {
    demand(claim.argument >= 0 && claim.argument <= 1, "a delta outside of [0, 1]");
  }
  if (claim.tolerance) demand(*claim.tolerance >= 0, "a negative tolerance");
  if (claim.relative_tolerance) {
    demand(*claim.relative_tolerance >= 0 && *claim.relative_tolerance < 1, "a relative tolerance");
    demand(!claim.tolerance, "two tolerances");
  }
}

inline void demand_sound(const std::vector<Claim>& claims) {
  for (const Claim& claim : claims) {
    demand(claim.error.empty() == claim.composition.has_value(), "neither read nor refused");
    if (claim.error.empty()) {
      demand(claim.composition->spec() == claim.spec, "a spec that is not canonical");
      demand_in_order(claim);
    } else {
      demand_message(claim.error);
    }
  }
}

}  // namespace plaudit::fuzz

// A law of the privacy loss as a file states it: exact losses, and masses of P that lie in
// intervals. Does any pair of probabilities have such a law?
// Theorem: docs/certificates.md, "Laws of files"; proof: docs/proofs/discrete.md#file
#pragma once

#include <string>
#include <vector>

#include "accountants/proof/arithmetic/budget.hpp"
#include "accountants/proof/arithmetic/numbers.hpp"

namespace plaudit::proof {

/// Known to lie in [lower, upper].
struct Mass {
  Rational lower;
  Rational upper;
};

struct StatedLaw {
  std::vector<Rational> losses;  ///< strictly increasing
  std::vector<Mass> masses;      ///< one per loss
  Mass infinite;
};

/// @throws Rejected, with `where` in front, unless some masses of P within the intervals have the
/// sum 1 and leave Q, with the masses e^-loss P, at most 1; and where that is not decided.
void require_possible(const StatedLaw& law, const std::string& where, Budget& budget);

}  // namespace plaudit::proof

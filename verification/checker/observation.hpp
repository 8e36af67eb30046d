// What was observed in runs against the curve of a claimed run: certificates of refutations and of
// lower ends of epsilon. Exact sums of integers decide; of the curve the file's statements count.
// Theorems: docs/certificates/observation.md
#pragma once

#include <string>
#include <vector>

#include "accountants/proof/arithmetic/budget.hpp"
#include "verification/checker/laws/reader.hpp"
#include "verification/checker/specs/specs.hpp"

namespace plaudit::proof {

/// delta(epsilon) <= most in one direction.
struct CurveBound {
  Direction direction;
  Rational epsilon;
  Rational most;
};

/// What is proven, and what no computation can check, in words.
struct ObservedClaim {
  std::string text;
  std::vector<std::string> assumptions;
};

/// @param known what the statements of the file say, which have to be proven besides.
/// @throws Rejected where that does not follow.
ObservedClaim prove_observation(Fields fields, const Spec& spec,
                                const std::vector<CurveBound>& known, Budget& budget);

/// What an observation of this design takes for granted: the words that its file must have.
std::vector<std::string> observed_assumptions(const std::string& design, bool independent);

}  // namespace plaudit::proof

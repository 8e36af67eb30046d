// Guesses about one run against several lines of a curve at once: a certificate of one number for
// each line, which a recursion checks.
// Proof: docs/proofs/one_run.md#several-lines
#pragma once

#include <vector>

#include "verification/observe/one_run.hpp"

namespace plaudit {

/// delta(log lambda) <= delta; the certificate weighs it by at most `cap`.
struct CurveLine {
  Rational lambda = 1;
  Rational delta = 1;
  Rational cap = 0;
  Rational epsilon = 0;  ///< lambda is at least e^epsilon; delta is that of it
};

/// P(right or more) <= least + canaries * (the sum of delta * cap).
struct LinesBound {
  Ball bound{1};
  std::vector<CurveLine> lines;  ///< their lambdas increase
  Rational least = 1;
};

/// About the best caps for these lines, from those of the closed form at the line `first`; checked.
LinesBound bound_of_lines(const Guesses& guesses, std::vector<CurveLine> lines, std::size_t first);

}  // namespace plaudit

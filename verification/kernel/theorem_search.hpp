// Looks for a theorem about one direction of a run that is near enough to the certified end:
// lattices and slices that are as coarse as that allows. What is found, Coq checks.
#pragma once

#include <functional>
#include <vector>

#include "lib/balls/ball.hpp"
#include "mechanisms/direction.hpp"
#include "verification/kernel/coq_file.hpp"

namespace plaudit::kernel {

/// What is asked of one theorem, and what is known before it.
struct Task {
  std::vector<CountedLaw> laws;
  Direction direction;
  Mode mode;
  Rational delta;
  Ball certified;
  Rational width;
  double steps = 0;
};

/// A theorem, and how near it is.
struct Attempt {
  TheoremData theorem;
  Rational distance;  ///< from the certified end
};

/// @param e of the first lattice, 2^-e, that is tried. @param one_more is called before each
/// further try. @throws std::invalid_argument where no try gave a theorem.
Attempt nearest_theorem(const Task& task, long e, const Heuristics& heuristics,
                        const std::function<void()>& one_more);

}  // namespace plaudit::kernel

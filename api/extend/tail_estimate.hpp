// Cumulants of a law of which only the tails are known, in floating point. Heuristics, for choices.
#pragma once

#include "api/extend/law_questions.hpp"
#include "mechanisms/laws/atom_estimate.hpp"

namespace plaudit::inline v0 {

/// The tails are asked at the ends of cells, which are narrower where there is more variance. A
/// cell of masses p under P and q under Q becomes an atom at log(p / q), or at an end of the cell.
AtomEstimate estimate_from_tails(const LawQuestions& law);

}  // namespace plaudit::inline v0

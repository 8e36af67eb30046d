// Cumulants of a law of which only the tails are known, in floating point. Heuristics only.
#pragma once

#include "api/extend/law_questions.hpp"
#include "mechanisms/laws/atom_estimate.hpp"

namespace plaudit::inline v0 {

/// Cells between points where the tails are asked, closer where there is more to resolve; each one
/// an atom at log(P/Q), where it has the right mass under both.
AtomEstimate estimate_from_tails(const LawQuestions& law);

}  // namespace plaudit::inline v0

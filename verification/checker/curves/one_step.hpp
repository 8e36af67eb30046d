// The curve of one step of a law that has a closed form. Theorems: docs/certificates/threshold.md.
#pragma once

#include "accountants/proof/arithmetic/budget.hpp"
#include "verification/checker/laws/discrete_noise.hpp"
#include "verification/checker/laws/laws.hpp"

namespace plaudit::proof {

/// Whether one_step_curve takes the law: no mixture, mirrored pair or allocation, none behind a
/// public label, and none of which only moments are bounded.
bool has_closed_curve(const Law& law);
/// H(e^epsilon), and what of its width is owed to terms left out. @throws Rejected for laws without
/// a closed form.
Tail one_step_curve(const Law& law, const Interval& epsilon, Budget& budget);

}  // namespace plaudit::proof

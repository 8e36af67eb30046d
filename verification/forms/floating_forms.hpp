// The curves that have a closed form, by Boost.Math in doubles: a third opinion in the cross-check.
//
// It shares the reading of the spec with closed_forms.hpp, and nothing else: distribution functions
// of the normal, binomial and Laplace laws in place of intervals and sums. An estimate: its
// tolerance is what the library documents of its functions, not a proof.
#pragma once

#include <optional>
#include <string>

#include "lib/exact/rational.hpp"
#include "mechanisms/direction.hpp"
#include "verification/forms/pairs.hpp"

namespace plaudit {

struct FloatingForm {
  double value;
  double tolerance;  ///< absolute
};

/// delta(epsilon); nothing where no form applies, or its parameters are beyond what doubles hold.
std::optional<FloatingForm> floating_delta(const std::vector<pairs::Step>& steps,
                                           const Rational& epsilon);
/// The same of this direction of a spec.
std::optional<FloatingForm> floating_form_delta(const std::string& spec, Direction direction,
                                                const Rational& epsilon);

}  // namespace plaudit

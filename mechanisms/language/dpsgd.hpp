// dpsgd(...): shorthand for the steps of DP-SGD on Poisson-sampled batches.
//
//   dpsgd(noise_multiplier=1.1, batch=256, population=60000, epochs=60)
//     stands for poisson(gaussian(noise_multiplier=1.1), rate=256/60000)^(ceil(60*60000/256))
//
// In place of batch and population it takes the rate that they make, in place of epochs the steps.
// It is a composition and no mechanism, so it stands where a factor may.
#pragma once

#include <string_view>
#include <vector>

#include "mechanisms/language/arguments.hpp"

namespace plaudit {

inline constexpr std::string_view dpsgd_name = "dpsgd";

/// Whether the name is that of the shorthand, in capitals or not.
bool is_dpsgd(std::string_view name);

/// What it takes, as documented; which of them go together, dpsgd_steps() checks.
const std::vector<Parameter>& dpsgd_parameters();

/// The steps it stands for. @throws SpecError
syntax::Power dpsgd_steps(const syntax::Call& call);

}  // namespace plaudit

// dpsgd(...): shorthand for the steps of DP-SGD on Poisson-sampled batches.
//
//   dpsgd(noise_multiplier=1.1, batch=256, population=60000, epochs=60)
//     stands for poisson(gaussian(noise_multiplier=1.1), rate=256/60000)^(ceil(60*60000/256))
//
// It takes sample_rate in place of batch and population, steps in place of epochs. It is a
// composition and no mechanism: it may be a factor, but not an argument of a mechanism.
#pragma once

#include <string_view>
#include <vector>

#include "mechanisms/language/arguments.hpp"

namespace plaudit {

inline constexpr std::string_view dpsgd_name = "dpsgd";

/// Whether the name is that of the shorthand, in capitals or not.
bool is_dpsgd(std::string_view name);

/// Its parameters, as documented; dpsgd_steps() checks which of them are given together.
const std::vector<Parameter>& dpsgd_parameters();

/// The power of poisson(gaussian(..)) that it stands for. @throws SpecError
syntax::Power dpsgd_steps(const syntax::Call& call);

}  // namespace plaudit

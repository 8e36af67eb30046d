// What other libraries call a run, as a spec. What has no exact counterpart is refused by name.
#pragma once

#include <string>

#include "verification/claims/exact_json.hpp"

namespace plaudit {

/// Opacus' accountant.history: a list of [noise_multiplier, sample_rate, steps].
/// @throws InputError
std::string opacus_spec(const Json& history);

/// A dp_accounting DpEvent as JSON: {"type": "PoissonSampledDpEvent", "sampling_probability": 0.01,
/// "event": {"type": "GaussianDpEvent", "noise_multiplier": 1.0}}. @throws InputError
std::string dp_event_spec(const Json& event);

}  // namespace plaudit

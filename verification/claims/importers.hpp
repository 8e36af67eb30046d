// What other libraries call a run, as a spec. What has no counterpart is refused by name.
#pragma once

#include <string>
#include <string_view>

#include "verification/claims/exact_json.hpp"

namespace plaudit {

/// A spec that stands for a run of another library.
struct ImportedSpec {
  std::string spec;
  /// Where the spec is only known to be no more private than the run: which part of it, in one
  /// line. Then the upper ends of its bands hold for the run, and the lower ones do not.
  std::string bound;
};

/// Opacus' accountant.history: a list of [noise_multiplier, sample_rate, steps]; or the
/// accountant's state_dict(), {"history": [...], "mechanism": "rdp"}. @throws InputError
ImportedSpec opacus_spec(const Json& history);

/// Any of what is read here: Opacus' history or state_dict(), or a DpEvent (dp_events.hpp).
/// @throws InputError
ImportedSpec imported_spec(const Json& run);

/// The text of a spec as it is, or, where it begins as JSON does, what is read of that.
/// @throws InputError
ImportedSpec spec_of_text(std::string_view text);

}  // namespace plaudit

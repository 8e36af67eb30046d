// In which parameters of a spec the privacy curve is monotone, by a proof.
#pragma once

#include <optional>
#include <string>

#include "mechanisms/language/free_parameter.hpp"

namespace plaudit {

/// One end of the values that a parameter may have.
struct RangeEnd {
  Rational value;
  bool allowed = true;  ///< the value itself; where not, the range is open there
};

/// A parameter in which delta(epsilon) of any spec is monotone, for each epsilon, in each
/// direction.
struct MonotoneParameter {
  std::string name;       ///< as in the spec; "power" for what stands behind ^
  std::string mechanism;  ///< whose parameter it is; empty for a power
  bool integer = false;
  bool falls = false;  ///< delta falls as the parameter grows: more of it is more privacy
  RangeEnd least;
  std::optional<RangeEnd> greatest;  ///< nothing where there is none
  std::string theorem;               ///< the proof: a page and an anchor of docs/proofs
};

/// @throws SpecError that names the parameter where the curve is not proven to be monotone in it.
MonotoneParameter monotone_parameter(const FreeParameter& parameter);

}  // namespace plaudit

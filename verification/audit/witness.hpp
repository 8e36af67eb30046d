// The event that distinguishes, as a set of outputs, where the mechanism is simple enough.
#pragma once

#include <optional>
#include <string>

#include "mechanisms/composition.hpp"

namespace plaudit {

struct OutputEvent {
  std::string words;        ///< "output > 3.25"
  std::string delta_lower;  ///< P(event) - e^epsilon Q(event) is at least this decimal
};

/// For one run of one Gaussian mixture: {L > epsilon} is a half line of outputs. Its end is chosen
/// in floating point (any half line is a valid event), its probabilities are enclosed by MPFR with
/// directed rounding. Nothing for other compositions, and nothing unless delta_lower > claimed.
std::optional<OutputEvent> output_event(const Composition& composition, Direction direction,
                                        const Rational& epsilon, const Rational& claimed);

}  // namespace plaudit

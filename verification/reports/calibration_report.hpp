// A calibration as JSON: what `plaudit calibrate --json` prints.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "verification/calibration/calibration.hpp"
#include "verification/reports/json_text.hpp"

namespace plaudit {

/// Of what the lower end at `fails` is a bound: that the value fails is certain of the mechanism
/// only where it is one of it. Empty where no value fails.
BandOf of_failure(const CalibrationQuestion& question, const Calibration& found);

/// @param options as asked for: `digits` are those of the bracket, and of the bands at its ends.
Json json_report(const CalibrationQuestion& question, const Calibration& found,
                 const AnswerOptions& options);

/// What the target bounds: "epsilon", "delta", "advantage", "mu", "tpr".
std::string quantity_of(const CalibrationQuestion& question);
/// The number that is the target.
const Rational& target_of(const CalibrationQuestion& question);
/// The delta of a target epsilon, the epsilon of a target delta, the false positive rate of a
/// target true positive rate, by name.
std::optional<std::pair<std::string, Rational>> argument_of(const CalibrationQuestion& question);

}  // namespace plaudit

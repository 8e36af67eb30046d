// What the best tests can do as JSON: what `plaudit tradeoff --json` and `plaudit attack --json`
// print of each number.
#pragma once

#include <optional>
#include <string>

#include "verification/reports/json_text.hpp"

namespace plaudit {

/// One number that was asked for, in words.
struct RateQuestion {
  std::string quantity;  ///< false_negative_rate, advantage, ...
  std::optional<Rational> fpr = {};
  std::optional<Rational> prior = {};
};

/// {"quantity", "fpr", "prior", "lower", "upper", "exact", "certified", "reached", ...}
Json json_report(const RateQuestion& question, const Answer& answer, int digits);

}  // namespace plaudit

// An answer as JSON: what `plaudit epsilon --json` and `plaudit delta --json` print.
#pragma once

#include <string>

#include "verification/reports/json_text.hpp"

namespace plaudit {

/// What was asked: `quantity` epsilon and `argument` 1e-7 for epsilon(1e-7).
struct Question {
  Quantity quantity;
  std::string spec;  ///< canonical
  Rational argument;
  int digits;  ///< its ends are printed with four more
  Adjacency adjacency;
  std::string bound = {};  ///< ImportedSpec::bound: why only upper ends hold for the run
};

Json json_report(const Question& question, const Answer& answer, bool explain);

/// The size of an error term, rounded up.
std::string size_text(const Ball& size);

}  // namespace plaudit

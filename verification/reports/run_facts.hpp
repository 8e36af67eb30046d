// All that a report of one run states: its epsilon, its curve, what attackers can reach, and the
// theorems behind these numbers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "accountants/session/answer.hpp"
#include "verification/reports/rates_report.hpp"

namespace plaudit {

struct RunFacts {
  std::string spec;  ///< canonical
  Adjacency adjacency;
  std::string bound = {};  ///< ImportedSpec::bound

  /// What was run, a line for each factor; and why its pair dominates.
  struct Step {
    std::string spec;
    std::uint64_t count;
    std::string summary;
    std::string theorem;
  };
  std::vector<Step> steps;

  Rational delta;
  int digits;
  Answer epsilon;

  /// A number at an argument.
  struct At {
    Rational argument;
    Answer answer;
  };
  std::vector<At> curve;      ///< deltas at epsilons
  std::vector<At> trade_off;  ///< false negative rates at false positive rates

  struct Rate {
    RateQuestion question;
    Answer answer;
  };
  std::vector<Rate> rates;

  std::string accountant_theorem;  ///< of the accountant of epsilon
  std::string certificate;         ///< that proves the epsilon again, or none
  std::string certificate_remark;  ///< why there is none, or that its band is wider
};

struct RunReportQuestion {
  Rational delta;
  Rational prior;
  std::vector<Rational> fprs;
};

/// @param options its time limit is for all of it.
/// @param known hears of the facts that are known each time that there are more of them.
RunFacts facts_of(const Composition& composition, const RunReportQuestion& question,
                  const AnswerOptions& options,
                  const std::function<void(const RunFacts&)>& known = {});

}  // namespace plaudit

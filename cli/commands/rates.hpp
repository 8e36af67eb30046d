// What `tradeoff` and `attack` share: rates of tests, asked in a worker and told one by one.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/question.hpp"
#include "verification/meaning/best_tests.hpp"
#include "verification/reports/rates_report.hpp"

namespace plaudit::cli {

struct RatesOptions : Options {
  std::string fpr;
  std::string log_fpr;
};

/// The options --fpr A[,B,...] or A:B:STEP, and --log-fpr A:B:POINTS.
void add_fpr_options(Command command, RatesOptions& options);
/// The rates asked for, within [0, 1]; `fallback` where none are. @throws UsageError
std::vector<Rational> read_fprs(const RatesOptions& options, const std::string& fallback);

/// A rate that is asked for, and the call that asks for it.
struct RateInquiry {
  RateQuestion question;
  std::function<Answer(BestTests&)> ask;
  /// Where the spec only bounds the run: whether the upper end is the one that holds for it.
  bool upper_holds = true;
};

/// The answers to all inquiries, as the JSON from which text, CSV and pictures are made too.
struct Rates {
  ReadSpec spec;
  std::vector<Json> answers;  ///< as many as were asked for
  std::string remark;         ///< why the last ones are trivial, where they are
  int status = 0;
};

/// Asks in a worker. Nothing where not even the spec was read; `status` is the exit status.
std::optional<Rates> ask_rates(const RatesOptions& options,
                               const std::vector<RateInquiry>& inquiries, const std::string& unit,
                               int& status);

/// The head of a JSON report of rates.
Json rates_head(const Rates& rates, const std::string& quantity, int digits);
/// The seconds of all answers together.
double seconds_of(const Rates& rates);

/// Prints as a line what put_band_of wrote: whether the `which` end, "lower" or "upper", bounds the
/// mechanism. @param relation begins the bound of the mechanism, as "mu >= ".
void print_end(std::ostream& out, const Json& answer, const std::string& which,
               const std::string& relation);

}  // namespace plaudit::cli

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

/// --fpr A[,B,...] or A:B:STEP, and --log-fpr A:B:POINTS; what the options say of them.
void add_fpr_options(Command command, RatesOptions& options);
/// The rates asked for, within [0, 1]; `fallback` where none are. @throws UsageError
std::vector<Rational> read_fprs(const RatesOptions& options, const std::string& fallback);

/// A number that is asked for, and how.
struct RateInquiry {
  RateQuestion question;
  std::function<Answer(BestTests&)> ask;
  /// Where the spec only bounds the run: whether the upper end is the one that holds for it.
  bool upper_holds = true;
};

/// All of them, each as JSON and an answer that is rebuilt from it for text and pictures.
struct Rates {
  ReadSpec spec;
  std::vector<Json> answers;  ///< as many as were asked for
  std::string remark;         ///< why the last ones are trivial, where they are
  int status = 0;
};

/// Nothing where not even the spec was read: the status says how it ended.
std::optional<Rates> ask_rates(const RatesOptions& options,
                               const std::vector<RateInquiry>& inquiries, const std::string& unit,
                               int& status);

/// The head of a JSON report of rates.
Json rates_head(const Rates& rates, const std::string& quantity, int digits);
/// The seconds of all answers together.
double seconds_of(const Rates& rates);

/// Of what the lower or the upper end of an answer is a bound: what put_band_of wrote, as a line.
/// Nothing where the answer was not found.
void print_end(std::ostream& out, const Json& answer, const std::string& which,
               const std::string& relation);

}  // namespace plaudit::cli

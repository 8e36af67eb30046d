#include "cli/commands/rates.hpp"

#include "cli/answer_message.hpp"
#include "cli/output/complain.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/usage_error.hpp"
#include "cli/range.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/spec.hpp"

namespace plaudit::cli {

void add_fpr_options(Command command, RatesOptions& options) {
  command.option("--fpr", options.fpr,
                 "false positive rates in [0, 1]: A, several as A,B,..., or A:B:STEP");
  command.option("--log-fpr", options.log_fpr, "A:B:POINTS, log-spaced false positive rates");
}

std::vector<Rational> read_fprs(const RatesOptions& options, const std::string& fallback) {
  if (!options.fpr.empty() && !options.log_fpr.empty()) {
    throw UsageError("one of --fpr and --log-fpr can be given");
  }
  if (!options.log_fpr.empty()) return log_spaced_range("--log-fpr", "fpr", options.log_fpr);
  const std::string text = options.fpr.empty() ? fallback : options.fpr;
  if (text.empty())
    throw UsageError("needs --fpr A[,B,...], --fpr A:B:STEP or --log-fpr A:B:POINTS");
  std::vector<Rational> rates;
  if (text.find(':') != std::string::npos) {
    rates = stepped_range("--fpr", text);
    if (rates.front() < 0 || rates.back() > 1) {
      throw UsageError("--fpr A:B:STEP must be within 0 and 1, not " + text);
    }
    return rates;
  }
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    rates.push_back(read_probability("--fpr", "fpr", text.substr(start, end - start)));
    start = end + 1;
  }
  return rates;
}

std::optional<Rates> ask_rates(const RatesOptions& options,
                               const std::vector<RateInquiry>& inquiries, const std::string& unit,
                               int& status) {
  const Answer unknown = trivial_answer(Quantity::delta, options, "");  // a rate in [0, 1]
  std::optional<Rates> rates;
  End end;
  Progress progress(inquiries.size(), unit);
  const auto work = [&](std::size_t, const Tell& tell) {
    const ImportedSpec run = read_run(options);
    const Composition composition = parse_spec(run.spec);
    tell(spec_message(composition, run.bound));
    const WorkLimit limit(options.timeout_seconds);
    AnswerOptions how = answer_options(options);
    how.attack = true;
    how.proven = telling_so_far(tell);
    how.proven(unknown);
    BestTests tests(composition, how);
    for (std::size_t i = 0; i < inquiries.size(); ++i) {
      // None but the last may take more than half of the time that is left.
      const WorkLimit share(work_seconds_left() / (i + 1 == inquiries.size() ? 1 : 2));
      tell(one_line(json_report(inquiries[i].question, inquiries[i].ask(tests), options.digits)));
      how.proven(unknown);
    }
  };
  const auto hear = [&](std::size_t, const std::string& message) {
    if (!rates) {
      rates = Rates{read_spec_of(message), {}, {}, 0};
      return;
    }
    rates->answers.push_back(Json::parse(message));
    progress.done(rates->answers.size());
  };
  run_isolated(single_blocks(1), 1, options.backstop(),
               {work, hear, [&](std::size_t, const End& how) { end = how; }});
  if (!rates) {
    status = status_without_spec(end);
    return std::nullopt;
  }
  if (!rates->spec.bound.empty()) {
    const bool upper = inquiries.front().upper_holds;
    complain(rates->spec.bound + (upper ? ": upper ends hold for the run, lower ends do not"
                                        : ": lower ends hold for the run, upper ends do not"));
  }
  rates->remark = end.words;
  end.seconds = 0;  // those of all answers
  // What was told so far is of the rate that was under way; the others are trivial.
  for (std::size_t i = rates->answers.size(); i < inquiries.size(); ++i, end.so_far.clear()) {
    rates->answers.push_back(
        json_report(inquiries[i].question, answer_so_far(end, unknown), options.digits));
  }
  bool reached = true;
  for (const Json& answer : rates->answers) reached = reached && answer["reached"].get<bool>();
  rates->status = status_after(end, reached);
  if (end.how != Ending::finished && end.how != Ending::failed && end.how != Ending::broken) {
    complain(end.words);
  }
  status = rates->status;
  return rates;
}

Json rates_head(const Rates& rates, const std::string& quantity, int digits) {
  Json report = {{"plaudit", PLAUDIT_VERSION}, {"spec", rates.spec.spec}, {"quantity", quantity}};
  put_adjacency(report, rates.spec.adjacency);
  report["digits"] = digits;
  if (!rates.spec.bound.empty()) report["bound"] = rates.spec.bound;
  if (!rates.remark.empty()) report["remark"] = rates.remark;
  return report;
}

void print_end(std::ostream& out, const Json& answer, const std::string& which,
               const std::string& relation) {
  const auto place = answer.find(which + "_end");
  if (place == answer.end()) return;
  const Json& end = *place;
  const std::string why = end["why"];
  const std::string key = "mechanism_" + which;
  if (end["of"] == "mechanism") {
    out << "  both ends bound the mechanism: " << why << '\n';
  } else if (end.contains(key)) {
    out << "  the " << which << " end is that of the dominating pair alone; of the mechanism "
        << relation << end[key].get<std::string>() << '\n';
  } else {
    const bool trivial = end["attained"] == "no_pair";
    out << "  the " << which << " end is "
        << (trivial ? "the trivial one: " : "that of the dominating pair alone: ") << why << '\n';
  }
}

double seconds_of(const Rates& rates) {
  double seconds = 0;
  for (const Json& answer : rates.answers) seconds += answer["seconds"].get<double>();
  return seconds;
}

}  // namespace plaudit::cli

// plaudit calibrate SPEC-with-a-? --target-epsilon E --delta D, or --target-delta D --epsilon E.
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/one_text.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "cli/output/table.hpp"
#include "cli/output/usage_error.hpp"
#include "cli/question.hpp"
#include "verification/reports/calibration_report.hpp"

namespace plaudit::cli {

namespace {

struct CalibrateOptions : Options {
  std::string target_epsilon;
  std::string target_delta;
  std::string from;
  std::string to;
};

CalibrationQuestion question_of(const CalibrateOptions& options) {
  const bool by_epsilon = !options.target_epsilon.empty();
  if (by_epsilon == !options.target_delta.empty()) {
    throw UsageError(
        "calibrate: needs one target, --target-epsilon E with --delta D or --target-delta D with "
        "--epsilon E");
  }
  const std::string& argument = by_epsilon ? options.delta : options.epsilon;
  const std::string& other = by_epsilon ? options.epsilon : options.delta;
  if (argument.empty() || !other.empty()) {
    throw UsageError(by_epsilon ? "calibrate: --target-epsilon goes with --delta"
                                : "calibrate: --target-delta goes with --epsilon");
  }
  CalibrationQuestion question;
  question.target = by_epsilon ? Quantity::epsilon : Quantity::delta;
  if (by_epsilon) {
    question.epsilon = read_epsilon("--target-epsilon", options.target_epsilon);
    if (question.epsilon < 0) throw UsageError("--target-epsilon must be a number >= 0");
    question.delta = read_delta("--delta", options.delta);
  } else {
    question.delta = read_delta("--target-delta", options.target_delta);
    question.epsilon = read_epsilon("--epsilon", options.epsilon);
  }
  if (!options.from.empty()) question.from = read_epsilon("--from", options.from);
  if (!options.to.empty()) question.to = read_epsilon("--to", options.to);
  return question;
}

std::string text_of(const CalibrationQuestion& question, const Calibration& found, int digits) {
  std::ostringstream out;
  const std::string quantity = name_of(question.target);
  out << question.spec << '\n'
      << found.parameter.name << " for " << quantity << " <= " << to_string(target_of(question))
      << " at " << argument_name(question.target) << " = " << to_string(argument_of(question))
      << ", certified"
      << (found.trusted.empty() ? "" : " if the claims of " + found.trusted + " are true") << '\n'
      << adjacency_line(found.adjacency) << "\n\n";
  std::vector<std::vector<std::string>> rows{
      {"", found.parameter.name, quantity + " lower", quantity + " upper"}};
  const auto row = [&](const char* name, const std::optional<CalibrationEnd>& end) {
    if (!end) {
      rows.push_back({name, "none", "", ""});
      return;
    }
    rows.push_back({name, to_string(end->value), lower_text(end->answer.band, digits),
                    upper_text(end->answer.band, digits)});
  };
  row("suffices", found.suffices);
  row(found.none_meets ? "best, yet fails" : "fails", found.fails);
  print_table(out, rows, 2);
  out << "\n  by " << found.accountant << ", " << found.queries << " queries, in "
      << time_text(found.seconds) << "; monotone by " << found.parameter.theorem << '\n';
  if (const BandOf of = of_failure(found); !of.mechanism) {
    out << "  fails is said of the dominating pair alone: " << of.why << '\n';
  }
  if (!found.remark.empty()) out << "  " << found.remark << '\n';
  return out.str();
}

int calibrate_command(const CalibrateOptions& options) {
  const CalibrationQuestion asked = question_of(options);
  OneTextWork what;
  what.nothing = "before any value was decided";
  what.work = [&](const Tell& tell) {
    CalibrationQuestion question = asked;
    question.spec = spec_text(options);
    const auto text_of_found = [&](const Calibration& found) {
      return options.json ? printed(json_report(question, found, options.digits)) + '\n'
                          : text_of(question, found, options.digits);
    };
    const Calibration found =
        calibrate(question, answer_options(options),
                  [&](const Calibration& so_far) { tell.so_far(text_of_found(so_far)); });
    return OneText{text_of_found(found), found.reached};
  };
  return print_one_text(options.backstop(), what);
}

}  // namespace

void add_calibrate_command(CommandLine& line) {
  const auto options = std::make_shared<CalibrateOptions>();
  Command command = line.command(
      "calibrate", "the parameter at which a target epsilon or delta is just met, from both sides",
      [options] { return calibrate_command(*options); });
  add_common_options(command, *options);
  command
      .option("--accountant", options->accountant, "a name of `plaudit list accountants`, or auto")
      .shows_default();
  command.option("--target-epsilon", options->target_epsilon, "a number >= 0; with --delta");
  command.option("--delta", options->delta, "0 <= delta <= 1, e.g. 1e-5");
  command.option("--target-delta", options->target_delta, "0 <= delta <= 1; with --epsilon");
  command.option("--epsilon", options->epsilon, "a real number");
  command.option("--from", options->from, "the least value that is looked at");
  command.option("--to", options->to, "the greatest one");
  command.examples(
      {"plaudit calibrate 'laplace(scale=?)*gaussian(sigma=2*?)' --target-epsilon 1 --delta 1e-5",
       "plaudit calibrate 'poisson(gaussian(sigma=?), rate=0.01)^10000' "
       "--target-epsilon 2 --delta 1e-5",
       "plaudit calibrate 'poisson(gaussian(sigma=1), rate=0.01)^?' "
       "--target-epsilon 2 --delta 1e-5"});
}

}  // namespace plaudit::cli

// plaudit calibrate SPEC-with-a-? and one target: --target-epsilon E --delta D, --target-delta D
// --epsilon E, --target-mu M, --target-advantage A, or --target-tpr T --fpr F.
#include <algorithm>
#include <iterator>
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
  std::string target_mu;
  std::string target_advantage;
  std::string target_tpr;
  std::string fpr;
  std::string from;
  std::string to;
};

/// One target, and the option that it goes with.
struct TargetOption {
  const std::string& given;
  const char* name;
  const std::string* argument;  ///< null where it needs none
  const char* argument_name;
};

/// The only target that is given. @throws UsageError
TargetOption target_option(const CalibrateOptions& options) {
  const TargetOption all[] = {
      {options.target_epsilon, "--target-epsilon", &options.delta, "--delta"},
      {options.target_delta, "--target-delta", &options.epsilon, "--epsilon"},
      {options.target_mu, "--target-mu", nullptr, ""},
      {options.target_advantage, "--target-advantage", nullptr, ""},
      {options.target_tpr, "--target-tpr", &options.fpr, "--fpr"}};
  const auto given = [](const TargetOption& each) { return !each.given.empty(); };
  if (std::count_if(std::begin(all), std::end(all), given) != 1) {
    throw UsageError(
        "calibrate: needs one target, --target-epsilon E with --delta D, --target-delta D with "
        "--epsilon E, --target-mu M, --target-advantage A, or --target-tpr T with --fpr F");
  }
  const TargetOption& target = *std::find_if(std::begin(all), std::end(all), given);
  for (const std::string* argument : {&options.delta, &options.epsilon, &options.fpr}) {
    if (argument->empty() == (argument != target.argument)) continue;
    throw UsageError(std::string("calibrate: ") + target.name +
                     (target.argument == nullptr
                          ? " goes with no --delta, --epsilon or --fpr"
                          : std::string(" goes with ") + target.argument_name + " alone"));
  }
  return target;
}

CalibrationQuestion question_of(const CalibrateOptions& options) {
  const TargetOption target = target_option(options);
  CalibrationQuestion question;
  if (!options.target_epsilon.empty()) {
    question.target = Quantity::epsilon;
    question.epsilon = read_epsilon(target.name, target.given);
    if (question.epsilon < 0) throw UsageError("--target-epsilon must be a number >= 0");
    question.delta = read_delta("--delta", options.delta);
  } else if (!options.target_delta.empty()) {
    question.target = Quantity::delta;
    question.delta = read_delta(target.name, target.given);
    question.epsilon = read_epsilon("--epsilon", options.epsilon);
  } else {
    const bool rate = !options.target_tpr.empty();
    const TestTarget tests{rate                        ? TestTarget::Kind::true_positive_rate
                           : options.target_mu.empty() ? TestTarget::Kind::advantage
                                                       : TestTarget::Kind::mu,
                           read_epsilon(target.name, target.given),
                           rate ? read_epsilon("--fpr", options.fpr) : Rational(0)};
    question = question_of_tests("", tests);
  }
  if (!options.from.empty()) question.from = read_epsilon("--from", options.from);
  if (!options.to.empty()) question.to = read_epsilon("--to", options.to);
  return question;
}

std::string text_of(const CalibrationQuestion& question, const Calibration& found,
                    const AnswerOptions& options) {
  const int digits = options.digits;
  std::ostringstream out;
  const std::string quantity = quantity_of(question);
  const auto argument = argument_of(question);
  const std::string at =
      argument ? " at " + argument->first + " = " + to_string(argument->second) : std::string();
  out << question.spec << '\n'
      << found.parameter.name << " for " << quantity << " <= " << to_string(target_of(question))
      << at
      << (options.direction == DirectionChoice::both
              ? std::string()
              : ", direction " + std::string(name_of(options.direction)))
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
  if (const BandOf of = of_failure(question, found); !of.mechanism) {
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
    const AnswerOptions how = answer_options(options);
    const auto text_of_found = [&](const Calibration& found) {
      return options.json ? printed(json_report(question, found, how)) + '\n'
                          : text_of(question, found, how);
    };
    const Calibration found = calibrate(
        question, how, [&](const Calibration& so_far) { tell.so_far(text_of_found(so_far)); });
    return OneText{text_of_found(found), found.reached};
  };
  return print_one_text(options.backstop(), what);
}

}  // namespace

void add_calibrate_command(CommandLine& line) {
  const auto options = std::make_shared<CalibrateOptions>();
  Command command =
      line.command("calibrate", "the parameter at which a target is just met, from both sides",
                   [options] { return calibrate_command(*options); });
  add_common_options(command, *options);
  command
      .option("--accountant", options->accountant, "a name of `plaudit list accountants`, or auto")
      .shows_default();
  command.option("--target-epsilon", options->target_epsilon, "a number >= 0; with --delta");
  command.option("--delta", options->delta, "0 <= delta <= 1, e.g. 1e-5");
  command.option("--target-delta", options->target_delta, "0 <= delta <= 1; with --epsilon");
  command.option("--epsilon", options->epsilon, "a real number");
  command.option("--target-mu", options->target_mu, "a number >= 0: Gaussian differential privacy");
  command.option("--target-advantage", options->target_advantage,
                 "0 <= TPR - FPR <= 1, of the best test of membership");
  command.option("--target-tpr", options->target_tpr, "its true positive rate; with --fpr");
  command.option("--fpr", options->fpr, "0 <= fpr <= 1");
  command.option("--from", options->from, "the least value that is looked at");
  command.option("--to", options->to, "the greatest one");
  command.examples(
      {"plaudit calibrate 'laplace(scale=?)*gaussian(sigma=2*?)' --target-epsilon 1 --delta 1e-5",
       "plaudit calibrate 'poisson(gaussian(sigma=?), rate=0.01)^10000' "
       "--target-epsilon 2 --delta 1e-5",
       "plaudit calibrate 'poisson(gaussian(sigma=1), rate=0.01)^?' "
       "--target-epsilon 2 --delta 1e-5",
       "plaudit calibrate 'gaussian(sigma=?)^100' --target-tpr 0.05 --fpr 0.01"});
}

}  // namespace plaudit::cli

// plaudit epsilon SPEC --delta D, and plaudit delta SPEC --epsilon E.
#include <fstream>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/report.hpp"
#include "cli/usage_error.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/certificate.hpp"

namespace plaudit::cli {

namespace {

/// The band as it is printed, proven again by the checker before it is written.
void write_certificate(const Options& options, const Composition& composition, Quantity quantity,
                       const Rational& argument, const Answer& answer) {
  if (!answer.band.certified || !answer.band.upper.is_finite()) {
    throw UsageError("--certificate needs a finite certified band");
  }
  const Certificate certificate =
      make_certificate(composition, quantity, argument,
                       parse_rational(lower_text(answer.band, options.digits)),
                       parse_rational(upper_text(answer.band, options.digits)), answer);
  std::ofstream file(options.certificate);
  file << to_json(certificate);
  file.close();
  if (!file) throw UsageError("--certificate: cannot write " + abbreviated(options.certificate));
}

int answer_query(Quantity quantity, const Options& options) {
  const Rational argument = quantity == Quantity::epsilon
                                ? read_delta("--delta", options.delta)
                                : read_epsilon("--epsilon", options.epsilon);
  const Composition composition = read_composition(options);
  const Answer answer = Session(composition, answer_options(options)).answer(quantity, argument);
  if (!options.certificate.empty()) write_certificate(options, composition, quantity, argument, answer);
  const Question question{quantity, composition.spec(), argument, options.digits};
  if (options.json) {
    std::cout << json_report(question, answer, options.explain).dump(2) << '\n';
  } else {
    text_report(std::cout, question, answer, options.explain);
  }
  return answer.reached ? exit_done : exit_not_reached;
}

}  // namespace

void add_epsilon_command(CLI::App& app, Run& run) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("epsilon", "certified epsilon at a delta");
  add_common_options(*command, *options);
  add_answer_options(*command, *options);
  command->add_option("--delta", options->delta, "0 < delta < 1, e.g. 1e-7")->required();
  command->callback(
      [&run, options] { run = [options] { return answer_query(Quantity::epsilon, *options); }; });
}

void add_delta_command(CLI::App& app, Run& run) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("delta", "certified delta at an epsilon");
  add_common_options(*command, *options);
  add_answer_options(*command, *options);
  command->add_option("--epsilon", options->epsilon, "a real number, negative ones too")
      ->required();
  command->callback(
      [&run, options] { run = [options] { return answer_query(Quantity::delta, *options); }; });
}

}  // namespace plaudit::cli

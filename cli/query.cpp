// plaudit epsilon SPEC --delta D, and plaudit delta SPEC --epsilon E.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/complain.hpp"
#include "cli/options.hpp"
#include "cli/report.hpp"
#include "cli/usage_error.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/certificates/write.hpp"

namespace plaudit::cli {

namespace {

/// A certificate that could not be made says why, kind by kind.
constexpr std::size_t longest_reason = 3000;

/// Refused before any work: what can never be written.
void check_certificate_path(const std::string& path) {
  if (path.empty()) return;
  std::error_code problem;
  const std::filesystem::path file(path);
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!std::filesystem::is_directory(folder, problem) ||
      std::filesystem::is_directory(file, problem)) {
    throw UsageError("--certificate: cannot write " + abbreviated(path));
  }
}

/// The band as it is printed, proven again by the checker before it is written. The answer has been
/// printed: what goes wrong here is a remark.
void certify(const Options& options, const Composition& composition, Quantity quantity,
             const Rational& argument, const Answer& answer) {
  std::cout.flush();
  std::string problem;
  try {
    if (!answer.band.certified) throw NoCertificate("no certificate: the band is not certified");
    const std::string text =
        write_certificate(composition,
                          {quantity, argument, lower_text(answer.band, options.digits),
                           upper_text(answer.band, options.digits)},
                          answer, options.timeout);
    std::ofstream file(options.certificate, std::ios::binary);
    file << text;
    file.close();
    if (!file) problem = "--certificate: cannot write " + abbreviated(options.certificate);
  } catch (const NoCertificate& refusal) {
    problem = refusal.what();
  }
  if (!problem.empty()) complain(problem, longest_reason);
}

int answer_query(Quantity quantity, const Options& options) {
  const Rational argument = quantity == Quantity::epsilon
                                ? read_delta("--delta", options.delta)
                                : read_epsilon("--epsilon", options.epsilon);
  const Composition composition = read_composition(options);
  check_certificate_path(options.certificate);
  const Answer answer = Session(composition, answer_options(options)).answer(quantity, argument);
  const Question question{quantity, composition.spec(), argument, options.digits,
                          composition.adjacency()};
  if (options.json) {
    std::cout << json_report(question, answer, options.explain).dump(2) << '\n';
  } else {
    text_report(std::cout, question, answer, options.explain);
  }
  if (!options.certificate.empty()) certify(options, composition, quantity, argument, answer);
  return answer.reached ? exit_done : exit_not_reached;
}

}  // namespace

void add_epsilon_command(CLI::App& app, Run& run) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("epsilon", "certified epsilon at a delta");
  add_common_options(*command, *options);
  add_answer_options(*command, *options);
  command->add_option("--delta", options->delta, "0 <= delta <= 1, e.g. 1e-7")->required();
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

// plaudit prove SPEC --delta D: a file for Coq whose theorem says that the run is, or is not,
// (epsilon, delta)-private.
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/one_text.hpp"
#include "cli/options.hpp"
#include "cli/output/output_file.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/report.hpp"
#include "cli/output/table.hpp"
#include "cli/output/usage_error.hpp"
#include "cli/question.hpp"
#include "lib/balls/decimal.hpp"
#include "mechanisms/language/spec.hpp"
#include "verification/kernel/prove.hpp"

namespace plaudit::cli {

namespace {

/// What the worker tells after each lattice that it tried.
constexpr const char* one_more_try = "tried";
constexpr int usual_digits_of_theorems = 3;
constexpr int digits_of_epsilon = 12;
constexpr int digits_of_ends = 10;

struct ProveOptions : Options {
  std::string end = "upper";
  std::string width;
  std::string output;
};

Json json_of_theorem(const kernel::TheoremFacts& facts) {
  return {{"theorem", facts.name},
          {"direction", std::string(plaudit::name_of(facts.direction))},
          {"end", facts.upper ? "upper" : "lower"},
          {"epsilon", decimal_above(facts.epsilon, digits_of_epsilon)},
          {"certified", facts.upper ? decimal_above(facts.certified, digits_of_ends)
                                    : decimal_below(facts.certified, digits_of_ends)},
          {"reached", facts.reached},
          {"lattice", "2^-" + std::to_string(facts.e)},
          {"cells", facts.cells},
          {"places", facts.places}};
}

std::string text_of_theorems(const ProveOptions& options, const ReadSpec& read,
                             const Json& theorems, std::size_t bytes) {
  if (options.json) {
    Json report = {{"plaudit", PLAUDIT_VERSION},
                   {"spec", read.spec},
                   {"query", {{"delta", to_string(read_delta("--delta", options.delta))}}},
                   {"quantity", "epsilon"}};
    put_adjacency(report, read.adjacency);
    report["file"] = options.output;
    report["bytes"] = bytes;
    report["theorems"] = theorems;
    return printed(report) + '\n';
  }
  std::ostringstream out;
  out << options.output << ": " << bytes / 1024 + 1 << " KiB, for ./dev prove " << options.output
      << "\n\n"
      << read.spec << " at delta = " << options.delta << '\n'
      << adjacency_line(read.adjacency) << "\n\n";
  std::vector<std::vector<std::string>> rows{{"theorem", "direction", "says", "certified end"}};
  for (const Json& one : theorems) {
    const bool upper = one["end"] == "upper";
    rows.push_back({one["theorem"], one["direction"],
                    (upper ? "epsilon <= " : "epsilon > ") + one["epsilon"].get<std::string>(),
                    one["certified"]});
  }
  print_table(out, rows, 3);
  for (const Json& one : theorems) {
    if (!one["reached"].get<bool>()) {
      out << "  " << one["theorem"].get<std::string>() << ": the wanted width was not reached\n";
    }
  }
  return out.str();
}

int prove_run(const ProveOptions& options) {
  kernel::ProveQuestion question;
  question.delta = read_delta("--delta", options.delta);
  question.upper = options.end != "lower";
  question.lower = options.end != "upper";
  if (!options.width.empty()) {
    question.width = read_epsilon("--width", options.width);
    if (*question.width <= 0) throw UsageError("--width must be a number above 0");
  }
  const OutputFile file("--output", options.output);
  std::string told;
  OneTextWork what;
  what.nothing = "before a theorem was found";
  Progress progress(0, "of the lattices that may be tried");
  std::size_t tries = 0;
  what.is_progress = [&](const std::string& message) {
    if (message != one_more_try) return false;
    progress.done(++tries);
    return true;
  };
  what.work = [&](const Tell& tell) {
    const Composition composition = parse_spec(read_run(options).spec);
    const kernel::ProofFile proof =
        kernel::prove(composition, question, answer_options(options), [&] { tell(one_more_try); });
    Json theorems = Json::array();
    bool reached = true;
    for (const kernel::TheoremFacts& facts : proof.theorems) {
      theorems.push_back(json_of_theorem(facts));
      reached = reached && facts.reached;
    }
    const Json message = {
        {"spec", spec_message(composition)}, {"theorems", theorems}, {"file", proof.text}};
    return OneText{one_line(message), reached};
  };
  const int status = ask_one_text(options.backstop(), what, told);
  if (told.empty()) return status;
  const Json message = Json::parse(told);
  const std::string text = message["file"];
  file.write(text);
  std::cout << text_of_theorems(options, read_spec_of(message["spec"]), message["theorems"],
                                text.size());
  return status;
}

}  // namespace

void add_prove_command(CommandLine& line) {
  const auto options = std::make_shared<ProveOptions>();
  options->digits.wanted = usual_digits_of_theorems;
  Command command = line.command("prove", "a theorem about one run, for the kernel of Coq",
                                 [options] { return prove_run(*options); });
  add_common_options(command, *options);
  command.option("--delta", options->delta, "0 < delta < 1, e.g. 1e-7").required();
  command
      .option("--end", options->end,
              "upper: the run is private, in each direction; lower: it is not, in the worse one; "
              "or both")
      .one_of({"upper", "lower", "both"})
      .shows_default();
  command.option("--width", options->width,
                 "the wanted distance from the certified end, in place of digits of it");
  command.option("--output", options->output, "write the file for Coq here, e.g. run.v").required();
  command.examples(
      {"plaudit prove 'poisson(gaussian(sigma=0.8), rate=0.004)^1000' --delta 1e-7 --output run.v",
       "plaudit prove 'gaussian(sigma=2)^10' --delta 1e-6 --end both --width 1e-4 --output run.v"});
}

}  // namespace plaudit::cli

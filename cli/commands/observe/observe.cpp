// plaudit observe SPEC: what was observed in many runs against what was claimed of them.
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
#include "mechanisms/language/spec.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/observe/scores.hpp"
#include "verification/reports/observation_report.hpp"

namespace plaudit::cli {

namespace {

constexpr int usual_digits_of_observations = 10;
constexpr std::size_t longest_scores = 100'000'000;

struct ObserveOptions : Options {
  std::string design;
  std::string counts;
  std::string scores;
  std::string threshold;
  std::string level = "1e-6";
  std::string deltas = "0,1e-5";
};

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

bool is_count(const std::string& text) {
  return !text.empty() && text.size() <= 10 &&
         text.find_first_not_of("0123456789") == std::string::npos;
}

RunCounts counts_of(const std::string& text) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& part : split_at_commas(text)) {
    if (is_count(part)) numbers.push_back(std::stoull(part));
  }
  if (numbers.size() != 4 || split_at_commas(text).size() != 4) {
    throw UsageError(
        "--counts must be K1,N1,K0,N0: of N1 runs with the record and of N0 without it the test "
        "said in K1 and K0 that it is there, not " +
        abbreviated(text));
  }
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

/// What is counted; of a split threshold also how it came about.
struct ReadCounts {
  RunCounts counts;
  std::optional<ObservedRun::Split> split = {};
};

Scores read_scores(const ObserveOptions& options) {
  std::ifstream file =
      open_file(options.scores, "--scores " + abbreviated(options.scores) + " cannot be read");
  const std::string text = read_stream(file, longest_scores);
  if (text.size() > longest_scores) {
    throw UsageError("--scores: has over " + std::to_string(longest_scores) + " characters");
  }
  try {
    return scores_from_csv(text);
  } catch (const InputError& error) {
    throw UsageError("--scores: " + std::string(error.what()));
  }
}

ReadCounts read_counts(const ObserveOptions& options, const Rational& level) {
  if (options.counts.empty() == options.scores.empty()) {
    throw UsageError("needs --counts K1,N1,K0,N0, or --scores FILE with --threshold T");
  }
  if (options.scores.empty() != options.threshold.empty()) {
    throw UsageError(
        "--scores goes with --threshold T, which was fixed before the scores, or "
        "with --threshold split:SEED");
  }
  if (!options.counts.empty()) return {counts_of(options.counts)};
  const std::string split = "split:";
  if (options.threshold.rfind(split, 0) == 0) {
    const std::string text = options.threshold.substr(split.size());
    if (!is_count(text)) {
      throw UsageError("--threshold split:SEED needs a seed of at most ten digits, not " +
                       abbreviated(options.threshold));
    }
    const std::uint64_t seed = std::stoull(text);
    const SplitCounts found = split_counts(read_scores(options), seed, level);
    return {found.counts, ObservedRun::Split{text_of(found.threshold), seed}};
  }
  Score threshold;
  try {
    threshold = score_of(options.threshold);
  } catch (const NumberError& error) {
    throw UsageError("--threshold: " + std::string(error.what()));
  }
  return {counts_at(read_scores(options), threshold)};
}

std::string verdict_line(const Json& report) {
  const std::string verdict = report["verdict"];
  const std::string level = " at the level " + report["level"].get<std::string>();
  const std::string upper = report["p_value"]["upper"];
  const std::string lower = report["p_value"]["lower"];
  if (verdict == "refuted") return "refuted" + level + ": p-value <= " + upper + ", certified";
  if (verdict == "consistent") return "not refuted" + level + ": p-value >= " + lower;
  return "undecided" + level + ": the p-value is within [" + lower + ", " + upper + "]";
}

std::string text_of_observation(const ReadSpec& spec, const Json& report) {
  std::ostringstream out;
  const Json& counts = report["counts"];
  const Json& ceiling = report["ceiling"];
  out << verdict_line(report) << "\n\n"
      << spec.spec << '\n'
      << adjacency_line(spec.adjacency) << '\n';
  if (!spec.bound.empty()) out << spec.bound << ": a refutation holds for the run\n";
  out << "said to be there in " << counts["true_positives"] << " of " << counts["with_record"]
      << " runs with the record, in " << counts["false_positives"] << " of "
      << counts["without_record"] << " without it\n";
  if (report.contains("split")) {
    out << "at the threshold " << report["split"]["threshold"].get<std::string>()
        << ", chosen by the other half of the runs, seed " << report["split"]["seed"] << '\n';
  }
  out << '\n';
  std::vector<std::vector<std::string>> rows{{"", "observed", "without errors"}};
  const auto row = [&](const std::string& name, const Json& of_run, const Json& of_ceiling) {
    rows.push_back({name, of_run, of_ceiling});
  };
  for (const char* end : {"lower", "upper"}) {
    row("p-value of the claim, " + std::string(end) + " end", report["p_value"][end],
        ceiling["p_value"][end]);
  }
  const Json& corner = report["corners"][0];
  const Json& best = ceiling["corners"][0];
  row("false positive rate <=", corner["fpr_upper"], best["fpr_upper"]);
  row("true positive rate >=", corner["tpr_lower"], best["tpr_lower"]);
  for (std::size_t i = 0; i < report["epsilon_lower"].size(); ++i) {
    const Json& one = report["epsilon_lower"][i];
    row("epsilon at delta = " + one["delta"].get<std::string>() + " >=", one["lower"],
        ceiling["epsilon_lower"][i]["lower"]);
  }
  row("mu >=", report["mu_lower"], ceiling["mu_lower"]);
  print_table(out, rows, 2);
  out << "\n  the p-value is that of the claim; the rates, epsilons and mu hold whatever was "
         "claimed, all\n  together but for a probability of at most "
      << report["level"].get<std::string>() << "; assumed:\n";
  for (const Json& words : report["assumptions"]) out << "  - " << words.get<std::string>() << '\n';
  if (report.contains("remark")) out << "  " << report["remark"].get<std::string>() << '\n';
  return out.str();
}

OneText told_text(const ObserveOptions& options, const ReadSpec& spec, const Json& report) {
  const std::string verdict = report["verdict"];
  return {options.json ? printed(report) + '\n' : text_of_observation(spec, report),
          verdict != "undecided", verdict == "refuted"};
}

int observe_runs(const ObserveOptions& options) {
  const Rational level = read_probability("--level", "level", options.level);
  if (!(level > 0 && level < 1)) throw UsageError("--level must be a number with 0 < level < 1");
  const ReadCounts read_from = read_counts(options, level);
  ObserveQuestion question{errors_of(read_from.counts), level, {}};
  for (const std::string& delta : split_at_commas(options.deltas)) {
    question.deltas.push_back(read_delta("--delta", delta));
  }
  OneTextWork what;
  what.nothing = "before anything was known";
  what.work = [&](const Tell& tell) {
    const ImportedSpec run = read_run(options);
    const Composition claim = parse_spec(run.spec);
    const std::string read = spec_message(claim, run.bound);
    const ReadSpec spec = read_spec_of(read);
    const ObservedRun observed{spec.spec, spec.adjacency, spec.bound, read_from.counts,
                               read_from.split};
    const auto report = [&](const Observation& found) {
      return json_report(observed, question, found, options.digits);
    };
    const Observation found =
        observe(claim, question, answer_options(options), [&](const Observation& so_far) {
          tell.so_far(one_line({{"spec", read}, {"report", report(so_far)}}));
        });
    return told_text(options, spec, report(found));
  };
  what.text_so_far = [&](const End& end) {
    const Json known = Json::parse(end.so_far);
    Json report = known["report"];
    if (!report.contains("remark")) report["remark"] = end.words;
    return told_text(options, read_spec_of(known["spec"]), report);
  };
  return print_one_text(options.backstop(), what);
}

}  // namespace

void add_observe_command(CommandLine& line) {
  const auto options = std::make_shared<ObserveOptions>();
  options->digits.wanted = usual_digits_of_observations;
  Command command =
      line.command("observe", "what was observed in many runs against what was claimed",
                   [options] { return observe_runs(*options); });
  add_common_options(command, *options);
  command
      .option("--design", options->design,
              "runs: independent runs, some with the record and some without it")
      .one_of({"runs"})
      .required();
  command.option("--counts", options->counts,
                 "K1,N1,K0,N0: the test said that the record is there in K1 of N1 runs with it and "
                 "in K0 of N0 without it");
  command.option("--scores", options->scores,
                 "CSV with a line for each run: the columns score, and member or label (1 with the "
                 "record, 0 without it)");
  command.option("--threshold", options->threshold,
                 "the test says that the record is there where the score is at least this; fixed "
                 "before the scores were seen, or split:SEED: chosen by one half of the runs for "
                 "the other");
  command.option("--level", options->level, "the most a false alarm may be probable, in (0, 1)")
      .shows_default();
  command.option("--delta", options->deltas, "at which lower ends of epsilon are given: D[,D,...]")
      .shows_default();
  command.examples(
      {"plaudit observe 'gaussian(sigma=2)' --design runs --counts 312,1000,3,1000",
       "plaudit observe 'poisson(gaussian(sigma=0.8), rate=0.004)^1000' --design runs --scores "
       "scores.csv --threshold 1.5 --level 1/20"});
}

}  // namespace plaudit::cli

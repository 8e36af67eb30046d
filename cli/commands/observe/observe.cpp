// plaudit observe SPEC: what was observed in runs against what was claimed of them.
#include <iomanip>
#include <nlohmann/json.hpp>

#include <optional>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/commands/observe/given.hpp"
#include "cli/commands/observe/text.hpp"
#include "cli/one_text.hpp"
#include "cli/output/usage_error.hpp"
#include "mechanisms/language/spec.hpp"
#include "verification/certificates/observation.hpp"
#include "verification/observe/observe_all.hpp"
#include "verification/observe/power.hpp"
#include "verification/reports/roc_of_runs.hpp"

namespace plaudit::cli {

namespace {

constexpr int usual_digits_of_observations = 10;
constexpr double named_power = 0.9;  ///< at which what is detectable is told
constexpr int digits_of_power = 4;

/// The claim as it was read, in the worker.
struct Claim {
  Composition composition;
  ClaimedSpec named;
};

using ReportSoFar = std::function<void(const Json&)>;
using MakeReport = std::function<Json(const Claim&, const ReportSoFar&)>;
using Certify = std::function<Certificate(const Composition&)>;
using Draw = std::function<std::string(const Composition&)>;

/// What is written behind the report, in its worker. @param claimed where there is a report
std::vector<FileWork> files_behind(const ObserveOptions& options, const Certify& certify,
                                   const Draw& draw, const std::optional<Composition>& claimed) {
  std::vector<FileWork> files;
  if (!options.certificate.empty()) {
    files.push_back({OutputFile("--certificate", options.certificate), "certificate", [&] {
                       if (!claimed) throw UsageError("no certificate: there is no answer");
                       try {
                         const Certificate found = certify(*claimed);
                         return found.remark + '\n' + found.text;
                       } catch (const NoCertificate& refusal) {
                         throw UsageError(refusal.what());
                       }
                     }});
  }
  if (!options.svg.empty()) {
    files.push_back({OutputFile("--svg", options.svg), "picture", [&] {
                       if (!claimed) throw UsageError("no picture: there is no answer");
                       return '\n' + draw(*claimed);
                     }});
  }
  return files;
}

OneText told_text(const ObserveOptions& options, const ReadSpec& spec, const Json& report) {
  const std::string verdict = report["verdict"];
  return {options.json ? printed(report) + '\n' : text_of_observation(spec, report),
          verdict != "undecided", verdict == "refuted"};
}

int print_report(const ObserveOptions& options, const MakeReport& make, const Certify& certify,
                 const Draw& draw = {}) {
  OneTextWork what;
  std::optional<Composition> claimed;  // in the worker
  const std::vector<FileWork> files = files_behind(options, certify, draw, claimed);
  what.nothing = "before anything was known";
  what.work = [&](const Tell& tell) {
    const ImportedSpec run = read_run(options);
    const Composition composition = parse_spec(run.spec);
    const std::string read = spec_message(composition, run.bound);
    const ReadSpec spec = read_spec_of(read);
    const Claim claim{composition, {spec.spec, spec.adjacency, spec.bound}};
    const ReportSoFar so_far = [&](const Json& report) {
      tell.so_far(one_line({{"spec", read}, {"report", report}}));
    };
    OneText told = told_text(options, spec, make(claim, so_far));
    claimed = composition;
    return told;
  };
  what.text_so_far = [&](const End& end) {
    const Json known = Json::parse(end.so_far);
    Json report = known["report"];
    if (!report.contains("remark")) report["remark"] = end.words;
    return told_text(options, read_spec_of(known["spec"]), report);
  };
  return print_one_text(options.backstop(), what, files);
}

double rounded(double x) {
  return std::stod((std::ostringstream() << std::setprecision(digits_of_power) << x).str());
}

void put_power(Json& report, const ObserveOptions& options, const Claim& claim,
               const RunCounts& counts, const Rational& level) {
  if (options.alternative.empty()) return;
  const PlanOfRuns plan(claim.composition, parse_spec(options.alternative), level,
                        answer_options(options));
  const RunsPower power = plan.power(counts.without_record, counts.with_record);
  report["power"] = {
      {"alternative", options.alternative},
      {"model", "told by its best test at one threshold fixed before"},
      {"refuted", rounded(power.power)},
      {"fpr", rounded(power.fpr)},
      {"detectable_mu",
       rounded(plan.detectable_mu(counts.without_record, counts.with_record, named_power))}};
}

void put_power(Json& report, const ObserveOptions& options, const Claim& claim,
               const OneRunQuestion& question) {
  if (options.alternative.empty()) return;
  const std::uint64_t canaries = question.guesses.front().canaries;
  const PlanOfCanaries plan(claim.composition, parse_spec(options.alternative), question.level,
                            question.independent, answer_options(options));
  report["power"] = {
      {"alternative", options.alternative},
      {"model", "all canaries guessed by its best tests, independently of each other"},
      {"refuted", rounded(plan.power(canaries))},
      {"detectable_share", rounded(plan.detectable_share(canaries, named_power))}};
}

int observe_runs(const ObserveOptions& options, const Rational& level,
                 const std::vector<Rational>& deltas) {
  const GivenRuns given = read_runs(options, level);
  const auto counts_of = [](const ErrorCounts& errors) {
    return RunCounts{errors.false_negatives.trials - errors.false_negatives.of,
                     errors.false_negatives.trials, errors.false_positives.of,
                     errors.false_positives.trials};
  };
  const auto certify = [&](const Composition& claim) {
    if (given.scores) {
      throw NoCertificate(
          "no certificate: of all thresholds at once none is made; of --threshold T, fixed before, "
          "or split:SEED one is");
    }
    return observation_certificate(claim, {errors_of(given.counts), level, deltas},
                                   answer_options(options));
  };
  std::vector<RateLimits> rates;
  const auto draw = [&](const Composition& claim) {
    return roc_svg(roc_of_runs(claim, rates, level, answer_options(options)),
                   pictures::usual_width);
  };
  const auto make = [&](const Claim& claim, const ReportSoFar& so_far) {
    const auto report = [&](const RunCounts& counts, const Observation& found) {
      return json_report(claim.named, counts, given.threshold, {errors_of(counts), level, deltas},
                         found, options.digits);
    };
    RunCounts counts = given.counts;
    Json last;
    if (given.scores) {
      const auto tell = [&](const ObservationAtAll& found) {
        so_far(report(counts_of(found.counts), found));
      };
      const ObservationAtAll found = observe_all(claim.composition, *given.scores, level, deltas,
                                                 answer_options(options), tell);
      counts = counts_of(found.counts);
      rates = found.rates;
      last = report(counts, found);
    } else {
      const auto tell = [&](const Observation& found) { so_far(report(counts, found)); };
      const Observation found = observe(claim.composition, {errors_of(counts), level, deltas},
                                        answer_options(options), tell);
      rates = {{found.found.fpr, found.found.fnr}};
      last = report(counts, found);
    }
    so_far(last);
    put_power(last, options, claim, counts, level);
    return last;
  };
  return print_report(options, make, certify, draw);
}

int observe_coins(const ObserveOptions& options, const Rational& level,
                  const std::vector<Rational>& deltas) {
  const GivenGuesses given = read_guesses(options);
  for (const Guesses& one : given.guesses) check_guesses(one);
  const bool any_kinds = options.design == "pairs" || options.scores.empty();
  const OneRunQuestion question{given.guesses,       given.as, level, deltas,
                                options.independent, any_kinds};
  const CoinsOf coins = options.design == "pairs" ? CoinsOf::pairs : CoinsOf::canaries;
  const auto certify = [&](const Composition& claim) {
    return observation_certificate(claim, question, coins == CoinsOf::pairs,
                                   answer_options(options));
  };
  const auto make = [&](const Claim& claim, const ReportSoFar& so_far) {
    check_coins(claim.named.adjacency, coins, given.as);
    const auto tell = [&](const OneRunObservation& found) {
      so_far(json_report(claim.named, coins, question, found, options.digits));
    };
    const OneRunObservation found =
        observe_one_run(claim.composition, question, answer_options(options), tell);
    Json report = json_report(claim.named, coins, question, found, options.digits);
    if (given.pairing) report["pairing"] = *given.pairing;
    put_power(report, options, claim, question);
    return report;
  };
  return print_report(options, make, certify);
}

int observe_sequence(const ObserveOptions& options, const Rational& level) {
  if (options.line.empty() || options.stake.empty()) {
    throw UsageError("--design sequence needs --line EPSILON and --stake B, fixed before the runs");
  }
  SequenceObservation seen{read_sequence(options), {}, 0};
  const Rational epsilon = read_epsilon("--line", options.line);
  seen.bet.stake = read_probability("--stake", "stake", options.stake);
  const auto certify = [&](const Composition& claim) {
    return observation_certificate(claim, seen.guesses, epsilon, seen.bet.stake, level,
                                   answer_options(options));
  };
  const auto make = [&](const Claim& claim, const ReportSoFar&) {
    GuessedCurve curve(claim.composition, answer_options(options), GuessedAs::both);
    seen.bet.lambda = upper_exponential(epsilon);
    seen.bet.delta = multiple_above(curve.at(epsilon));
    seen.e_value = e_value(seen.guesses, seen.bet);
    return json_report(claim.named, seen, level, options.digits);
  };
  return print_report(options, make, certify);
}

/// How large an experiment has to be.
int print_plan(const ObserveOptions& options, const Rational& level) {
  const Rational power = read_probability("--plan", "power", options.plan);
  if (power <= 0 || power >= 1) throw UsageError("--plan must be a power with 0 < power < 1");
  if (options.alternative.empty()) {
    throw UsageError("--plan goes with --alternative SPEC, what else may have been run");
  }
  OneTextWork what;
  what.nothing = "before anything was known";
  what.work = [&](const Tell&) {
    const Composition claim = parse_spec(read_run(options).spec);
    const Composition alternative = parse_spec(options.alternative);
    const bool runs = options.design == "runs";
    std::optional<std::uint64_t> size;
    Json report{{"plaudit", PLAUDIT_VERSION}, {"spec", claim.spec()}, {"quantity", "plan"}};
    report["design"] = options.design;
    report["level"] = to_string(level);
    report["power"] = to_string(power);
    report["alternative"] = options.alternative;
    if (runs) {
      const PlanOfRuns plan(claim, alternative, level, answer_options(options));
      size = plan.runs_for(estimate(power));
      if (size) report["fpr"] = rounded(plan.power(*size, *size).fpr);
    } else {
      size = PlanOfCanaries(claim, alternative, level, options.independent, answer_options(options))
                 .canaries_for(estimate(power));
    }
    report["size"] = size ? Json(*size) : Json(nullptr);
    std::ostringstream text;
    if (!size) {
      text << "no number of " << (runs ? "runs" : "canaries") << " that is read has this power\n";
    } else if (runs) {
      text << "about " << *size
           << " runs with the record and as many without it, at a threshold of "
           << "a false positive rate of about " << report["fpr"] << '\n';
    } else {
      text << "about " << *size << " canaries, all guessed\n";
    }
    text << "(floating point; an experiment is judged by what it counted alone)\n";
    return OneText{options.json ? printed(report) + '\n' : text.str(), size.has_value()};
  };
  return print_one_text(options.backstop(), what);
}

int observe_design(const ObserveOptions& options) {
  const Rational level = read_probability("--level", "level", options.level);
  if (!(level > 0 && level < 1)) throw UsageError("--level must be a number with 0 < level < 1");
  const auto only_for = [&](const char* option, bool given, const char* designs) {
    if (given && std::string(designs).find(options.design) == std::string::npos) {
      throw UsageError(std::string(option) + " is for the designs " + designs);
    }
  };
  only_for("--threshold", !options.threshold.empty(), "runs");
  only_for("--guesses", !options.guesses.empty(), "coins, pairs");
  only_for("--guessed", options.guessed != "both", "coins");
  only_for("--pairing", !options.pairing.empty(), "pairs");
  only_for("--independent", options.independent, "coins, pairs");
  only_for("--svg", !options.svg.empty(), "runs");
  only_for("--line", !options.line.empty(), "sequence");
  only_for("--stake", !options.stake.empty(), "sequence");
  only_for("--scores", !options.scores.empty(), "runs, coins, pairs");
  const auto of_scores = [&](const char* option, bool given) {
    if (given && options.scores.empty())
      throw UsageError(std::string(option) + " goes with --scores");
  };
  of_scores("--threshold", !options.threshold.empty());
  of_scores("--guesses", !options.guesses.empty());
  of_scores("--pairing", !options.pairing.empty());
  if (!options.scores.empty() && options.guessed != "both") {
    throw UsageError("--guessed goes with --counts");
  }
  only_for("--alternative", !options.alternative.empty(), "runs, coins, pairs");
  only_for("--direction", options.direction != DirectionChoice::both, "runs");
  if (!options.plan.empty()) {
    if (!options.counts.empty() || !options.scores.empty()) {
      throw UsageError("--plan is asked before anything is seen, without --counts or --scores");
    }
    return print_plan(options, level);
  }
  std::vector<Rational> deltas;
  for (const std::string& delta : split_at(options.deltas, ',')) {
    deltas.push_back(read_delta("--delta", delta));
  }
  if (options.design == "runs") return observe_runs(options, level, deltas);
  if (options.design == "sequence") return observe_sequence(options, level);
  return observe_coins(options, level, deltas);
}

void add_what_was_seen(Command& command, ObserveOptions& options) {
  command
      .option("--design", options.design,
              "runs: independent runs, some with the record and some without it; coins: one run "
              "whose canaries are in or out by a fair coin each; pairs: one run with one canary of "
              "each pair; sequence: runs of a coin each, stopped at will")
      .one_of({"runs", "coins", "pairs", "sequence"})
      .required();
  command.option("--counts", options.counts,
                 "runs: K1,N1,K0,N0, the test said that the record is there in K1 of N1 runs with "
                 "it and in K0 of N0 without it; coins, pairs: V,R,M, of M coins R were guessed, V "
                 "rightly (several between ;); sequence: RIGHT,WRONG,ABSTAINED");
  command.option(
      "--scores", options.scores,
      "CSV with a line for each run or canary: the columns score, and member or label "
      "(1 with the record, 0 without it); or .npz of np.savez: in and out, or scores and "
      "members");
  command.option("--threshold", options.threshold,
                 "runs: the test says that the record is there where the score is at least this; "
                 "fixed before the scores were seen, or all: at all of them, or split:SEED: chosen "
                 "by one half of the runs for the other");
  command.option("--guesses", options.guesses,
                 "coins: in:K,out:L, the K greatest scores are guessed to be in, the L least out "
                 "(several between ;); pairs: how many pairs are guessed, all unless given");
  command.option("--guessed", options.guessed, "of --counts of coins: what was guessed")
      .one_of({"both", "in", "out"})
      .shows_default();
  command.option("--pairing", options.pairing,
                 "pairs: the seed that draws the pairs, itself drawn at random; or random: drawn "
                 "and printed here");
  command.flag("--independent", options.independent,
               "what is released of each canary depends on its own coin alone; all are guessed");
}

}  // namespace

void add_observe_command(CommandLine& line) {
  const auto options = std::make_shared<ObserveOptions>();
  options->digits.wanted = usual_digits_of_observations;
  Command command = line.command("observe", "what was observed in runs against what was claimed",
                                 [options] { return observe_design(*options); });
  add_common_options(command, *options);
  add_what_was_seen(command, *options);
  command.option("--line", options->line, "sequence: the epsilon of the claim that is bet against");
  command.option("--stake", options->stake, "sequence: the share that is bet each time");
  command.option("--level", options->level, "the most a false alarm may be probable, in (0, 1)")
      .shows_default();
  command.option("--delta", options->deltas, "at which lower ends of epsilon are given: D[,D,...]")
      .shows_default();
  command.option("--certificate", options->certificate,
                 "write what is proven of these counts to this file, for `plaudit check`");
  command.option("--svg", options->svg,
                 "runs: draw the limits of the rates against what the claim allows into this file");
  command.option("--alternative", options->alternative,
                 "what else may have been run: how likely it would be refuted");
  command.option("--plan", options->plan,
                 "a power, as 0.9: how large the experiment has to be for it, without counts");
  command.examples(
      {"plaudit observe 'gaussian(sigma=2)' --design runs --counts 312,1000,3,1000",
       "plaudit observe 'poisson(gaussian(sigma=0.8), rate=0.004)^1000' --design runs --scores "
       "scores.csv --threshold all --level 1/20",
       "plaudit observe 'gaussian(sigma=2)' --design coins --counts 930,1000,1000",
       "plaudit observe 'gaussian(sigma=2)' --design runs --plan 0.9 --alternative "
       "'gaussian(sigma=1)'"});
}

}  // namespace plaudit::cli

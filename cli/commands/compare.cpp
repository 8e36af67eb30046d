// plaudit compare SPEC: every accountant side by side.
#include <algorithm>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "accountants/registry.hpp"
#include "accountants/session/contradiction.hpp"
#include "cli/answer_message.hpp"
#include "cli/commands.hpp"
#include "cli/compare_entries.hpp"
#include "cli/options.hpp"
#include "cli/output/complain.hpp"
#include "cli/output/output_file.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/report.hpp"
#include "cli/output/table.hpp"
#include "cli/output/usage_error.hpp"
#include "cli/plot.hpp"
#include "cli/question.hpp"
#include "mechanisms/language/spec.hpp"

namespace plaudit::cli {

namespace {

/// The accountant under whose name all of plaudit's answer together.
constexpr const char* automatic = "auto";

/// `name` is that of the accountant, with the settings it was given.
Entry run_one(const std::string& name, const Composition& composition, const Options& options,
              Quantity quantity, const Rational& argument, const Tell& tell) {
  AnswerOptions how = answer_options(options);
  how.attack_to_be_read = true;
  how.proven = telling_so_far(tell);
  how.accountant = name;
  return compared_answer(composition, how, quantity, argument);
}

bool is_certified(const Entry& entry) { return entry.answer && entry.answer->band.certified; }

/// For sorting: the width of a certified band; an answer of any other kind comes last.
double rank_of(const Entry& entry) {
  constexpr double last = std::numeric_limits<double>::infinity();
  if (!is_certified(entry)) return last;
  const Enclosure& band = entry.answer->band;
  if (band.exact || !band.lower.is_finite()) return 0;
  return band.upper.is_finite() ? (band.upper - band.lower).upper_double() : last;
}

/// Whether a certified band lies wholly on one side of the estimate, which then is wrong.
bool is_outside(const Entry& entry, const std::vector<Entry>& entries) {
  const Enclosure& estimate = entry.answer->band;
  return std::any_of(entries.begin(), entries.end(), [&](const Entry& other) {
    if (!is_certified(other)) return false;
    const Enclosure& band = other.answer->band;
    return certainly_less(estimate.upper, band.lower) || certainly_less(band.upper, estimate.lower);
  });
}

std::vector<std::string> row_of(const Entry& entry, const std::vector<Entry>& entries, int digits) {
  if (!entry.answer) return {entry.accountant, "-", "-", "-", "-", entry.verdict};
  const Enclosure& band = entry.answer->band;
  const bool estimate = !band.certified && (!entry.claim || *entry.claim == ClaimForm::estimate);
  return {entry.accountant,
          lower_text(band, digits),
          upper_text(band, digits),
          estimate ? "-" : width_text(band),
          time_text(entry.answer->seconds),
          entry.verdict +
              (estimate && is_outside(entry, entries) ? ", OUTSIDE of the certified band" : "")};
}

/// The accountants that do not apply, in one line; with reasons where they were named.
void print_refusals(const std::vector<Entry>& entries, bool with_reasons) {
  std::string names;
  for (const Entry& entry : entries) {
    if (!entry.refused) continue;
    if (with_reasons) std::cout << "  " << entry.accountant << ' ' << entry.verdict << '\n';
    names += (names.empty() ? "" : ", ") + entry.accountant;
  }
  if (names.empty() || with_reasons) return;
  std::cout << "\ndo not apply (--json says why): " << names << '\n';
}

void print_text(const Question& question, const BandOf& of, const std::vector<Entry>& entries,
                bool named) {
  std::cout << question.spec << '\n'
            << name_of(question.quantity) << " at " << argument_name(question.quantity) << " = "
            << to_string(question.argument) << '\n'
            << adjacency_line(question.adjacency) << "\n\n";
  std::vector<const Entry*> sorted;
  for (const Entry& entry : entries) {
    if (!entry.refused) sorted.push_back(&entry);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Entry* a, const Entry* b) {
    const auto kind = [](const Entry& entry) {
      return is_certified(entry) ? 0 : entry.answer ? 1 : 2;
    };
    return std::pair(kind(*a), rank_of(*a)) < std::pair(kind(*b), rank_of(*b));
  });
  std::vector<std::vector<std::string>> rows{
      {"accountant", "lower", "upper", "width", "time", "verdict"}};
  for (const Entry* entry : sorted) rows.push_back(row_of(*entry, entries, question.digits));
  print_table(std::cout, rows, 2);
  std::cout << "\n  " << ends_text(of) << '\n';
  bool first = true;
  for (const Entry& entry : entries) {
    if (!entry.contradiction) continue;
    std::cout << (first ? "\nrefuted:\n  " : "  ") << refutation_text(entry, question) << '\n';
    first = false;
  }
  print_refusals(entries, named);
}

void print_json(const Question& question, const BandOf& of, const std::vector<Entry>& entries,
                bool disjoint) {
  Json list = Json::array();
  for (const Entry& entry : entries) {
    Json item = {{"accountant", entry.accountant}};
    if (entry.answer) {
      const Enclosure& band = entry.answer->band;
      item["lower"] = lower_text(band, question.digits);
      item["upper"] = upper_text(band, question.digits);
      item["width"] = width_text(band);
      item["certified"] = band.certified;
      item["reached"] = entry.answer->reached;
      item["seconds"] = entry.answer->seconds;
    }
    item["verdict"] = entry.verdict;
    if (entry.claim) item["claim"] = plaudit::name_of(*entry.claim);
    if (entry.contradiction) {
      item["refuted_by"] = refutation_json(*entry.contradiction, question.digits);
    }
    list.push_back(std::move(item));
  }
  Json report = report_head(question.spec, question.quantity, question.argument);
  put_adjacency(report, question.adjacency);
  put_band_of(report, of, question.digits);
  report["digits"] = question.digits;
  report["disjoint"] = disjoint;
  report["accountants"] = list;
  std::cout << printed(report) << '\n';
}

/// Asks all accountants, in one block: item 0 reads the spec, item i asks accountant i - 1.
/// @return how the reading of the spec ended.
End run_all(const std::vector<std::string>& names, const Options& options, Quantity quantity,
            const Rational& argument, std::optional<ReadSpec>& spec, std::vector<Entry>& entries) {
  std::optional<Composition> composition;  // lives in the worker
  std::vector<std::optional<Entry>> found(names.size());
  End reading;
  Progress progress(names.size(), "accountants");
  const auto work = [&](std::size_t item, const Tell& tell) {
    ImportedSpec run{spec ? spec->spec : "", ""};
    if (!composition) {
      if (!spec) run = read_run(options);
      composition = parse_spec(run.spec);
      make_laws(*composition);
    }
    if (item == 0) {
      for (const std::string& name : names) {
        if (name != automatic) accountant(name);  // refused where there is none
      }
      tell(spec_message(*composition, run.bound));
    } else {
      tell(message_of(run_one(names[item - 1], *composition, options, quantity, argument, tell)));
    }
  };
  const auto hear = [&](std::size_t item, const std::string& message) {
    if (item == 0) {
      spec = heard_spec(message);
    } else {
      found[item - 1] = entry_of(names[item - 1], message);
    }
  };
  const auto ended = [&](std::size_t item, const End& end) {
    if (item == 0) {
      reading = end;
      return;
    }
    if (spec) progress.done(item);
    if (!spec || found[item - 1]) return;
    const bool failed = end.how == Ending::failed;
    found[item - 1] = Entry{names[item - 1], std::nullopt,
                            end.how == Ending::refused  ? "refused: " + end.words
                            : failed                    ? end.words
                            : end.how == Ending::broken ? "broken: " + end.words
                                                        : "no band: " + end.words,
                            failed};
    found[item - 1]->broken = end.how == Ending::broken;
    if (end.so_far.empty() || failed || found[item - 1]->broken) return;
    found[item - 1]->answer = answer_of(Json::parse(end.so_far));
    found[item - 1]->verdict = end.words;
  };
  Blocks blocks{{0}};
  run_isolated(blocks, 1, options.backstop(), {work, hear, ended});
  if (!spec) return reading;
  blocks[0].clear();
  for (std::size_t i = 1; i <= names.size(); ++i) blocks[0].push_back(i);
  run_isolated(blocks, 1, options.backstop(), {work, hear, ended});
  for (std::optional<Entry>& entry : found) entries.push_back(std::move(*entry));
  return reading;
}

int compare(const Options& options, const std::vector<std::string>& only,
            const std::string& picture) {
  if (options.delta.empty() == options.epsilon.empty()) {
    throw UsageError("compare: needs one of --delta D (0 <= D <= 1) and --epsilon E");
  }
  const Quantity quantity = options.epsilon.empty() ? Quantity::epsilon : Quantity::delta;
  const Rational argument = quantity == Quantity::epsilon
                                ? read_delta("--delta", options.delta)
                                : read_epsilon("--epsilon", options.epsilon);
  std::vector<std::string> names = only;
  if (names.empty()) {
    for (const auto& each : all_accountants()) names.emplace_back(each->name());
  } else if (std::all_of(names.begin(), names.end(), [](const std::string& name) {
               return name != automatic && accountant(name)->claim();
             })) {
    names.emplace_back(automatic);  // something proven beside the claims
  }
  std::optional<OutputFile> svg;
  if (!picture.empty()) svg.emplace("--svg", picture);
  std::vector<Entry> entries;
  std::optional<ReadSpec> spec;
  const End end = run_all(names, options, quantity, argument, spec, entries);
  if (!spec) return status_without_spec(end);
  bool reached = false;
  bool failed = false;
  bool broken = false;
  for (const Entry& entry : entries) {
    reached = reached || (entry.answer && entry.answer->reached);
    failed = failed || entry.failed;
    if (entry.broken) complain(entry.verdict);
    broken = broken || entry.broken;
  }
  const bool refuted = mark_refuted(entries);
  const bool contradiction = mark_disjoint(entries);
  const Question question{quantity, spec->spec, argument, options.digits, spec->adjacency};
  if (svg) svg->write(compare_svg(question, entries));
  if (options.json) {
    print_json(question, spec->of_curve, entries, contradiction);
  } else {
    print_text(question, spec->of_curve, entries, !only.empty());
  }
  if (contradiction || refuted || broken) return exit_refuted;
  if (failed) return exit_internal_error;
  return reached ? exit_done : exit_not_reached;
}

}  // namespace

void add_compare_command(CommandLine& line) {
  const auto options = std::make_shared<Options>();
  options->timeout_seconds = 10;  // for each accountant
  const auto only = std::make_shared<std::vector<std::string>>();
  const auto picture = std::make_shared<std::string>();
  Command command =
      line.command("compare", "every accountant side by side",
                   [options, only, picture] { return compare(*options, *only, *picture); });
  add_common_options(command, *options);
  command.option("--delta", options->delta, "compare the epsilons at this delta");
  command.option("--epsilon", options->epsilon, "compare the deltas at this epsilon");
  command
      .option("--accountant", *only,
              "only this one, as 'prv(mode=published, eps_error=0.01)'; may be repeated")
      .one_value_each();
  command.option("--svg", *picture, "draw the bands side by side into this file");
  command.examples({"plaudit compare 'poisson(gaussian(sigma=0.8), rate=0.004)^1000' --delta 1e-7",
                    "plaudit compare 'gaussian(sigma=2)^10' --epsilon 1 --accountant closed_form "
                    "--accountant 'prv(mode=published, eps_error=0.01)'"});
}

}  // namespace plaudit::cli

// plaudit compare SPEC: every accountant side by side.
#include <iostream>
#include <optional>

#include "accountants/registry.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/report.hpp"
#include "cli/table.hpp"
#include "cli/usage_error.hpp"
#include "lib/work_limit.hpp"

namespace plaudit::cli {

namespace {

struct Entry {
  std::string accountant;
  std::optional<Answer> answer;  ///< nothing where it was refused or ran out of time
  std::string verdict;
  bool failed = false;
};

/// Why the accountant does not apply to a direction asked for, if so.
std::optional<std::string> refusal(const Accountant& accountant, const Composition& composition,
                                   const std::string& direction) {
  for (const Direction one : {Direction::remove, Direction::add}) {
    if (direction != "both" && direction != plaudit::name_of(one)) continue;
    if (auto reason = accountant.refusal(ComposedLoss(composition, one))) return reason;
  }
  return std::nullopt;
}

/// `name` is that of the accountant, with the settings it was given.
Entry run_one(const std::string& name, const Composition& composition, const Options& options,
              Quantity quantity, const Rational& argument) {
  Entry entry{name, std::nullopt, {}, false};
  if (const auto reason = refusal(*accountant(name), composition, options.direction)) {
    entry.verdict = "refused: " + *reason;
    return entry;
  }
  AnswerOptions how = answer_options(options);
  how.accountant = entry.accountant;
  try {
    entry.answer = Session(composition, how).answer(quantity, argument);
    entry.verdict = !entry.answer->band.certified ? "estimate"
                    : entry.answer->reached       ? "reached"
                                                  : "wider";
  } catch (const std::invalid_argument& error) {
    entry.verdict = std::string("refused: ") + error.what();
  } catch (const WorkLimitReached&) {
    entry.verdict = "no band within the time limit";
  } catch (const std::exception& error) {  // one accountant's failure must not hide the others
    entry.verdict = std::string("internal error: ") + error.what();
    entry.failed = true;
  }
  return entry;
}

bool disjoint(const Entry& a, const Entry& b) {
  if (!a.answer || !b.answer) return false;
  const Enclosure& x = a.answer->band;
  const Enclosure& y = b.answer->band;
  return x.certified && y.certified &&
         (certainly_less(x.upper, y.lower) || certainly_less(y.upper, x.lower));
}

/// Marks disjoint certified bands: at least one of them is wrong.
bool mark_disjoint(std::vector<Entry>& entries) {
  bool found = false;
  for (Entry& a : entries) {
    for (const Entry& b : entries) {
      if (!disjoint(a, b)) continue;
      a.verdict = "disjoint from " + b.accountant;
      found = true;
    }
  }
  return found;
}

void print_text(const Question& question, const std::vector<Entry>& entries) {
  std::cout << question.spec << '\n'
            << name_of(question.quantity) << " at " << argument_name(question.quantity) << " = "
            << to_string(question.argument) << '\n'
            << adjacency_line(question.adjacency) << "\n\n";
  std::vector<std::vector<std::string>> rows{
      {"accountant", "lower", "upper", "width", "time", "verdict"}};
  for (const Entry& entry : entries) {
    if (!entry.answer) {
      rows.push_back({entry.accountant, "-", "-", "-", "-", entry.verdict});
      continue;
    }
    const Enclosure& band = entry.answer->band;
    rows.push_back({entry.accountant, lower_text(band, question.digits),
                    upper_text(band, question.digits), width_text(band),
                    time_text(entry.answer->seconds), entry.verdict});
  }
  print_table(std::cout, rows, 2);
}

void print_json(const Question& question, const std::vector<Entry>& entries, bool disjoint) {
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
    list.push_back(std::move(item));
  }
  Json report = {
      {"plaudit", PLAUDIT_VERSION},
      {"spec", question.spec},
      {"query", {{argument_name(question.quantity), to_string(question.argument)}}},
      {"quantity", name_of(question.quantity)},
  };
  put_adjacency(report, question.adjacency);
  report["digits"] = question.digits;
  report["disjoint"] = disjoint;
  report["accountants"] = list;
  std::cout << report.dump(2) << '\n';
}

int compare(const Options& options, const std::vector<std::string>& only) {
  if (options.delta.empty() == options.epsilon.empty()) {
    throw UsageError("compare: needs one of --delta D (0 <= D <= 1) and --epsilon E");
  }
  const Quantity quantity = options.epsilon.empty() ? Quantity::epsilon : Quantity::delta;
  const Rational argument = quantity == Quantity::epsilon
                                ? read_delta("--delta", options.delta)
                                : read_epsilon("--epsilon", options.epsilon);
  const Composition composition = read_composition(options);
  std::vector<Entry> entries;
  std::vector<std::string> names = only;
  if (names.empty()) {
    for (const auto& each : accountants()) names.emplace_back(each->name());
  }
  Progress progress(names.size(), "accountants");
  bool reached = false;
  bool failed = false;
  for (const std::string& name : names) {
    entries.push_back(run_one(name, composition, options, quantity, argument));
    reached = reached || (entries.back().answer && entries.back().answer->reached);
    failed = failed || entries.back().failed;
    progress.done(entries.size());
  }
  const bool contradiction = mark_disjoint(entries);
  const Question question{quantity, composition.spec(), argument, options.digits,
                          composition.adjacency()};
  if (options.json) {
    print_json(question, entries, contradiction);
  } else {
    print_text(question, entries);
  }
  if (contradiction) return exit_refuted;
  if (failed) return exit_internal_error;
  return reached ? exit_done : exit_not_reached;
}

}  // namespace

void add_compare_command(CLI::App& app, Run& run) {
  const auto options = std::make_shared<Options>();
  options->timeout = 10;  // for each accountant
  CLI::App* command = app.add_subcommand("compare", "every accountant side by side");
  add_common_options(*command, *options);
  command->add_option("--delta", options->delta, "compare the epsilons at this delta");
  command->add_option("--epsilon", options->epsilon, "compare the deltas at this epsilon");
  const auto only = std::make_shared<std::vector<std::string>>();
  command
      ->add_option("--accountant", *only,
                   "only this one, as 'prv(mode=published, eps_error=0.01)'; may be repeated")
      ->allow_extra_args(false);
  command->callback(
      [&run, options, only] { run = [options, only] { return compare(*options, *only); }; });
}

}  // namespace plaudit::cli

// plaudit crosscheck: all accountants and closed forms against each other on random compositions.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/isolated.hpp"
#include "cli/options.hpp"
#include "cli/output/complain.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/report.hpp"
#include "cli/output/table.hpp"
#include "cli/output/usage_error.hpp"
#include "lib/text.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/crosscheck/cross_check.hpp"
#include "verification/crosscheck/random_composition.hpp"

namespace plaudit::cli {

namespace {

/// All that is needed to see it again.
constexpr std::size_t longest_defect = 100'000;

std::size_t apart_of(const CrossCheckReport& report) {
  std::size_t apart = 0;
  for (const auto& [form, by_mechanism] : report.forms) apart += by_mechanism.at("").apart;
  return apart;
}

/// Once by form, once by mechanism and form.
void print_forms(const CrossCheckReport& report) {
  const auto row = [](std::vector<std::string> first, const Tally& tally) {
    first.insert(first.end(), {std::to_string(tally.values), std::to_string(tally.compared),
                               std::to_string(tally.apart), general_text(tally.gap, 2)});
    return first;
  };
  std::vector<std::vector<std::string>> rows{
      {"form", "values", "comparisons", "disjoint", "largest gap"}};
  std::map<std::string, std::map<std::string, Tally>> by_mechanism;
  for (const auto& [form, tallies] : report.forms) {
    rows.push_back(row({form}, tallies.at("")));
    for (const auto& [mechanism, tally] : tallies) {
      if (!mechanism.empty()) by_mechanism[mechanism][form] = tally;
    }
  }
  std::cout << '\n';
  print_table(std::cout, rows);
  rows = {{"mechanism", "form", "values", "comparisons", "disjoint", "largest gap"}};
  for (const auto& [mechanism, forms] : by_mechanism) {
    for (const auto& [form, tally] : forms) rows.push_back(row({mechanism, form}, tally));
  }
  std::cout << '\n';
  print_table(std::cout, rows);
  for (const MechanismKind& kind : all_mechanism_kinds()) {
    const std::string name(kind.name);
    if (!by_mechanism.contains(name))
      std::cout << "without a form in these checks: " << name << '\n';
  }
}

void print_text(const CrossCheckReport& report) {
  std::vector<std::vector<std::string>> rows{
      {"accountant", "applied", "bands", "two-sided", "comparisons", "time"}};
  for (const auto& [name, heard] : report.accountants) {
    rows.push_back({name, std::to_string(heard.applied), std::to_string(heard.bands),
                    std::to_string(heard.two_sided), std::to_string(heard.compared),
                    time_text(heard.seconds)});
  }
  print_table(std::cout, rows);
  print_forms(report);
  std::cout << '\n' << report.checks << " checks:";
  for (const auto& [name, times] : report.mechanisms) std::cout << ' ' << name << ' ' << times;
  std::cout << '\n';
  std::cout << "slowest question: " << time_text(report.slowest_seconds) << ": " << report.slowest
            << '\n';
  for (const std::string& name : report.not_drawn) std::cout << "never drawn: " << name << '\n';
  for (const std::string& check : report.given_up) std::cout << "given up: " << check << '\n';
  std::cout << report.comparisons << " comparisons, " << apart_of(report)
            << " of them with forms disjoint, "
            << (report.defects.empty() ? "all bands intersect" : "NOT all bands intersect") << '\n';
}

Json forms_json(const std::map<std::string, std::map<std::string, Tally>>& forms) {
  Json all = Json::object();
  for (const auto& [form, tallies] : forms) {
    for (const auto& [mechanism, tally] : tallies) {
      const Json one = {{"values", tally.values},
                        {"comparisons", tally.compared},
                        {"disjoint", tally.apart},
                        {"largest_gap", tally.gap}};
      if (mechanism.empty()) {
        all[form].update(one);
      } else {
        all[form]["mechanisms"][mechanism] = one;
      }
    }
    for (const Form& known : all_forms()) {
      if (known.name == form) all[form]["arithmetic"] = known.arithmetic;
    }
  }
  return all;
}

void print_json(const CrossCheckReport& report, const CrossCheckOptions& options) {
  Json accountants = Json::object();
  for (const auto& [name, heard] : report.accountants) {
    accountants[name] = {{"applied", heard.applied},
                         {"bands", heard.bands},
                         {"two_sided", heard.two_sided},
                         {"comparisons", heard.compared},
                         {"seconds", heard.seconds}};
  }
  const Json document = {
      {"plaudit", PLAUDIT_VERSION},
      {"seed", options.seed},
      {"checks", report.checks},
      {"comparisons", report.comparisons},
      {"accountants", accountants},
      {"forms", forms_json(report.forms)},
      {"mechanisms", report.mechanisms},
      {"slowest", {{"seconds", report.slowest_seconds}, {"question", report.slowest}}},
      {"never_drawn", report.not_drawn},
      {"given_up", report.given_up},
      {"defects", report.defects}};
  std::cout << printed(document) << '\n';
}

/// For scripts: random questions, one per line, spec and delta; law files go into the folder.
int print_questions(const CrossCheckOptions& options, const std::string& folder) {
  Dice dice(options.seed);
  for (std::size_t i = 0; i < options.count; ++i) {
    const std::string files = folder + "/law-" + std::to_string(i) + "-";
    const std::string spec = random_composition(dice, files, options.mechanism);
    std::cout << parse_spec(spec).spec() << '\t' << random_delta(dice) << '\n';
  }
  return exit_done;
}

std::string message_of(const CrossCheckReport& part) {
  Json accountants = Json::object();
  for (const auto& [name, heard] : part.accountants) {
    accountants[name] = {heard.applied, heard.bands,    heard.two_sided,
                         heard.reached, heard.compared, heard.seconds};
  }
  Json forms = Json::object();
  for (const auto& [form, tallies] : part.forms) {
    for (const auto& [mechanism, tally] : tallies) {
      forms[form][mechanism] = {tally.values, tally.compared, tally.apart, tally.gap};
    }
  }
  return one_line({{"checks", part.checks},
                   {"comparisons", part.comparisons},
                   {"accountants", accountants},
                   {"forms", forms},
                   {"mechanisms", part.mechanisms},
                   {"slowest_seconds", part.slowest_seconds},
                   {"slowest", part.slowest},
                   {"defects", part.defects}});
}

CrossCheckReport report_of(const std::string& message) {
  const Json json = Json::parse(message);
  CrossCheckReport part;
  part.checks = json["checks"];
  part.comparisons = json["comparisons"];
  for (const auto& [name, heard] : json["accountants"].items()) {
    part.accountants[name] = {heard[0], heard[1], heard[2], heard[3], heard[4], heard[5]};
  }
  for (const auto& [name, times] : json["mechanisms"].items()) part.mechanisms[name] = times;
  for (const auto& [form, tallies] : json["forms"].items()) {
    for (const auto& [mechanism, tally] : tallies.items()) {
      part.forms[form][mechanism] = {tally[0], tally[1], tally[2], tally[3]};
    }
  }
  part.slowest_seconds = json["slowest_seconds"];
  part.slowest = json["slowest"];
  part.defects = json["defects"].get<std::vector<std::string>>();
  return part;
}

struct CrossCheckCommand : LimitOptions {
  CrossCheckOptions how;
  bool json = false;
  std::string questions;
};

/// Ctrl-C ends the checks, and what was compared so far is printed. A second one ends the program.
struct Interrupted {};

/// What a check may take in all: every accountant is asked twice, one of them for longer, and some
/// twenty forms have eight times as long each.
constexpr double questions_of_a_check = 240;
/// Checks between two counts of what is left to do.
constexpr std::size_t checks_per_round = 10'000;

/// Does up to `checks_per_round` checks from number `first` on; begins none after a defect.
void check_round(const CrossCheckCommand& command, std::size_t first, const std::string& folder,
                 Progress& progress, CrossCheckReport& report) {
  const std::size_t count = std::min(checks_per_round, command.how.count - first);
  std::vector<std::string> asked(count);
  const auto work = [&](std::size_t item, const Tell& tell) {
    const std::string files = folder + "/law-" + std::to_string(first + item) + "-";
    const Draw drawn = draw(command.how, first + item, files);
    tell(drawn.spec + " at delta " + drawn.delta);
    CrossCheckReport part;
    cross_check_one(drawn.spec, drawn.direction, drawn.delta, drawn.seed, command.timeout, part);
    tell(message_of(part));
  };
  const auto hear = [&](std::size_t item, const std::string& message) {
    if (asked[item].empty()) {
      asked[item] = message;
    } else {
      merge(report, report_of(message));
    }
  };
  const auto ended = [&](std::size_t item, const End& end) {
    if (interrupted()) return;  // the terminal sends the signal to the workers too
    const std::string words = end.words + ": " + asked[item];
    if (end.how == Ending::time || end.how == Ending::memory) {
      report.given_up.push_back(words);
    } else if (end.how != Ending::finished) {
      report.defects.push_back(words);
    }
    progress.done(report.checks + report.given_up.size());
  };
  const auto enough = [&] {
    if (interrupted()) throw Interrupted();
    return !report.defects.empty();
  };
  run_isolated(single_blocks(count), command.how.threads,
               {questions_of_a_check * command.timeout, command.memory},
               {work, hear, ended, enough});
}

CrossCheckReport check_all(const CrossCheckCommand& command) {
  // Laws for `pld`; kept where a defect names them.
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() /
      ("plaudit-crosscheck-" + std::to_string(std::random_device{}()));
  std::filesystem::create_directories(folder);
  Progress progress(command.how.count, "checks");
  CrossCheckReport report;
  note_interrupt();
  try {
    for (std::size_t first = 0; first < command.how.count && report.defects.empty();
         first += checks_per_round) {
      check_round(command, first, folder.string(), progress, report);
    }
  } catch (const Interrupted&) {
  }
  if (report.defects.empty()) std::filesystem::remove_all(folder);
  report.not_drawn = mechanisms_without_recipe();
  return report;
}

int run_cross_check(const CrossCheckCommand& command) {
  const CrossCheckReport report = check_all(command);
  if (command.json) {
    print_json(report, command.how);
  } else {
    print_text(report);
  }
  for (const std::string& defect : report.defects) complain(defect, longest_defect);
  if (interrupted()) {
    complain("interrupted after " + std::to_string(report.checks) + " of " +
             std::to_string(command.how.count) + " checks");
    std::cout.flush();
    end_by_interrupt();
  }
  return report.defects.empty() ? exit_done : exit_refuted;
}

}  // namespace

void add_cross_check_command(CommandLine& line) {
  const auto given = std::make_shared<CrossCheckCommand>();
  given->timeout = given->how.seconds_each;
  given->how.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  Command command = line.command(
      "crosscheck", "all accountants and closed forms on random compositions: do their bands meet?",
      [given] {
        const std::string& mechanism = given->how.mechanism;
        Dice dice(0);
        if (!mechanism.empty() && mechanism != "pld" &&
            random_mechanism(dice, mechanism, "").empty()) {
          throw SpecError("--with: no mechanism of the name " + abbreviated(mechanism) +
                          " is drawn");
        }
        return given->questions.empty() ? run_cross_check(*given)
                                        : print_questions(given->how, given->questions);
      });
  command.option("--count", given->how.count, "compositions")
      .within(1, 100'000'000)
      .shows_default();
  command.option("--seed", given->how.seed, "of the draws").shows_default();
  command.option("--with", given->how.mechanism, "a mechanism that every composition has");
  add_threads_option(command, given->how.threads);
  add_limit_options(command, *given, "for each question to an accountant");
  command.flag("--json", given->json, "print JSON");
  command
      .option("--questions", given->questions,
              "print the questions alone; law files go into FOLDER")
      .hidden();
  command.examples(
      {"plaudit crosscheck --count 1000 --seed 7", "plaudit crosscheck --with select --count 200"});
}

}  // namespace plaudit::cli

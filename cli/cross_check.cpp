// plaudit crosscheck: all accountants and closed forms against each other on random compositions.
#include <iostream>
#include <thread>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/report.hpp"
#include "cli/table.hpp"
#include "cli/usage_error.hpp"
#include "mechanisms/spec.hpp"
#include "verification/cross_check.hpp"
#include "verification/random_composition.hpp"

namespace plaudit::cli {

namespace {

void print_text(const CrossCheckReport& report) {
  std::vector<std::vector<std::string>> rows{
      {"accountant", "applied", "bands", "two-sided", "comparisons", "time"}};
  for (const auto& [name, heard] : report.accountants) {
    rows.push_back({name, std::to_string(heard.applied), std::to_string(heard.bands),
                    std::to_string(heard.two_sided), std::to_string(heard.compared),
                    time_text(heard.seconds)});
  }
  print_table(std::cout, rows);
  std::cout << '\n' << report.checks << " checks:";
  for (const auto& [name, times] : report.mechanisms) std::cout << ' ' << name << ' ' << times;
  std::cout << '\n';
  std::cout << "slowest question: " << time_text(report.slowest_seconds) << ": " << report.slowest
            << '\n';
  for (const std::string& name : report.not_drawn) std::cout << "never drawn: " << name << '\n';
  std::cout << report.comparisons << " comparisons, "
            << (report.defects.empty() ? "all bands intersect" : "NOT all bands intersect") << '\n';
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
      {"mechanisms", report.mechanisms},
      {"slowest", {{"seconds", report.slowest_seconds}, {"question", report.slowest}}},
      {"never_drawn", report.not_drawn},
      {"defects", report.defects}};
  std::cout << document.dump(2) << '\n';
}

/// For scripts: random questions, one per line, spec and delta; law files go into the folder.
int print_questions(const CrossCheckOptions& options, const std::string& folder) {
  Dice dice(options.seed);
  for (std::size_t i = 0; i < options.count; ++i) {
    const std::string files = folder + "/law-" + std::to_string(i) + "-";
    const std::string spec = random_composition(dice, files);
    std::cout << parse_spec(spec).spec() << '\t' << random_delta(dice) << '\n';
  }
  return exit_done;
}

int run_cross_check(const CrossCheckOptions& options, bool json) {
  Progress progress(options.count, "checks");
  const CrossCheckReport report =
      cross_check(options, [&](std::size_t finished) { progress.done(finished); });
  if (json) {
    print_json(report, options);
  } else {
    print_text(report);
  }
  for (const std::string& defect : report.defects) std::cerr << "plaudit: " << defect << '\n';
  return report.defects.empty() ? exit_done : exit_refuted;
}

}  // namespace

void add_cross_check_command(CLI::App& app, Run& run) {
  const auto options = std::make_shared<CrossCheckOptions>();
  const auto json = std::make_shared<bool>(false);
  options->threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  CLI::App* command = app.add_subcommand(
      "crosscheck",
      "all accountants and closed forms on random compositions: do their bands meet?");
  command->add_option("--count", options->count, "compositions")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "of the draws")->capture_default_str();
  command->add_option("--threads", options->threads, "threads to use")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command
      ->add_option("--timeout", options->seconds_each, "seconds for each question to an accountant")
      ->check(CLI::Range(0.001, 1e7))
      ->capture_default_str();
  command->add_flag("--json", *json, "print JSON");
  const auto folder = std::make_shared<std::string>();
  command->add_option("--questions", *folder, "print the questions alone; law files go into FOLDER")
      ->group("");
  command->callback([&run, options, json, folder] {
    run = [options, json, folder] {
      return folder->empty() ? run_cross_check(*options, *json)
                             : print_questions(*options, *folder);
    };
  });
}

}  // namespace plaudit::cli

// plaudit check CERTIFICATE: proves a certificate again, in another arithmetic, with code of its
// own. What it prints is what was proven, as the checker understood it, never the file's words.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/complain.hpp"
#include "cli/usage_error.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/checker/rejected.hpp"
#include "verification/checker/statements.hpp"

namespace plaudit::cli {

namespace {

using Json = nlohmann::ordered_json;

struct CheckOptions {
  std::string path;
  bool json = false;
  double timeout = checker::Limits{}.timeout;
};

checker::Verdict verdict_on(const CheckOptions& options) {
  std::ifstream file(options.path, std::ios::binary);
  std::error_code problem;
  if (!file || std::filesystem::is_directory(options.path, problem)) {
    throw UsageError("check: cannot read " + abbreviated(options.path));
  }
  try {
    checker::Limits limits;
    limits.timeout = options.timeout;
    return checker::check(checker::read_all(file), limits);
  } catch (const checker::Rejected& rejected) {
    checker::Verdict verdict;
    verdict.reason = rejected.what();
    return verdict;
  }
}

void print_json(const checker::Verdict& verdict) {
  Json report = {{"accepted", verdict.accepted}};
  if (verdict.accepted) {
    report["spec"] = verdict.spec;
    report["adjacency"] = verdict.adjacency;
    report["claim"] = verdict.claim;
    report["statements"] = verdict.statements;
  } else {
    report["reason"] = printable(verdict.reason);
  }
  std::cout << report.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void print_text(const checker::Verdict& verdict) {
  if (!verdict.accepted) {
    std::cout << "rejected: " << printable(verdict.reason) << '\n';
    return;
  }
  std::cout << "accepted\n  spec       " << verdict.spec << "\n  adjacency  " << verdict.adjacency
            << "\n  proven     " << verdict.claim << '\n';
  for (const std::string& statement : verdict.statements) {
    std::cout << "             " << statement << '\n';
  }
}

int check(const CheckOptions& options) {
  const checker::Verdict verdict = verdict_on(options);
  if (options.json) {
    print_json(verdict);
  } else {
    print_text(verdict);
  }
  return verdict.accepted ? exit_done : exit_refuted;
}

}  // namespace

void add_check_command(CLI::App& app, Run& run) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* command =
      app.add_subcommand("check", "prove a certificate again, in another arithmetic");
  command->add_option("CERTIFICATE", options->path, "a file written by --certificate")->required();
  command->add_flag("--json", options->json, "print JSON");
  command->add_option("--timeout", options->timeout, "seconds after which nothing is proven")
      ->check(CLI::Range(0.001, 1e7))
      ->capture_default_str();
  command->callback([&run, options] { run = [options] { return check(*options); }; });
}

}  // namespace plaudit::cli

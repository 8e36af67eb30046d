// plaudit check CERTIFICATE: proves a certificate again, in another arithmetic, with code of its
// own. What it prints is what was proven, as the checker understood it, never the file's words.
#include <iostream>
#include <nlohmann/json.hpp>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output/complain.hpp"
#include "cli/output/report.hpp"
#include "cli/output/usage_error.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/checker/statements.hpp"

namespace plaudit::cli {

namespace {

struct CheckOptions : LimitOptions {
  std::string path;
  bool json = false;
};

Json side_json(const proof::LawSummary::Side& side) {
  return {{"losses", side.losses},
          {"least", side.least},
          {"greatest", side.greatest},
          {"infinite", side.infinite}};
}
proof::LawSummary::Side side_of(const Json& json) {
  return {json["losses"], json["least"], json["greatest"], json["infinite"]};
}

Json laws_json(const std::vector<proof::LawSummary>& laws) {
  Json result = Json::array();
  for (const proof::LawSummary& law : laws) {
    Json one = {{"file", law.path}, {"sha256", law.sha256}};
    if (law.symmetric) {
      one["both"] = side_json(law.remove);
    } else {
      one["remove"] = side_json(law.remove);
      one["add"] = side_json(law.add);
    }
    result.push_back(std::move(one));
  }
  return result;
}
std::vector<proof::LawSummary> laws_of(const Json& json) {
  std::vector<proof::LawSummary> result;
  for (const Json& law : json) {
    const bool symmetric = law.contains("both");
    result.push_back({law["file"], symmetric, side_of(law[symmetric ? "both" : "remove"]),
                      side_of(law[symmetric ? "both" : "add"]), law["sha256"]});
  }
  return result;
}

Json errors_json(const proof::Verdict& verdict) {
  Json result = Json::array();
  for (const proof::ErrorSizes& each : verdict.errors) {
    Json& one = result.emplace_back(Json::object());
    for (const auto& [name, size] : each) one[name] = size;
  }
  return result;
}
std::vector<proof::ErrorSizes> errors_of(const Json& json) {
  std::vector<proof::ErrorSizes> result;
  for (const Json& each : json) {
    proof::ErrorSizes& one = result.emplace_back();
    for (const auto& item : each.items()) one.emplace_back(item.key(), item.value());
  }
  return result;
}

std::string verdict_message(const proof::Verdict& verdict) {
  return one_line({{"accepted", verdict.accepted},
                   {"reason", verdict.reason},
                   {"spec", verdict.spec},
                   {"laws", laws_json(verdict.laws)},
                   {"adjacency", verdict.adjacency},
                   {"claim", verdict.claim},
                   {"statements", verdict.statements},
                   {"errors", errors_json(verdict)},
                   {"assumptions", verdict.assumptions}});
}

proof::Verdict verdict_of(const std::string& message) {
  const Json json = Json::parse(message);
  return {json["accepted"],
          json["reason"],
          json["spec"],
          json["adjacency"],
          laws_of(json["laws"]),
          json["claim"],
          json["statements"].get<std::vector<std::string>>(),
          errors_of(json["errors"]),
          json["assumptions"].get<std::vector<std::string>>()};
}

proof::Verdict rejected(const std::string& reason) {
  proof::Verdict verdict;
  verdict.reason = reason;
  return verdict;
}

/// A certificate that takes more than the limits allow proves nothing.
proof::Verdict verdict_on(const CheckOptions& options) {
  proof::Verdict verdict = rejected("nothing was proven");
  const auto work = [&](std::size_t, const Tell& tell) {
    proof::Limits limits;
    limits.timeout = options.timeout;
    std::ifstream file = open_file(options.path, "check: cannot read " + abbreviated(options.path));
    std::string text;
    try {
      text = proof::read_all(file);
    } catch (const proof::Rejected& reason) {
      tell(verdict_message(rejected(reason.what())));
      return;
    }
    tell(verdict_message(proof::check(text, limits)));
  };
  const auto hear = [&](std::size_t, const std::string& message) { verdict = verdict_of(message); };
  const auto ended = [&](std::size_t, const End& end) {
    if (end.how == Ending::refused) throw UsageError(end.words);
    if (end.how != Ending::finished) verdict = rejected(end.words);
  };
  run_isolated(single_blocks(1), 1, options.backstop(), {work, hear, ended});
  return verdict;
}

void print_json(const proof::Verdict& verdict) {
  Json report = {{"accepted", verdict.accepted}};
  if (verdict.accepted) {
    report["spec"] = verdict.spec;
    if (!verdict.laws.empty()) report["laws"] = laws_json(verdict.laws);
    report["adjacency"] = verdict.adjacency;
    report["claim"] = verdict.claim;
    report["statements"] = verdict.statements;
    report["errors"] = errors_json(verdict);
    if (!verdict.assumptions.empty()) report["assumptions"] = verdict.assumptions;
  } else {
    report["reason"] = printable(verdict.reason);
  }
  std::cout << printed(report) << '\n';
}

void print_text(const proof::Verdict& verdict) {
  if (!verdict.accepted) {
    std::cout << "rejected: " << printable(verdict.reason) << '\n';
    return;
  }
  std::cout << "accepted\n  spec       " << proof::with_quoted_paths(verdict.spec) << '\n';
  for (const proof::LawSummary& law : verdict.laws) {
    std::cout << "  law        " << proof::quoted_path(law.path) << ": " << proof::to_text(law)
              << '\n';
  }
  std::cout << "  adjacency  " << verdict.adjacency << "\n  proven     " << verdict.claim << '\n';
  for (const std::string& statement : verdict.statements) {
    std::cout << "             " << statement << '\n';
  }
  for (const std::string& words : verdict.assumptions) {
    std::cout << "  assumed    " << words << '\n';
  }
}

int check(const CheckOptions& options) {
  const proof::Verdict verdict = verdict_on(options);
  if (options.json) {
    print_json(verdict);
  } else {
    print_text(verdict);
  }
  return verdict.accepted ? exit_done : exit_refuted;
}

}  // namespace

void add_check_command(CommandLine& line) {
  const auto options = std::make_shared<CheckOptions>();
  options->timeout = proof::Limits{}.timeout;
  Command command = line.command("check", "prove a certificate again, in another arithmetic",
                                 [options] { return check(*options); });
  command.option("CERTIFICATE", options->path, "a file written by --certificate").required();
  command.flag("--json", options->json, "print JSON");
  add_limit_options(command, *options, "after which nothing is proven");
  command.examples({"plaudit check proof.json"});
}

}  // namespace plaudit::cli

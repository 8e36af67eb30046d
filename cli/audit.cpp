// plaudit audit CLAIMS: a verdict for each claim, as a table, JSON, Markdown or HTML.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/report.hpp"
#include "cli/table.hpp"
#include "cli/usage_error.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/audit.hpp"
#include "verification/audit_report.hpp"
#include "verification/certificates/write.hpp"

namespace plaudit::cli {

namespace {

struct AuditCommand {
  std::string file;
  std::string markdown;
  std::string html;
  std::string certificates;
  bool json = false;
  AuditOptions how;
};

std::string read_file(const std::string& name) {
  std::ostringstream text;
  if (name == "-") {
    text << std::cin.rdbuf();
    return text.str();
  }
  std::ifstream in(name, std::ios::binary);
  if (in) text << in.rdbuf();
  if (!in || !text) throw UsageError("CLAIMS: cannot read " + abbreviated(name));
  return text.str();
}

/// JSON starts with a bracket, a header line of CSV does not.
std::vector<Claim> read_claims(const std::string& name) {
  const std::string text = read_file(name);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_json = first == std::string::npos || text[first] == '[' || text[first] == '{';
  std::vector<Claim> claims = is_json ? claims_from_json(text) : claims_from_csv(text);
  if (claims.empty()) throw UsageError("CLAIMS: there is no claim in it");
  return claims;
}

void write_file(const char* option, const std::string& name, const std::string& text) {
  std::ofstream out(name, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw UsageError(std::string(option) + ": cannot write the file");
}

/// Printable and short enough for a column.
std::string shortened(const std::string& id) {
  const std::string quoted = abbreviated(id, 40);
  return quoted.substr(1, quoted.size() - 2);
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json witness_json(const Witness& witness) {
  Json json = {{"direction", witness.direction}, {"epsilon", witness.epsilon}};
  if (!witness.delta_lower.empty()) json["delta_lower"] = witness.delta_lower;
  if (!witness.delta_upper.empty()) json["delta_upper"] = witness.delta_upper;
  json["claimed_delta"] = witness.claimed_delta;
  json["event"] = witness.event;
  if (!witness.output_event.empty()) {
    json["output_event"] = witness.output_event;
    json["output_event_delta_lower"] = witness.output_delta_lower;
  }
  return json;
}

/// Of a refutation: where its certificate is, or why there is none.
struct Evidence {
  std::string file;
  std::string refusal;
};

constexpr int certificate_digits = 12;

/// A band of delta at the witness's epsilon that excludes the claimed delta, proven again by the
/// checker before it is written.
Evidence write_evidence(const Claim& claim, const Finding& finding, const std::string& file) {
  if (!finding.witness || !claim.composition) return {"", "no point of the curve to certify"};
  const Witness& witness = *finding.witness;
  const bool shown = !witness.delta_lower.empty() || !witness.delta_upper.empty();
  const auto infinite = [](const std::string& text) { return text.find("inf") != text.npos; };
  if (!shown || infinite(witness.epsilon) || infinite(witness.claimed_delta)) {
    return {"", "false by definition: no point of the curve to certify"};
  }
  const Rational epsilon = parse_rational(witness.epsilon);
  if (claim.quantity == Quantity::epsilon && epsilon < 0) {
    return {"", "false by definition: epsilon(delta) is at least 0"};
  }
  const Rational claimed = parse_rational(witness.claimed_delta);
  const int most = std::max(certificate_digits, finding.digits + 6);
  AnswerOptions how;
  how.direction = claim.direction;
  for (how.digits = certificate_digits;; how.digits = most) {
    const Answer answer = Session(*claim.composition, how).answer(Quantity::delta, epsilon);
    Rational lower;
    Rational upper;
    try {
      lower = parse_rational(lower_text(answer.band, how.digits));
      upper = parse_rational(upper_text(answer.band, how.digits));
    } catch (const NumberError&) {
      return {"", "delta there has too long an exponent for a certificate"};
    }
    if (lower <= claimed && claimed <= upper && how.digits < most) continue;
    if (lower <= claimed && claimed <= upper) return {"", "the band does not exclude the claim"};
    try {
      write_file("--certificates", file,
                 write_certificate(*claim.composition,
                                   {Quantity::delta, epsilon, lower_text(answer.band, how.digits),
                                    upper_text(answer.band, how.digits)},
                                   answer, how.timeout_seconds));
    } catch (const NoCertificate& error) {
      return {"", error.what()};
    }
    return {file, ""};
  }
}

/// For every refuted claim a file NUMBER-ID.json in the folder.
std::vector<Evidence> write_certificates(const std::vector<Claim>& claims,
                                         const std::vector<Finding>& findings,
                                         const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw UsageError("--certificates: cannot make the folder " + abbreviated(folder));
  std::vector<Evidence> result(claims.size());
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (findings[i].verdict != Verdict::refuted) continue;
    std::string name = std::to_string(i + 1) + "-";
    for (const char c : claims[i].id.substr(0, 60)) {
      const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
      name += plain ? c : '-';
    }
    result[i] = write_evidence(claims[i], findings[i],
                               (std::filesystem::path(folder) / (name + ".json")).string());
  }
  return result;
}

void print_json(const std::vector<Claim>& claims, const std::vector<Finding>& findings,
                const std::vector<Evidence>& evidence, const AuditSummary& summary) {
  Json list = Json::array();
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Claim& claim = claims[i];
    const Finding& finding = findings[i];
    Json item = {{"id", claim.id}, {"verdict", name_of(finding.verdict)}};
    if (finding.verdict == Verdict::error) {
      item["reason"] = finding.reason;
      list.push_back(std::move(item));
      continue;
    }
    item["lower"] = text_or_null(finding.lower);
    item["upper"] = text_or_null(finding.upper);
    const bool of_epsilon = claim.quantity == Quantity::epsilon;
    item["gap"] = text_or_null(of_epsilon ? finding.gap_epsilon : finding.gap_delta);
    item["gap_epsilon"] = text_or_null(finding.gap_epsilon);
    item["gap_delta"] = text_or_null(finding.gap_delta);
    if (!finding.direction.empty()) item["direction"] = finding.direction;
    if (finding.witness) item["witness"] = witness_json(*finding.witness);
    if (!evidence.empty() && finding.verdict == Verdict::refuted) {
      const bool written = evidence[i].refusal.empty();
      item[written ? "certificate" : "certificate_refused"] =
          written ? evidence[i].file : evidence[i].refusal;
    }
    item["spec"] = claim.spec;
    if (claim.composition) put_adjacency(item, claim.composition->adjacency());
    item["quantity"] = name_of(claim.quantity);
    item["kind"] = name_of(claim.kind);
    item["claimed"] = claim.claimed;
    if (!claim.pld) {
      item[of_epsilon ? "delta" : "epsilon"] = to_string(claim.argument);
    }
    if (!claim.source.empty()) item["source"] = claim.source;
    if (!finding.reason.empty()) item["reason"] = finding.reason;
    item["digits"] = finding.digits;
    item["seconds"] = finding.seconds;
    list.push_back(std::move(item));
  }
  Json counts = {{"valid", summary.valid},
                 {"tight", summary.tight},
                 {"refuted", summary.refuted},
                 {"undecided", summary.undecided}};
  if (summary.errors > 0) counts["error"] = summary.errors;
  std::cout << Json{{"claims", list}, {"summary", counts}}.dump(2, ' ', false,
                                                                Json::error_handler_t::replace)
            << '\n';
}

void print_table_of(const std::vector<Claim>& claims, const std::vector<Finding>& findings,
                    const AuditSummary& summary) {
  std::vector<std::vector<std::string>> rows{{"id", "verdict", "claimed", "adjacency",
                                              "certified band", "gap epsilon", "gap delta",
                                              "remark"}};
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Finding& finding = findings[i];
    rows.push_back({shortened(claims[i].id), name_of(finding.verdict), claim_text(claims[i]),
                    adjacency_text(claims[i]),
                    finding.lower.empty() ? "-" : "[" + finding.lower + ", " + finding.upper + "]",
                    gap_text(finding.verdict, finding.gap_epsilon),
                    gap_text(finding.verdict, finding.gap_delta), remark_text(finding)});
  }
  print_table(std::cout, rows);
  std::cout << '\n' << summary_text(summary) << '\n';
}

int audit_command(const AuditCommand& command) {
  const std::vector<Claim> claims = read_claims(command.file);
  Progress progress(claims.size(), "claims");
  const std::vector<Finding> findings =
      audit(claims, command.how, [&](std::size_t finished) { progress.done(finished); });
  const AuditSummary summary = summarise(findings);
  const Finding* unreadable = nullptr;
  std::string name;
  for (std::size_t i = 0; i < claims.size() && unreadable == nullptr; ++i) {
    if (findings[i].verdict == Verdict::error) {
      unreadable = &findings[i];
      name = claims[i].id;
    }
  }
  if (unreadable != nullptr) {
    const std::string message =
        std::to_string(summary.errors) + " of " + std::to_string(claims.size()) +
        " claims could not be audited; claim " + abbreviated(name) + ": " + unreadable->reason;
    if (summary.errors == claims.size() && !unreadable->internal) throw UsageError(message);
    std::cerr << "plaudit: " << message << '\n';
  }
  if (!command.markdown.empty()) {
    write_file("--markdown", command.markdown, markdown_report(claims, findings));
  }
  if (!command.html.empty()) {
    write_file("--html", command.html, html_report(claims, findings, command.how));
  }
  std::vector<Evidence> evidence;
  if (!command.certificates.empty()) {
    evidence = write_certificates(claims, findings, command.certificates);
  }
  if (command.json) {
    print_json(claims, findings, evidence, summary);
  } else {
    print_table_of(claims, findings, summary);
    for (std::size_t i = 0; i < evidence.size(); ++i) {
      if (evidence[i].refusal.empty()) continue;
      std::cout << "no certificate for " << shortened(claims[i].id) << ": " << evidence[i].refusal
                << '\n';
    }
  }
  if (summary.internal > 0) return exit_internal_error;
  if (summary.refuted > 0) return exit_refuted;
  if (summary.errors > 0) return exit_bad_usage;
  return summary.undecided > 0 ? exit_not_reached : exit_done;
}

}  // namespace

void add_audit_command(CLI::App& app, Run& run) {
  const auto given = std::make_shared<AuditCommand>();
  given->how.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  CLI::App* command = app.add_subcommand("audit", "a verdict for each claim of a file");
  command->add_option("CLAIMS", given->file, "claims as JSON or CSV; - reads standard input")
      ->required();
  command->add_flag("--json", given->json, "print JSON");
  command->add_option("--markdown", given->markdown, "write a report to this file");
  command->add_option("--html", given->html, "write a report with pictures to this file");
  command->add_option("--certificates", given->certificates,
                      "write a certificate for each refutation to this folder");
  command->add_option("--threads", given->how.threads, "threads to use")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_option("--timeout", given->how.timeout_seconds, "seconds for each claim")
      ->check(CLI::Range(0.001, 1e7))
      ->capture_default_str();
  command
      ->add_option("--digits", given->how.most_digits,
                   "digits at which an undecided claim is left undecided")
      ->check(CLI::Range(6, 800))
      ->capture_default_str();
  command->callback([&run, given] { run = [given] { return audit_command(*given); }; });
}

}  // namespace plaudit::cli

// plaudit audit CLAIMS: a verdict for each claim, as a table, JSON, Markdown or HTML.
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "cli/commands.hpp"
#include "cli/commands/audit/audit_work.hpp"
#include "cli/options.hpp"
#include "cli/output/complain.hpp"
#include "cli/output/output_file.hpp"
#include "cli/output/progress.hpp"
#include "cli/output/report.hpp"
#include "cli/output/table.hpp"
#include "cli/output/usage_error.hpp"
#include "mechanisms/language/file_access.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/audit/audit_report.hpp"

namespace plaudit::cli {

namespace {

struct AuditCommand : LimitOptions {
  std::string file;
  std::string markdown;
  std::string html;
  std::string pictures = "notable";
  std::string certificates;
  std::string files;
  bool json = false;
  AuditOptions how;
};

constexpr std::size_t longest_file = 64'000'000;

std::string read_claims(const std::string& name) {
  const std::string refusal = "CLAIMS: cannot read " + abbreviated(name);
  std::ifstream file;
  if (name != "-") file = open_file(name, refusal);
  std::istream& in = name == "-" ? std::cin : file;
  std::string text = read_stream(in, longest_file);
  if (in.bad()) throw UsageError(refusal);
  if (text.size() > longest_file) {
    throw UsageError("CLAIMS: is larger than 64 MB, the most that is read");
  }
  return text;
}

/// JSON starts with a bracket, a header line of CSV does not.
std::vector<ClaimEntry> read_entries(const std::string& name) {
  const std::string text = read_claims(name);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_json = first == std::string::npos || text[first] == '[' || text[first] == '{';
  std::vector<ClaimEntry> entries = is_json ? entries_from_json(text) : entries_from_csv(text);
  if (entries.empty()) throw UsageError("CLAIMS: there is no claim in it");
  return entries;
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
  if (!witness.attack.empty()) json["attack"] = witness.attack;
  if (!witness.output_event.empty()) {
    json["output_event"] = witness.output_event;
    json["output_event_delta_lower"] = witness.output_delta_lower;
  }
  return json;
}

/// Where the certificate of each refutation is, or why there is none.
struct Written {
  std::string file;
  std::string refusal;
};

/// A file for each refuted claim, named after its place and its id.
std::vector<Written> write_certificates(const Audited& audited, const AuditCommand& command) {
  const std::vector<Evidence> evidence = evidence_of(audited, command.how, command.backstop());
  std::vector<Written> result(evidence.size());
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    if (audited.findings[i].verdict != Verdict::refuted) continue;
    result[i].refusal = evidence[i].refusal;
    if (!evidence[i].refusal.empty()) continue;
    std::string name = std::to_string(i + 1) + "-";
    for (const char c : audited.claims[i].id.substr(0, 60)) {
      const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
      name += plain ? c : '-';
    }
    result[i].file = (std::filesystem::path(command.certificates) / (name + ".json")).string();
    OutputFile("--certificates", result[i].file).write(evidence[i].text);
  }
  return result;
}

void print_json(const std::vector<Claim>& claims, const std::vector<Finding>& findings,
                const std::vector<Written>& evidence, const AuditSummary& summary) {
  Json list = Json::array();
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Claim& claim = claims[i];
    const Finding& finding = findings[i];
    Json item = {{"id", claim.id}, {"verdict", name_of(finding.verdict)}};
    if (finding.verdict == Verdict::error || !claim.adjacency) {
      item["reason"] = finding.reason;
      list.push_back(std::move(item));
      continue;
    }
    item["lower"] = text_or_null(finding.lower);
    item["upper"] = text_or_null(finding.upper);
    const bool of_epsilon = claim.quantity == Quantity::epsilon;
    const bool of_curve = claim.subject == Subject::curve;
    item["gap"] = text_or_null(!of_curve    ? finding.gap
                               : of_epsilon ? finding.gap_epsilon
                                            : finding.gap_delta);
    item["relative_gap"] = text_or_null(finding.relative_gap);
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
    put_adjacency(item, *claim.adjacency);
    item["quantity"] = quantity_of(claim);
    item["kind"] = name_of(claim.kind);
    item["claimed"] = claim.claimed;
    const bool of_pld = claim.kind == ClaimKind::pessimistic || claim.kind == ClaimKind::optimistic;
    if (!of_pld && !argument_of(claim).empty()) {
      item[argument_of(claim)] = to_string(claim.argument);
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
  std::cout << printed({{"claims", list}, {"summary", counts}}) << '\n';
}

void print_table_of(const std::vector<Claim>& claims, const std::vector<Finding>& findings,
                    const AuditSummary& summary) {
  std::vector<std::vector<std::string>> rows{{"id", "verdict", "claimed", "adjacency",
                                              "certified band", "gap epsilon", "gap delta",
                                              "relative gap", "remark"}};
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const Finding& finding = findings[i];
    rows.push_back({shortened(claims[i].id), name_of(finding.verdict), claim_text(claims[i]),
                    adjacency_text(claims[i]),
                    finding.lower.empty() ? "-" : "[" + finding.lower + ", " + finding.upper + "]",
                    gap_text(finding.verdict, finding.gap_epsilon),
                    gap_text(finding.verdict, finding.gap_delta),
                    gap_text(finding.verdict, finding.relative_gap), remark_text(finding)});
  }
  print_table(std::cout, rows);
  std::cout << '\n' << summary_text(summary) << '\n';
}

/// One line on the claims that could not be audited. @throws UsageError where that is all of them
/// and no defect of plaudit.
void complain_of_errors(const Audited& audited, const AuditSummary& summary) {
  for (std::size_t i = 0; i < audited.findings.size(); ++i) {
    const Finding& finding = audited.findings[i];
    if (finding.verdict != Verdict::error) continue;
    const std::string message = std::to_string(summary.errors) + " of " +
                                std::to_string(audited.claims.size()) +
                                " claims could not be audited; claim " +
                                abbreviated(audited.claims[i].id) + ": " + finding.reason;
    if (summary.errors == audited.claims.size() && summary.internal == 0) throw UsageError(message);
    complain(message);
    return;
  }
}

/// The files to write, which are tried before the work.
struct Outputs {
  explicit Outputs(const AuditCommand& command) {
    if (!command.markdown.empty()) markdown.emplace("--markdown", command.markdown);
    if (!command.html.empty()) html.emplace("--html", command.html);
    if (command.certificates.empty()) return;
    std::error_code problem;
    std::filesystem::create_directories(command.certificates, problem);
    OutputFile("--certificates",
               (std::filesystem::path(command.certificates) / "1-.json").string());
  }
  std::optional<OutputFile> markdown;
  std::optional<OutputFile> html;
};

/// Today's date in UTC, or that of SOURCE_DATE_EPOCH, so that a report can be made again.
std::string report_date() {
  auto time = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  if (const char* given = std::getenv("SOURCE_DATE_EPOCH")) {
    constexpr long long latest = 253402300799;  // the end of the year 9999
    const std::string text = given;
    long long read = -1;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), read);
    if (end.ec != std::errc() || end.ptr != text.data() + text.size() || read < 0 ||
        read > latest) {
      throw UsageError("SOURCE_DATE_EPOCH: must be a number of seconds >= 0, not " +
                       abbreviated(text));
    }
    time = std::chrono::sys_seconds(std::chrono::seconds(read));
  }
  const std::chrono::year_month_day day(std::chrono::floor<std::chrono::days>(time));
  char date[32];
  std::snprintf(date, sizeof date, "%04d-%02u-%02u", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  return date;
}

/// Links to the certificates, relative to the folder of the report.
std::vector<CertificateLink> links_of(const std::vector<Written>& written,
                                      const std::string& report) {
  namespace fs = std::filesystem;
  std::vector<CertificateLink> links;
  const fs::path folder = fs::absolute(report).lexically_normal().parent_path();
  for (const Written& each : written) {
    CertificateLink link{{}, each.refusal};
    if (!each.file.empty()) {
      const fs::path file = fs::absolute(each.file).lexically_normal();
      const fs::path relative = file.lexically_relative(folder);
      link.target = (relative.empty() ? file : relative).generic_string();
    }
    links.push_back(std::move(link));
  }
  return links;
}

int audit_command(AuditCommand& command) {
  command.how.timeout_seconds = command.timeout;
  ReportDetails details;
  details.pictures = picture_choice(command.pictures);
  if (!command.html.empty()) details.date = report_date();
  set_file_access(command.files.empty() ? FileAccess::none() : FileAccess::within(command.files));
  const Outputs outputs(command);
  const std::vector<ClaimEntry> entries = read_entries(command.file);
  Progress progress(entries.size(), "claims");
  const Audited audited = audit_entries(entries, command.how, command.backstop(),
                                        [&](std::size_t finished) { progress.done(finished); });
  const AuditSummary summary = summarise(audited.findings);
  complain_of_errors(audited, summary);
  if (outputs.markdown) {
    outputs.markdown->write(markdown_report(audited.claims, audited.findings));
  }
  std::vector<Written> evidence;
  if (!command.certificates.empty()) evidence = write_certificates(audited, command);
  if (outputs.html) {
    details.how = command.how;
    details.curves = curves_of(audited, details.pictures, command.how, command.backstop());
    details.certificates = links_of(evidence, command.html);
    outputs.html->write(html_report(audited.claims, audited.findings, details));
  }
  if (command.json) {
    print_json(audited.claims, audited.findings, evidence, summary);
  } else {
    print_table_of(audited.claims, audited.findings, summary);
    for (std::size_t i = 0; i < evidence.size(); ++i) {
      if (evidence[i].refusal.empty()) continue;
      std::cout << "no certificate for " << shortened(audited.claims[i].id) << ": "
                << printable(evidence[i].refusal) << '\n';
    }
  }
  if (summary.internal > 0) return exit_internal_error;
  if (summary.refuted > 0) return exit_refuted;
  if (summary.errors > 0) return exit_bad_usage;
  return summary.undecided > 0 ? exit_not_reached : exit_done;
}

}  // namespace

void add_audit_command(CommandLine& line) {
  const auto given = std::make_shared<AuditCommand>();
  given->timeout = given->how.timeout_seconds;
  given->how.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  Command command = line.command("audit", "a verdict for each claim of a file",
                                 [given] { return audit_command(*given); });
  command.option("CLAIMS", given->file, "claims as JSON or CSV; - reads standard input").required();
  command.flag("--json", given->json, "print JSON");
  command.option("--markdown", given->markdown, "write a report to this file");
  command.option("--html", given->html, "write a report with pictures to this file");
  command
      .option("--pictures", given->pictures,
              "of which claims: none, refuted, notable (all but those that are valid), all")
      .shows_default();
  command.option("--certificates", given->certificates,
                 "write a certificate for each refutation to this folder");
  command.option("--allow-files", given->files,
                 "claims may name law files, pld(file=...), in this folder");
  add_threads_option(command, given->how.threads);
  add_limit_options(command, *given, "for each claim, picture and certificate");
  command
      .option("--digits", given->how.most_digits,
              "digits at which an undecided claim is left undecided")
      .within(6, 800)
      .shows_default();
  command.examples({"plaudit audit claims.csv",
                    "plaudit audit claims.json --html report.html --certificates proofs"});
}

}  // namespace plaudit::cli

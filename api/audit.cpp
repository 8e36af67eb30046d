// The public interface: claims, and the verdicts on them.
#include <nlohmann/json.hpp>

#include "api/core.hpp"
#include "lib/work/interruption.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/audit/finding_pictures.hpp"

// After the inner names, see api/core.hpp.
#include "plaudit/audit.hpp"

namespace plaudit::inline v0 {

struct AuditData {
  std::vector<core::Claim> claims;
  std::vector<core::Finding> findings;
  core::AuditOptions how;
};

namespace {

constexpr int most_threads = 1024;
constexpr int most_digits_of_all = 800;

Verdict public_verdict(core::Verdict verdict) {
  switch (verdict) {
    case core::Verdict::valid:
      return Verdict::valid;
    case core::Verdict::tight:
      return Verdict::tight;
    case core::Verdict::refuted:
      return Verdict::refuted;
    case core::Verdict::undecided:
      return Verdict::undecided;
    case core::Verdict::error:
      break;
  }
  return Verdict::error;
}

Finding public_finding(const core::Claim& claim, const core::Finding& found) {
  Finding finding{claim.id,          claim.spec,        public_verdict(found.verdict),
                  found.reason,      found.lower,       found.upper,
                  found.gap_epsilon, found.gap_delta,   found.direction,
                  std::nullopt,      found.digits,      found.seconds,
                  found.gap,         found.relative_gap};
  if (const auto& w = found.witness) {
    finding.witness = Witness{w->direction,     w->epsilon, w->delta_lower,  w->delta_upper,
                              w->claimed_delta, w->event,   w->output_event, w->output_delta_lower,
                              w->attack};
  }
  return finding;
}

/// The claim as an object of a JSON file of claims; empty fields are absent.
Json fields_of(const Claim& claim) {
  Json fields = Json::object();
  const std::pair<const char*, const std::string*> all[] = {
      {"id", &claim.id},
      {"spec", &claim.spec},
      {"delta", &claim.delta},
      {"epsilon", &claim.epsilon},
      {"quantity", &claim.quantity},
      {"kind", &claim.kind},
      {"epsilon_lower", &claim.epsilon_lower},
      {"epsilon_upper", &claim.epsilon_upper},
      {"delta_lower", &claim.delta_lower},
      {"delta_upper", &claim.delta_upper},
      {"renyi", &claim.renyi},
      {"order", &claim.order},
      {"mu", &claim.mu},
      {"parameter", &claim.parameter},
      {"tolerance", &claim.tolerance},
      {"relative_tolerance", &claim.relative_tolerance},
      {"direction", &claim.direction},
      {"about", &claim.about},
      {"source", &claim.source}};
  for (const auto& [name, value] : all) {
    if (!value->empty()) fields[name] = *value;
  }
  return fields;
}

/// Whether the spec names a file: nothing else stands in quotes in a spec.
bool names_file(const ClaimEntry& entry) {
  const auto place = entry.fields.is_object() ? entry.fields.find("spec") : entry.fields.end();
  return entry.fields.is_object() && place != entry.fields.end() && place->is_string() &&
         place->get_ref<const std::string&>().find('"') != std::string::npos;
}

void check(const AuditOptions& options) {
  if (options.threads < 1 || options.threads > most_threads) {
    throw SpecError("threads: must be from 1 to 1024");
  }
  if (!(options.timeout_seconds > 0)) throw SpecError("timeout_seconds: must be > 0");
  if (options.most_digits < 6 || options.most_digits > most_digits_of_all) {
    throw SpecError("most_digits: must be from 6 to 800");
  }
}

Audit audited(const std::vector<ClaimEntry>& entries, const AuditOptions& options) {
  std::vector<core::Claim> claims;
  for (const ClaimEntry& entry : entries) {
    check_interruption();
    if (!options.read_files && names_file(entry)) {
      claims.push_back(unreadable_claim(entry.id, "the spec names a file; see read_files"));
      continue;
    }
    for (core::Claim& claim : claims_of(entry)) claims.push_back(std::move(claim));
  }
  const core::AuditOptions how{options.threads, options.timeout_seconds, options.most_digits};
  auto data = std::make_shared<AuditData>();
  data->findings = core::audit(claims, how, [&](std::size_t done) {
    if (options.told) options.told(done, claims.size());
  });
  data->claims = std::move(claims);
  data->how = how;
  Audit result;
  for (std::size_t i = 0; i < data->claims.size(); ++i) {
    result.findings.push_back(public_finding(data->claims[i], data->findings[i]));
  }
  const AuditSummary summary = summarise(data->findings);
  result.valid = summary.valid;
  result.tight = summary.tight;
  result.refuted = summary.refuted;
  result.undecided = summary.undecided;
  result.errors = summary.errors;
  result.data = std::move(data);
  return result;
}

}  // namespace

std::string name_of(Verdict verdict) {
  constexpr const char* names[] = {"valid", "tight", "refuted", "undecided", "error"};
  return names[static_cast<std::size_t>(verdict)];
}

std::string Audit::markdown() const {
  return data ? markdown_report(data->claims, data->findings) : std::string();
}

std::string Audit::html(const ReportOptions& options) const {
  const PictureChoice choice = picture_choice(options.pictures);
  if (!(options.timeout_seconds > 0)) throw SpecError("timeout_seconds: must be > 0");
  if (!data) return {};
  if (!options.certificates.empty() && options.certificates.size() != data->claims.size()) {
    throw SpecError("certificates: must be one for each claim, or none");
  }
  ReportDetails details{options.date, data->how, choice, {}, {}};
  for (const std::string& file : options.certificates) details.certificates.push_back({file, {}});
  const auto sections = report_sections(data->claims, data->findings);
  details.curves.resize(sections.size());
  for (const std::size_t s : sections_with_curves(sections, data->findings, choice)) {
    if (!data->claims[sections[s][0]].adjacency) continue;
    details.curves[s] =
        curve_picture(data->claims, data->findings, sections[s], options.timeout_seconds);
  }
  return html_report(data->claims, data->findings, details);
}

Audit audit(const std::vector<Claim>& claims, const AuditOptions& options) {
  check(options);
  std::vector<Json> list;
  list.reserve(claims.size());
  for (const Claim& claim : claims) list.push_back(fields_of(claim));
  return audited(claim_entries(std::move(list)), options);
}

Audit audit_json(std::string_view text, const AuditOptions& options) {
  check(options);
  return audited(entries_from_json(text), options);
}

Audit audit_csv(std::string_view text, const AuditOptions& options) {
  check(options);
  return audited(entries_from_csv(text), options);
}

}  // namespace plaudit::inline v0

#include "verification/audit/audit.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <new>

#include "lib/work/interruption.hpp"
#include "lib/work/threads.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/audit/curve_audit.hpp"
#include "verification/audit/gaps.hpp"
#include "verification/audit/gaussian_dp_audit.hpp"
#include "verification/audit/pld_audit.hpp"
#include "verification/audit/renyi_audit.hpp"
#include "verification/sessions.hpp"

namespace plaudit {

namespace {

/// What is left of a finding on a spec that only bounds the run from above: that a claim is valid.
/// How loose it is, or that it is refuted, takes a lower end.
Finding of_upper_ends(Finding finding, const std::string& bound) {
  if (finding.verdict == Verdict::error) return finding;
  if (finding.verdict == Verdict::tight) finding.verdict = Verdict::valid;
  if (finding.verdict == Verdict::refuted) finding.verdict = Verdict::undecided;
  finding.reason = bound + ", of which only the upper end holds";
  if (!finding.lower.empty()) finding.lower = "0";
  finding.gap_epsilon.clear();
  finding.gap_delta.clear();
  finding.gap.clear();
  finding.relative_gap.clear();
  finding.direction.clear();
  finding.witness.reset();
  return finding;
}

/// Why a claim that is false of the pair may be true of the mechanism.
std::string reason_of_undecided(const Claim& claim) {
  const Attainment of = claim.composition->attainment();
  return of.attained == Attained::yes
             ? ""
             : "; the dominating pair is not known to be attained, so what is below its "
               "numbers may be true of the mechanism: " +
                   of.why;
}

Finding audit_one(const Claim& claim, Sessions& sessions, const AuditOptions& options) {
  Finding finding;
  const auto start = std::chrono::steady_clock::now();
  const auto spent = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const auto tell = [&](const Finding& so_far) {
    if (!options.known) return;
    options.known(claim.bound.empty() ? so_far : of_upper_ends(so_far, claim.bound));
  };
  try {
    if (claim.pld) {
      audit_pld(claim, sessions, options, finding);
    } else if (claim.subject == Subject::renyi) {
      audit_renyi(claim, options, finding);
    } else if (claim.subject == Subject::mu) {
      audit_gaussian_dp(claim, sessions, options, finding);
    } else {
      audit_curve(claim, sessions, options, tell, finding);
    }
  } catch (const std::bad_alloc&) {  // for whoever limits memory
    throw;
  } catch (const std::invalid_argument& error) {
    finding.verdict = Verdict::error;
    finding.reason = error.what();
  } catch (...) {  // one claim must not cost the others their verdicts
    const GivenUp why = given_up();
    finding.internal = why.cause == Cause::defect || why.cause == Cause::contradiction;
    if (finding.internal) finding.verdict = Verdict::error;
    const bool says_more = why.cause == Cause::memory || why.cause == Cause::method;
    const bool undecided = finding.verdict == Verdict::undecided && says_more;
    if (finding.internal || undecided) finding.reason = why.words;
  }
  if (!claim.bound.empty()) {
    finding = of_upper_ends(std::move(finding), claim.bound);
  } else if (finding.verdict == Verdict::undecided && !claim.about_pair) {
    finding.reason += reason_of_undecided(claim);
  }
  finding.seconds = spent();
  return finding;
}

/// Claims on the same composition and direction, few enough to spread over threads.
std::vector<std::vector<std::size_t>> groups_of(const std::vector<Claim>& claims) {
  constexpr std::size_t largest_group = 16;
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::pair<std::string, DirectionChoice>, std::size_t> open;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (!claims[i].composition) continue;
    const auto key = std::make_pair(claims[i].composition->stated(), claims[i].direction);
    const auto place = open.find(key);
    if (place == open.end() || groups[place->second].size() >= largest_group) {
      open[key] = groups.size();
      groups.emplace_back();
    }
    groups[open[key]].push_back(i);
  }
  return groups;
}

}  // namespace

Auditor::Auditor(const AuditOptions& options) : options_(options) {}
Auditor::~Auditor() = default;

Finding Auditor::audit(const Claim& claim) {
  check_interruption();
  if (!claim.composition) return error_finding(claim.error);
  const auto wanted = std::make_pair(claim.composition->stated(), claim.direction);
  if (!sessions_ || open_ != wanted) {
    sessions_ =
        std::make_unique<Sessions>(*claim.composition, claim.direction, options_.timeout_seconds);
    open_ = wanted;
  }
  return audit_one(claim, *sessions_, options_);
}

std::vector<Finding> audit(const std::vector<Claim>& claims, const AuditOptions& options,
                           const std::function<void(std::size_t)>& done) {
  std::vector<Finding> findings(claims.size());
  std::size_t finished = 0;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (claims[i].composition) continue;
    findings[i] = error_finding(claims[i].error);
    ++finished;
  }
  const std::vector<std::vector<std::size_t>> groups = groups_of(claims);
  std::atomic<std::size_t> next{0};
  std::mutex telling;
  const auto work = [&] {
    for (std::size_t g = next++; g < groups.size(); g = next++) {
      Auditor auditor(options);
      for (const std::size_t i : groups[g]) {
        findings[i] = auditor.audit(claims[i]);
        const std::lock_guard<std::mutex> lock(telling);
        done(++finished);
      }
    }
  };
  const std::size_t threads =
      std::clamp<std::size_t>(static_cast<std::size_t>(options.threads), 1, groups.size() + 1);
  run_together(std::vector<std::function<void()>>(threads, work));
  return findings;
}

}  // namespace plaudit

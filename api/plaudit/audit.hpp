// Claims about numbers of a composition, and verdicts on them by certified bands (docs/audit.md).
//
//   plaudit::Audit audit = plaudit::audit({{.id = "table 2", .spec = "gaussian(sigma=1)^10",
//                                           .delta = "1e-5", .epsilon = "11.2"}});
//   audit.findings[0].verdict;  // valid, tight, refuted, undecided, or error with its reason
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plaudit/plaudit.hpp"

namespace plaudit {

inline namespace v0 {

/// A statement about epsilon(delta), delta(epsilon), a Renyi divergence or mu. Numbers are exact,
/// as written: "1e-5", "1/3", and "inf" for an infinite epsilon. What is not stated stays empty.
struct Claim {
  std::string id;
  std::string spec;          ///< in the spec language
  std::string delta = {};    ///< at which epsilon is claimed, or the claimed delta
  std::string epsilon = {};  ///< the claimed epsilon, or the one at which delta is claimed
  /// Which number is claimed: "epsilon", "delta", "renyi" or "mu".
  std::string quantity = "epsilon";
  /// "upper" (the exact number is at most the claimed one), "lower" (at least), "estimate" (within
  /// `tolerance`), or "band" (between the two claimed ends below).
  std::string kind = "upper";
  std::string epsilon_lower = {};
  std::string epsilon_upper = {};
  std::string delta_lower = {};
  std::string delta_upper = {};
  std::string tolerance = {};
  std::string direction = "both";  ///< or "remove", "add"
  std::string source = {};         ///< any text, shown in reports
  std::string renyi = {};          ///< a claimed Renyi divergence
  std::string order = {};          ///< of that divergence: above 0, not 1
  std::string mu = {};             ///< a claimed mu of Gaussian differential privacy
  std::string parameter = {};      ///< claimed to suffice in the place of ? in the spec
  /// In place of `tolerance`, which is in units of the number: in units of the exact number.
  std::string relative_tolerance = {};
  /// "mechanism", or "pair": whether the claim is about the dominating pair of the spec, where the
  /// mechanism may be better.
  std::string about = {};
};

enum class Verdict { valid, tight, refuted, undecided, error };
/// "valid", "tight", "refuted", "undecided", "error".
std::string name_of(Verdict verdict);

/// A point of the privacy curve that contradicts a refuted claim, with its certified delta.
struct Witness {
  std::string direction;  ///< remove, add, or both where no direction reaches what is claimed
  std::string epsilon;    ///< at which delta is bounded
  std::string
      delta_lower;  ///< certified: delta(epsilon) >= this; empty where the claim is too high
  std::string delta_upper;  ///< certified: delta(epsilon) <= this; empty where it is too low
  std::string claimed_delta;
  std::string event;               ///< {L > epsilon}, in words
  std::string output_event;        ///< the same on the mechanism's output; empty where not simple
  std::string output_delta_lower;  ///< certified: P(event) - e^epsilon Q(event) >= this
  /// The spec whose curve contradicts the claim, where that is the pair of two data sets and not
  /// the dominating pair.
  std::string attack = {};
};

struct Finding {
  std::string id;
  std::string spec;  ///< canonical where it could be read
  Verdict verdict = Verdict::undecided;
  std::string reason;  ///< of error and undecided; a remark otherwise
  std::string lower;   ///< the certified band of the claimed quantity, decimals rounded outward
  std::string upper;
  /// Refuted: the claim is off by at least this. Valid, tight: by at most this. Empty: unknown.
  std::string gap_epsilon;
  std::string gap_delta;
  std::string direction;  ///< whose band refutes the claim
  std::optional<Witness> witness;
  int digits = 0;  ///< significant digits of the band that decided
  double seconds = 0;
  std::string gap = {};           ///< the gap of a claimed Renyi divergence
  std::string relative_gap = {};  ///< the gap of the claimed number, in units of the exact one
};

struct AuditOptions {
  int threads = 1;
  double timeout_seconds = 10;  ///< for each claim
  int most_digits = 50;         ///< up to which bands are narrowed to decide a claim, 6 to 800
  /// Whether specs of claims may name law files, pld(file="..."): false where others wrote them.
  bool read_files = false;
  Told told = {};  ///< after each claim
};

/// What a report shows beside claims and findings.
struct ReportOptions {
  /// Which findings have pictures: "none", "refuted", "notable" (all but those that are valid) or
  /// "all". Where one has, so has the curve of its run.
  std::string pictures = "notable";
  std::string date = {};  ///< as it is to be shown; empty: none
  /// Of the claims, in their order, where their certificates are, relative to the report; empty:
  /// none.
  std::vector<std::string> certificates = {};
  double timeout_seconds = 10;  ///< for each curve
};

struct AuditData;

/// Findings in the order of the claims (a JSON object that states a triple is two claims).
struct Audit {
  std::vector<Finding> findings;
  std::size_t valid = 0;
  std::size_t tight = 0;
  std::size_t refuted = 0;
  std::size_t undecided = 0;
  std::size_t errors = 0;

  /// A report of one file, without pictures.
  std::string markdown() const;
  /// A report of one file with pictures as inline SVG, which fetches and runs nothing.
  /// @throws std::invalid_argument for an option outside of its domain.
  std::string html(const ReportOptions& options = {}) const;

  std::shared_ptr<const AuditData> data;  ///< what the reports are made of
};

/// Judges the claims. One that cannot be read has the verdict `error` with its reason, and the
/// others are judged all the same. @throws std::invalid_argument for bad options only.
Audit audit(const std::vector<Claim>& claims, const AuditOptions& options = {});
/// The claims of a text, as in a file for `plaudit audit`: a JSON list of objects, or CSV with a
/// header line. @throws std::invalid_argument where the whole text is unusable.
Audit audit_json(std::string_view text, const AuditOptions& options = {});
Audit audit_csv(std::string_view text, const AuditOptions& options = {});

}  // namespace v0
}  // namespace plaudit

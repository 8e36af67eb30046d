#include "verification/audit/renyi_audit.hpp"

#include <chrono>

#include "accountants/session/band_of.hpp"
#include "accountants/session/renyi.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/audit/digits.hpp"
#include "verification/crosscheck/gaps.hpp"

namespace plaudit {

namespace {

/// Whether the number in the band is certainly at most x, certainly above it, or neither.
std::optional<bool> is_at_most(const Enclosure& band, const Extended& x) {
  if (x.infinite) return !x.below;
  const Ball end(x.value);
  if (certainly_less_equal(band.upper, end)) return true;
  if (certainly_less(end, band.lower)) return false;
  return std::nullopt;
}

std::optional<bool> is_at_least(const Enclosure& band, const Extended& x) {
  if (x.infinite && x.below) return true;
  const Ball end = x.infinite ? positive_infinity() : Ball(x.value);
  if (certainly_less_equal(end, band.lower)) return true;
  if (certainly_less(band.upper, end)) return false;
  return std::nullopt;
}

class RenyiExamination {
 public:
  RenyiExamination(const Claim& claim, const Answer& answer, Finding& finding)
      : claim_(claim), answer_(answer), band_(answer.band), finding_(finding) {}

  /// True once nothing more is to be learnt with more digits.
  bool decide() {
    const auto low = claim_.at_least ? is_at_least(band_, *claim_.at_least) : true;
    const auto high = claim_.at_most ? is_at_most(band_, *claim_.at_most) : true;
    if (low == false) return refute(*claim_.at_least, false);
    if (high == false) return refute(*claim_.at_most, true);
    if (!low || !high) {
      if (!is_between(high ? *claim_.at_least : *claim_.at_most)) return false;
      finding_.reason = between_words;
      return true;
    }
    const std::optional<bool> tight = within_tolerance();
    finding_.verdict = tight == true ? Verdict::tight : Verdict::valid;
    finding_.reason.clear();
    loosen();
    return tight.has_value() || !has_tolerance(claim_);
  }

 private:
  /// The pair is certainly above x and the attack certainly not: no digits decide between them.
  bool is_between(const Extended& x) const {
    const BandOf& of = answer_.of;
    if (claim_.about_pair || of.attained == Attained::yes || x.infinite || !of.pair_lower)
      return false;
    return certainly_less(Ball(x.value), *of.pair_lower) &&
           (!of.attack || certainly_less_equal(of.attack->band.upper, Ball(x.value)));
  }

  bool refute(const Extended& end, bool above) {
    finding_.verdict = Verdict::refuted;
    finding_.direction = above ? larger_direction() : "both";
    finding_.reason =
        "the certified divergence of this order is " +
        std::string(above ? "at least " + finding_.lower : "at most " + finding_.upper);
    if (end.infinite) return true;
    const Ball by = above ? band_.lower - Ball(end.value) : Ball(end.value) - band_.upper;
    finding_.gap = gap_below(by);
    finding_.relative_gap = relative_gap(by, band_, true);
    return true;
  }

  void loosen() {
    Ball by;
    for (const Extended& value : claim_.values) {
      if (value.infinite) return;
      const Ball x(value.value);
      by = max(by, max(x - band_.lower, band_.upper - x));
    }
    finding_.gap = gap_above(by);
    finding_.relative_gap = relative_gap(by, band_, false);
  }

  std::optional<bool> within_tolerance() const {
    bool known = true;
    for (const Extended& value : claim_.values) {
      if (value.infinite) return false;
      const Room room = room_of(claim_, value.value);
      const auto low = is_at_least(band_, {false, room.least});
      const auto high = is_at_most(band_, {false, room.most});
      if (low == false || high == false) return false;
      known = known && low && high;
    }
    return known ? std::optional(true) : std::nullopt;
  }

  std::string larger_direction() const {
    const DirectionAnswer* best = &answer_.directions.front();
    for (const DirectionAnswer& each : answer_.directions) {
      if (certainly_less(best->band.lower, each.band.lower)) best = &each;
    }
    return std::string(name_of(best->direction));
  }

  const Claim& claim_;
  const Answer& answer_;
  const Enclosure& band_;
  Finding& finding_;
};

}  // namespace

Finding audit_renyi(const Claim& claim, const AuditOptions& options) {
  Finding finding;
  finding.reason = "time limit reached before any band was found";
  const auto start = std::chrono::steady_clock::now();
  AnswerOptions how;
  how.direction = claim.direction;
  how.attack = true;
  for (const int digits : audit_ladder) {
    const double spent =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (digits > options.most_digits || spent >= options.timeout_seconds) break;
    how.digits = digits;
    how.timeout_seconds = options.timeout_seconds - spent;
    Answer answer = renyi_answer(*claim.composition, claim.argument, how);
    if (!claim.about_pair) answer = for_claims(std::move(answer));
    const PrecisionScope scope(comparison_bits);
    finding.lower = decimal_below(answer.band, digits + guard_digits);
    finding.upper = decimal_above(answer.band, digits + guard_digits);
    finding.digits = digits;
    if (RenyiExamination(claim, answer, finding).decide()) break;
    if (finding.verdict == Verdict::undecided) {
      finding.reason = undecided_words;
    }
  }
  return finding;
}

}  // namespace plaudit

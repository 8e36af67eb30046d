#include "verification/audit/renyi_audit.hpp"

#include <chrono>

#include "accountants/session/band_of.hpp"
#include "accountants/session/renyi.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/audit/digits.hpp"
#include "verification/audit/examination.hpp"
#include "verification/audit/gaps.hpp"

namespace plaudit {

namespace {

class RenyiExamination {
 public:
  RenyiExamination(const Claim& claim, const Answer& answer, Finding& finding)
      : claim_(claim), answer_(answer), band_(answer.band), finding_(finding) {}

  /// True once nothing more is to be learnt with more digits.
  bool decide() {
    const Tri low = claim_.at_least ? at_least(band_, *claim_.at_least) : true;
    const Tri high = claim_.at_most ? at_most(band_, *claim_.at_most) : true;
    if (low == false) return refute(*claim_.at_least, false);
    if (high == false) return refute(*claim_.at_most, true);
    if (!low || !high) {
      if (!is_between(claim_, answer_.of, high ? *claim_.at_least : *claim_.at_most)) return false;
      finding_.reason = between_words;
      return true;
    }
    const Tri tight = within_tolerance();
    finding_.verdict = tight == true ? Verdict::tight : Verdict::valid;
    finding_.reason.clear();
    loosen();
    return tight.has_value() || !has_tolerance(claim_);
  }

 private:
  bool refute(const Extended& end, bool above) {
    finding_.verdict = Verdict::refuted;
    finding_.direction = above ? std::string(name_of(larger_direction(answer_).direction)) : "both";
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

  Tri within_tolerance() const {
    bool known = true;
    for (const Extended& value : claim_.values) {
      if (value.infinite) return false;
      const Room room = room_of(claim_, value.value);
      const auto low = at_least(band_, {false, room.least});
      const auto high = at_most(band_, {false, room.most});
      if (low == false || high == false) return false;
      known = known && low && high;
    }
    return known ? Tri(true) : std::nullopt;
  }

  const Claim& claim_;
  const Answer& answer_;
  const Enclosure& band_;
  Finding& finding_;
};

}  // namespace

void audit_renyi(const Claim& claim, const AuditOptions& options, Finding& finding) {
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
}

}  // namespace plaudit

#include "verification/audit/curve_audit.hpp"

#include <chrono>

#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/audit/digits.hpp"
#include "verification/audit/examination.hpp"
#include "verification/audit/gaps.hpp"
#include "verification/audit/refutation.hpp"

namespace plaudit {

namespace {

constexpr int coarse_digits = 3;  ///< of the second short try at a claim
constexpr const char* no_witness =
    "the certified band excludes the claim, but no point of the curve that shows it was found in "
    "time";

/// The certified distance of the exact number from the claimed end, in both quantities: at least
/// this where it lies beyond the end, at most this where it does not.
struct Gap {
  Ball epsilon;
  Ball delta;
  bool epsilon_known = true;
  bool delta_known = true;
};

/// How far the number in `band` lies above `other` (or below it): at least, or at most. Negative on
/// the other side, for which gap_below() and gap_above() write 0.
Ball distance(const Enclosure& band, const Rational& other, bool above, bool least) {
  if (band.exact) {
    const Ball whole(above ? Rational(*band.exact - other) : Rational(other - *band.exact));
    return least ? whole.lower() : whole.upper();
  }
  const Ball x(other);
  if (above) return least ? band.lower - x : band.upper - x;
  return least ? x - band.upper : x - band.lower;
}

/// How far the exact number lies above the end (or below it), at least or at most, on both axes.
Gap gap_at(Examination& examination, const Claim& claim, const Extended& end, bool above,
           bool least) {
  Gap gap;
  const bool of_epsilon = claim.quantity == Quantity::epsilon;
  if (end.infinite) {
    (of_epsilon ? gap.epsilon : gap.delta) = positive_infinity();
    (of_epsilon ? gap.delta_known : gap.epsilon_known) = false;
    return gap;
  }
  const Rational& x = end.value;
  const Rational& other = claim.argument;
  if (of_epsilon) {
    gap.epsilon = distance(examination.value().band, x, above, least);
    // The curve lies above the stated delta where epsilon lies above the claimed one.
    gap.delta = distance(examination.delta_at(end.value).band, other, above, least);
  } else {
    gap.delta = distance(examination.value().band, x, above, least);
    gap.epsilon_known = end.value >= 0 && end.value <= 1 && claim.argument >= 0;
    if (gap.epsilon_known) {
      gap.epsilon = distance(examination.epsilon_at(end.value).band, other, above, least);
    }
  }
  return gap;
}

void write_gap(const Gap& gap, bool least, const Claim& claim, const Enclosure& band,
               Finding& finding) {
  const auto text = [&](const Ball& x) { return least ? gap_below(x) : gap_above(x); };
  if (gap.epsilon_known) finding.gap_epsilon = text(gap.epsilon);
  if (gap.delta_known) finding.gap_delta = text(gap.delta);
  const bool of_epsilon = claim.quantity == Quantity::epsilon;
  if (of_epsilon ? !gap.epsilon_known : !gap.delta_known) return;
  finding.relative_gap = relative_gap(of_epsilon ? gap.epsilon : gap.delta, band, least);
}

void write_band(Examination& examination, int digits, Finding& finding) {
  const Enclosure& band = examination.value().band;
  finding.lower = decimal_below(band, digits + guard_digits);
  finding.upper = decimal_above(band, digits + guard_digits);
  finding.digits = digits;
}

/// Next to a tie the exact number itself is the witness: no band tells the two apart at a modest
/// number of digits, and the comparison was made in exact arithmetic (docs/proofs/ties.md#delta).
std::optional<Witness> exact_witness(Examination& examination, const Claim& claim,
                                     const Extended& end, bool above) {
  if (end.infinite) return std::nullopt;
  const bool of_epsilon = claim.quantity == Quantity::epsilon;
  const Enclosure& band = examination.value().band;
  Witness witness;
  if (of_epsilon && above && certainly_less_equal(positive_infinity(), band.lower)) {
    witness.event = "no epsilon suffices at this delta, docs/proofs/inversion.md#cases";
  } else if (band.exact && (above ? *band.exact > end.value : *band.exact < end.value)) {
    witness.event = std::string(of_epsilon ? "epsilon is " : "delta is ") + to_string(*band.exact) +
                    " by exact arithmetic, docs/proofs/ties.md#delta";
  } else if (examination.compared_exactly(end.value)) {
    witness.event = std::string(of_epsilon ? "epsilon is " : "delta is ") +
                    (above ? "more" : "less") +
                    " than claimed by exact arithmetic, docs/proofs/ties.md#delta";
  } else {
    return std::nullopt;
  }
  witness.direction = "both";
  witness.epsilon = to_string(of_epsilon ? end.value : claim.argument);
  witness.claimed_delta = to_string(of_epsilon ? claim.argument : end.value);
  return witness;
}

/// A refutation needs a witness that refutes: where a short try finds none, the time that is left
/// is spent on it, and without one the verdict waits.
std::optional<Witness> find_witness(Examination& examination, const Claim& claim,
                                    const Extended& end, bool above, double seconds) {
  const Questions questions{
      [&]() -> const Answer& { return examination.value(); },
      [&](const Rational& e) -> const Answer& { return examination.delta_at(e); }};
  std::optional<Witness> witness = refuting_witness(questions, claim, end, above);
  if (!witness) witness = exact_witness(examination, claim, end, above);
  if (!witness && seconds > Examination::short_seconds) {
    examination.set_seconds(seconds);
    examination.ask_again();
    witness = refuting_witness(questions, claim, end, above);
    examination.decided();
  }
  return witness;
}

/// The widest distance between the exact number and the ends of the claim.
std::optional<Gap> widest_gap(Examination& examination, const Claim& claim) {
  std::optional<Gap> widest;
  const auto loosen = [&](const Extended& end, bool above) {
    Gap gap = gap_at(examination, claim, end, above, false);
    if (!widest) {
      widest = std::move(gap);
      return;
    }
    widest->epsilon = max(widest->epsilon, gap.epsilon).upper();
    widest->delta = max(widest->delta, gap.delta).upper();
    widest->epsilon_known = widest->epsilon_known && gap.epsilon_known;
    widest->delta_known = widest->delta_known && gap.delta_known;
  };
  if (claim.kind == ClaimKind::estimate) {  // on which side it errs is not asked
    loosen(claim.values[0], true);
    loosen(claim.values[0], false);
  } else {
    if (claim.at_least) loosen(*claim.at_least, true);
    if (claim.at_most) loosen(*claim.at_most, false);
  }
  return widest;
}

/// True once nothing more is to be learnt with more digits.
bool examine(const Claim& claim, KnownBands& known, Session& session, int digits, double seconds,
             Finding& finding) {
  const PrecisionScope scope(comparison_bits);
  Examination examination(claim, known, session, seconds);
  const Tri low = examination.low_side();
  const Tri high = examination.high_side();
  write_band(examination, digits, finding);
  const bool asks = has_tolerance(claim);
  if (low == false || high == false || (low && high && !asks)) examination.decided();
  if (low == false || high == false) {
    const bool above = high == false;  // the exact number is above what is claimed
    const Extended& end = above ? *claim.at_most : *claim.at_least;
    auto witness = find_witness(examination, claim, end, above, seconds);
    if (!witness) {
      if (finding.verdict != Verdict::refuted) finding.reason = no_witness;
      return false;
    }
    finding.verdict = Verdict::refuted;
    finding.reason.clear();
    write_gap(gap_at(examination, claim, end, above, true), true, claim, examination.value().band,
              finding);
    finding.witness = std::move(witness);
    finding.direction = finding.witness->direction;
    // It may be refuted by the other quantity before the claimed one shows by how much.
    return (claim.quantity == Quantity::epsilon ? finding.gap_epsilon : finding.gap_delta) != "0";
  }
  if (!low || !high) {
    const std::optional<Extended>& end = high ? claim.at_least : claim.at_most;
    if (!examination.is_between(*end)) return false;
    finding.reason = between_words;
    return true;
  }
  const Tri tight = examination.within_tolerance();
  examination.decided();
  finding.verdict = tight == true ? Verdict::tight : Verdict::valid;
  finding.reason.clear();
  if (const std::optional<Gap> widest = widest_gap(examination, claim)) {
    write_gap(*widest, false, claim, examination.value().band, finding);
  }
  if (!tight && asks) finding.reason = "whether it is within its tolerance is undecided";
  return tight.has_value() || !asks;
}

/// `examine` within a time of its own: a first try that runs out of it has learnt what it has.
bool tried(const Claim& claim, KnownBands& known, Session& session, int digits, double seconds,
           Finding& finding) {
  try {
    return examine(claim, known, session, digits, seconds, finding);
  } catch (const WorkLimitReached&) {
    check_work_limit();  // if that was the limit of the whole claim
    return false;
  }
}

}  // namespace

void audit_curve(const Claim& claim, Sessions& sessions, const AuditOptions& options,
                 const std::function<void(const Finding&)>& tell, Finding& finding) {
  KnownBands known;
  const auto start = std::chrono::steady_clock::now();
  const auto spent = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  finding.reason = "time limit reached before any band was found";
  for (const int digits : audit_ladder) {
    const double left = options.timeout_seconds - spent();
    if (digits > options.most_digits || left <= 0) break;
    const WorkLimit limit(left);
    const bool first = finding.digits == 0;
    // A narrow band first, then a coarse one: where either is quick that will do.
    if (first &&
        (tried(claim, known, sessions.at(digits), digits, Examination::short_seconds, finding) ||
         tried(claim, known, sessions.at(coarse_digits), coarse_digits, Examination::short_seconds,
               finding))) {
      break;
    }
    tell(finding);
    if (tried(claim, known, sessions.at(digits), digits, left, finding)) break;
    tell(finding);
    if (finding.verdict == Verdict::undecided && finding.reason != no_witness) {
      finding.reason = undecided_words;
    }
  }
}

}  // namespace plaudit

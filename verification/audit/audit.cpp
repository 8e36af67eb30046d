#include "verification/audit/audit.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>

#include "accountants/session/band_of.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/interruption.hpp"
#include "lib/work/threads.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/audit/gaussian_dp_audit.hpp"
#include "verification/audit/pld_audit.hpp"
#include "verification/audit/refutation.hpp"
#include "verification/audit/renyi_audit.hpp"
#include "verification/crosscheck/gaps.hpp"
#include "verification/sessions.hpp"

namespace plaudit {

namespace {

/// Digits asked for, one after the other.
constexpr int ladder[] = {6, 12, 24, 50, 100, 200, 400, 800};
constexpr int coarse_digits = 3;
/// More than any band of the ladder needs, so that ends compare as the numbers they are.
constexpr long comparison_bits = 8192;
/// For what does not decide: a far curve point asked for only to say by how much a claim is off,
/// and the first try of each question. Their bands are as certified, only wider.
constexpr double short_seconds = 0.15;
constexpr int guard_digits = 4;
constexpr const char* no_witness =
    "the certified band excludes the claim, but no point of the curve that shows it was found in "
    "time";

/// true, false, or not known.
using Tri = std::optional<bool>;

Tri at_most(const Enclosure& band, const Rational& number) {
  if (band.exact) return *band.exact <= number;
  const Ball x(number);
  if (certainly_less_equal(band.upper, x)) return true;
  if (certainly_less(x, band.lower)) return false;
  return std::nullopt;
}

Tri at_least(const Enclosure& band, const Rational& number) {
  if (band.exact) return *band.exact >= number;
  const Ball x(number);
  if (certainly_less_equal(x, band.lower)) return true;
  if (certainly_less(band.upper, x)) return false;
  return std::nullopt;
}

Tri both(Tri a, Tri b) {
  if (a == false || b == false) return false;
  if (a && b) return true;
  return std::nullopt;
}

/// The intersection, in each direction too; all bands are certified.
void intersect(Enclosure& known, const Enclosure& found) {
  if (certainly_less(known.upper, found.lower) || certainly_less(found.upper, known.lower)) {
    throw std::logic_error("disjoint bands of one question");
  }
  if (found.exact) known.exact = found.exact;
  if (certainly_less(known.lower, found.lower)) known.lower = found.lower;
  if (certainly_less(found.upper, known.upper)) known.upper = found.upper;
  if (!known.exact) known.exact = found.exact;
}

/// The certified bands found so far for the questions of one claim: they only become narrower, also
/// where a later attempt runs out of time.
using Known = std::map<std::pair<Quantity, Rational>, Answer>;

/// What is known about one claim, with what one number of digits adds.
class Examination {
 public:
  Examination(const Claim& claim, Known& known, Session& session, double seconds)
      : claim_(claim), known_(known), session_(session), seconds_(seconds) {}

  /// Seconds for each question from now on.
  void set_seconds(double seconds) { seconds_ = seconds; }
  /// The verdict is known; what is asked from now on is information.
  void decided() { seconds_ = std::min(seconds_, short_seconds); }
  /// Questions are asked again that were asked already.
  void ask_again() { asked_.clear(); }
  /// The comparison of the exact number with x was decided without digits.
  bool compared_exactly(const Rational& x) const {
    const auto place = signs_.find(x);
    return of_pair() && place != signs_.end() && place->second.has_value();
  }

  /// Is the exact number <= x, >= x?
  Tri number_at_most(const Extended& x) {
    if (x.infinite) return !x.below;
    if (x.value < 0) return false;  // neither quantity is negative
    if (const Tri known = at_most(value().band, x.value)) return known;
    if (is_between(x)) return std::nullopt;
    if (claim_.quantity == Quantity::epsilon) {
      if (const Tri known = at_most(delta_at(x.value).band, claim_.argument)) return known;
    }
    const std::optional<int> sign = sign_at(x.value);
    if (!sign) return std::nullopt;
    return *sign <= 0 ? Tri(true) : of_pair() ? Tri(false) : std::nullopt;
  }
  Tri number_at_least(const Extended& x) {
    if (x.infinite && x.below) return true;
    if (x.infinite) {
      const Enclosure& band = value().band;
      if (certainly_less_equal(positive_infinity(), band.lower)) return true;
      return certainly_less(band.upper, positive_infinity()) ? Tri(false) : std::nullopt;
    }
    if (x.value <= 0) return true;
    if (const Tri known = at_least(value().band, x.value)) return known;
    if (is_between(x)) return std::nullopt;
    if (claim_.quantity == Quantity::epsilon) {
      const Enclosure& band = delta_at(x.value).band;
      if (at_most(band, claim_.argument) == false) return true;
      if (at_least(band, claim_.argument) == false) return false;
    }
    const std::optional<int> sign = sign_at(x.value);
    if (!sign) return std::nullopt;
    return *sign < 0 ? Tri(false) : of_pair() ? Tri(true) : std::nullopt;
  }

  Tri low_side() { return claim_.at_least ? number_at_least(*claim_.at_least) : Tri(true); }
  Tri high_side() { return claim_.at_most ? number_at_most(*claim_.at_most) : Tri(true); }

  /// Every claimed number is within the tolerance.
  Tri within_tolerance() {
    Tri result = true;
    for (const Extended& x : claim_.values) {
      if (x.infinite) {
        result = both(result, both(number_at_least(x), number_at_most(x)));
        continue;
      }
      const Room room = room_of(claim_, x.value);
      result = both(result, number_at_least({false, room.least}));
      result = both(result, number_at_most({false, room.most}));
    }
    return result;
  }

  /// The claimed quantity itself.
  const Answer& value() { return answer(claim_.quantity, claim_.argument); }
  const Answer& delta_at(const Rational& epsilon) { return answer(Quantity::delta, epsilon); }
  const Answer& epsilon_at(const Rational& delta) { return answer(Quantity::epsilon, delta); }

  /// The pair is certainly above x and the attack certainly not: no digits decide between them.
  bool is_between(const Extended& x) {
    const BandOf& of = value().of;
    if (of_pair() || x.infinite || !of.pair_lower) return false;
    return certainly_less(Ball(x.value), *of.pair_lower) &&
           (!of.attack || certainly_less_equal(of.attack->band.upper, Ball(x.value)));
  }

  /// What is claimed is the number of the pair: so it says, or the mechanism attains it.
  bool of_pair() const {
    return claim_.about_pair || known_.begin()->second.of.attained == Attained::yes;
  }

 private:
  /// The sign of the exact number minus x where bands do not show it: ties are decided exactly.
  std::optional<int> sign_at(const Rational& x) {
    const auto place = signs_.find(x);
    if (place != signs_.end()) return place->second;
    const WorkLimit limit(seconds_);
    return signs_.emplace(x, session_.compare(claim_.quantity, claim_.argument, x)).first->second;
  }
  const Answer& answer(Quantity quantity, const Rational& argument) {
    const auto key = std::make_pair(quantity, argument);
    const auto place = known_.find(key);
    if (!asked_.insert(key).second) return place->second;
    const WorkLimit limit(seconds_);
    Answer found = session_.answer(quantity, argument);
    if (!claim_.about_pair) found = for_claims(std::move(found));
    if (place == known_.end()) return known_.emplace(key, std::move(found)).first->second;
    intersect(place->second.band, found.band);
    place->second.of = found.of;
    for (std::size_t i = 0; i < found.directions.size(); ++i) {
      intersect(place->second.directions[i].band, found.directions[i].band);
    }
    return place->second;
  }

  const Claim& claim_;
  Known& known_;
  Session& session_;
  double seconds_;  ///< for each question
  std::set<std::pair<Quantity, Rational>> asked_;
  std::map<Rational, std::optional<int>> signs_;
};

/// The certified distance of the exact number from the claimed end, in both quantities: at least
/// this where it lies beyond the end, at most this where it does not.
struct Gap {
  Ball epsilon;
  Ball delta;
  bool epsilon_known = true;
  bool delta_known = true;
};

/// Distances of `band` above (or below) x: the least one and the greatest one, 0 where negative.
Ball distance(const Enclosure& band, const Rational& other, bool above, bool least) {
  if (band.exact) {
    const Ball whole(above ? Rational(*band.exact - other) : Rational(other - *band.exact));
    return least ? whole.lower() : whole.upper();
  }
  const Ball x(other);
  if (above) return least ? band.lower - x : band.upper - x;
  return least ? x - band.upper : x - band.lower;
}

/// `above`: the distance of the exact number above the end, else below it.
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
  if (!witness && seconds > short_seconds) {
    examination.set_seconds(seconds);
    examination.ask_again();
    witness = refuting_witness(questions, claim, end, above);
    examination.decided();
  }
  return witness;
}

/// True once nothing more is to be learnt with more digits.
bool examine(const Claim& claim, Known& known, Session& session, int digits, double seconds,
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
  if (widest) write_gap(*widest, false, claim, examination.value().band, finding);
  if (!tight && asks) finding.reason = "whether it is within its tolerance is undecided";
  return tight.has_value() || !asks;
}

/// `examine` within a time of its own: a first try that runs out of it has learnt what it has.
bool tried(const Claim& claim, Known& known, Session& session, int digits, double seconds,
           Finding& finding) {
  try {
    return examine(claim, known, session, digits, seconds, finding);
  } catch (const WorkLimitReached&) {
    check_work_limit();  // if that was the limit of the whole claim
    return false;
  }
}

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
  Known known;
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
      finding = audit_pld(claim, sessions, options);
    } else if (claim.subject == Subject::renyi) {
      finding = audit_renyi(claim, options);
    } else if (claim.subject == Subject::mu) {
      finding = audit_gaussian_dp(claim, sessions, options);
    } else {
      finding.reason = "time limit reached before any band was found";
      for (const int digits : ladder) {
        const double left = options.timeout_seconds - spent();
        if (digits > options.most_digits || left <= 0) break;
        const WorkLimit limit(left);
        const bool first = finding.digits == 0;
        // A narrow band first, then a coarse one: where either is quick that will do.
        if (first && (tried(claim, known, sessions.at(digits), digits, short_seconds, finding) ||
                      tried(claim, known, sessions.at(coarse_digits), coarse_digits, short_seconds,
                            finding))) {
          break;
        }
        tell(finding);
        if (tried(claim, known, sessions.at(digits), digits, left, finding)) break;
        tell(finding);
        if (finding.verdict == Verdict::undecided && finding.reason != no_witness) {
          finding.reason = "the certified band contains the claimed value; digits or time ran out";
        }
      }
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

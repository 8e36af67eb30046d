#include "verification/audit/pld_audit.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "accountants/session/band_of.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/audit/examination.hpp"

namespace plaudit {

namespace {

constexpr int first_digits = 6;  ///< of the exact delta; doubled while they decide nothing
constexpr int last_digits = 24;
constexpr long pld_bits = 256;  ///< working precision for the curve of the PLD
/// Points that are compared at least before a violation ends the search: the worst is reported.
constexpr std::size_t first_round = 33;

/// What is known at one point of the grid.
struct Compared {
  Enclosure exact;        ///< the certified band of delta
  std::string direction;  ///< whose curve is the larger one
  Ball pld;
  bool violated = false;  ///< the PLD is certainly on the wrong side there
  bool agrees = false;    ///< certainly on the right side
};

class Comparison {
 public:
  Comparison(const Claim& claim, Sessions& sessions)
      : pld_(*claim.pld),
        pessimistic_(claim.kind == ClaimKind::pessimistic),
        about_pair_(claim.about_pair),
        sessions_(sessions),
        last_(std::max(0L, pld_.last_loss())),
        curve_(pld_curve(pld_, 0)) {
    // All masses at negative losses: the curve is constant from 0 on.
    if (curve_.empty()) curve_.emplace_back(pld_.infinity_mass);
    curve_.emplace_back(pld_.infinity_mass);  // one point beyond, for the lines from the right
    beyond_ = pessimistic_ || pld_.infinity_mass <= 0;
    if (!about_pair_ && claim.composition->attainment().attained != Attained::yes) return;
    for (const Direction direction : {Direction::remove, Direction::add}) {
      if (claim.direction ==
          (direction == Direction::add ? DirectionChoice::remove : DirectionChoice::add)) {
        continue;
      }
      const Ball most = ComposedLoss(*claim.composition, direction).mass_at_infinity();
      beyond_ = beyond_ || certainly_less_equal(Ball(pld_.infinity_mass), most);
    }
  }

  /// Halves segments of the grid until every epsilon >= 0 is decided, or some point refutes.
  void run() {
    at(0);
    at(last_);
    if (!pessimistic_) at(last_ + 1);
    std::deque<std::pair<long, long>> open{{0, last_}};
    while (!open.empty() && !(any_violated_ && points_.size() >= first_round)) {
      check_work_limit();
      const auto [a, b] = open.front();
      open.pop_front();
      if (pessimistic_ ? b - a < 2 || below_chord(a, b) : above_lines(a, b)) continue;
      if (b - a < 2) {  // an optimistic curve: its neighbours give the steepest lines
        if (a > 0) at(a - 1);
        at(b + 1);
        cells_left_ = cells_left_ || !above_lines(a, b);
        continue;
      }
      const long middle = a + (b - a) / 2;
      at(middle);
      open.emplace_back(a, middle);
      open.emplace_back(middle, b);
    }
    finished_ = open.empty();
  }

  /// What was found so far.
  void write(Finding& result) const {
    result.digits = digits_;
    const std::string tested = std::to_string(points_.size()) + " epsilons compared";
    if (any_violated_) {
      describe_violation(result, tested);
      return;
    }
    bool all_agree = true;
    for (const auto& [k, point] : points_) all_agree = all_agree && point.agrees;
    if (finished_ && all_agree && beyond_ && !cells_left_) {
      result.verdict = Verdict::valid;
      result.reason = tested + "; between them by convexity, at every epsilon >= 0";
    } else {
      result.verdict = Verdict::undecided;
      result.reason = tested + ", none violated; " +
                      (!finished_ ? "not all of the others are decided within the time limit"
                       : beyond_  ? "the curves are too near each other at some of the others"
                                  : "nor is it decided beyond the last loss");
    }
  }

 private:
  Rational epsilon(long k) const { return pld_.loss(k); }

  const Compared& at(long k) {
    const auto known = points_.find(k);
    if (known != points_.end()) return known->second;
    Compared point;
    point.pld = curve_[static_cast<std::size_t>(k)];
    for (int digits = first_digits; digits <= last_digits; digits *= 2) {
      Answer answer = sessions_.at(digits).answer(Quantity::delta, epsilon(k));
      if (!about_pair_) answer = for_claims(std::move(answer));
      point.exact = answer.band;
      digits_ = std::max(digits_, digits);
      point.direction = name_of(larger_direction(answer).direction);
      const Ball& low = pessimistic_ ? point.exact.lower : point.pld.lower();
      const Ball& high = pessimistic_ ? point.pld.upper() : point.exact.upper;
      point.violated = certainly_less(high, low);
      point.agrees = pessimistic_ ? certainly_less_equal(point.exact.upper, point.pld)
                                  : certainly_less_equal(point.pld, point.exact.lower);
      if (point.violated || point.agrees) break;
    }
    any_violated_ = any_violated_ || point.violated;
    return points_.emplace(k, std::move(point)).first->second;
  }

  /// The exact curve is convex in u = e^eps, so between a and b it lies below the chord through
  /// its upper ends there; the curve of the PLD is linear between grid points, so it lies above
  /// the chord where it does so at each of them. Proof: docs/proofs/discrete_pld.md#pessimistic
  bool below_chord(long a, long b) const {
    if (!pessimistic_) return false;
    const Ball& left = points_.at(a).exact.upper;
    const Ball rise = points_.at(b).exact.upper - left;
    const Ball whole = expm1(Ball(Rational(pld_.interval * (b - a))));
    const Ball growth = exp(Ball(pld_.interval));
    Ball u(1);  // e^(eps_k - eps_a)
    for (long k = a + 1; k < b; ++k) {
      u *= growth;
      const Ball chord = left + rise * (u - Ball(1)) / whole;
      if (!certainly_less_equal(chord, curve_[static_cast<std::size_t>(k)])) return false;
      if (k % 1024 == 0) check_work_limit();
    }
    return true;
  }

  /// The exact curve, convex in u = e^eps, lies above the line through two of its points outside
  /// of the segment between them: between a and b above the line from the left and the one from
  /// the right. Proof: docs/proofs/discrete_pld.md#optimistic
  bool above_lines(long a, long b) const {
    if (!points_.at(a).agrees || !points_.at(b).agrees) return false;
    const auto right = points_.upper_bound(b);
    if (right == points_.end()) return false;
    const auto here = points_.find(a);
    const auto power = [&](long k) { return exp(Ball(Rational(pld_.interval * (k - a)))); };
    // u relative to that at a; before the first point: delta = 1 at u = 0
    const bool first = here == points_.begin();
    const Ball before = first ? Ball(0) : power(std::prev(here)->first);
    const Ball before_value = first ? Ball(1) : std::prev(here)->second.exact.upper;
    const Ball& value = points_.at(a).exact.lower;
    const Ball slope = (value - before_value) / (Ball(1) - before);
    const auto from_left = [&](const Ball& u) { return value + slope * (u - Ball(1)); };
    const Ball end = power(b);
    const Ball& end_value = points_.at(b).exact.lower;
    const Ball end_slope = (right->second.exact.upper - end_value) / (power(right->first) - end);
    const auto from_right = [&](const Ball& u) { return end_value + end_slope * (u - end); };

    const Ball growth = exp(Ball(pld_.interval));
    Ball u(1);
    bool left_before = true;
    bool right_before = certainly_less_equal(pld_at(a), from_right(u));
    for (long k = a + 1; k <= b; ++k) {
      if (k % 1024 == 0) check_work_limit();
      const Ball next = k == b ? end : u * growth;
      const bool left_here = certainly_less_equal(pld_at(k), from_left(next));
      const bool right_here = k == b || certainly_less_equal(pld_at(k), from_right(next));
      const auto meets = [&] {  // both lines are above where they cross (any point proves)
        const Ball at =
            ((end_value - end_slope * end - value + slope) / (slope - end_slope)).middle();
        if (!certainly_less(u, at) || !certainly_less(at, next)) return false;
        const Ball there = pld_at(k - 1) + (pld_at(k) - pld_at(k - 1)) * (at - u) / (next - u);
        return certainly_less_equal(there, from_left(at)) &&
               certainly_less_equal(there, from_right(at));
      };
      if (!(left_before && left_here) && !(right_before && right_here) &&
          !(left_before && right_here && meets())) {
        return false;
      }
      left_before = left_here;
      right_before = right_here;
      u = next;
    }
    return true;
  }

  const Ball& pld_at(long k) const { return curve_[static_cast<std::size_t>(k)]; }

  void describe_violation(Finding& result, const std::string& tested) const {
    result.verdict = Verdict::refuted;
    long worst = -1;
    Ball worst_ratio(0);
    std::size_t violated = 0;
    long first = -1;
    long final = -1;
    for (const auto& [k, point] : points_) {
      if (!point.violated) continue;
      ++violated;
      if (first < 0) first = k;
      final = k;
      const Ball ratio =
          pessimistic_ ? point.exact.lower / point.pld : point.pld / point.exact.upper;
      // A PLD whose curve is 0 or negative is violated beyond any ratio.
      if (worst < 0 || !ratio.is_finite() || certainly_less(worst_ratio, ratio)) {
        worst = k;
        worst_ratio = ratio;
        if (!ratio.is_finite()) break;
      }
    }
    const Compared& point = points_.at(worst);
    result.reason = tested + ", " + std::to_string(violated) + " violated, from " +
                    to_string(epsilon(first)) + " to " + to_string(epsilon(final));
    const Ball gap = pessimistic_ ? point.exact.lower - point.pld : point.pld - point.exact.upper;
    result.gap_delta = decimal_below(gap, 6);
    result.lower = decimal_below(point.exact.lower, 10);
    result.upper = decimal_above(point.exact.upper, 10);
    Witness witness;
    witness.direction = pessimistic_ ? point.direction : "both";
    witness.epsilon = to_string(epsilon(worst));
    const auto write = [&](int digits) {
      if (pessimistic_) {
        witness.claimed_delta = decimal_above(point.pld, digits);
        witness.delta_lower = decimal_below(point.exact.lower, digits);
        return parse_rational(witness.delta_lower) > parse_rational(witness.claimed_delta);
      }
      witness.claimed_delta = decimal_below(point.pld, digits);
      witness.delta_upper = decimal_above(point.exact.upper, digits);
      return parse_rational(witness.delta_upper) < parse_rational(witness.claimed_delta);
    };
    try {
      for (int digits = 12; !write(digits) && digits < 100;) digits *= 2;  // until they differ
    } catch (const NumberError&) {  // an exponent that no claim may have: far apart
    }
    if (pessimistic_) {
      witness.event =
          "{L > " + witness.epsilon + "}: its delta(epsilon) is above the curve of the PLD";
    } else {
      witness.event = "no event reaches the curve of the PLD at this epsilon";
    }
    result.direction = witness.direction;
    result.witness = std::move(witness);
  }

  const DiscretePld& pld_;
  bool pessimistic_;
  bool about_pair_;
  Sessions& sessions_;
  long last_;
  std::vector<Ball> curve_;
  std::map<long, Compared> points_;
  int digits_ = 0;  ///< the most that were asked for
  bool any_violated_ = false;
  bool finished_ = false;
  bool cells_left_ = false;  ///< of an optimistic curve, some cell could not be decided
  bool beyond_ = false;      ///< the curves are in order beyond the last loss
};

}  // namespace

void audit_pld(const Claim& claim, Sessions& sessions, const AuditOptions& options,
               Finding& finding) {
  const WorkLimit limit(options.timeout_seconds);
  const PrecisionScope scope(pld_bits);
  finding.reason = "time limit reached before any epsilon was compared";
  Comparison comparison(claim, sessions);
  try {
    comparison.run();
  } catch (const WorkLimitReached&) {  // what was compared stands
  }
  comparison.write(finding);
}

}  // namespace plaudit

#include "accountants/contour/contour.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "accountants/contour/contour_engines.hpp"
#include "accountants/contour/line_inversion.hpp"
#include "accountants/inversion.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm complement_term{
    "contour.complement", "docs/proofs/straight_contour.md#one-residue, step 2 (delta near 1)"};

// How the search for an epsilon goes on.
constexpr int most_attempts = 5;
constexpr int most_looks = 10;
constexpr double least_nats = 10;
/// A guess of epsilon below the first one may be 0 in truth. So may one below the second one where
/// log delta is above that of the sum of the steps' delta(0), less below_sum_of_steps.
constexpr double next_to_zero = 1e-9;
constexpr double not_next_to_zero = 1;
constexpr double below_sum_of_steps = 0.5;
constexpr long bits_of_one_step = 64;
constexpr double least_slope = 1e-300;  ///< keeps logarithms finite
/// What log delta is taken for until there is a better guess.
constexpr double first_log_delta = -30;
/// Nats by which log delta at a guess may be off for its nodes to invert the curve: most_off where
/// they are accurate around it, least_off where they are so on one side only, and the wrong one.
constexpr double most_off = 2;
constexpr double least_off = 1e-2;
constexpr double step_of_power = 0.1;  ///< relative, of epsilon: by which power of it delta falls
constexpr double same_place = 3e-3;    ///< relative distance of epsilon
constexpr double step_where_unbounded = 1.5;  ///< factor of the guess, where there is no upper end
constexpr long most_bits_of_crossing = 1024;  ///< where guess * slope overflows a double

// The next guess goes a little too far, so that it is beyond the root. Between two known ends:
constexpr double nearest_to_end = 0.05;   ///< least share of the way from an end
constexpr double too_far_between = 0.01;  ///< relative, of epsilon
// Beyond the only known end, in log epsilon:
constexpr double too_far_beyond = 0.02;
constexpr double too_long_a_step = 1.1;  ///< factor of the step
constexpr double longest_step_down = 3;
constexpr double longest_step_up = 1;
constexpr double least_power = 1e-11;  ///< flatter ones are rounding

constexpr double far_below_one = -1;  ///< log delta, nearly, for which 1 - delta is not small
// Orders u = 2^(-k/4) of the bound of 1 - delta.
constexpr int orders_near_one = 120;
constexpr double step_of_orders = 0.25;

/// Guesses of an epsilon, and by how many nats delta is off there: it falls with epsilon.
struct Bracket {
  double low = 0;
  double high = infinity;
  double off_at_low = 0;
  double off_at_high = 0;
  int looks = 0;

  void take(double guess, double off) {
    if (off > 0 && guess > low) {
      low = guess;
      off_at_low = off;
    }
    if (!(off > 0) && guess < high) {
      high = guess;
      off_at_high = off;
    }
  }

  /// A little too far, to the side from which on one-sided nodes cover the rest. @param power of
  /// epsilon, of which delta is nearly a multiple near the guess.
  template <class Power>
  double next(double guess, double off, Power&& power) const {
    const double side = off > 0 ? 1 : -1;
    if (low > 0 && std::isfinite(high) && std::isfinite(off_at_high)) {
      const double share =
          std::clamp(off_at_low / (off_at_low - off_at_high), nearest_to_end, 1 - nearest_to_end);
      return std::clamp(low * std::pow(high / low, share) * (1 + side * too_far_between), low,
                        high);
    }
    const double p = power();
    const double step = p < 0 ? -off / p : off;
    double moved = guess * std::exp(std::clamp(too_long_a_step * step + side * too_far_beyond,
                                               -longest_step_down, longest_step_up));
    // delta is convex in e^epsilon, and far out in epsilon: there no step of Newton leads beyond
    if (off > 0 && p < -least_power) moved = std::max(moved, guess * (1 + std::expm1(-off) / p));
    if (moved > low && moved < high) return moved;
    return std::isfinite(high) ? (low + high) / 2 : 2 * guess;
  }
};

/// log(upper - lower)
double log_width(const Enclosure& band) {
  const PrecisionScope scope(128);
  const Ball width = (band.upper - band.lower).upper();
  return width.is_exact_zero() ? -infinity : width.estimate_log();
}

/// log(upper / (upper - lower)): the relative accuracy of a band in nats.
double accuracy_nats(const Enclosure& band) { return band.upper.estimate_log() - log_width(band); }

class ContourCurve final : public NarrowingCurve {
 public:
  ContourCurve(const ComposedLoss& loss, const Goal& goal)
      : NarrowingCurve(loss, "contour"),
        digits_(goal.digits),
        rough_(loss_, goal.digits),
        engines_(rough_) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    const double nats = digits_ * log_ten + slack_nats;
    const PrecisionScope scope(exact_bits());
    const Ball at(epsilon);
    if (beyond_support(at, band)) return;
    engines_.give_none_up();
    const double near = estimate(epsilon);
    if (!rough_.has_ground()) rough_.leave_out_below(first_log_delta, nats);
    if (rough_.log_delta(near, band) > far_below_one) near_one(at, near, band);
    if (reached(band, digits_)) return;
    if (ContourEngine* engine = engines_.nearest(near)) take(band, answer_of(*engine, at));
    double wanted = nats + (engines_.empty() ? 0 : slack_nats);
    for (int attempt = 0; attempt < most_attempts && !reached(band, digits_); ++attempt) {
      const double expected = rough_.log_delta(near, band);
      const ContourEngine* engine = engines_.make(near, wanted, expected);
      if (engine == nullptr) break;
      take(band, answer_of(*engine, at));
      // Parameters made for another delta explain a miss; otherwise ask for more.
      if (std::fabs(rough_.log_delta(near, band) - expected) < 1) {
        wanted += std::max(2.0, nats - accuracy_nats(band) + 1);
      }
    }
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    if (delta <= 0 || delta >= 1) return invert_without_search(band, delta);
    rough_.leave_out_below(estimate_log(delta), digits_ * log_ten + slack_nats);
    search(band, delta);
  }

 private:
  static Enclosure answer_of(const ContourEngine& engine, const Ball& epsilon) {
    Enclosure band = engine.delta(epsilon);
    if (!band.evidence) band.evidence = engine.evidence;
    return band;
  }

  long exact_bits() const { return 4096 + static_cast<long>(8 * digits_); }

  /// Epsilon beyond the ends of the support of L: delta is m_inf, resp. 1 - Q(.) e^eps, exactly.
  bool beyond_support(const Ball& epsilon, Enclosure& band) const {
    const PrecisionScope scope(128 + static_cast<long>(8 * digits_));
    Ball value;
    if (certainly_greater_equal(epsilon, loss_.greatest_loss())) {
      value = loss_.mass_at_infinity();
    } else if (certainly_less_equal(epsilon, loss_.least_loss())) {
      value =
          Ball(1) - PLAUDIT_BOUND("contour.below_support", loss_.q_mass(), Ball(1)) * exp(epsilon);
    } else {
      return false;
    }
    narrow(band, clipped_nonnegative(value));
    band.method = "epsilon beyond the support of the privacy loss";
    return true;
  }

  /// Where delta is nearly m0: delta = m0 - chi with chi <= M(-u) e^{u eps}, 0 < u <= 1, plus
  /// m_inf. Proof: docs/proofs/straight_contour.md#one-residue
  void near_one(const Ball& epsilon, double near, Enclosure& band) {
    double best = -digits_ * log_ten;  // else of no use
    double order = 0;
    for (int k = 0; k <= orders_near_one; ++k) {
      const double u = std::exp2(-step_of_orders * k);
      const double size = rough_.table().between_poles(u) + u * near;
      if (size < best) {
        best = size;
        order = u;
      }
    }
    if (order == 0) return;
    const PrecisionScope scope(128 + static_cast<long>(8 * digits_));
    const Ball u(order);
    Ball exponent = u * epsilon;
    const ComposedLoss& loss = rough_.ground()->loss;
    for (const ComposedLoss::Term& term : loss.terms()) {
      exponent += Ball(term.count) * log(term.loss->mgf_upper(-u, loss.factor_nats(term)));
    }
    Enclosure found;
    const Ball chi = found.ledger.add(
        complement_term, ldexp(exp(exponent), PLAUDIT_BOUND("contour.complement", 0, -1)));
    const Ball infinite = loss.mass_at_infinity();
    const Ball below = loss.finite_mass() - chi;
    found.lower = (infinite.is_exact_zero() ? below : below + infinite).lower();
    found.upper = Ball(1);
    if (rough_.ground()->changed())
      widen_for_rare_components(found, rough_.ground()->change(0), epsilon);
    narrow(band, found.lower, found.upper);
    band.ledger = std::move(found.ledger);
    band.method =
        "delta is 1 but for less than e^" + std::to_string(clamped_integer(best, -most_index, 0));
  }

  void invert_without_search(Enclosure& band, const Rational& delta) const {
    const PrecisionScope scope(64 + 4 * static_cast<long>(digits_));
    const auto found = inversion_without_search(loss_, widened(Ball(0), Ball(1)), delta);
    if (found) narrow(band, found->lower, found->upper);
    band.method = "end of the curve";
  }

  /// What has been learnt of the epsilon that is searched.
  struct Search {
    double log_target;
    double guess;
    double slope = 0;   ///< -d log delta / d epsilon there, nearly
    double wanted = 0;  ///< nats of delta that the digits of epsilon ask for
    double shortfall =
        0;               ///< nats asked for beyond `wanted`: bands came out wider, or said nothing
    bool blind = false;  ///< the latest look said nothing
    int attempts = 0;
    Bracket bracket = {};
  };

  // Guesses are looked at until one is next to the epsilon; then its nodes invert the curve.
  void search(Enclosure& band, const Rational& delta) {
    engines_.give_none_up();  // at another delta they may be of use
    const double log_target = estimate_log(delta);
    Search state{log_target, rough_.epsilon(log_target)};
    if (may_be_zero(state) && is_zero(band, delta, state)) return;
    while (state.attempts < most_attempts && !reached(band, digits_)) {
      // relative accuracy w of delta moves epsilon by about w / t
      state.slope = rough_.table().saddle(state.guess);
      state.wanted = std::max(least_nats, digits_ * log_ten + slack_nats -
                                              std::log(state.guess * state.slope + least_slope));
      const double nats = state.wanted + state.shortfall;
      ContourEngine* engine =
          state.attempts == 0 ? engines_.nearest_accurate(state.guess, nats) : nullptr;
      if (engine == nullptr) engine = engines_.make(state.guess, nats, log_target);
      if (engine == nullptr) break;
      const PrecisionScope scope(engine->bits);
      const bool looks =
          state.bracket.looks < most_looks && engine->kind != ContourEngine::Kind::pinch;
      if (looks && !near_enough(*engine, state)) continue;
      ++state.attempts;
      invert(*engine, delta, state, band);
    }
  }

  /// Heuristic: delta(0) is at most the sum over the steps, and not far below it where each of them
  /// hardly ever matters.
  bool may_be_zero(const Search& state) {
    if (state.guess < next_to_zero) return true;
    if (state.guess > not_next_to_zero) return false;
    const PrecisionScope scope(bits_of_one_step);
    double sum = 0;
    for (const ComposedLoss::Term& term : rough_.table().laws().terms()) {
      check_work_limit();
      if (term.loss->facts().costly_tails) return false;
      sum += static_cast<double>(term.count) * term.loss->delta(Ball(0)).estimate();
    }
    return state.log_target > std::log(sum) - below_sum_of_steps;
  }

  /// A guess next to 0 asks for very many digits; few of them show that delta(0) is small enough.
  /// Proof: docs/proofs/inversion.md#cases
  bool is_zero(Enclosure& band, const Rational& delta, const Search& state) {
    ContourEngine* engine = engines_.make(state.guess, least_nats, state.log_target);
    if (engine == nullptr || engine->kind == ContourEngine::Kind::pinch) return false;
    const PrecisionScope scope(engine->bits);
    Enclosure here = answer_of(*engine, Ball(0));
    const auto found = inversion_without_search(loss_, hull(here.lower, here.upper), delta);
    if (!found) return false;
    narrow(band, found->lower, found->upper);
    band.method = here.method;
    band.ledger = std::move(here.ledger);
    band.evidence = std::move(here.evidence);
    return reached(band, digits_);
  }

  /// Whether the curve is to be inverted with this engine; else another guess, or more accuracy, is
  /// next.
  bool near_enough(ContourEngine& engine, Search& state) {
    ++state.bracket.looks;
    const double guess = state.guess;
    const Enclosure here = engine.delta(Ball(guess));
    const double log_here = here.upper.estimate_log();
    const double off = log_here - state.log_target;
    if (off > 0 && !certainly_positive(here.lower)) {
      // Nothing is known: more is asked for once, then another kind of contour.
      if (state.blind) engines_.give_up(engine.kind);
      state.shortfall = state.blind ? 0 : state.wanted;
      state.blind = !state.blind;
      ++state.attempts;
      return false;
    }
    const double side = off < 0 ? -1 : 1;
    state.bracket.take(guess, off);
    if (std::fabs(off) > (engine.covers == 0 ? most_off : least_off) && engine.covers != side) {
      state.guess = state.bracket.next(guess, off, [&] {
        const double share = 1 + step_of_power * (engine.covers == 0 ? side : engine.covers);
        const double there = engine.delta(Ball(share * guess)).upper.estimate_log();
        return (there - log_here) / std::log(share);
      });
      return false;
    }
    const double lacking = state.wanted - std::max(state.log_target, log_here) + log_width(here);
    if (lacking > slack_nats) {
      state.shortfall += lacking;
      ++state.attempts;
      return false;
    }
    return true;
  }

  /// Of the relative width to which the crossing is enclosed: those of the digits, and enough for
  /// delta to change by a nat at most across it, for farther from their epsilon nodes say little.
  long bits_of_crossing(const Search& state) const {
    const double nats = std::max(1.0, state.guess * state.slope);
    return std::max(bits_of_digits(digits_),
                    clamped_integer(std::ceil(std::log2(nats)), 0, most_bits_of_crossing));
  }

  void invert(ContourEngine& engine, const Rational& delta, Search& state, Enclosure& band) {
    Enclosure last;
    const std::function<Ball(const Ball&)> curve = [&](const Ball& x) {
      last = answer_of(engine, x);
      return hull(last.lower, last.upper);
    };
    const long bits = bits_of_crossing(state);
    Ball start(state.guess);
    std::optional<Crossing> next_to;
    if (engine.line) {
      start = root_of_line(*engine.line, delta, state.guess, state.slope, digits_);
      next_to = crossing_next_to(curve, Ball(delta), Ball(0), start, bits);
    }
    const Crossing found = next_to ? *next_to : invert_curve(loss_, curve, delta, start, bits);
    const double before = accuracy_nats(band);
    band.method = last.method;
    band.ledger = last.ledger;
    band.evidence = last.evidence;
    narrow(band, found.lower, found.upper);
    const double accuracy = accuracy_nats(band);
    if (band.upper.is_finite()) {
      const double middle = middle_of(found, band).estimate();
      // Parameters made for another epsilon explain a miss; otherwise ask for more.
      if (std::fabs(middle - state.guess) < same_place * state.guess) {
        state.shortfall += std::max(2.0, digits_ * log_ten - accuracy + 1);
      }
      if (middle > 0) state.guess = middle;
    } else if (!(accuracy > before)) {
      state.guess *= step_where_unbounded;
    }
  }

  void describe(Enclosure& band) override {
    if (band.remark.empty() && !reached(band, digits_)) {
      band.remark =
          engines_.refusal().empty() ? "the wanted width was not reached" : engines_.refusal();
    }
  }

  int digits_;
  RoughCurve rough_;
  ContourEngines engines_;
};

class Contour final : public Accountant {
 public:
  std::string_view name() const override { return "contour"; }
  std::string_view summary() const override {
    return "contour integral of the moment generating function; cost independent of the number "
           "of compositions, any number of digits";
  }
  std::string_view theorem() const override {
    return "docs/proofs/straight_contour.md#periodisation, docs/certificates/bent.md#bending, "
           "docs/proofs/pinch.md#pinch";
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    return lack_of_moments(name(), loss);
  }
  /// Before the closed form of one step, which has the same digits.
  Offer offer(const ComposedLoss& loss) const override {
    const bool first = loss.terms().size() == 1 && loss.terms()[0].loss->facts().costly_tails;
    return {.cost = first ? Offer::Cost::small : Offer::Cost::usual, .announced = true};
  }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const override {
    return std::make_unique<ContourCurve>(loss, goal);
  }
};

}  // namespace

std::shared_ptr<const Accountant> contour_accountant() { return std::make_shared<Contour>(); }

}  // namespace plaudit

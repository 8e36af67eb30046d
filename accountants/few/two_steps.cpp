// Two Poisson-sampled Gaussian steps, equal or not: the curve of the second step, in closed form,
// averaged over the first by a trapezoidal sum in a logistic variable. Few steps are what contours
// find hardest: their transforms fall slowly.
//
// With g of two_step_sum.hpp and Lambda = 1 / ((1 - q_1)(1 - q_2)):
//   add      delta(eps) = g(Lambda e^{-eps} - 1)
//   remove   delta(eps) = 1 - e^eps + e^eps g(Lambda e^eps - 1)
//
// Proof: docs/proofs/few_steps.md#two-steps, #directions
#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/few/two_step_sum.hpp"
#include "accountants/inversion.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/balls/refine.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm two_steps_rounding{"two_steps.rounding", "docs/guarantee.md"};
constexpr double spare_nats_of_steps = 4;  ///< of the sum, beyond the wanted ones
constexpr long spare_bits_of_steps = 24;   ///< of the precision
constexpr long rough_bits = 36;            ///< of an epsilon, to which delta is inverted in doubles
constexpr double rough_nats = 34;          ///< of the sums for it
// An epsilon of a delta below e^-these is left to others.
constexpr double most_nats_of_doubles = 400;  ///< sums of smaller numbers underflow
constexpr double most_nats_of_remove = 140;   ///< lines are short there and this sum is long
constexpr long bits_of_rough_b = 600;         ///< of b = Lambda e^(-+eps) - 1, where it cancels
constexpr double slope_distance = 1e-5;       ///< relative, for a quotient of differences
constexpr double slope_error = 1e-4;          ///< of that quotient, relative
constexpr int most_polishing = 4;             ///< steps of Newton's rule

/// The two steps of a composition; nothing where it is another one.
std::optional<std::pair<SampledGaussian, SampledGaussian>> two_steps_of(const ComposedLoss& loss) {
  const auto& terms = loss.terms();
  const bool twice = terms.size() == 1 && terms[0].count == 2;
  const bool each_once = terms.size() == 2 && terms[0].count == 1 && terms[1].count == 1;
  if (!twice && !each_once) return std::nullopt;
  const auto first = SampledGaussian::of(*terms.front().loss);
  const auto second = SampledGaussian::of(*terms.back().loss);
  if (!first || !second) return std::nullopt;
  return std::pair{*first, *second};
}

class TwoStepCurve final : public NarrowingCurve {
 public:
  TwoStepCurve(const ComposedLoss& loss, const Goal& goal)
      : NarrowingCurve(loss, "two_steps"), bits_(bits_of_digits(goal.digits)) {
    const auto steps = two_steps_of(loss_);
    sum_.emplace(steps->first, steps->second);
  }

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    const double size = estimate_log_delta(epsilon, rough_nats);
    log_size_ = std::isfinite(size) ? std::min(size, 0.0) : 0;
    log_scale_ = removes() ? std::max(plaudit::estimate(epsilon), 0.0) : 0;
    raise_precision(band, [&] {
      narrow(band, value(Ball(epsilon), band));
      return missing_bits(band.lower, band.upper, bits_);
    });
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    if (delta <= 0 || delta >= 1) return;
    log_size_ = estimate_log(delta);
    if (log_size_ < -(removes() ? most_nats_of_remove : most_nats_of_doubles)) {
      throw std::domain_error("two_steps leaves deltas this small to other accountants");
    }
    const double near = rough_epsilon(delta);
    log_scale_ = removes() ? near : 0;
    raise_precision(band, [&] {
      if (near > 0) close_in(band, delta, near);
      if (!reached_bits(band)) {
        narrow_crossing(
            band, [&](const Ball& x) { return value(x, band); }, delta, Ball(near), bits_);
      }
      return missing_bits(band.lower, band.upper, bits_);
    });
  }

 private:
  bool removes() const { return loss_.direction() == Direction::remove; }
  bool reached_bits(const Enclosure& band) const {
    return missing_bits(band.lower, band.upper, bits_) == 0;
  }
  /// The b of an epsilon, which may be far below epsilon's own rounding.
  Ball b_of(const Ball& epsilon) const {
    const Ball lift(sum_->lift());
    return (removes() ? lift * exp(epsilon) : lift / exp(epsilon)) - Ball(1);
  }

  /// In floating point; -inf where delta is 0 or too small for it.
  double estimate_log_delta(const Rational& epsilon, double nats) const {
    const PrecisionScope scope(bits_of_rough_b);
    const double b = b_of(Ball(epsilon)).estimate();
    if (!(b > 0)) return removes() ? 0 : -infinity;
    const TwoStepPlan plan = sum_->plan(b, nats);
    return removes() ? plaudit::estimate(epsilon) + sum_->estimate_log_above(b, plan)
                     : sum_->estimate_log_below(b, plan);
  }

  template <class Attempt>
  void raise_precision(Enclosure& band, Attempt&& attempt) {
    more_nats_ = 0;
    const long start =
        bits_ + spare_bits_of_steps + precision_bits((log_scale_ - log_size_) / log_two);
    const bool done = refine(start, 4 * start, [&] {
      const long wanted = attempt();
      more_nats_ += log_two * static_cast<double>(std::min(wanted, bits_));
      return wanted;
    });
    if (!done) band.remark = "precision limit reached";
  }

  /// Encloses delta at the working precision.
  // Proof: docs/proofs/few_steps.md#directions
  Ball value(const Ball& epsilon, Enclosure& band) {
    const Ball power = exp(epsilon);
    const Ball b = b_of(epsilon);
    // delta = scale g + ...: what an error of g weighs
    const Ball scale = removes() ? power : Ball(1);
    TwoStepPlan plan{};
    if (certainly_positive(b)) {
      const double nats = log_two * static_cast<double>(bits_) - log_size_ + spare_nats_of_steps +
                          more_nats_ + std::max(0.0, scale.estimate_log());
      plan = sum_->plan(b.estimate(), nats);
      points_ = plan.last - plan.first + 1;
    }
    Ledger ledger;
    const Ball g = sum_->value(b, plan, scale, ledger);
    const Ball result = removes() ? Ball(1) - power + power * g : g;
    ledger.note(two_steps_rounding, result.radius());
    band.ledger = std::move(ledger);
    used_bits_ = working_precision();
    return clipped_nonnegative(result);
  }

  /// The epsilon of the curve in doubles.
  double rough_epsilon(const Rational& delta) {
    CumulantTable table(loss_);
    const double saddle = table.epsilon_for(log_size_);
    const double guess = std::isfinite(saddle) ? std::max(saddle, 0.0) : 0.0;
    const auto rough = [&](const Ball& x) {
      const double found = estimate_log_delta(exact_rational(x), rough_nats - log_size_);
      return std::isfinite(found) ? exp(Ball(found)) : Ball(0);
    };
    const Crossing found = crossing(rough, Ball(delta), Ball(0), Ball(guess), rough_bits);
    return found.upper.is_finite() ? ldexp(found.lower + found.upper, -1).estimate() : guess;
  }

  /// From a point near the crossing: Newton's rule on log delta, then two certain signs.
  // Proof: docs/proofs/inversion.md#crossing
  void close_in(Enclosure& band, const Rational& delta, double near) {
    const Ball target(delta);
    const Ball log_target = log(target);
    Ball root(near);
    Ball slope(slope_at(near));
    if (!slope.is_finite() || !certainly_negative(slope)) return;
    const Ball tolerance = ldexp(root, -bits_ - 3);
    Ball doubt(slope_error);
    Ball former;
    Ball former_height;
    for (int i = 0; i < most_polishing; ++i) {
      const Ball at = value(root, band);
      if (!certainly_positive(at)) return;
      const Ball height = (log(at) - log_target).middle();
      if (i > 0) {
        const Ball secant = ((height - former_height) / (root - former)).middle();
        if (secant.is_finite() && certainly_negative(secant)) slope = secant;
      }
      const Ball move = (height / slope).middle();
      former = root;
      former_height = height;
      root = (root - move).middle();
      if (!root.is_finite() || !certainly_positive(root)) return;
      if (certainly_less(abs(move) * doubt, tolerance)) break;
      doubt = max(abs(move * slope), Ball(1e-300)).middle();
    }
    const Ball offset = ldexp(root, -bits_ - 2).middle();
    const Ball low = (root - offset).middle();
    const Ball high = (root + offset).middle();
    if (certainly_greater(value(low, band), target)) {
      narrow(band, low, band.upper);
    }
    if (certainly_less_equal(value(high, band), target)) {
      narrow(band, band.lower, high);
    }
  }

  /// d log delta / d epsilon, in doubles.
  double slope_at(double epsilon) const {
    const Rational here = exact_rational(Ball(epsilon));
    const double b = [&] {
      const PrecisionScope scope(bits_of_rough_b);
      return b_of(Ball(epsilon)).estimate();
    }();
    const Rational before = exact_rational(Ball(epsilon - slope_distance * std::min(epsilon, b)));
    return (estimate_log_delta(here, rough_nats - log_size_) -
            estimate_log_delta(before, rough_nats - log_size_)) /
           plaudit::estimate(Rational(here - before));
  }

  void describe(Enclosure& band) override {
    band.method = std::to_string(points_) + " points, " + std::to_string(used_bits_) + " bits";
  }

  std::optional<TwoStepSum> sum_;
  long bits_;
  double log_size_ = 0;  ///< about log delta
  double log_scale_ =
      0;  ///< about log of the terms of delta: of e^eps for remove, where they cancel
  double more_nats_ = 0;  ///< that attempts have shown to be wanted
  long points_ = 0;
  long used_bits_ = 0;
};

class TwoSteps final : public Accountant {
 public:
  std::string_view name() const override { return "two_steps"; }
  std::string_view summary() const override {
    return "two Poisson-sampled Gaussian steps: one trapezoidal sum over the first of them";
  }
  std::string_view theorem() const override { return "docs/proofs/few_steps.md#two-steps"; }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (two_steps_of(loss)) return std::nullopt;
    return "two_steps needs two steps of Poisson-sampled Gaussian noise, and nothing else";
  }
  Offer offer(const ComposedLoss& loss) const override {
    return {.cost = two_steps_of(loss) ? Offer::Cost::small : Offer::Cost::usual};
  }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const override {
    return std::make_unique<TwoStepCurve>(loss, goal);
  }
};

}  // namespace

std::shared_ptr<const Accountant> two_steps_accountant();
std::shared_ptr<const Accountant> two_steps_accountant() { return std::make_shared<TwoSteps>(); }

}  // namespace plaudit

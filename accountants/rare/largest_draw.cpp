// Far tails of Poisson samples and other Gaussian mixtures, "remove", by the largest draw: where
// one huge draw makes delta on its own, or none does although high moments belong to huge draws.
// Proof: docs/proofs/largest_draw.md#split
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/inversion.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/rare/largest_draw_sum.hpp"
#include "accountants/rare/one_mixture.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"

namespace plaudit {

namespace {

// Heuristics: what is too small costs tries, or leaves a band wide, but never wrong.
constexpr int most_tries_of_largest = 4;     ///< at a band, each for more nats
constexpr double spare_nats_of_largest = 3;  ///< of the first one, beyond the digits
constexpr double more_nats_of_largest = 4;
// Of the first guess of an epsilon: rough values of delta, each to so many nats.
constexpr int most_corrections = 6;
constexpr double nats_of_corrections = 14;
constexpr double more_nats_of_corrections = 8;  ///< where a rough value says little
constexpr double close_enough = 1e-2;     ///< of delta, relative, for one step of Newton's rule
constexpr double widest_interval = 1e-3;  ///< around the guess, relative, that signs are asked at
constexpr double exact_enough = 1e-4;     ///< of log delta; the step after it leaves far less

/// One step has a closed form.
bool has_largest_draw(const ComposedLoss& loss) {
  return is_one_mixture(loss) && loss.terms()[0].count >= 2;
}

class LargestDrawCurve final : public NarrowingCurve {
 public:
  LargestDrawCurve(const ComposedLoss& loss, const Goal& goal)
      : NarrowingCurve(loss, "largest_draw"), digits_(goal.digits), planner_(loss_) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    if (epsilon <= 0) throw std::domain_error("largest_draw: epsilon above 0 is wanted");
    const double near = plaudit::estimate(epsilon);
    double nats = digits_ * log_ten + spare_nats_of_largest;
    for (int i = 0; i < most_tries_of_largest && !reached(band, digits_); ++i) {
      LargestDrawSum sum(loss_, planner_.plan(near, nats), near, nats);
      const PrecisionScope scope(sum.bits());
      take(band, sum.delta(Ball(epsilon)));
      nats += more_nats_of_largest;
    }
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    if (delta <= 0 || delta >= 1) {
      throw std::domain_error("largest_draw: delta in (0, 1) is wanted");
    }
    double nats = digits_ * log_ten + spare_nats_of_largest;
    double guess = near_epsilon(estimate_log(delta));
    for (int i = 0; i < most_tries_of_largest && !reached(band, digits_); ++i) {
      LargestDrawSum sum(loss_, planner_.plan(guess, nats), guess, nats);
      const PrecisionScope scope(sum.bits());
      guess = narrow_around(sum, guess, delta, band);
      if (reached(band, digits_)) break;
      take_crossing(
          band, [&](const Ball& x) { return sum.delta(x); }, delta, Ball(guess),
          bits_of_digits(digits_));
      nats += more_nats_of_largest;
    }
  }

 private:
  /// Narrows by the signs of delta(eps) - delta at the ends of ever wider intervals around the
  /// guess, which Newton's rule corrects first. @return the guess. Farther from it than the period
  /// of the lines their sums say little.
  // Proof: docs/proofs/inversion.md#crossing
  double narrow_around(LargestDrawSum& sum, double guess, const Rational& delta, Enclosure& band) {
    const Ball wanted(delta);
    const Enclosure here = sum.delta(Ball(guess));
    const double off = (ldexp(here.lower + here.upper, -1) / wanted - Ball(1)).estimate();
    const double slope = planner_.slope(guess);
    if (std::fabs(off) < close_enough && slope > 0) guess += off / slope;
    for (double width = std::pow(10.0, -digits_) / 3; width < widest_interval; width *= 10) {
      const Ball low(guess * (1 - width));
      const Ball high(guess * (1 + width));
      const Enclosure before = sum.delta(low);
      const Enclosure after = sum.delta(high);
      const bool is_above = certainly_greater(before.lower, wanted);
      const bool is_below = certainly_less_equal(after.upper, wanted);
      narrow(band, is_above ? low : Ball(0), is_below ? high : positive_infinity());
      band.method = here.method;
      band.ledger = here.ledger;
      if (is_above && is_below) break;
    }
    return guess;
  }

  /// About the epsilon of a delta. The planner's is too far off for a line left of the poles, which
  /// serves the epsilons within its period: rough bands of delta correct it by Newton's rule, then
  /// by that of the secant.
  double near_epsilon(double log_delta) {
    double guess = planner_.epsilon(log_delta);
    double slope = planner_.slope(guess);
    double last = 0;
    double last_off = 0;
    double nats = nats_of_corrections;
    for (int i = 0; i < most_corrections; ++i) {
      LargestDrawSum sum(loss_, planner_.plan(guess, nats), guess, nats);
      const Enclosure rough = sum.delta(Ball(guess));
      const PrecisionScope scope(sum.bits());
      const double off = ldexp(rough.lower + rough.upper, -1).estimate_log() - log_delta;
      const double blur = (rough.upper - rough.lower).estimate_log() - rough.upper.estimate_log();
      if (blur > std::log(exact_enough))
        nats += more_nats_of_corrections;  // the middle says little
      if (i > 0 && last_off != off) slope = (last_off - off) / (guess - last);
      last = guess;
      last_off = off;
      if (!(slope > 0) || !std::isfinite(off)) break;
      guess = std::clamp(guess + off / slope, guess / 2, guess * 2);
      if (std::fabs(off) < exact_enough && blur < std::log(exact_enough)) break;
    }
    return guess;
  }

  void describe(Enclosure& band) override {
    if (band.remark.empty() && !reached(band, digits_)) {
      band.remark = "the wanted width was not reached";
    }
  }

  int digits_;
  LargestDrawPlanner planner_;
};

class LargestDraw final : public Accountant {
 public:
  std::string_view name() const override { return "largest_draw"; }
  std::string_view summary() const override {
    return "far tails of Gaussian mixtures: one huge draw and the others, or none";
  }
  std::string_view theorem() const override { return "docs/proofs/largest_draw.md#split"; }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    if (has_largest_draw(loss)) return std::nullopt;
    return "largest_draw needs two steps or more of one Gaussian mixture, as of a Poisson sample "
           "of Gaussian noise, in the direction remove";
  }
  Offer offer(const ComposedLoss&) const override { return {.announced = true, .seldom = true}; }
  std::unique_ptr<PrivacyCurve> curve(const ComposedLoss& loss, const Goal& goal) const override {
    return std::make_unique<LargestDrawCurve>(loss, goal);
  }
};

}  // namespace

std::shared_ptr<const Accountant> largest_draw_accountant();
std::shared_ptr<const Accountant> largest_draw_accountant() {
  return std::make_shared<LargestDraw>();
}

}  // namespace plaudit

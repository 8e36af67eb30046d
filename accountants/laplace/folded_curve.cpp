#include "accountants/laplace/folded_curve.hpp"

#include <algorithm>
#include <cmath>

#include "accountants/inversion.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"

namespace plaudit {

namespace {

// None of these enters a bound: bad ones take more lines, or leave a band too wide.
constexpr int most_attempts = 6;
constexpr double slack_nats = 4;  ///< that a line is made for beyond the digits
constexpr double least_nats = 10;
constexpr long bits_at_ends = 4096;  ///< and some for each digit: where epsilon is compared
constexpr long bits_of_digit_at_ends = 8;
constexpr double least_slope = 1e-6;            ///< of log delta by log epsilon, taken for it
constexpr double part_of_deviation = 1.0 / 16;  ///< that looks beside a guess are away from it
constexpr double beside_end = 1e-9;      ///< relative distance from the end of a line next to it
constexpr double near_the_guess = 3e-3;  ///< relative: a line made again would be the same

// Where delta is near 1, guesses are mean - z deviations, z the normal quantile of 1 - delta.
constexpr int most_quantiles = 8;
constexpr double quantile_nats = 20;
constexpr double same_guess = 1e-9;  ///< relative

// What is asked for beyond the nats by which a band was too wide, and the range of the sum.
constexpr double more_than_missing = 2;
constexpr double least_shortfall = 3;
constexpr double most_shortfall = 1e3;

Ball larger(const Ball& a, const Ball& b) { return certainly_less(a, b) ? b : a; }
Ball smaller(const Ball& a, const Ball& b) { return certainly_less(b, a) ? b : a; }

/// The z with P(Z < -z) = p for a standard normal Z, to a few thousandths (p < 1/2).
double far_quantile(double p) {
  const double s = std::sqrt(-2 * std::log(p));
  return s - (2.30753 + 0.27061 * s) / (1 + 0.99229 * s + 0.04481 * s * s);
}

class FoldedCurve final : public NarrowingCurve {
 public:
  FoldedCurve(const ComposedLoss& loss, const Goal& goal, FoldedMethod method)
      : NarrowingCurve(loss, method.accountant),
        method_(std::move(method)),
        table_(loss_),
        digits_(goal.digits) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    const PrecisionScope scope(bits_at_ends + static_cast<long>(bits_of_digit_at_ends * digits_));
    const Side side = method_.side_of(epsilon);
    if (side != Side::inside) {
      band.method = "epsilon beyond the support of the privacy loss";
      narrow(band, side == Side::above ? Ball(0) : -expm1(Ball(epsilon)));
      return;
    }
    const double near = estimate(epsilon);
    double nats = digits_ * log_ten + slack_nats;
    for (int attempt = 0; attempt < most_attempts && !reached(band, digits_); ++attempt) {
      if (!line_ || attempt > 0) make(near, nats, expected_log_delta(near, band));
      if (!line_) break;
      take(band, line_->delta(Ball(epsilon)));
      if (attempt > 0) nats += shortfall(band);
    }
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override { search(band, delta); }

 private:
  void search(Enclosure& band, const Rational& delta) {
    const bool inside = delta > 0 && delta < 1;
    const double log_target = inside ? estimate_log(delta) : 0;
    double guess = inside ? std::max(table_.epsilon_for(log_target), 0.0) : 0;
    double share = 0;  // |delta'| / delta, where the saddle point does not tell
    if (inside && delta > Rational(9, 10)) share = guess_near_one(delta, log_target, guess);
    double more = 0;
    for (int attempt = 0; attempt < most_attempts && !reached(band, digits_); ++attempt) {
      // relative accuracy w of delta moves epsilon by about w / t
      const double slope =
          share > 0 ? guess * share : std::max(guess * table_.saddle(guess), least_slope);
      const double nats =
          std::max(least_nats, digits_ * log_ten + slack_nats - std::log(slope + 1e-300) + more);
      make(guess, nats, log_target);
      if (!line_) {
        if (inside && attempt == 0) look_beside_end(band, delta);
        break;
      }
      const PrecisionScope scope(line_->bits());
      Enclosure last;
      std::vector<std::pair<Ball, Enclosure>> known;
      const Ball end = loss_.greatest_loss();
      const auto look = [&](const Ball& x) {
        // Exactly 0: what the line says there is tiny, and would mislead the search.
        if (certainly_greater_equal(x, end)) return Ball(0);
        last = line_->delta(x);
        // Far from the guess the aliases rule; but delta does not increase.
        for (const auto& [y, band_there] : known) {
          if (certainly_less_equal(x, y)) last.lower = larger(last.lower, band_there.lower);
          if (certainly_less_equal(y, x)) last.upper = smaller(last.upper, band_there.upper);
        }
        known.emplace_back(x, last);
        return hull(last.lower, last.upper);
      };
      const double aside = std::sqrt(loss_.estimate_cumulant(0).variance) * part_of_deviation;
      if (guess > aside) look(Ball(guess - aside));
      look(Ball(guess + aside));
      const Crossing found = invert_curve(loss_, look, delta, Ball(guess), bits_of_digits(digits_));
      band.method = last.method;
      band.ledger = last.ledger;
      narrow(band, found.lower, found.upper);
      if (!band.upper.is_finite()) continue;
      const double middle = middle_of(found, band).estimate();
      // A line made for another epsilon explains a miss; otherwise ask for more.
      if (attempt > 0 || std::fabs(middle - guess) < near_the_guess * guess) {
        more += shortfall(band);
      }
      guess = middle;
    }
  }

  /// For a delta so small that there is no line for it: whether the curve is above it within the
  /// wanted width of the greatest loss, where delta is much greater.
  // Proof: docs/proofs/inversion.md#crossing
  void look_beside_end(Enclosure& band, const Rational& delta) {
    const PrecisionScope scope(bits_at_ends + static_cast<long>(bits_of_digit_at_ends * digits_));
    const Ball end = loss_.greatest_loss();
    const Ball close = (end - ldexp(end, -bits_of_digits(digits_) - 1)).lower();
    if (!certainly_positive(close)) return;
    const double near = end.estimate() * (1 - beside_end);
    make(near, digits_ * log_ten + slack_nats, table_.log_delta(near, table_.saddle(near)));
    if (!line_ || !certainly_greater(line_->delta(close).lower, Ball(delta))) return;
    band.method = "the greatest loss, as far as the digits go";
    narrow(band, close, end.upper());
  }

  /// Where delta is near 1: epsilon by the normal quantile of what the curve says at the guess.
  /// Returns |delta'| / delta there.
  double guess_near_one(const Rational& delta, double log_target, double& guess) {
    const double below = estimate(Rational(1 - delta));
    const CumulantEstimate k = loss_.estimate_cumulant(0);
    const double deviation = std::sqrt(k.variance);
    const double quantile = far_quantile(below);
    guess = std::max(k.mean - quantile * deviation, 0.0);
    for (int i = 0; i < most_quantiles; ++i) {
      make(guess, -std::log(below) + quantile_nats, log_target);
      if (!line_) break;
      const PrecisionScope scope(line_->bits());
      const Enclosure here = line_->delta(Ball(guess));
      const Ball rest = Ball(1) - ldexp(here.lower + here.upper, -1);
      const double step =
          (far_quantile(std::clamp(rest.estimate(), 1e-300, 0.5)) - quantile) * deviation;
      guess = std::max(guess + step, 0.0);
      if (std::fabs(step) < same_guess * guess) break;
    }
    return below * (quantile + 1) / deviation;
  }

  void make(double epsilon, double nats, double log_delta) {
    line_.reset();
    line_ = method_.line(loss_, table_, {epsilon, nats, log_delta});
  }

  double expected_log_delta(double epsilon, const Enclosure& band) {
    if (certainly_positive(band.lower) && certainly_less(band.upper, ldexp(band.lower, 3))) {
      return band.upper.estimate_log();
    }
    return std::clamp(table_.log_delta(epsilon, table_.saddle(epsilon)), band.lower.estimate_log(),
                      band.upper.estimate_log());
  }

  /// Nats by which the band is too wide, and a few.
  double shortfall(const Enclosure& band) const {
    const PrecisionScope scope(128);
    const double width = (band.upper - band.lower).upper().estimate_log();
    return std::clamp(width - band.upper.estimate_log() + digits_ * log_ten + more_than_missing,
                      least_shortfall, most_shortfall);
  }

  static void take(Enclosure& band, Enclosure&& found) {
    band.method = found.method;
    band.ledger = std::move(found.ledger);
    narrow(band, found.lower, found.upper);
  }

  void describe(Enclosure& band) override {
    if (band.remark.empty() && !reached(band, digits_)) {
      band.remark = line_ ? "the wanted width was not reached" : "no line of affordable length";
    }
  }

  FoldedMethod method_;
  CumulantTable table_;
  int digits_;
  std::unique_ptr<CurveLine> line_;
};

}  // namespace

std::unique_ptr<PrivacyCurve> folded_curve(const ComposedLoss& loss, const Goal& goal,
                                           FoldedMethod method) {
  return std::make_unique<FoldedCurve>(loss, goal, std::move(method));
}

}  // namespace plaudit

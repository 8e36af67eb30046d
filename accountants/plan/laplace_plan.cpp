#include "accountants/plan/laplace_plan.hpp"

#include <algorithm>
#include <cmath>

#include "accountants/cumulants/chernoff_factor.hpp"
#include "accountants/cumulants/order_search.hpp"
#include "lib/balls/binomial.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

constexpr double before_the_end = 0.999;  ///< of the support, for estimates
constexpr double nats_of_draws = 6;       ///< by which what is left out is below what is wanted
constexpr int entropy_halvings = 60;
// Orders that are tried for the rows left out, upward from a part of the best one.
constexpr double least_order = 1.0 / 16;
constexpr double step_of_order = 1.3;
constexpr double farthest_order = 1e6;
constexpr std::uint64_t part_of_rows = 256;  ///< the first row is found up to this part
constexpr int places_seen = 24;              ///< rows, and columns, at which terms are estimated
constexpr double hardly_less = 1 - 0x1p-20;  ///< until part (1 + 2 order) <= 1 holds exactly
constexpr double short_mantissa = 256;       ///< orders are short numbers: certificates have them

double coarse(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::round(mantissa * short_mantissa) / short_mantissa, exponent);
}

class Planner {
 public:
  Planner(const LaplacePower& power, double epsilon)
      : loss_(*power.loss),
        steps_(power.steps),
        n_(static_cast<double>(power.steps)),
        a_(plaudit::estimate(power.loss->ratio())),
        near_(epsilon),
        epsilon_(std::clamp(epsilon, 0.0, before_the_end * n_ * a_)),
        log_delta_(estimate_log_delta(power, epsilon_)),
        order_(coarse(chernoff_order_at_epsilon(
            [&](double t) {
              const CumulantEstimate one = loss_.estimate_cumulant(t);
              return CumulantEstimate{n_ * one.value, n_ * one.mean, n_ * one.variance};
            },
            epsilon_))) {}

  LaplacePlan plan(double nats, std::optional<std::uint64_t> first) {
    choose_draws(nats + nats_of_draws);
    choose_first(log_delta_ - nats - nats_of_draws, first);
    const double share = draws_ / n_;
    const double least = 1 / (1 + 2 * window_order_);
    const Rational window_order = checked_rational(window_order_, "an order");
    double part = share < 1 ? std::min(least, share / (1 - share)) : least;
    while (checked_rational(part, "a part") * (1 + 2 * window_order) > 1) part *= hardly_less;
    LaplacePlan result;
    result.choices = {static_cast<unsigned long>(checked_integer(draws_, "draws")),
                      static_cast<unsigned long>(first_), checked_rational(order_, "an order"),
                      window_order, checked_rational(part, "a part")};
    result.lost_bits = lost_bits();
    return result;
  }

 private:
  /// How many continuous draws to keep.
  void choose_draws(double nats) {
    const CumulantEstimate k = loss_.estimate_cumulant(order_);
    const double atoms =
        0.5 * (std::exp(a_ * order_ - k.value) + std::exp(-a_ * (1 + order_) - k.value));
    const double share = std::clamp(1 - atoms, 1e-300, 1 - 1e-16);
    const double gap =
        nats + n_ * k.value - order_ * epsilon_ + estimate_log_chernoff_factor(order_) - log_delta_;
    double low = share;
    double high = 1;
    for (int i = 0; i < entropy_halvings; ++i) {
      const double middle = (low + high) / 2;
      (n_ * estimate_relative_entropy(middle, share) < gap ? low : high) = middle;
    }
    draws_ = std::min(n_, std::ceil(high * n_) + 1);
    if (draws_ + 1 >= n_) draws_ = n_;
  }

  /// log of the bound of the rows before `first`, at the order that is best for it.
  double log_rows_before(double first, double* order) const {
    double least = infinity;
    for (double s = order_ * least_order; s < farthest_order * (1 + order_); s *= step_of_order) {
      const double atoms = 0.5 * (std::exp(-a_ * (1 + 2 * s)) + 1);  // times e^{-as}
      const double q = std::exp(-a_ * (1 + 2 * s)) / (2 * atoms);
      const double x = (first - 1) / n_;
      if (!(x < q)) break;  // q decreases in s
      const double y = 1 / (1 + 2 * s);
      const double share = draws_ / n_;
      const double other = share < 1 ? std::min(y, share / (1 - share)) : y;
      const double value = estimate_log_chernoff_factor(s) - s * epsilon_ +
                           n_ * (std::log(atoms) + a_ * s + std::log1p(other)) +
                           draws_ * std::log(y / other) - n_ * estimate_relative_entropy(x, q);
      if (value < least) {
        least = value;
        *order = coarse(s);
      }
    }
    return least;
  }

  /// Where to start the sum over k.
  void choose_first(double target, std::optional<std::uint64_t> wanted) {
    std::uint64_t low = 0;  // nothing is left out
    std::uint64_t high = steps_ / 2 + 1;
    while (high - low > 1 + low / part_of_rows) {
      const std::uint64_t middle = low + (high - low) / 2;
      double order = 0;
      (log_rows_before(static_cast<double>(middle), &order) < target ? low : high) = middle;
    }
    first_ = std::min(wanted.value_or(low), steps_);
    window_order_ = order_ > 0 ? order_ : 1;
    if (first_ > 0) log_rows_before(static_cast<double>(first_), &window_order_);
  }

  /// By how many bits the terms exceed delta: |K_j| <= r^{1-j} |1+x|^{n-k-1} |1-x|^{k-1} at its
  /// largest on |x| = r, any r.
  double lost_bits() const {
    const double last = std::clamp((n_ - near_ / a_) / 2, 0.0, n_);
    const auto first = static_cast<double>(first_);
    const double front = (1 - n_) * log_two + (near_ - n_ * a_) / 2;
    double most = log_delta_;
    for (int i = 0; i <= places_seen; ++i) {
      const double k = first + (last - first) * i / places_seen;
      const double half = (a_ * (n_ - 2 * k) - near_) / 2;
      if (!(half > 0)) continue;
      const double weight = front + estimate_log_choose(n_, k);
      for (int m = 1; m <= places_seen; ++m) {
        const double j = 1 + draws_ * m / places_seen;
        const double size = j * std::log(half) - estimate_log_gamma(j + 1);
        double row = infinity;
        for (const double r : {std::sqrt(j / n_), std::min(1.0, j / n_)}) {
          const double cosine = std::clamp((1 + r * r) * (n_ - 2 * k) / (2 * r * n_), -1.0, 1.0);
          row = std::min(row, (1 - j) * std::log(r) +
                                  (n_ - k) / 2 * std::log(1 + r * r + 2 * r * cosine + 1e-300) +
                                  k / 2 * std::log(1 + r * r - 2 * r * cosine + 1e-300));
        }
        most = std::max(most, weight + size + row);
      }
    }
    return (most - log_delta_) / log_two + 2 * std::log2(n_ + 1);
  }

  const LaplaceLoss& loss_;
  std::uint64_t steps_;
  double n_;
  double a_;
  double near_;
  double epsilon_;
  double log_delta_;
  double order_;
  double draws_ = 1;
  std::uint64_t first_ = 0;
  double window_order_ = 1;
};

}  // namespace

LaplacePlan plan_laplace(const LaplacePower& power, double epsilon, double nats,
                         std::optional<std::uint64_t> first) {
  return Planner(power, epsilon).plan(nats, first);
}

}  // namespace plaudit

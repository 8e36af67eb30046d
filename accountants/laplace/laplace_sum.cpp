// The exact sum for n-fold Laplace noise: any number of digits at moderate n.
//
// docs/proofs/laplace.md#sum: with a = sensitivity / scale, x_k = a (n - 2k) - eps,
//   delta(eps) = 2^{1-n} e^{(eps-na)/2} sum_{k: x_k > 0} C(n,k) sum_{j>=1} K_{k,j} (x_k/2)^j / j!,
// sum_j K_{k,j} x^j = x (1+x)^{n-k} (1-x)^k / (1-x^2). The sum over the draws that fall between the
// atoms may stop early; what is dropped has one sign and a Chernoff bound. The k that start the sum
// may be left out, with a bound. Everything else is rounding.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/cumulants/chernoff_factor.hpp"
#include "accountants/cumulants/order_search.hpp"
#include "accountants/inversion.hpp"
#include "accountants/laplace/krawtchouk_rows.hpp"
#include "accountants/laplace/laplace_power.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/binomial.hpp"
#include "lib/balls/refine.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm truncation_term{"laplace_sum.truncation", "docs/proofs/laplace.md#truncation"};
constexpr ErrorTerm window_term{"laplace_sum.window", "docs/proofs/laplace.md#window"};
constexpr ErrorTerm rounding_term{"laplace_sum.rounding", "ball arithmetic (radius of the sum)"};
/// Rows times the continuous draws kept: a few seconds.
constexpr double most_products = 4e6;
constexpr double few_products = 1e4;  ///< some milliseconds
// What of the sum is not negligible, in roots of the number of terms: rows, and draws.
constexpr double rows_of_root = 17;
constexpr double draws_of_root = 8;
constexpr double draws_beside_roots = 60;
// Precision is raised up to these: bits for each wanted one and each step, and others.
constexpr long most_bits_of_bit = 8;
constexpr long most_bits_of_step = 4;
constexpr long most_other_bits = 4000;
constexpr long more_bits = 24;  ///< than are wanted and lost, at first
/// Greatest loss beyond which others are asked first: a row's series is about as long.
constexpr double most_early_loss = 1e5;
constexpr double before_the_end = 0.999;  ///< of the support, for estimates
constexpr double nats_of_draws = 6;       ///< that what is left out is below what is wanted
constexpr int entropy_halvings = 60;
// Orders that are tried for the rows left out, upward from a part of the best one.
constexpr double least_order = 1.0 / 16;
constexpr double step_of_order = 1.3;
constexpr double farthest_order = 1e6;
constexpr std::uint64_t part_of_rows = 256;  ///< the first row is found up to this part
constexpr int places_seen = 24;              ///< rows, and columns, at which terms are estimated

/// KL(x || p) for 0 <= x < 1; `rest` = 1 - p.
Ball relative_entropy(const Ball& x, const Ball& p, const Ball& rest) {
  const Ball left = x.is_exact_zero() ? Ball(0) : x * log(x / p);
  return left + (Ball(1) - x) * log((Ball(1) - x) / rest);
}

class LaplaceSumCurve final : public NarrowingCurve {
 public:
  LaplaceSumCurve(const ComposedLoss& loss, const Goal& goal, std::optional<std::uint64_t> first)
      : NarrowingCurve(loss, "laplace_sum"),
        wanted_first_(first),
        power_(*laplace_power(loss_)),
        laplace_(*power_.loss),
        steps_(power_.steps),
        n_(static_cast<double>(steps_)),
        a_(plaudit::estimate(laplace_.ratio())),
        bits_(bits_of_digits(goal.digits)) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    if (epsilon >= laplace_.ratio() * Integer(steps_)) {  // exactly, where balls may not decide
      band.method = "epsilon beyond the support of the privacy loss";
      narrow(band, Ball(0));
      return;
    }
    raise_precision(band, Ball(epsilon), [&] {
      const Ball found = value(Ball(epsilon), band);
      narrow(band, found);
      return missing_bits(band.lower, band.upper, bits_);
    });
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    Ball guess(delta > 0 && delta < 1
                   ? estimate_epsilon([&](double t) { return loss_.estimate_cumulant(t); },
                                      estimate_log(delta))
                   : 0.0);
    if (!guess.is_finite()) guess = Ball(0);
    raise_precision(band, guess, [&] {
      const Crossing found = invert_curve(
          loss_, [&](const Ball& x) { return value(x, band); }, delta, guess, bits_);
      narrow(band, found.lower, found.upper);
      if (band.upper.is_finite()) guess = ldexp(band.lower + band.upper, -1).middle();
      return missing_bits(band.lower, band.upper, bits_);
    });
  }

 private:
  /// Attempts near an epsilon, which the attempt may improve.
  template <class Attempt>
  void raise_precision(Enclosure& band, const Ball& near, Attempt&& attempt) {
    used_bits_ = 0;
    double more_nats = 0;
    choose(near.estimate(), more_nats);
    const bool done = refine(
        bits_ + lost_bits_ + more_bits,
        most_bits_of_bit * bits_ + most_other_bits + most_bits_of_step * static_cast<long>(steps_),
        [&] {
          used_bits_ = working_precision();
          const long wanted = attempt();
          if (wanted > 0 && wanted_first_) {  // more bits do not mend it
            band.remark = "the sum was to start too late for this width";
            return 0L;
          }
          more_nats += static_cast<double>(std::min(wanted, bits_)) * log_two;
          if (wanted > 0) choose(near.estimate(), more_nats);
          return wanted;
        });
    if (!done) band.remark = "precision limit reached";
  }

  void describe(Enclosure& band) override {
    if (!band.method.empty()) return;
    band.method = std::to_string(draws_) +
                  " continuous draws at most, from k = " + std::to_string(first_) + ", " +
                  std::to_string(used_bits_) + " bits";
  }

  /// Encloses delta(eps) at the working precision.
  Ball value(const Ball& epsilon, Enclosure& band) {
    const Ball a(laplace_.ratio());
    const Ball width = Ball(steps_) * a;
    if (certainly_greater_equal(epsilon, width)) return Ball(0);
    if (certainly_less_equal(epsilon, -width)) return -expm1(epsilon);
    Ledger ledger;
    const Ball dropped = ledger.add(truncation_term, more_draws(epsilon));
    const Ball before = ledger.add(window_term, rows_before(epsilon));
    const Ball rest = Ball(1) / factorial(draws_ + 2);
    KrawtchoukRow row = krawtchouk_row(steps_, first_, draws_);
    Ball sum;
    Ball weight = exp(log_binomial(steps_, first_));
    Ball half = ldexp(width - epsilon, -1) - Ball(first_) * a;  // x_k / 2
    for (std::uint64_t k = first_; k <= steps_; ++k) {
      if (certainly_less_equal(half, Ball(0))) break;
      check_work_limit();
      const Ball part = row_sum(row, clipped_nonnegative(half), rest);
      // the part is 0 where x <= 0: an undecided x gives the hull with 0
      sum += weight * (certainly_positive(half) ? part : hull(part, Ball(0)));
      weight *= Ball(steps_ - k);
      weight /= Ball(k + 1);
      half -= a;
      advance(row);
    }
    sum = ldexp(sum * exp(ldexp(epsilon - width, -1)), 1 - static_cast<long>(steps_));
    ledger.note(rounding_term, sum.radius());
    band.ledger = ledger;
    return hull(sum - before, sum + before + dropped);
  }

  /// How many continuous draws to keep, where to start the sum over k, and the bits that cancel.
  void choose(double near, double more_nats) {
    const double epsilon = std::clamp(near, 0.0, before_the_end * n_ * a_);
    const double log_delta = estimate_log_delta(power_, epsilon);
    order_ =
        chernoff_order_at_epsilon([&](double x) { return loss_.estimate_cumulant(x); }, epsilon);
    const CumulantEstimate k = laplace_.estimate_cumulant(order_);
    const double atoms =
        0.5 * (std::exp(a_ * order_ - k.value) + std::exp(-a_ * (1 + order_) - k.value));
    const double share = std::clamp(1 - atoms, 1e-300, 1 - 1e-16);
    const double nats = static_cast<double>(bits_) * log_two + nats_of_draws + more_nats;
    const double gap =
        nats + n_ * k.value - order_ * epsilon + estimate_log_chernoff_factor(order_) - log_delta;
    double low = share;
    double high = 1;
    for (int i = 0; i < entropy_halvings; ++i) {
      const double middle = (low + high) / 2;
      (n_ * estimate_relative_entropy(middle, share) < gap ? low : high) = middle;
    }
    draws_ = std::min(
        steps_,
        static_cast<std::uint64_t>(clamped_integer(std::ceil(high * n_), 0, most_index)) + 1);
    choose_first(epsilon, log_delta - nats);
    choose_precision(near, log_delta);
  }

  /// log of the bound of the rows before `first`, at the order that is best for it.
  double log_rows_before(double first, double epsilon, double* order) const {
    double least = infinity;
    for (double s = order_ * least_order; s < farthest_order * (1 + order_); s *= step_of_order) {
      const double atoms = 0.5 * (std::exp(-a_ * (1 + 2 * s)) + 1);  // times e^{-as}
      const double q = std::exp(-a_ * (1 + 2 * s)) / (2 * atoms);
      const double x = (first - 1) / n_;
      if (!(x < q)) break;  // q decreases in s
      const double y = 1 / (1 + 2 * s);
      const double part = static_cast<double>(draws_) / n_;
      const double other = part < 1 ? std::min(y, part / (1 - part)) : y;
      const double value = estimate_log_chernoff_factor(s) - s * epsilon +
                           n_ * (std::log(atoms) + a_ * s + std::log1p(other)) +
                           static_cast<double>(draws_) * std::log(y / other) -
                           n_ * estimate_relative_entropy(x, q);
      if (value < least) {
        least = value;
        *order = s;
      }
    }
    return least;
  }

  void choose_first(double epsilon, double target) {
    std::uint64_t low = 0;  // nothing is left out
    std::uint64_t high = steps_ / 2 + 1;
    while (high - low > 1 + low / part_of_rows) {
      const std::uint64_t middle = low + (high - low) / 2;
      double order = 0;
      (log_rows_before(static_cast<double>(middle), epsilon, &order) < target ? low : high) =
          middle;
    }
    first_ = std::min(wanted_first_.value_or(low), steps_);
    if (first_ > 0) log_rows_before(static_cast<double>(first_), epsilon, &window_order_);
  }

  /// By how many bits the terms exceed delta: |K_j| <= r^{1-j} |1+x|^{n-k-1} |1-x|^{k-1} at its
  /// largest on |x| = r, any r. An estimate; what it misses the next attempt adds.
  void choose_precision(double epsilon, double log_delta) {
    const double last = std::clamp((n_ - epsilon / a_) / 2, 0.0, n_);
    const double first = static_cast<double>(first_);
    const double front = (1 - n_) * log_two + (epsilon - n_ * a_) / 2;
    double most = log_delta;
    for (int i = 0; i <= places_seen; ++i) {
      const double k = first + (last - first) * i / places_seen;
      const double half = (a_ * (n_ - 2 * k) - epsilon) / 2;
      if (!(half > 0)) continue;
      const double weight = front + estimate_log_choose(n_, k);
      for (int m = 1; m <= places_seen; ++m) {
        const double j = 1 + static_cast<double>(draws_) * m / places_seen;
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
    lost_bits_ = precision_bits((most - log_delta) / log_two + 2 * std::log2(n_ + 1));
  }

  /// Bounds the compositions with more continuous draws.
  // Proof: docs/proofs/laplace.md#truncation
  Ball more_draws(const Ball& epsilon) const {
    if (draws_ >= steps_) return Ball(0);
    const Ball order(order_);
    const Ball ratio(laplace_.ratio());
    const Ball log_moment = laplace_.log_mgf(order);
    const Ball atoms =
        ldexp(exp(ratio * order - log_moment) + exp(-ratio * (Ball(1) + order) - log_moment), -1);
    const Ball p = Ball(1) - atoms;  // tilted probability of a continuous draw
    const Ball x = Ball(draws_ + 1) / Ball(steps_);
    if (!certainly_positive(order) || !certainly_positive(p) || !certainly_greater(x, p) ||
        !certainly_less(x, Ball(1))) {
      return Ball(1);
    }
    const Ball entropy = relative_entropy(x, p, atoms);
    return min(Ball(1), exp(log_chernoff_factor(order) + Ball(steps_) * (log_moment - entropy) -
                            order * epsilon))
        .upper();
  }

  /// Bounds the terms k < first_.
  // Proof: docs/proofs/laplace.md#window
  Ball rows_before(const Ball& epsilon) const {
    if (first_ == 0) return Ball(0);
    const Ball a(laplace_.ratio());
    const Ball s(window_order_);
    const Ball n(steps_);
    const Ball less = exp(-a * (Ball(1) + ldexp(s, 1)));
    const Ball atoms = ldexp(Ball(1) + less, -1);  // e^{-as} alpha
    const Ball q = less / (Ball(1) + less);
    const Ball x = Ball(first_ - 1) / n;
    const Ball y = Ball(1) / (Ball(1) + ldexp(s, 1));
    Ball other = y;
    if (draws_ < steps_) other = min(y, Ball(draws_) / Ball(steps_ - draws_)).middle();
    if (!certainly_positive(s) || !certainly_less(x, q) || !certainly_positive(other)) {
      return positive_infinity();
    }
    // (y / y')^M (1 + y')^n for any 0 < y' <= y
    const Ball draws = certainly_less_equal(other, y)
                           ? n * log1p(other) + Ball(draws_) * log(y / other)
                           : n * log1p(y);
    return exp(log_chernoff_factor(s) - s * epsilon + n * (log(atoms) + a * s) + draws -
               n * relative_entropy(x, q, Ball(1) / (Ball(1) + less)))
        .upper();
  }

  std::optional<std::uint64_t> wanted_first_;
  long used_bits_ = 0;  ///< in the last attempt
  LaplacePower power_;
  const LaplaceLoss& laplace_;
  std::uint64_t steps_;
  double n_;
  double a_;
  long bits_;
  double order_ = 1;
  std::uint64_t draws_ = 0;
  std::uint64_t first_ = 0;
  double window_order_ = 0;
  long lost_bits_ = 0;
};

class LaplaceSum final : public Accountant {
 public:
  std::string_view name() const override { return "laplace_sum"; }
  std::string_view summary() const override {
    return "n-fold Laplace noise: the exact finite sum, any number of digits at moderate n";
  }
  std::string_view theorem() const override { return "docs/proofs/laplace.md#sum"; }
  const std::vector<Parameter>& parameters() const override {
    static const std::vector<Parameter> all = {
        {"first", "a positive integer: the k with which the sum starts", "auto"}};
    return all;
  }
  std::shared_ptr<const Accountant> with(const Arguments& settings) const override {
    auto chosen = std::make_shared<LaplaceSum>();
    if (settings.given("first")) chosen->first_ = settings.count("first", most_steps);
    return chosen;
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    const auto power = laplace_power(loss);
    if (!power) return "laplace_sum needs laplace mechanisms of one ratio sensitivity / scale";
    if (products(*power) > most_products) {
      return "laplace_sum would need too many terms for so many compositions";
    }
    return std::nullopt;
  }
  Offer offer(const ComposedLoss& loss) const override {
    const auto power = laplace_power(loss);
    if (!power || !(products(*power) < few_products)) return {};
    const double greatest =
        plaudit::estimate(power->loss->ratio()) * static_cast<double>(power->steps);
    return {.cost = greatest < most_early_loss ? Offer::Cost::small : Offer::Cost::usual};
  }
  std::unique_ptr<PrivacyCurve> open(const ComposedLoss& loss, const Goal& goal) const override {
    if (const auto reason = refusal(loss)) throw std::invalid_argument(*reason);
    return std::make_unique<LaplaceSumCurve>(loss, goal, first_);
  }

 private:
  /// What the sum costs (heuristic): the rows times the continuous draws that are kept.
  static double products(const LaplacePower& power) {
    const auto n = static_cast<double>(power.steps);
    const double share = std::min(1.0, plaudit::estimate(power.loss->ratio()));
    const double draws =
        std::min(n, share * n + draws_of_root * std::sqrt(share * n) + draws_beside_roots);
    return std::min(n, rows_of_root * std::sqrt(n)) * draws;
  }

  std::optional<std::uint64_t> first_;
};

}  // namespace

std::shared_ptr<const Accountant> laplace_sum_accountant();
std::shared_ptr<const Accountant> laplace_sum_accountant() {
  return std::make_shared<LaplaceSum>();
}

}  // namespace plaudit

// The exact sum for n-fold Laplace noise: any number of digits at moderate n.
//
// Theorem 6 (docs/proofs/laplace.md#sum): with a = sensitivity / scale, x_k = a (n - 2k) - eps,
//   delta(eps) = 2^{-n} sum_{k: x_k > 0} C(n,k) e^{-ak} sum_{m=0}^{n} kappa_{k,m} I_m(x_k),
// kappa_{k,m} = [x^m] (1+x)^{n-k} (1-x)^k, I_m(x) = 2 e^{-x/2} sum_{l>=0} (x/2)^{m+1+2l} /
// (m+1+2l)!, where m counts the draws that fall between the atoms. The sum over m may stop early;
// what is dropped has one sign and a Chernoff bound. Everything else is rounding.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "accountants/inversion.hpp"
#include "accountants/order_search.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/refine.hpp"
#include "mechanisms/laplace_loss.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm truncation_term{"laplace_sum.truncation", "Theorem 6 (more continuous draws)"};
constexpr ErrorTerm rounding_term{"laplace_sum.rounding", "ball arithmetic (radius of the sum)"};
/// n times the continuous draws kept: a few seconds.
constexpr double most_products = 4e6;
constexpr double few_products = 1e5;  ///< a fraction of a second

const LaplaceLoss* only_laplace(const ComposedLoss& loss) {
  if (loss.terms().size() != 1) return nullptr;
  return dynamic_cast<const LaplaceLoss*>(loss.terms()[0].loss.get());
}

double relative_entropy(double x, double p) {
  const double left = x > 0 ? x * std::log(x / p) : 0;
  const double right = x < 1 ? (1 - x) * std::log((1 - x) / (1 - p)) : 0;
  return left + right;
}

class LaplaceSumCurve final : public PrivacyCurve {
 public:
  LaplaceSumCurve(const ComposedLoss& loss, const Goal& goal)
      : loss_(loss),
        laplace_(*only_laplace(loss_)),
        steps_(loss_.terms()[0].count),
        bits_(bits_of_digits(goal.digits)) {}

  Enclosure delta(const Rational& epsilon) override {
    Enclosure band = trivial_delta(loss_, epsilon);
    if (epsilon >= laplace_.ratio() * Integer(steps_)) {  // exactly, where balls may not decide
      band.accountant = "laplace_sum";
      band.method = "epsilon beyond the support of the privacy loss";
      narrow(band, Ball(0));
      return band;
    }
    raise_precision(band, [&] {
      const Ball found = value(Ball(epsilon), band);
      narrow(band, found);
      return missing_bits(band.lower, band.upper, bits_);
    });
    return band;
  }

  Enclosure epsilon(const Rational& delta) override {
    Enclosure band = trivial_epsilon(loss_, delta);
    Ball guess(delta > 0 && delta < 1
                   ? estimate_epsilon([&](double t) { return loss_.estimate_cumulant(t); },
                                      estimate_log(delta))
                   : 0.0);
    if (!guess.is_finite()) guess = Ball(0);
    raise_precision(band, [&] {
      const Crossing found = invert_curve(
          loss_, [&](const Ball& x) { return value(x, band); }, delta, guess, bits_);
      narrow(band, found.lower, found.upper);
      if (band.upper.is_finite()) guess = ldexp(band.lower + band.upper, -1).middle();
      return missing_bits(band.lower, band.upper, bits_);
    });
    return band;
  }

 private:
  template <class Attempt>
  void raise_precision(Enclosure& band, Attempt&& attempt) {
    band.accountant = "laplace_sum";
    long used = 0;
    try {
      const bool done = refine(bits_ + 64 + static_cast<long>(steps_ / 8),
                               8 * bits_ + 4000 + 4 * static_cast<long>(steps_), [&] {
                                 used = working_precision();
                                 return attempt();
                               });
      if (!done) band.remark = "precision limit reached";
    } catch (const WorkLimitReached&) {
      band.remark = "time limit reached";
    }
    band.method = std::to_string(rows_draws_) + " continuous draws at most, " +
                  std::to_string(used) + " bits";
  }

  /// Encloses delta(eps) at the working precision.
  Ball value(const Ball& epsilon, Enclosure& band) {
    const Ball a(laplace_.ratio());
    const Ball width = Ball(steps_) * a;
    if (certainly_greater_equal(epsilon, width)) return Ball(0);
    if (certainly_less_equal(epsilon, -width)) return -expm1(epsilon);
    Ledger ledger;
    const Ball dropped = ledger.add(truncation_term, keep_draws(epsilon));
    Ball sum;
    Ball weight(1);  // C(n,k) e^{-ak}
    const Ball decay = exp(-a);
    for (std::uint64_t k = 0; k <= steps_; ++k) {
      const Ball x = width - ldexp(Ball(k) * a, 1) - epsilon;
      if (certainly_less_equal(x, Ball(0))) break;
      check_work_limit();
      const Ball part = inner_sum(row(k), x);
      // I_m is 0 where x <= 0: an undecided x gives the hull with 0
      sum += weight * (certainly_positive(x) ? part : hull(part, Ball(0)));
      weight *= decay * Ball(steps_ - k) / Ball(k + 1);
    }
    sum = ldexp(sum, -static_cast<long>(steps_));
    ledger.note(rounding_term, sum.radius());
    band.ledger = ledger;
    return hull(sum, sum + dropped);
  }

  /// sum_m kappa_m I_m(x) over the row, for x > 0 (clipped there).
  Ball inner_sum(const std::vector<Integer>& row, const Ball& at) const {
    const Ball x = clipped_nonnegative(at);
    const Ball half = ldexp(x, -1);
    const Ball front = ldexp(exp(-half), 1);
    const std::size_t most = row.size() - 1;
    // the terms 2 e^{-x/2} (x/2)^j / j!, j = 0 .. most + 1, then both tails of the series
    std::vector<Ball> terms(most + 3);
    terms[0] = front;
    for (std::size_t j = 1; j < terms.size(); ++j) {
      terms[j] = terms[j - 1] * half / Ball(static_cast<std::uint64_t>(j));
    }
    std::vector<Ball> integrals(most + 3);  // I_m at index m
    integrals[most + 1] = series(half, terms[most + 2], most + 2);
    integrals[most] = series(half, terms[most + 1], most + 1);
    for (std::size_t m = most; m-- > 0;) integrals[m] = integrals[m + 2] + terms[m + 1];
    Ball sum;
    for (std::size_t m = 0; m <= most; ++m) sum += Ball(Rational(row[m])) * integrals[m];
    return sum;
  }

  /// term (1 + (h^2)/((j+1)(j+2)) + ...): every second term of the exponential series from the
  /// j-th.
  static Ball series(const Ball& half, Ball term, std::uint64_t j) {
    Ball sum;
    const Ball square_half = square(half);
    const double goal = -static_cast<double>(working_precision()) * std::numbers::ln2;
    while (true) {
      sum += term;
      const Ball ratio = square_half / Ball((j + 1) * (j + 2));
      const Ball next = term * ratio;
      if (next.is_exact_zero()) return sum;
      // ratios decrease: once below 1/2 the rest is at most twice the next term
      if (certainly_less(ratio, Ball(0.5)) &&
          next.upper().estimate_log() < sum.estimate_log() + goal) {
        return hull(sum, sum + ldexp(next, 1));
      }
      if (!next.is_finite()) return next;
      term = next;
      j += 2;
    }
  }

  /// Chooses how many continuous draws to keep (never fewer than before) and bounds the others.
  // Proof: docs/proofs/laplace.md#truncation
  Ball keep_draws(const Ball& epsilon) {
    if (rows_draws_ >= steps_) return Ball(0);
    const auto n = static_cast<double>(steps_);
    const double near = std::max(epsilon.estimate(), 0.0);
    const double t =
        chernoff_order_at_epsilon([&](double x) { return loss_.estimate_cumulant(x); },
                                  std::min(near, 0.999 * n * plaudit::estimate(laplace_.ratio())));
    const CumulantEstimate k = laplace_.estimate_cumulant(t);
    const double a = plaudit::estimate(laplace_.ratio());
    const double atoms = 0.5 * (std::exp(a * t - k.value) + std::exp(-a * (1 + t) - k.value));
    const double share = std::clamp(1 - atoms, 1e-300, 1 - 1e-16);
    const double gap = static_cast<double>(bits_) * std::numbers::ln2 + 40 + 0.5 * std::log(n) +
                       std::log1p(t * a * std::sqrt(n)) * 2;
    double low = share;
    double high = 1;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (n * relative_entropy(middle, share) < gap ? low : high) = middle;
    }
    const auto wanted = static_cast<std::uint64_t>(std::min(n, std::ceil(high * n) + 2));
    if (wanted > rows_draws_ || rows_.empty()) {
      rows_draws_ = std::max(wanted, rows_draws_);
      rows_.clear();
    }
    if (rows_draws_ >= steps_) return Ball(0);
    const Ball order(t);
    const Ball ratio(laplace_.ratio());
    const Ball log_moment = laplace_.log_mgf(order);
    const Ball tilted_atoms =
        ldexp(exp(ratio * order - log_moment) + exp(-ratio * (Ball(1) + order) - log_moment), -1);
    const Ball p = Ball(1) - tilted_atoms;  // tilted probability of a continuous draw
    const Ball x = Ball(rows_draws_ + 1) / Ball(steps_);
    if (!certainly_positive(order) || !certainly_positive(p) || !certainly_greater(x, p) ||
        !certainly_less(x, Ball(1))) {
      return Ball(1);
    }
    const Ball entropy = x * log(x / p) + (Ball(1) - x) * log((Ball(1) - x) / tilted_atoms);
    const Ball log_factor = order * log(order) - (Ball(1) + order) * log1p(order);
    return min(Ball(1), exp(log_factor + Ball(steps_) * (log_moment - entropy) - order * epsilon))
        .upper();
  }

  /// kappa_{k,m}, m = 0 .. draws: row k+1 is row k times (1-x) / (1+x).
  const std::vector<Integer>& row(std::uint64_t k) {
    if (rows_.empty()) {
      std::vector<Integer> first(rows_draws_ + 1);
      first[0] = 1;
      for (std::uint64_t m = 1; m <= rows_draws_; ++m) {
        first[m] = first[m - 1] * (steps_ - m + 1) / m;
      }
      rows_.push_back(std::move(first));
    }
    while (rows_.size() <= k) {
      check_work_limit();
      std::vector<Integer> next = rows_.back();
      for (std::size_t m = next.size() - 1; m > 0; --m) next[m] -= next[m - 1];
      for (std::size_t m = 1; m < next.size(); ++m) next[m] -= next[m - 1];
      rows_.push_back(std::move(next));
    }
    return rows_[k];
  }

  ComposedLoss loss_;
  const LaplaceLoss& laplace_;
  std::uint64_t steps_;
  long bits_;
  std::uint64_t rows_draws_ = 0;
  std::vector<std::vector<Integer>> rows_;
};

class LaplaceSum final : public Accountant {
 public:
  std::string_view name() const override { return "laplace_sum"; }
  std::string_view summary() const override {
    return "n-fold Laplace noise: the exact finite sum, any number of digits at moderate n";
  }
  std::string_view theorem() const override { return "docs/proofs/laplace.md#sum"; }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    const LaplaceLoss* laplace = only_laplace(loss);
    if (laplace == nullptr) return "laplace_sum needs one laplace mechanism, self-composed";
    if (products(loss, *laplace) > most_products) {
      return "laplace_sum would need too many terms for so many compositions";
    }
    return std::nullopt;
  }
  bool early(const ComposedLoss& loss) const override {
    const LaplaceLoss* laplace = only_laplace(loss);
    return laplace != nullptr && products(loss, *laplace) < few_products;
  }
  std::unique_ptr<PrivacyCurve> open(const ComposedLoss& loss, const Goal& goal) const override {
    if (const auto reason = refusal(loss)) throw std::invalid_argument(*reason);
    return std::make_unique<LaplaceSumCurve>(loss, goal);
  }

 private:
  /// What the sum costs (heuristic): n times the continuous draws that are kept.
  static double products(const ComposedLoss& loss, const LaplaceLoss& laplace) {
    const auto n = static_cast<double>(loss.terms()[0].count);
    return n * (std::min(1.0, plaudit::estimate(laplace.ratio())) * n + 100);
  }
};

}  // namespace

std::shared_ptr<const Accountant> laplace_sum_accountant();
std::shared_ptr<const Accountant> laplace_sum_accountant() {
  return std::make_shared<LaplaceSum>();
}

}  // namespace plaudit

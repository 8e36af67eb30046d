// Proposals of the kind `laplace`: how many continuous draws to keep, where to begin, and the
// precision that the cancelling sum needs. Nothing here is trusted.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "accountants/cumulants/order_search.hpp"
#include "accountants/laplace/laplace_power.hpp"
#include "lib/balls/binomial.hpp"
#include "lib/constants.hpp"
#include "verification/certificates/exact_numbers.hpp"
#include "verification/certificates/proposals/wanted.hpp"

namespace plaudit {

namespace {

constexpr double few_products = 4e5;  ///< a second in Python; then a straight contour is tried
constexpr double most_products = 6e6;

class LaplaceChoice {
 public:
  LaplaceChoice(const LaplacePower& power, double epsilon)
      : power_(power),
        n_(static_cast<double>(power.steps)),
        a_(plaudit::estimate(power.loss->ratio())),
        epsilon_(std::clamp(epsilon, 0.0, 0.999 * n_ * a_)),
        log_delta_(estimate_log_delta(power, epsilon_)) {
    order_ = coarse(chernoff_order_at_epsilon(
        [&](double x) { return power_.loss->estimate_cumulant(x); }, epsilon_ / n_));
  }

  Proposal proposal(double nats, double epsilon, double least, double most) {
    choose_draws(nats + 6);
    choose_first(log_delta_ - nats - 6);
    const double rows = std::max(0.0, (n_ - epsilon_ / a_) / 2 - first_) + 1;
    const double products = rows * (draws_ + 40);
    if (products < least) throw std::invalid_argument("a short sum did not suffice");
    if (products > most) throw std::invalid_argument("the sum over Laplace noise is too long");
    const double bits = lost_bits(epsilon) + nats / log_two + 30;
    const double y = 1 / (1 + 2 * window_order_);
    const double share = draws_ / n_;
    double part = share < 1 ? std::min(y, share / (1 - share)) : y;
    part = std::ldexp(std::floor(std::ldexp(part, 60)), -60);
    while (part * (1 + 2 * window_order_) > 1 - 1e-12) part *= 1 - 0x1p-20;
    return {"laplace",
            std::max(whole(bits), whole(2 * nats / log_two) + 16),
            {{"draws", whole(draws_)},
             {"first", whole(first_)},
             {"order", dyadic(order_)},
             {"window_order", dyadic(window_order_)},
             {"part", dyadic(part)}}};
  }

 private:
  void choose_draws(double nats) {
    const CumulantEstimate k = power_.loss->estimate_cumulant(order_);
    const double atoms =
        0.5 * (std::exp(a_ * order_ - k.value) + std::exp(-a_ * (1 + order_) - k.value));
    const double share = std::clamp(1 - atoms, 1e-300, 1 - 1e-16);
    const double gap =
        nats + n_ * k.value - order_ * epsilon_ + estimate_log_chernoff_factor(order_) - log_delta_;
    double low = share;
    double high = 1;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (n_ * estimate_relative_entropy(middle, share) < gap ? low : high) = middle;
    }
    draws_ = std::min(n_, std::ceil(high * n_) + 1);
    if (draws_ + 1 >= n_) draws_ = n_;
  }

  /// log of the bound of the rows before `first`, at the order that is best for it.
  double log_rows_before(double first, double* order) const {
    double least = std::numeric_limits<double>::infinity();
    for (double s = order_ / 16; s < 1e6 * (1 + order_); s *= 1.3) {
      const double atoms = 0.5 * (std::exp(-a_ * (1 + 2 * s)) + 1);  // times e^{-as}
      const double q = std::exp(-a_ * (1 + 2 * s)) / (2 * atoms);
      const double x = (first - 1) / n_;
      if (!(x < 0.999 * q)) break;  // q decreases in s
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

  void choose_first(double target) {
    double low = 0;  // nothing is left out
    double high = std::floor(n_ / 2) + 1;
    double order = 1;
    while (high - low > 1 + low / 256) {
      const double middle = std::floor((low + high) / 2);
      (log_rows_before(middle, &order) < target ? low : high) = middle;
    }
    first_ = low;
    window_order_ = 1;
    if (first_ > 0) log_rows_before(first_, &window_order_);
  }

  /// Bits of the integers that cancel: |K_j| <= r^{1-j} |1+x|^{n-k-1} |1-x|^{k-1} at its largest on
  /// |x| = r, any r; those of the powers count from 1.
  double lost_bits(double epsilon) const {
    const double last = std::clamp((n_ - epsilon / a_) / 2, 0.0, n_);
    const double front = (1 - n_) * log_two + (epsilon - n_ * a_) / 2;
    double most = -log_delta_;
    for (int i = 0; i <= 24; ++i) {
      const double k = first_ + (last - first_) * i / 24.0;
      const double weight = front + estimate_log_choose(n_, k);
      for (int m = 1; m <= 24; ++m) {
        const double j = 1 + draws_ * m / 24.0;
        double row = std::numeric_limits<double>::infinity();
        for (const double r : {std::sqrt(j / n_), std::min(1.0, j / n_)}) {
          const double cosine = std::clamp((1 + r * r) * (n_ - 2 * k) / (2 * r * n_), -1.0, 1.0);
          row = std::min(row, (1 - j) * std::log(r) +
                                  (n_ - k) / 2 * std::log(1 + r * r + 2 * r * cosine + 1e-300) +
                                  k / 2 * std::log(1 + r * r - 2 * r * cosine + 1e-300));
        }
        most = std::max(most, weight + row - log_delta_);
      }
    }
    return most / log_two + 3 * std::log2(n_ + 1);
  }

  const LaplacePower& power_;
  double n_;
  double a_;
  double epsilon_;
  double log_delta_;
  double order_ = 1;
  double draws_ = 1;
  double first_ = 0;
  double window_order_ = 1;
};

std::vector<Proposal> proposals(const StatementQuestion& question, double least, double most) {
  if (question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before) return {};
  const std::optional<LaplacePower> power = laplace_power(question.loss);
  if (!power) throw std::invalid_argument("not Laplace noise of one ratio");
  const double epsilon = plaudit::estimate(question.epsilon);
  std::vector<Proposal> result;
  std::string reason;
  for (const double nats : nats_to_try(question)) {
    try {
      result.push_back(LaplaceChoice(*power, epsilon).proposal(nats, epsilon, least, most));
    } catch (const std::invalid_argument& refusal) {
      reason = refusal.what();
    }
  }
  if (result.empty()) throw std::invalid_argument(reason);
  return result;
}

}  // namespace

std::vector<Proposal> propose_laplace(const StatementQuestion& question) {
  return proposals(question, 0, few_products);
}

std::vector<Proposal> propose_long_laplace(const StatementQuestion& question) {
  return proposals(question, few_products, most_products);
}

}  // namespace plaudit

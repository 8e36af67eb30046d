// Kind `laplace`: n-fold Laplace noise of one ratio, exactly: a finite sum with integer
// coefficients. Theorems: docs/certificates/laplace.md.
#include <algorithm>

#include "verification/checker/arithmetic/rejected.hpp"
#include "verification/checker/kinds.hpp"

namespace plaudit::checker {

namespace {

constexpr long most_steps = 1000000;

/// Integers around a number, in units of 2^-bits.
struct Bounds {
  Integer low;
  Integer high;
};

Integer absolute(const Integer& x) { return x < 0 ? Integer(-x) : x; }

Integer ceiling(const Integer& x, const Integer& divisor) {
  Integer result;
  mpz_cdiv_q(result.get_mpz_t(), x.get_mpz_t(), divisor.get_mpz_t());
  return result;
}

class LaplaceSum {
 public:
  LaplaceSum(Rational ratio, long steps, long draws, long first)
      : a_(std::move(ratio)), n_(steps), draws_(draws), first_(first) {}

  /// 2^(1-n) e^((eps-na)/2) sum over k >= first with x_k > 0 of C(n,k) sum_(j>=1) K_(k,j)
  /// (x_k/2)^j / j!.
  Interval at(const Rational& epsilon, Budget& budget) const {
    const long bits = Precision::bits();
    budget.announce(cost(epsilon, bits));
    std::vector<Integer> row = coefficients();
    Integer choose;
    mpz_bin_uiui(choose.get_mpz_t(), static_cast<unsigned long>(n_),
                 static_cast<unsigned long>(first_));
    Bounds total{0, 0};
    for (long k = first_; k <= n_; ++k) {
      const Rational half = (a_ * (n_ - 2 * k) - epsilon) / 2;
      if (half <= 0) break;
      const Bounds part = inner(row, half, bits, budget);
      total.low += choose * part.low;
      total.high += choose * part.high;
      choose = choose * (n_ - k) / (k + 1);
      advance(row);
    }
    const Rational unit(1, Integer(1) << static_cast<unsigned>(n_ + bits - 1));
    return hull(Interval(Rational(total.low * unit)), Interval(Rational(total.high * unit))) *
           exp(Interval(Rational((epsilon - n_ * a_) / 2)));
  }

 private:
  /// docs/certificates/costs.md#laplace
  Integer cost(const Rational& epsilon, long bits) const {
    const Integer bits_of_n(static_cast<long>(highest_bit(Integer(n_)) + 1));
    const Integer choose = std::min(Integer(n_), Integer(first_ * bits_of_n));
    Integer before = first_ * (1 + choose / 1024);
    const Rational half = (a_ * (n_ - 2 * first_) - epsilon) / 2;
    if (half <= 0) return before;
    const Integer high = floor_of(half) + 1;
    const Integer rows = std::min(Integer(n_ - first_ + 1), Integer(floor_of(half / a_) + 2));
    const Integer size = bits + 2 * high + std::min(Integer(n_), Integer(draws_ * bits_of_n));
    return before + (rows + 1) * (draws_ + 4 * high + bits + 8) * (4 + size / 256);
  }

  /// K_(k,j) of the first row, j = 0 .. draws + 1: K_j = K_(j-2) + kappa_(j-1), where sum kappa_m
  /// x^m = (1+x)^(n-k) (1-x)^k.
  std::vector<Integer> coefficients() const {
    const auto count = static_cast<std::size_t>(draws_);
    std::vector<Integer> kappa(count + 1);
    kappa[0] = 1;
    for (std::size_t m = 0; m < count; ++m) {
      Integer next = kappa[m] * (n_ - 2 * first_);
      if (m > 0) next -= kappa[m - 1] * (n_ - static_cast<long>(m) + 1);
      kappa[m + 1] = next / static_cast<long>(m + 1);  // exactly
    }
    std::vector<Integer> row(count + 2);
    for (std::size_t j = 1; j < row.size(); ++j) {
      row[j] = kappa[j - 1];
      if (j > 1) row[j] += row[j - 2];
    }
    return row;
  }

  /// From k to k + 1: times (1-x) / (1+x).
  static void advance(std::vector<Integer>& row) {
    for (std::size_t j = row.size() - 1; j > 0; --j) row[j] -= row[j - 1];
    for (std::size_t j = 1; j < row.size(); ++j) row[j] -= row[j - 1];
  }

  /// Around 2^bits sum_(j>=1) K_j half^j / j!, K_j = K_(j-2) beyond the row: floors and ceilings of
  /// products of nonnegative integers enclose 2^bits half^j / j!.
  static Bounds inner(const std::vector<Integer>& row, const Rational& half, long bits,
                      Budget& budget) {
    const Integer one = Integer(1) << static_cast<unsigned>(bits);
    const Integer h_low = numerator(half) * one / denominator(half);
    const Integer h_high = h_low + 1;
    Bounds power{one, one};
    Bounds total{0, 0};
    const long last = static_cast<long>(row.size()) - 1;
    const Integer largest = std::max(absolute(row.back()), absolute(row[row.size() - 2]));
    for (long j = 1;; ++j) {
      if (j % 64 == 1) budget.spend(64 * 10);
      power.low = power.low * h_low / (one * j);
      power.high = ceiling(power.high * h_high, Integer(one * j));
      const Integer& c = row[static_cast<std::size_t>(j <= last ? j : last - (j - last) % 2)];
      total.low += c * (c >= 0 ? power.low : power.high);
      total.high += c * (c >= 0 ? power.high : power.low);
      // once the ratios half / (j+1) are below 1/2, what is left is at most the last power
      if (j >= last && 2 * h_high < one * (j + 1) && power.high <= 2) {
        return {total.low - largest * power.high, total.high + largest * power.high};
      }
    }
  }

  Rational a_;
  long n_;
  long draws_;
  long first_;
};

/// KL(x || p), rest = 1 - p.
Interval entropy(const Rational& x, const Interval& p, const Interval& rest) {
  const Interval share(x);
  const Interval left = x == 0 ? Interval(0) : share * log(share / p);
  return left + (1 - share) * log((1 - share) / rest);
}

/// [Truncation] bounds the compositions with more than `draws` continuous draws.
Interval more_draws(const Rational& ratio, long n, const Rational& epsilon, long draws,
                    const Rational& order) {
  require(order > 0, "the order must be positive");
  const Interval a(ratio);
  const Interval t(order);
  const Interval v = 2 * t + 1;
  const Interval up = exp(a * t);
  const Interval down = exp(-a * (1 + t));
  const Interval moment = (up * (1 + 1 / v) + down * (1 - 1 / v)) / 2;
  const Interval atoms = (up + down) / (2 * moment);
  const Interval p = 1 - atoms;
  const Rational x(draws + 1, n);
  require(positive(p) && below(p, Interval(x)) && x < 1,
          "the order does not bound the draws left out");
  const Interval steps(n);
  return top(
      min(exp(log_c(t) + steps * (log(moment) - entropy(x, p, atoms)) - t * Interval(epsilon)), 1));
}

/// [Window] bounds the terms k < first.
Interval rows_before(const Rational& ratio, long n, const Rational& epsilon, long draws, long first,
                     const Rational& order, const Rational& part) {
  require(order > 0 && 0 < part && part * (1 + 2 * order) <= 1, "the orders of the window");
  const Interval a(ratio);
  const Interval s(order);
  const Interval y(Rational(1 / (1 + 2 * order)));
  const Interval y_part(part);
  const Interval down = exp(-a * (1 + s));
  const Interval alpha = (exp(a * s) + down) / 2;
  const Interval q = down / (2 * alpha);
  const Rational x(first - 1, n);
  require(below(Interval(x), q), "the window starts too late for its order");
  const Interval steps(n);
  const Interval spread = Interval(draws) * log(y / y_part) + steps * log1p(y_part);
  return top(
      exp(log_c(s) - s * Interval(epsilon) + steps * (log(alpha) - entropy(x, q, 1 - q)) + spread));
}

}  // namespace

Proof prove_laplace(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget) {
  const long draws = choices.integer("draws", 1, most_steps);
  const long first = choices.integer("first", 0, most_steps);
  const Rational order = choices.dyadic("order");
  const Rational window_order = choices.dyadic("window_order");
  const Rational part = choices.dyadic("part");
  choices.done();
  std::optional<Rational> ratio;
  Integer steps = 0;
  for (const Factor& factor : run.factors) {
    const auto* laplace = std::get_if<Laplace>(factor.law.get());
    require(laplace != nullptr && (!ratio || *ratio == laplace->ratio),
            "not Laplace noise of one ratio");
    ratio = laplace->ratio;
    steps += factor.count;
  }
  require(steps <= most_steps && draws <= steps && first <= steps, "draws or steps out of range");
  const long n = to_long(steps);
  require(epsilon < *ratio * n, "epsilon is beyond the greatest loss");
  const Interval value = LaplaceSum(*ratio, n, draws, first).at(epsilon, budget);
  const Interval truncation =
      draws == n ? Interval(0) : more_draws(*ratio, n, epsilon, draws, order);
  const Interval window =
      first == 0 ? Interval(0) : rows_before(*ratio, n, epsilon, draws, first, window_order, part);
  Proof proof;
  proof.low = value - window;
  proof.high = value + window + truncation;
  proof.errors = {{"truncation", truncation}, {"window", window}};
  return proof;
}

}  // namespace plaudit::checker

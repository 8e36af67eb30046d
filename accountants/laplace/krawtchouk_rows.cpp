#include "accountants/laplace/krawtchouk_rows.hpp"

#include <algorithm>

#include "lib/balls/binomial.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

/// term (1 + (h^2)/((j+1)(j+2)) + ...): every second term of the exponential series from the
/// j-th.
Ball every_second_term(const Ball& half, Ball term, std::uint64_t j) {
  Ball sum;
  const Ball square_half = square(half);
  const double goal = -static_cast<double>(working_precision()) * log_two;
  while (true) {
    if (j % 64 < 2) check_work_limit();  // about |half| terms
    sum += term;
    const Ball ratio = square_half / (Ball(j + 1) * Ball(j + 2));
    Ball next = term * ratio;
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

}  // namespace

KrawtchoukRow krawtchouk_row(std::uint64_t n, std::uint64_t k, std::uint64_t draws) {
  // kappa_m = [x^m] (1+x)^(n-k) (1-x)^k, whose logarithmic derivative is (n - 2k - nx) / (1 - x^2)
  std::vector<Integer> kappa(draws + 1);
  kappa[0] = 1;
  const Integer slope = Integer(n) - 2 * Integer(k);
  for (std::uint64_t m = 0; m < draws; ++m) {
    if ((m & 255) == 0) check_work_limit();
    Integer next = slope * kappa[m];
    if (m > 0) next -= kappa[m - 1] * (n - m + 1);
    kappa[m + 1] = next / (m + 1);  // exactly
  }
  KrawtchoukRow row(draws + 2);
  for (std::size_t j = 1; j < row.size(); ++j) {
    row[j] = kappa[j - 1];
    if (j > 1) row[j] += row[j - 2];
  }
  return row;
}

void advance(KrawtchoukRow& row) {  // times (1-x) / (1+x)
  for (std::size_t j = row.size() - 1; j > 0; --j) row[j] -= row[j - 1];
  for (std::size_t j = 1; j < row.size(); ++j) row[j] -= row[j - 1];
}

Ball row_sum(const KrawtchoukRow& row, const Ball& half, const Ball& rest) {
  const std::size_t last = row.size() - 1;
  Ball sum = exact_ball(row[last]);
  for (std::size_t j = last; j > 0; --j) {
    sum *= half;
    sum.divide_by(j);
    sum += exact_ball(row[j - 1]);
  }
  const Ball next = power(half, last + 1) * rest;
  sum += exact_ball(row[last - 1]) * every_second_term(half, next, last + 1);
  sum +=
      exact_ball(row[last]) *
      every_second_term(half, next * half / Ball(static_cast<std::uint64_t>(last + 2)), last + 2);
  return sum;
}

RowSeries::RowSeries(const KrawtchoukRow& row, const Ball& most) {
  const std::size_t last = row.size() - 1;
  const Integer larger = std::max(abs(row[last]), abs(row[last - 1]));
  const double goal = -static_cast<double>(working_precision()) * log_two;
  const Ball half = most.upper();
  Ball factor(1);  // 1 / j!
  for (std::size_t j = 0;; ++j) {
    if (j % 64 == 0) check_work_limit();
    if (j > 0) factor.divide_by(j);
    // K_j = K_(j-2) beyond the row
    const Integer& number = j <= last ? row[j] : row[last - (j - last) % 2];
    terms_.push_back(exact_ball(number) * factor);
    if (j < last) continue;
    // |K_i| half^i / i! over i > j is at most a geometric series of the ratio half / (j + 2), at
    // most twice its first term, also where half is a hundredth greater than the most
    const Ball ratio = half / Ball(std::uint64_t{j + 2});
    if (!certainly_less(ratio, Ball(Rational(49, 100)))) continue;
    const Ball next = factor / Ball(std::uint64_t{j + 1});
    const double size = (next * exact_ball(larger)).estimate_log() +
                        static_cast<double>(j + 1) * half.estimate_log();
    if (size < goal || half.is_exact_zero()) {
      rest_ = PLAUDIT_BOUND("laplace.rest_of_series", ldexp(next * exact_ball(larger), 1), Ball(0))
                  .upper();
      return;
    }
  }
}

Ball RowSeries::at(const Ball& half) const {
  std::size_t width = 1;  // about the root of the length: fewest products
  while (width * width < terms_.size()) ++width;
  std::vector<Ball> powers(width + 1, Ball(1));
  for (std::size_t i = 1; i <= width; ++i) powers[i] = powers[i - 1] * half;
  Ball sum;
  for (std::size_t block = (terms_.size() + width - 1) / width; block > 0; --block) {
    const std::size_t first = (block - 1) * width;
    const std::size_t count = std::min(width, terms_.size() - first);
    sum = sum * powers[width] + dot(terms_.data() + first, powers.data(), count);
  }
  return widened(sum, (rest_ * power(half, terms_.size())).upper());
}

}  // namespace plaudit

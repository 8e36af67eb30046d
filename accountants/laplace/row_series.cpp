#include "accountants/laplace/row_series.hpp"

#include <algorithm>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

RowSeries::RowSeries(const proof::KrawtchoukRow& row, const Ball& most) {
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
    // most twice its first term, also where half is a hundredth greater than the most.
    // Proof: docs/proofs/laplace.md#sum
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

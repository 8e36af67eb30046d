#include "mechanisms/laws/discrete_gaussian_tails.hpp"

#include <algorithm>
#include <cmath>

#include "lib/analysis/gaussian_sum.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

/// For |x| beyond this P(k > x) is only bounded: by 0 or 1 and T at this integer.
constexpr long far_away = 1'000'000'000'000;

constexpr long longest_table = 1L << 22;  ///< of tails; those beyond are summed each time

long floor_of(const Ball& exact) {
  const PrecisionScope scope(256);
  return checked_integer(floor(exact).estimate(),
                         "discrete Gaussian noise: an outcome");  // |x| < 2 far_away: exact
}

}  // namespace

struct DiscreteGaussianTails::Table {
  long bits;
  Ball normaliser;
  std::vector<Ball> tails;  ///< T(j), j = 1, 2, ...; the first is T(1)
};

DiscreteGaussianTails::DiscreteGaussianTails(Rational variance)
    : variance_(std::move(variance)), variance_estimate_(estimate(variance_)) {}

Ball DiscreteGaussianTails::normaliser() const {
  return gaussian_sum(ComplexBall(), variance_).real();
}

Ball DiscreteGaussianTails::mass(long k) const {
  const Rational square = Rational(Integer(k) * Integer(k)) / (2 * variance_);
  return exp(-Ball(square)) / table()->normaliser;
}

long DiscreteGaussianTails::reach(double nats) const {
  return 2 + checked_integer(std::ceil(std::sqrt(2 * variance_estimate_ * std::max(nats, 1.0))),
                             "discrete Gaussian noise: the window");
}

// Term k+1 over term k is e^{-(2k+1)/(2v)}, decreasing: the terms from m on are at most term m over
// 1 - that ratio at m. Proof: docs/proofs/discrete.md#gaussian-tails
Ball DiscreteGaussianTails::far_tail(long j) const {
  const long bits = working_precision();
  const PrecisionScope scope(bits + 64);
  const Ball inverse(Rational(1 / variance_));
  const Ball first = exp(-Ball(Rational(Rational(Integer(j) * Integer(j)) / (2 * variance_))));
  Ball term = first;
  Ball ratio = exp(-(Ball(j) + Ball(0.5)) * inverse);
  const Ball shrink = exp(-inverse);
  Ball sum;
  Ball rest;
  do {
    check_work_limit();
    for (int i = 0; i < 32; ++i) {
      sum += term;
      term *= ratio;
      ratio *= shrink;
    }
    rest = term / PLAUDIT_BOUND("discrete.far_tail", Ball(1) - ratio, Ball(0x1p40));
  } while (rest.is_finite() && certainly_greater(rest, ldexp(first, -bits - 8)));
  const Ball bound = charged(discrete_gaussian_tail, rest);
  return (sum + hull(Ball(0), bound)) / normaliser();
}

std::shared_ptr<const DiscreteGaussianTails::Table> DiscreteGaussianTails::table() const {
  const long bits = working_precision();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (table_ && table_->bits == bits) return table_;
  }
  const UncountedWork kept;
  auto table = std::make_shared<Table>();
  table->bits = bits;
  {
    const PrecisionScope scope(bits + 64);
    table->normaliser = normaliser();
    const long count = std::min(longest_table, reach(0.7 * static_cast<double>(bits) + 40));
    const Ball inverse(Rational(1 / variance_));
    const Ball shrink = exp(-inverse);
    std::vector<Ball>& tails = table->tails;
    // masses 1..count by recurrence, then their sums from the end
    Ball mass = exp(ldexp(-inverse, -1)) / table->normaliser;
    Ball ratio = exp(-inverse * Ball(1.5));
    check_memory_of_balls(static_cast<double>(count));
    tails.resize(static_cast<std::size_t>(count));
    for (long k = 0; k < count; ++k) {
      if (k % 256 == 0) check_work_limit();
      tails[static_cast<std::size_t>(k)] = mass;
      mass *= ratio;
      ratio *= shrink;
    }
    Ball sum = far_tail(count + 1);
    for (std::size_t k = tails.size(); k-- > 0;) {
      sum += tails[k];
      tails[k] = sum;
    }
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  table_ = table;
  return table;
}

Ball DiscreteGaussianTails::tail(long j) const {
  if (j <= 0) return Ball(1) - tail(1 - j);
  const auto known = table();
  if (static_cast<std::size_t>(j) <= known->tails.size()) {
    return known->tails[static_cast<std::size_t>(j) - 1];
  }
  return far_tail(j);
}

Ball DiscreteGaussianTails::tail_above(const Ball& x) const {
  if (certainly_greater(x, Ball(far_away))) {
    // one number far out bounds all of them
    return hull(Ball(0), far_tail(far_away));
  }
  if (certainly_less(x, Ball(-far_away))) {
    return hull(Ball(1) - far_tail(far_away), Ball(1));
  }
  if (!x.is_finite() || !certainly_less(abs(x), Ball(2 * far_away))) return hull(Ball(0), Ball(1));
  const long first = floor_of(x.lower()) + 1;
  const long last = floor_of(x.upper()) + 1;
  const Ball most = tail(first);
  return PLAUDIT_BOUND("discrete.both_neighbours", first == last, true) ? most
                                                                        : hull(most, tail(last));
}

}  // namespace plaudit

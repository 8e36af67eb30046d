#include "accountants/fourier/lattice_transform.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/analysis/fft.hpp"
#include "lib/analysis/power_sums.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

constexpr std::size_t longest_ball_transform = std::size_t{1} << 19;
constexpr double most_ball_products = 5e7;  ///< of balls, some seconds
constexpr double price_of_point = 10;       ///< of its cosine and sine, over a product at a node
constexpr long bits_of_exact_point = 60;    ///< relative: less accurate terms are only bounded

std::size_t folded(long j, std::size_t size) {
  const long k = static_cast<long>(size);
  return static_cast<std::size_t>(((j % k) + k) % k);
}

}  // namespace

// binary64 bound: docs/proofs/fourier.md#riemann
LatticeSums sums_in_doubles(const LatticeRange& range, const LatticeTerms& terms) {
  const std::size_t size = range.size;
  const auto points =
      static_cast<std::size_t>(checked_integer(range.points(), "the number of points"));
  check_memory(8 * static_cast<double>(std::min(points, size)));
  std::vector<double> data(std::min(points, size));
  double sum = 0;
  Ball inexact;  // whole values of the few points known to fewer than 60 bits
  terms([&](long j, const Ball& value) {
    const double x = value.estimate();
    if (value.relative_accuracy_bits() < bits_of_exact_point || !(x > 1e-300)) {
      inexact += PLAUDIT_BOUND("lattice.inexact_points", abs(value).upper(), Ball(0));
      return;
    }
    data[static_cast<std::size_t>(j - range.first) % data.size()] += x;
    sum += x;
  });
  const ComplexVector values =
      radix_two_first(data, folded(range.first, size), size, range.count, Sign::plus);
  LatticeSums result;
  const Ball factor = exp(Ball(range.scale));
  result.values.reserve(range.count);
  for (const std::complex<double>& value : values) {
    result.values.push_back(ComplexBall(Ball(value.real()), Ball(value.imag())) *
                            ComplexBall(factor));
  }
  // A sum of n positive doubles loses at most (n - 1) u of itself, and folding gives no more to
  // ||x||_1. Conversion of a value to a double costs u and 2^-60 of it, folding u per addition.
  const Ball u = ldexp(Ball(1), -53);
  const Ball kept = Ball(1) - Ball(2 * range.points()) * u;
  if (!certainly_positive(kept)) throw std::domain_error("too many points for doubles");
  const Ball norm = Ball(sum) / kept;
  const double folds = std::ceil(range.points() / static_cast<double>(size));
  const Ball input =
      PLAUDIT_BOUND("lattice.rounded_input", norm * u * Ball(1.01 * (1 + folds)), Ball(0)) +
      inexact;
  result.rounding = factor * (Ball(radix_two_error(size)) * norm + input + Ball(1e-290));
  return result;
}

LatticeSums sums_in_balls(const LatticeRange& range, const LatticeTerms& terms) {
  const std::size_t size = range.size;
  const std::size_t count = range.count;
  LatticeSums result;
  const double points = range.points();
  const double length = static_cast<double>(size);
  if (size <= longest_ball_transform &&
      length * std::log2(length + 2) < points * (price_of_point + static_cast<double>(count))) {
    check_memory_of_balls(2 * static_cast<double>(size));
    std::vector<ComplexBall> data(size);
    terms([&](long j, const Ball& value) { data[folded(j, size)].add_real(value); });
    ball_transform(data, Sign::plus);
    data.resize(count);
    result.values = std::move(data);
  } else {
    if (points * static_cast<double>(count) > most_ball_products) {
      throw std::domain_error("too many products of points and nodes");
    }
    std::vector<ComplexBall> weights;
    std::vector<ComplexBall> bases;
    const Ball turn = ldexp(pi(), 1) / Ball(std::uint64_t{size});
    terms([&](long j, const Ball& value) {
      weights.emplace_back(value);
      const Ball angle = turn * Ball(j);
      bases.emplace_back(cos(angle), sin(angle));
    });
    result.values = power_sums(weights, bases, count);
  }
  const Ball factor = exp(Ball(range.scale));
  for (ComplexBall& value : result.values) {
    value.scale(factor);
  }
  return result;
}

}  // namespace plaudit

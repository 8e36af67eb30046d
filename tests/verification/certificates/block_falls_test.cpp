// Falls of blocks, counted in whole numbers, against |M| itself at the ends of the blocks.
#include "verification/checker/lines/block_falls.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "lib/exact/checked_integer.hpp"
#include "support/random.hpp"

using namespace plaudit::proof;
using plaudit::test::Random;
using plaudit::test::trials;

namespace {

Atoms atoms_of(const std::vector<std::pair<double, double>>& list) {
  Atoms result{{}, {}, 0};
  for (const auto& [weight, loss] : list) {
    result.weights.push_back(Interval(plaudit::checked_rational(weight, "x")));
    result.losses.push_back(Interval(plaudit::checked_rational(loss, "x")));
  }
  return result;
}

long double size_at(const std::vector<std::pair<double, double>>& list, long double s) {
  long double real = 0, imaginary = 0;
  for (const auto& [weight, loss] : list) {
    real += weight * std::cos(s * loss);
    imaginary += weight * std::sin(s * loss);
  }
  return std::hypot(real, imaginary);
}

}  // namespace

TEST_CASE("no fall is more than that of |M| at any node of the block, and many are that") {
  const plaudit::PrecisionScope precision(128);
  Budget budget({});
  Random random(31);
  int tight = 0, reached = 0;
  for (int i = 0; i < trials(12); ++i) {
    // two equal atoms: |cos|, whose slope is the greatest one where it is 0; or some more
    std::vector<std::pair<double, double>> list{{0.5, -0.25}, {0.5, 0.25}};
    if (i % 2 == 1) list = {{0.25, -1}, {0.125, 0.5}, {0.5, 0.625}, {0.125, 1.75}};
    long double slope = 0, mean = 0;
    for (const auto& [weight, loss] : list) mean += weight * loss;
    for (const auto& [weight, loss] : list) slope += weight * std::fabs(loss - mean);
    const double h = 0.125;
    const Blocks blocks{random.integer(10, 100000), random.integer(1, 9), 3000};
    const double away = static_cast<double>(slope) * h * static_cast<double>(blocks.length - 1) / 2;
    const double g = 0.25, count = i % 3 == 0 ? 1 : 20;
    std::vector<int> falls(3000, 0);
    add_falls_of_atoms(atoms_of(list), Interval(1), Interval(plaudit::checked_rational(away, "x")),
                       Interval(plaudit::checked_rational(h, "x")), blocks,
                       {Interval(plaudit::checked_rational(g, "x")),
                        Interval(plaudit::checked_rational(count, "x"))},
                       falls, budget);
    for (long b = 0; b < blocks.count; ++b) {
      long double greatest = 0;
      const long first = blocks.first + b * blocks.length;
      for (long k = first; k < first + blocks.length; ++k) {
        greatest = std::max(greatest, size_at(list, h * static_cast<long double>(k)));
      }
      const auto fall = static_cast<long double>(falls[static_cast<std::size_t>(b)]);
      const long double truth = -count * std::log(greatest) / g;
      const bool sound = fall <= truth + 1e-6L || fall == FallSteps::most;
      if (!sound)
        CHECK_MESSAGE(sound, "block ", b, ": ", static_cast<double>(fall), " > ",
                      static_cast<double>(truth));
      if (fall > 0 && fall > truth - 1.1L) ++tight;
      ++reached;
    }
  }
  CHECK(reached >= 3000);
  CHECK(tight > reached / 50);
}

TEST_CASE("a bound known by an interval falls by whole steps, downwards") {
  const plaudit::PrecisionScope precision(128);
  const FallSteps steps{Interval(plaudit::Rational(1, 4)), Interval(plaudit::Rational(3))};
  CHECK(fall_of(Interval(0), Interval(plaudit::Rational(-1)), steps) >= 11);
  CHECK(fall_of(Interval(0), Interval(plaudit::Rational(-1)), steps) <= 12);
  CHECK(fall_of(Interval(0), Interval(plaudit::Rational(-999, 1000)), steps) == 11);
  CHECK(fall_of(Interval(0), Interval(plaudit::checked_rational(1, "x")), steps) == 0);
  CHECK(fall_of(Interval(0), Interval(plaudit::Rational(-1000)), steps) == FallSteps::most);
}

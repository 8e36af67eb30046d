// Averages of a polynomial in doubles against the same sums in balls.
#include "lib/analysis/averaged_polynomial.hpp"

#include "support/containment.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// Of s^m over [0, width].
std::vector<Ball> uniform_moments(double width, std::size_t count) {
  std::vector<Ball> result;
  Ball power(1);
  for (std::size_t m = 0; m < count; ++m) {
    power *= Ball(width);
    result.push_back(power / Ball(static_cast<long>(m + 1)));
  }
  return result;
}

/// The integral of sum_j d_j (x + s)^j over s in [0, width].
Ball exact_average(const std::vector<Ball>& d, const Ball& x, double width) {
  Ball sum;
  for (std::size_t j = 0; j < d.size(); ++j) {
    const auto n = static_cast<std::uint64_t>(j + 1);
    sum += d[j] * (power(x + Ball(width), n) - power(x, n)) / Ball(static_cast<long>(n));
  }
  return sum;
}

}  // namespace

TEST_CASE("averages are within the stated error, for all that the enclosures allow") {
  Random random(433);
  const PrecisionScope scope(400);
  for (int i = 0; i < trials(200); ++i) {
    const auto count = static_cast<std::size_t>(random.integer(1, 50));
    const double width =
        std::ldexp(random.uniform(0.5, 1), -static_cast<int>(random.integer(1, 12)));
    const double decay = random.uniform(0, 5);
    const double blur = random.one_in(2) ? 0 : 0x1p-30;
    std::vector<Ball> enclosures;
    std::vector<Ball> exact;
    for (std::size_t j = 0; j < count; ++j) {
      const Ball middle =
          Ball(random.uniform(-1, 1) * std::exp2(-decay * static_cast<double>(j))) / Ball(3);
      const Ball radius = abs(middle) * Ball(blur);
      enclosures.push_back(widened(middle, radius));
      exact.push_back(middle + Ball(0.9) * radius);  // all errors of one sign
    }
    const Averages averages(uniform_moments(width, count + 2));
    const DoublePolynomial polynomial = averages(NearDoubles(enclosures));
    for (const long at : {-16L, 0L, 7L, 15L}) {
      double value = 0;
      polynomial.values_at(at, 0x1p-4, 1, &value);
      const Ball difference = exact_average(exact, Ball(at) * Ball(0x1p-4), width) - Ball(value);
      CAPTURE(count);
      CAPTURE(width);
      CHECK_FALSE(certainly_greater(abs(difference), polynomial.error()));
    }
    if (blur == 0) {
      Ball size;
      for (const Ball& each : exact) size += abs(each);
      CHECK(certainly_less(polynomial.error(), Ball(0x1p-40) * size * Ball(std::exp2(count))));
    }
  }
}

TEST_CASE("moments that are not known to a double are refused, and too many") {
  CHECK_THROWS_AS(Averages({widened(Ball(1), Ball(0x1p-40))}), std::invalid_argument);
  CHECK_THROWS_AS(Averages(std::vector<Ball>(57, Ball(1))), std::invalid_argument);
  const Averages one({Ball(1)});
  CHECK_THROWS_AS(one(NearDoubles({Ball(1), Ball(1)})), std::invalid_argument);
}

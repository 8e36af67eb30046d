// The transforms against Arb's at 128 bits: the proven bound of the radix-2 kernel holds, is not
// vacuous, and the library transforms compute the same sums.
#include "lib/analysis/fft.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>

#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"

using namespace plaudit;

namespace {

enum class Kind { law, signs, gaussian, wide, spikes, subnormal };
constexpr int kinds = 6;

ComplexVector random_vector(std::mt19937_64& random, std::size_t size, Kind kind) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::normal_distribution<double> normal;
  ComplexVector x(size);
  const double width = 0.02 + 0.2 * std::abs(uniform(random));
  for (std::size_t j = 0; j < size; ++j) {
    const double position = static_cast<double>(j) / static_cast<double>(size) - 0.5;
    switch (kind) {
      case Kind::law:
        x[j] = std::exp(-position * position / (2 * width * width)) * (1 + 0.1 * uniform(random));
        break;
      case Kind::signs:
        x[j] = {std::copysign(1.0, uniform(random)), std::copysign(1.0, uniform(random))};
        break;
      case Kind::gaussian:
        x[j] = {normal(random), normal(random)};
        break;
      case Kind::wide:
        x[j] = {std::ldexp(uniform(random), static_cast<int>(600 * uniform(random))),
                std::ldexp(uniform(random), static_cast<int>(600 * uniform(random)))};
        break;
      case Kind::spikes:
        x[j] = random() % 16 == 0 ? std::complex<double>(normal(random), 1e-3) : 0.0;
        break;
      case Kind::subnormal:
        x[j] = {std::ldexp(uniform(random), -1060), std::ldexp(uniform(random), -1030)};
        break;
    }
  }
  return x;
}

struct Comparison {
  std::vector<ComplexBall> exact;
  Ball norm;  ///< ||x||_1

  Comparison(const ComplexVector& x, Sign sign) {
    for (const std::complex<double>& value : x) {
      exact.emplace_back(Ball(value.real()), Ball(value.imag()));
      norm += abs(exact.back());
    }
    ball_transform(exact, sign);
  }
  /// Upper end of max_k |computed_k - y_k|.
  Ball error(const ComplexVector& computed) const {
    Ball worst;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      const ComplexBall value(Ball(computed[k].real()), Ball(computed[k].imag()));
      worst = max(worst, abs(value - exact[k]).upper());
    }
    return worst.upper();
  }
};

struct Ratios {
  std::vector<double> values;
  void add(const Ball& error, const Ball& bound) { values.push_back((error / bound).estimate()); }
  double worst() const { return *std::max_element(values.begin(), values.end()); }
  double median() {
    std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
  }
};

/// Radix-2 within its bound on `count` random vectors; returns the ratios error / (g ||x||_1).
void check_vectors(std::uint64_t seed, int count, int least_level, int most_level, Ratios& ours,
                   Ratios& fftw) {
  const PrecisionScope scope(128);
  std::mt19937_64 random(seed);
  for (int i = 0; i < count; ++i) {
    const auto span = static_cast<std::uint64_t>(most_level - least_level + 1);
    const std::size_t size = std::size_t{1}
                             << (static_cast<std::uint64_t>(least_level) + random() % span);
    const Kind kind = static_cast<Kind>(i % kinds);
    const Sign sign = random() % 2 == 0 ? Sign::minus : Sign::plus;
    const ComplexVector x = random_vector(random, size, kind);
    const Comparison exact(x, sign);
    const Ball bound = Ball(radix_two_error(size)) * exact.norm;

    ComplexVector computed = x;
    radix_two_transform(computed, sign);
    const Ball error = exact.error(computed);
    CAPTURE(size);
    CAPTURE(static_cast<int>(kind));
    CHECK(certainly_less_equal(error, bound + Ball(1e-290)));
    ComplexVector by_fftw = x;
    fftw_transform(by_fftw, sign);
    const Ball fftw_error = exact.error(by_fftw);
    CHECK(certainly_less(fftw_error, Ball(1e-10) * exact.norm + Ball(1e-290)));
    if (kind == Kind::subnormal) continue;  // all error there is the absolute term
    ours.add(error, bound);
    fftw.add(fftw_error, bound);
  }
}

}  // namespace

TEST_CASE("the chirp transform of any size is the sum itself, and there and back is the identity") {
  std::mt19937_64 random(77);
  for (const std::size_t size : {1U, 2U, 3U, 5U, 12U, 97U, 1000U}) {
    for (const Sign sign : {Sign::minus, Sign::plus}) {
      const ComplexVector x = random_vector(random, size, Kind::gaussian);
      double norm = 0;
      for (const auto& value : x) norm += std::abs(value);
      ComplexVector found = x;
      chirp_transform(found, sign);
      ComplexVector by_library = x;
      fftw_transform(by_library, sign);
      for (std::size_t k = 0; k < size; ++k) {
        std::complex<double> sum = 0;
        for (std::size_t j = 0; j < size; ++j) {
          sum += x[j] *
                 std::polar(1.0, static_cast<int>(sign) * 2 * std::numbers::pi *
                                     static_cast<double>(j * k % size) / static_cast<double>(size));
        }
        CHECK(std::abs(found[k] - sum) <= 1e-12 * norm);
        CHECK(std::abs(by_library[k] - sum) <= 1e-12 * norm);
      }
      chirp_transform(found, sign == Sign::minus ? Sign::plus : Sign::minus);
      for (std::size_t k = 0; k < size; ++k) {
        CHECK(std::abs(found[k] / static_cast<double>(size) - x[k]) <= 1e-12 * norm);
      }
    }
  }
}

TEST_CASE("the radix-2 transform stays within its proven bound") {
  Ratios ours;
  Ratios fftw;
  check_vectors(1, 1000, 1, 12, ours, fftw);
  check_vectors(2, 5, 16, 16, ours, fftw);
  MESSAGE("radix-2 error / proven bound: worst " << ours.worst() << ", median " << ours.median());
  MESSAGE("FFTW error / the same bound:  worst " << fftw.worst() << ", median " << fftw.median());
  // A bound scaled below the worst ratio (to 0, say) fails the check above: the slack is 1 / worst.
  CHECK(ours.worst() > 0.02);
}

TEST_CASE("transforms by their definition") {
  const PrecisionScope scope(128);
  std::mt19937_64 random(5);
  for (const std::size_t size : {1u, 2u, 4u, 8u, 32u}) {
    for (const Sign sign : {Sign::minus, Sign::plus}) {
      const ComplexVector x = random_vector(random, size, Kind::gaussian);
      const Comparison compared(x, sign);
      for (std::size_t k = 0; k < size; ++k) {
        ComplexBall sum;
        for (std::size_t j = 0; j < size; ++j) {
          const Ball angle = Ball(static_cast<int>(sign)) * ldexp(pi(), 1) * Ball(j * k % size) /
                             Ball(std::uint64_t{size});
          sum += ComplexBall(Ball(x[j].real()), Ball(x[j].imag())) *
                 ComplexBall(cos(angle), sin(angle));
        }
        CHECK(overlaps(sum, compared.exact[k]));
        CHECK(abs(compared.exact[k]).radius().upper_double() < 1e-30);
      }
    }
  }
}

TEST_CASE("twiddle factors are correctly rounded") {
  // The transform of a unit vector at 1 is the table of twiddles itself (products with 1 and sums
  // with 0 are exact).
  const PrecisionScope scope(192);
  for (const int level : {1, 2, 3, 4, 7, 11, 15}) {
    const std::size_t size = std::size_t{1} << level;
    ComplexVector x(size);
    x[1] = 1;
    radix_two_transform(x, Sign::plus);
    for (std::size_t k = 0; k < size; ++k) {
      const Ball angle = ldexp(pi(), 1) * Ball(std::uint64_t{k}) / Ball(std::uint64_t{size});
      // At multiples of a quarter the ball holds 0, not only the rounded value.
      const bool quarter = (4 * k) % size == 0;
      CHECK(x[k].real() == (quarter ? std::round(cos(angle).estimate()) : cos(angle).estimate()));
      CHECK(x[k].imag() == (quarter ? std::round(sin(angle).estimate()) : sin(angle).estimate()));
    }
  }
}

TEST_CASE("the first outputs alone are those of the whole transform, bit for bit") {
  std::mt19937_64 random(9);
  for (const std::size_t size : {16u, 64u, 1024u, 16384u}) {
    for (int i = 0; i < 20; ++i) {
      const std::size_t count = 1 + random() % std::min<std::size_t>(size / 2, 40);
      const std::size_t length = random() % 3 == 0 ? size : 1 + random() % (size / 3);
      const std::size_t start = random() % size;
      const Sign sign = random() % 2 == 0 ? Sign::minus : Sign::plus;
      std::vector<double> values;
      ComplexVector whole(size);
      for (std::size_t j = 0; j < length; ++j) {
        values.push_back(std::normal_distribution<double>()(random));
        whole[(start + j) % size] = values.back();
      }
      radix_two_transform(whole, sign);
      const ComplexVector first = radix_two_first(values, start, size, count, sign);
      REQUIRE(first.size() == count);
      for (std::size_t k = 0; k < count; ++k) CHECK(first[k] == whole[k]);
    }
  }
  // a period that no array could hold: one value, whose transform is a table of twiddles
  const ComplexVector turns = radix_two_first({1.0}, 1, std::size_t{1} << 45, 3, Sign::minus);
  CHECK(turns[2].real() == 1.0);
  CHECK(std::abs(turns[2].imag() + std::ldexp(std::numbers::pi, -43)) < 1e-28);
  CHECK_THROWS_AS(radix_two_first({1.0}, 0, 8, 5, Sign::minus), std::invalid_argument);
}

TEST_CASE("radix-2 error: growth, and misuse") {
  const double u = std::ldexp(1, -53);
  CHECK(radix_two_error(1) == 0.0);
  for (const int level : {1, 10, 20, 26}) {
    const double g = radix_two_error(std::size_t{1} << level);
    const double first_order = level * u * (1 + std::sqrt(5.0) + 1 / std::numbers::sqrt2);
    CHECK(g > first_order);
    CHECK(g < first_order * (1 + 1e-12));
  }
  ComplexVector three(3);
  CHECK_THROWS_AS(radix_two_transform(three, Sign::minus), std::invalid_argument);
  CHECK_THROWS_AS(radix_two_error(0), std::invalid_argument);
  CHECK_THROWS_AS(radix_two_error(std::size_t{1} << 51), std::invalid_argument);
  ComplexVector long_data(std::size_t{1} << 14, 1.0);
  const WorkLimit limit(0);
  CHECK_THROWS_AS(radix_two_transform(long_data, Sign::minus), WorkLimitReached);
}

TEST_CASE("long transforms in balls: the sums themselves, there and back, and the time limit") {
  for (const std::size_t size : {2048UL, 4096UL, 8192UL}) {
    std::vector<ComplexBall> x;
    for (std::size_t j = 0; j < size; ++j) {
      const auto place = static_cast<double>(j);
      x.emplace_back(Ball(std::sin(1 + place * place)), Ball(std::cos(3 * place)));
    }
    for (const Sign sign : {Sign::minus, Sign::plus}) {
      std::vector<ComplexBall> y = x;
      ball_transform(y, sign);
      for (const std::size_t k : {std::size_t{0}, std::size_t{1}, size / 3, size - 1}) {
        ComplexBall sum;
        for (std::size_t j = 0; j < size; ++j) {
          const Ball angle = ldexp(pi(), 1) * Ball(static_cast<long>(j * k % size)) /
                             Ball(static_cast<long>(size) * static_cast<int>(sign));
          sum += x[j] * ComplexBall(cos(angle), sin(angle));
        }
        CHECK(overlaps(y[k], sum));
        CHECK(certainly_less(abs(y[k] - sum), Ball(1e-12)));
      }
      ball_transform(y, sign == Sign::plus ? Sign::minus : Sign::plus);
      int apart = 0;
      for (std::size_t j = 0; j < size; ++j) {
        apart += overlaps(y[j], x[j] * ComplexBall(Ball(static_cast<long>(size)))) ? 0 : 1;
      }
      CHECK(apart == 0);
    }
  }
  std::vector<ComplexBall> longest(std::size_t{1} << 20, ComplexBall(1));
  const auto start = std::chrono::steady_clock::now();
  const WorkLimit limit(0.05);
  CHECK_THROWS_AS(ball_transform(longest, Sign::plus), WorkLimitReached);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
}

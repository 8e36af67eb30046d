// Samples by polynomials in pieces against the function itself, and transforms of real sequences
// against those of complex ones.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "lib/analysis/real_transform.hpp"
#include "lib/analysis/rough_samples.hpp"

using namespace plaudit;

namespace {

constexpr double none = -std::numeric_limits<double>::infinity();

struct Function {
  const char* what;
  double (*log_value)(double);
};

const Function functions[] = {
    {"a normal density", [](double x) { return -x * x / 2; }},
    {"a narrow one", [](double x) { return -x * x * 5e3; }},
    {"a kink", [](double x) { return -40 * std::fabs(x - 0.3); }},
    {"a jump", [](double x) { return x > 0.7 ? -1 - x : -x; }},
    {"an end", [](double x) { return x > -0.01 ? -std::pow(std::log(x + 0.01), 2) : none; }},
    {"none", [](double) { return none; }},
};

}  // namespace

TEST_CASE("rough samples: within 1e-13 of the function") {
  for (const Function& f : functions) {
    for (const double dx : {0.03, 1e-3, 2e-5}) {
      const long last = static_cast<long>(2 / dx);
      const std::vector<double> values = rough_samples(f.log_value, dx, -last, last);
      REQUIRE(values.size() == static_cast<std::size_t>(2 * last + 1));
      double worst = 0;
      for (long j = -last; j <= last; ++j) {
        const double exact = std::exp(f.log_value(static_cast<double>(j) * dx));
        worst = std::max(worst, std::fabs(values[static_cast<std::size_t>(j + last)] - exact));
      }
      INFO(std::string(f.what), " ", dx);
      CHECK(worst < 1e-13);
    }
  }
  CHECK(rough_samples(functions[0].log_value, 0.1, 1, 0).empty());
}

TEST_CASE("rough samples: few calls where the function is smooth") {
  long calls = 0;
  const auto f = [&](double x) {
    ++calls;
    return -x * x / 2;
  };
  CHECK(rough_samples(f, 1e-5, -1000000, 1000000).size() == 2000001);
  CHECK(calls < 2000);
}

TEST_CASE("transforms of real sequences: half of the complex one, and there and back") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (const std::size_t size : {2U, 4U, 6U, 100U, 1024U, 5000U}) {
    std::vector<double> x(size);
    for (double& value : x) value = normal(random);
    ComplexVector whole(x.begin(), x.end());
    fftw_transform(whole, Sign::minus);
    ComplexVector half = real_transform(std::vector<double>(x));
    REQUIRE(half.size() == size / 2 + 1);
    for (std::size_t k = 0; k < half.size(); ++k) {
      CHECK(std::abs(half[k] - whole[k]) < 1e-12 * static_cast<double>(size));
    }
    const std::vector<double> back = real_inverse(std::move(half));
    REQUIRE(back.size() == size);
    for (std::size_t j = 0; j < size; ++j) CHECK(std::fabs(back[j] - x[j]) < 1e-12);
  }
  CHECK_THROWS_AS(real_transform({1, 2, 3}), std::invalid_argument);
  CHECK_THROWS_AS(real_transform({}), std::invalid_argument);
  CHECK_THROWS_AS(real_inverse({1}), std::invalid_argument);
}

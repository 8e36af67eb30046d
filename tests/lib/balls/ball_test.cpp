#include "lib/balls/ball.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/support/containment.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using plaudit::test::Random;
using plaudit::test::trials;

TEST_CASE("arithmetic contains the exact result for every point of the operands") {
  Random random(1);
  for (int i = 0; i < trials(3000); ++i) {
    const PrecisionScope scope(random.precision());
    const Ball x = random.ball();
    const Ball y = random.ball();
    const Rational p = random.point_of(x);
    const Rational q = random.point_of(y);
    CAPTURE(x.to_string());
    CAPTURE(y.to_string());
    CHECK_CONTAINS(x + y, Rational(p + q));
    CHECK_CONTAINS(x - y, Rational(p - q));
    CHECK_CONTAINS(x * y, Rational(p * q));
    const Ball quotient = x / y;
    if (q != 0) CHECK_CONTAINS(quotient, Rational(p / q));
    if (y.may_be_zero()) CHECK_FALSE(quotient.is_finite());
    CHECK_CONTAINS(-x, Rational(-p));
    CHECK_CONTAINS(square(x), Rational(p * p));
    CHECK_CONTAINS(power(x, 3), Rational(p * p * p));
    CHECK_CONTAINS(abs(x), p < 0 ? Rational(-p) : p);
    CHECK_CONTAINS(max(x, y), p < q ? q : p);
    CHECK_CONTAINS(min(x, y), p < q ? p : q);
    CHECK_CONTAINS(hull(x, y), p);
    CHECK_CONTAINS(hull(x, y), q);
    CHECK_CONTAINS(widened(x, y), Rational(p + q));
    CHECK_CONTAINS(widened(x, y), Rational(p - q));
    CHECK_CONTAINS(ldexp(x, 5), Rational(32 * p));
    if (p >= 0) CHECK_CONTAINS(clipped_nonnegative(x), p);
    Ball z = x;
    z += y;
    CHECK_CONTAINS(z, Rational(p + q));
    z = x;
    z -= y;
    CHECK_CONTAINS(z, Rational(p - q));
    z = x;
    z *= y;
    CHECK_CONTAINS(z, Rational(p * q));
  }
}

TEST_CASE("comparisons are certain or false") {
  Random random(2);
  for (int i = 0; i < trials(2000); ++i) {
    const PrecisionScope scope(random.precision());
    const Ball x = random.ball();
    const Ball y = random.ball();
    const Rational p = random.point_of(x);
    const Rational q = random.point_of(y);
    if (certainly_less(x, y)) CHECK(p < q);
    if (certainly_less_equal(x, y)) CHECK(p <= q);
    if (certainly_greater(x, y)) CHECK(p > q);
    if (certainly_greater_equal(x, y)) CHECK(p >= q);
    if (certainly_positive(x)) CHECK(p > 0);
    if (certainly_negative(x)) CHECK(p < 0);
    if (certainly_nonnegative(x)) CHECK(p >= 0);
    if (!overlaps(x, y)) CHECK((certainly_less(x, y) || certainly_less(y, x)));
    if (contains(x, y)) CHECK_CONTAINS(x, q);
    CHECK(certainly_less_equal(x.lower(), x.middle()));
    CHECK(certainly_less_equal(x.middle(), x.upper()));
    CHECK_CONTAINS(hull(x.lower(), x.upper()), x);
    CHECK(test::exactly(x.lower_double()) <= p);
    if (std::isfinite(x.upper_double())) CHECK(test::exactly(x.upper_double()) >= p);
  }
  const Ball nan(std::nan(""));
  CHECK_FALSE(certainly_less(nan, Ball(1)));
  CHECK_FALSE(certainly_less_equal(nan, nan));
  CHECK_FALSE(certainly_positive(nan));
  CHECK(nan.may_be_zero());
  CHECK(certainly_less(Ball(1), positive_infinity()));
  CHECK(certainly_less_equal(positive_infinity(), positive_infinity()));
  CHECK_FALSE(certainly_less(positive_infinity(), positive_infinity()));
}

TEST_CASE("functions overlap at two precisions and satisfy their equations") {
  Random random(3);
  for (int i = 0; i < trials(600); ++i) {
    Ball x = random.ball();
    if (std::fabs(x.estimate()) > 1e4) x = Ball(random.uniform(-30, 30));
    const auto at_two = [&](auto&& function) {
      const long bits = random.precision();
      const PrecisionScope scope(bits);
      const Ball low = function(x);
      const PrecisionScope finer(bits + random.integer(1, 300));
      const Ball high = function(x);
      if (low.is_finite() && high.is_finite()) CHECK_OVERLAPS(low, high);
    };
    CAPTURE(x.to_string());
    at_two([](const Ball& y) { return exp(y); });
    at_two([](const Ball& y) { return expm1(y); });
    at_two([](const Ball& y) { return log(y); });
    at_two([](const Ball& y) { return log1p(y); });
    at_two([](const Ball& y) { return sqrt(y); });
    at_two([](const Ball& y) { return erfc(y); });
    at_two([](const Ball& y) { return normal_cdf(y); });
    at_two([](const Ball& y) { return normal_density(y); });
    at_two([](const Ball& y) { return cosh(y); });
    at_two([](const Ball& y) { return tan(y); });

    const PrecisionScope scope(random.precision());
    const Ball point = x.middle();
    CHECK_CONTAINS(exp(point) * exp(-point), 1);
    CHECK_CONTAINS(log(exp(point)), point);
    CHECK_CONTAINS(exp(point) - expm1(point), 1);
    CHECK_OVERLAPS(log1p(expm1(point)), point);
    CHECK_CONTAINS(erfc(point) + erfc(-point), 2);
    CHECK_CONTAINS(normal_cdf(point) + normal_cdf(-point), 1);
    CHECK_CONTAINS(square(sin(point)) + square(cos(point)), 1);
    CHECK_CONTAINS(square(cosh(point)) - square(sinh(point)), 1);
    CHECK_OVERLAPS(tan(atan(point)), point);
    CHECK_OVERLAPS(atan2(point, Ball(1)), atan(point));
    if (certainly_nonnegative(point)) CHECK_CONTAINS(square(sqrt(point)), point);
  }
}

TEST_CASE("known digits") {
  const PrecisionScope scope(200);
  CHECK_OVERLAPS(pi(), widened(Ball(parse_rational("3.1415926535897932384626433832795028841972")),
                               Ball(parse_rational("1e-40"))));
  CHECK_OVERLAPS(normal_cdf(Ball(1)),
                 widened(Ball(parse_rational("0.8413447460685429485852325456320379")),
                         Ball(parse_rational("1e-34"))));
  // Phi(-40) = 3.655893540915028e-350: the tail keeps its digits
  CHECK_OVERLAPS(normal_cdf(Ball(-40)), widened(Ball(parse_rational("3.6558935409e-350")),
                                                Ball(parse_rational("1e-360"))));
  CHECK_WIDTH_BELOW(normal_cdf(Ball(-40)), 1e-50);
}

TEST_CASE("erfc of a large inexact argument keeps the accuracy of the argument") {
  for (const double size : {1e3, 3e4, 1e6, 1e7}) {
    const PrecisionScope scope(256);
    const Ball x = Ball(size) + Ball(1) / Ball(3);
    const Ball y = erfc(x);
    CHECK_WIDTH_BELOW(y, 1e-50);
    const PrecisionScope finer(400);
    CHECK_OVERLAPS(y, erfc(Ball(size) + Ball(1) / Ball(3)));
    // x e^{x^2} erfc(x) sqrt(pi) lies in (1 - 1/(2 x^2), 1)
    const Ball exact(size);
    const Ball scaled = exact * exp(square(exact)) * erfc(exact) * sqrt(pi());
    CHECK(certainly_less(scaled, Ball(1)));
    CHECK(certainly_greater(scaled, Ball(1) - Ball(1) / ldexp(square(exact), 1)));
  }
}

TEST_CASE("rationals enter as enclosures and leave exactly") {
  Random random(4);
  for (int i = 0; i < trials(500); ++i) {
    const PrecisionScope scope(random.precision());
    const Rational q = random.rational();
    const Ball x(q);
    CHECK_CONTAINS(x, q);
    CHECK(exact_rational(Ball(0.75)) == Rational(3, 4));
    if (x.is_exact()) CHECK(exact_rational(x) == q);
  }
  CHECK_THROWS_AS(exact_rational(Ball(Rational(1, 3))), std::logic_error);
  CHECK_THROWS_AS(exact_rational(positive_infinity()), std::logic_error);
}

TEST_CASE("logarithms of magnitudes outside the range of double") {
  const PrecisionScope scope(64);
  const Ball tiny = exp(Ball(-1e6));
  CHECK(tiny.estimate() == 0);
  CHECK(tiny.estimate_log() == doctest::Approx(-1e6));
  CHECK(Ball(0).estimate_log() == -std::numeric_limits<double>::infinity());
  CHECK(tiny.upper_double() > 0);
  CHECK(tiny.lower_double() == 0);
  CHECK(Ball(1).relative_accuracy_bits() > 1000);
}

TEST_CASE("dot products contain the exact sum") {
  Random random(5);
  for (int i = 0; i < trials(100); ++i) {
    const PrecisionScope scope(random.precision());
    std::vector<Ball> a;
    std::vector<Ball> b;
    Rational exact = 0;
    for (long k = random.integer(0, 20); k > 0; --k) {
      a.push_back(random.ball());
      b.push_back(random.ball());
      exact += random.point_of(a.back()) * random.point_of(b.back());
    }
    CHECK_CONTAINS(dot(a, b), exact);
  }
  CHECK_THROWS_AS(dot(std::vector<Ball>{Ball(1)}, {}), std::logic_error);
}

TEST_CASE("precision is a scoped setting with limits") {
  const long before = working_precision();
  {
    const PrecisionScope scope(300);
    CHECK(working_precision() == 300);
    const PrecisionScope inner(1);
    CHECK(working_precision() == 32);
  }
  CHECK(working_precision() == before);
}

TEST_CASE("integers, floors and divisions contain the exact number") {
  Random random(6);
  Rational product = 1;
  for (long n = 1; n <= 30; ++n) {
    product *= n;
    CHECK_CONTAINS(factorial(static_cast<std::uint64_t>(n)), product);
    CHECK(exact_rational(exact_ball(numerator(product))) == product);
  }
  CHECK_CONTAINS(bernoulli_number(12), Rational(-691, 2730));
  CHECK_CONTAINS(bernoulli_number(7), 0);
  for (int i = 0; i < trials(300); ++i) {
    const PrecisionScope scope(random.precision());
    const Ball x = random.ball();
    const Rational p = random.point_of(x);
    const auto n = static_cast<std::uint64_t>(random.integer(1, 1L << 40));
    Ball quotient = x;
    quotient.divide_by(n);
    CHECK_CONTAINS(quotient, Rational(p / Integer(n)));
    Integer whole = numerator(p) / denominator(p);
    if (p < 0 && denominator(p) != 1) --whole;
    CHECK_CONTAINS(floor(x), Rational(whole));
    CHECK(certainly_less_equal(x.radius(), Ball(x.radius_double())));
    const Ball y = random.ball();
    if (middle_is_less(x, y)) CHECK(certainly_less(x.middle(), y.middle()));
    const std::vector<Ball> a{x, y};
    const std::vector<Ball> b{y, x};
    CHECK_CONTAINS(dot(a.data(), b.data(), 2), Rational(2 * p * random.point_of(y)));
  }
}

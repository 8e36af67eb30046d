#include "lib/balls/complex_ball.hpp"

#include "tests/support/containment.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using plaudit::test::Random;
using plaudit::test::trials;

namespace {

struct Point {
  Rational re;
  Rational im;
};

bool holds(const ComplexBall& z, const Point& p) {
  return plaudit::test::holds(z.real(), p.re) && plaudit::test::holds(z.imaginary(), p.im);
}

Point times(const Point& a, const Point& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

}  // namespace

TEST_CASE("complex arithmetic contains the exact result") {
  Random random(11);
  for (int i = 0; i < trials(1000); ++i) {
    const PrecisionScope scope(random.precision());
    const ComplexBall x(random.ball(), random.ball());
    const ComplexBall y(random.ball(), random.ball());
    const Point p{random.point_of(x.real()), random.point_of(x.imaginary())};
    const Point q{random.point_of(y.real()), random.point_of(y.imaginary())};
    CHECK(holds(x + y, {p.re + q.re, p.im + q.im}));
    CHECK(holds(x - y, {p.re - q.re, p.im - q.im}));
    CHECK(holds(x * y, times(p, q)));
    CHECK(holds(square(x), times(p, p)));
    CHECK(holds(conjugate(x), {p.re, -p.im}));
    CHECK(holds(-x, {-p.re, -p.im}));
    const Rational norm = q.re * q.re + q.im * q.im;
    if (norm != 0) {
      const Point inverse{q.re / norm, -q.im / norm};
      const ComplexBall quotient = x / y;
      CHECK((!quotient.is_finite() || holds(quotient, times(p, inverse))));
    }
    CHECK_CONTAINS(square(abs(x)), Rational(p.re * p.re + p.im * p.im));
    CHECK_CONTAINS(square(rough_abs(x)), Rational(p.re * p.re + p.im * p.im));
    CHECK(holds(widened(x, Ball(2)), {p.re + Rational(3, 2), p.im - 1}));
  }
}

TEST_CASE("complex functions satisfy their equations") {
  Random random(12);
  const ComplexBall one(Ball(1));
  for (int i = 0; i < trials(300); ++i) {
    const PrecisionScope scope(random.precision());
    const ComplexBall z(Ball(random.uniform(-5, 5)), Ball(random.uniform(-3, 3)));
    CHECK(overlaps(exp(z) * exp(-z), one));
    CHECK(overlaps(log(exp(z)), z));
    CHECK(overlaps(log1p(z), log(one + z)));
    CHECK(overlaps(square(sqrt(z)), z));
    CHECK(overlaps(square(cosh(z)) - square(sinh(z)), one));
    CHECK_OVERLAPS(argument(z), log(z).imaginary());
    CHECK_OVERLAPS(abs(exp(z)), exp(z.real()));
    CHECK(rough_abs(z).relative_accuracy_bits() > 24);
  }
}

TEST_CASE("powers and dot products") {
  Random random(13);
  for (int i = 0; i < trials(50); ++i) {
    const PrecisionScope scope(128);
    const double angle = random.uniform(-3, 3);
    const ComplexBall x(cos(Ball(angle)), sin(Ball(angle)));
    const std::vector<ComplexBall> all = powers(x, 33);
    REQUIRE(all.size() == 33);
    ComplexBall product(Ball(1));
    for (std::size_t k = 0; k < all.size(); ++k) {
      CHECK(overlaps(all[k], product));
      CHECK(overlaps(all[k], exp(ComplexBall(Ball(0), Ball(static_cast<long>(k)) * Ball(angle)))));
      product *= x;
    }
    ComplexBall sum;
    for (const ComplexBall& each : all) sum += each * each;
    CHECK(overlaps(dot(all, all), sum));
  }
  CHECK(powers(ComplexBall(Ball(2)), 0).empty());
}

TEST_CASE("operations in place and functions, each against others that mean the same") {
  Random random(14);
  for (int i = 0; i < trials(300); ++i) {
    const PrecisionScope scope(128);
    const ComplexBall z(Ball(random.uniform(-2, 2)), Ball(random.uniform(-2, 2)));
    const Ball r(random.uniform(-2, 2));
    const auto n = static_cast<std::uint64_t>(random.integer(1, 30));
    ComplexBall scaled = z;
    CHECK(overlaps(scaled.scale(r), z * ComplexBall(r)));
    ComplexBall sum = z;
    CHECK(overlaps(sum.add_real(r), z + ComplexBall(r)));
    ComplexBall part = z;
    CHECK(overlaps(part.divide_by(n) * ComplexBall(Ball(n)), z));
    ComplexBall repeated(Ball(1));
    for (std::uint64_t k = 0; k < n; ++k) repeated *= z;
    CHECK(overlaps(power(z, n), repeated));
    CHECK(overlaps(ldexp(z, -3) * ComplexBall(Ball(8)), z));
    CHECK(overlaps(expm1(z) + ComplexBall(Ball(1)), exp(z)));
    CHECK(overlaps(sinhc(z) * z, sinh(z)));
    CHECK_FALSE(overlaps(sinhc(z) * ComplexBall(Ball(1.001)), sinhc(z)));
  }
  CHECK_CONTAINS(sinhc(ComplexBall()).real(), 1);
}

// The bounds on the bent path, each against what it bounds: arcs of hyperbolas, the exponent on a
// box, boxes of the path, log(f / p_0) and its logarithm on rectangles, and the hypotheses C1.
#include "mechanisms/bent/bent_boxes.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <stdexcept>

#include "support/bent.hpp"
#include "support/containment.hpp"
#include "tests/support/exact.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

bool may_lie_below(const Ball& value, const Ball& bound) {
  return certainly_less_equal(value.lower(), bound.upper());
}

/// Re(w l) for w on the arc, l in the box: the greatest value, as it is multilinear, is at a
/// vertex.
Rational greatest_exponent(const BentBoxes::Box& box, const DoubleArc& arc) {
  std::optional<Rational> greatest;
  for (int k = 0; k < 128; ++k) {
    const auto pick = [&](int bit, double a, double b) { return exactly((k >> bit & 1) ? b : a); };
    const Rational real = pick(0, box.real_low, box.real_high);
    const Rational imaginary = pick(1, box.imaginary_low, box.imaginary_high);
    const Rational sine = pick(2, arc.sine_low, arc.sine);
    const Rational cosine = pick(3, arc.cosine_low, arc.cosine);
    const Rational coefficient = pick(4, arc.coefficient_low, arc.coefficient_high);
    const Rational growth = pick(5, arc.growth_from, arc.growth_to);
    const Rational modulus = pick(6, box.least, box.most);
    const Rational value =
        modulus * (coefficient * real + growth * (sine * real - cosine * imaginary));
    if (!greatest || value > *greatest) greatest = value;
  }
  return *greatest;
}

}  // namespace

TEST_CASE("arcs: the coefficient, the growth and the modulus hold between both ends") {
  Random random(31);
  for (int i = 0; i < trials(200); ++i) {
    const PrecisionScope scope(96);
    const Hyperbola hyperbola = random_hyperbola(random);
    const double from = random.one_in(3) ? 0 : random.uniform(0, 4);
    const double to = from + std::exp(random.uniform(-5, 1.5));
    const HyperbolaArc arc(hyperbola, Ball(from), Ball(to));
    const HyperbolaArc infinite(hyperbola, Ball(from));
    for (int k = 0; k <= 8; ++k) {
      const Ball x = Ball(from) + Ball(k) * (Ball(to) - Ball(from)) / Ball(8);
      const Ball c = hyperbola.center() + hyperbola.scale() * hyperbola.sine() * exp(-x);
      const Ball growth = hyperbola.scale() * sinh(x);
      CHECK_OVERLAPS(arc.coefficient, c);
      CHECK(may_lie_below(arc.growth_from, growth));
      CHECK(may_lie_below(growth, arc.growth_to));
      CHECK(may_lie_below(abs(hyperbola.point(x)), arc.modulus));
      const Ball far = Ball(from) + Ball(k * k);
      CHECK_OVERLAPS(infinite.coefficient,
                     hyperbola.center() + hyperbola.scale() * hyperbola.sine() * exp(-far));
      CHECK(may_lie_below(infinite.growth_from, hyperbola.scale() * sinh(far)));
    }
    // Re(w l) = c Re l + scale sinh(x) D(l)
    const Ball x(random.uniform(from, to));
    const ComplexBall l(Ball(random.uniform(-3, 3)), Ball(random.uniform(0, 3)));
    const Ball c = hyperbola.center() + hyperbola.scale() * hyperbola.sine() * exp(-x);
    const Ball d = hyperbola.sine() * l.real() - hyperbola.cosine() * l.imaginary();
    CHECK_OVERLAPS((hyperbola.point(x) * l).real(), c * l.real() + hyperbola.scale() * sinh(x) * d);
  }
}

TEST_CASE("the exponent on a box and an arc, rounded upward in every operation") {
  Random random(32);
  for (int i = 0; i < trials(400); ++i) {
    const PrecisionScope scope(64);
    const double from = random.one_in(3) ? 0 : random.uniform(0, 3);
    DoubleArc arc(HyperbolaArc(random_hyperbola(random), Ball(from),
                               Ball(from + std::exp(random.uniform(-6, 1)))));
    BentBoxes::Box box{};
    const double angle = random.uniform(0, std::numbers::pi);
    const double spread = random.one_in(3) ? 0 : std::exp(random.uniform(-30, -1));
    box.real_low = std::cos(angle) - spread;
    box.real_high = std::cos(angle) + spread;
    box.imaginary_low = std::sin(angle) - spread;
    box.imaginary_high = std::sin(angle) + spread;
    box.least = std::exp(random.uniform(-20, 4));
    box.most = box.least * (1 + spread);
    if (random.one_in(3)) {  // wide ranges: every corner may be the greatest
      arc.coefficient_low -= random.uniform(0, 4);
      box.real_low -= random.uniform(0, 2);
      box.imaginary_high += random.uniform(0, 2);
      box.most *= 2;
    }
    const double bound = BentBoxes::exponent_in(box, arc);
    CHECK(exactly(bound) >= greatest_exponent(box, arc));
  }
}

TEST_CASE("boxes of the path: modulus, direction, measure at points of each") {
  Random random(33);
  for (int i = 0; i < trials(150); ++i) {
    const auto path = random_bent_path(random);
    REQUIRE(path);
    const double shifts[] = {0, path->shape().half_width, -path->shape().half_width};
    const double shift = shifts[random.integer(0, 2)];
    std::optional<BentBoxes> boxes;
    const MixtureInV in_v(path->mixture());
    try {
      boxes.emplace(*path, shift, -14, 40 + path->dominance(), std::exp(random.uniform(-2, 4)));
    } catch (const std::domain_error&) {
      continue;
    }
    const PrecisionScope scope(128);
    INFO(spec_of(path->mixture()), " rise ", path->shape().rise, " slope ", path->shape().slope,
         " bend ", path->shape().bend, " knee ", path->shape().knee, " shift ", shift);
    const auto check = [&](const BentBoxes::Box& box) {
      for (const double share : {0.0, 0.13, 0.5, 0.77, 1.0}) {
        const Ball x = Ball(box.from) + Ball(share) * (Ball(box.to) - Ball(box.from));
        const BentPoint at(*path, in_v, x, shift);
        const Ball size = abs(at.l);
        INFO("box ", box.from, " to ", box.to, " at ", share);
        CHECK(may_lie_below(Ball(box.least), size));
        CHECK(may_lie_below(size, Ball(box.most)));
        CHECK(may_lie_below(Ball(box.real_low), at.l.real() / size));
        CHECK(may_lie_below(at.l.real() / size, Ball(box.real_high)));
        CHECK(may_lie_below(Ball(box.imaginary_low), at.l.imaginary() / size));
        CHECK(may_lie_below(at.l.imaginary() / size, Ball(box.imaginary_high)));
        CHECK(may_lie_below(at.density * (Ball(box.to) - Ball(box.from)), exp(Ball(box.log_mass))));
      }
    };
    for (int k = 0; k < 6; ++k) {  // those of the bounds
      check(boxes->boxes()[static_cast<std::size_t>(
          random.integer(0, static_cast<long>(boxes->size()) - 1))]);
    }
    for (int k = 0; k < 12; ++k) {  // narrow ones, where every factor shows, and wide ones
      const double from = random.uniform(-8, 8);
      const double to = from + std::exp(k < 6 ? random.uniform(-12, -5) : random.uniform(-3, 1.3));
      const ComplexBall first = path->point(ComplexBall(Ball(from), Ball(shift)), nullptr);
      const ComplexBall last = path->point(ComplexBall(Ball(to), Ball(shift)), nullptr);
      const ComplexBall v(hull(first.real(), last.real()),
                          hull(first.imaginary(), last.imaginary()));
      const BentBoxes::Box box = boxes->make_box(in_v, from, to, v);
      if (box.spread < HUGE_VAL && box.most < HUGE_VAL) check(box);
    }
  }
}

TEST_CASE("log(f / p_0) and its logarithm on rectangles of the strip's image") {
  Random random(34);
  int finite = 0, wide = 0;
  for (int i = 0; i < trials(400); ++i) {
    const auto path = random_bent_path(random);
    REQUIRE(path);
    const double nu = path->shape().half_width;
    const double x = random.uniform(-9, 4) + path->dominance();
    const double shift = random.uniform(-nu, nu);
    const double size = std::exp(random.uniform(-9, -0.5));
    const PrecisionScope scope(128);
    const MixtureInV in_v(path->mixture());
    const BentPoint middle(*path, in_v, Ball(x), shift);
    const Ball half(size);
    const ComplexBall rectangle(widened(middle.v.real().middle(), half),
                                widened(middle.v.imaginary().middle(), half));
    INFO(spec_of(path->mixture()), " rise ", path->shape().rise, " slope ", path->shape().slope,
         " x ", x, " shift ", shift, " size ", size);
    // on one point the branch is the real one
    const ComplexBall here = path->log_ratio(in_v, middle.v);
    if (here.is_finite()) CHECK(overlaps(here, middle.l));
    const ComplexBall log_l = path->log_log_ratio(in_v, rectangle);
    if (!log_l.is_finite()) continue;
    ++finite;
    wide += size > 0.1 ? 1 : 0;
    for (int k = 0; k < 9; ++k) {
      const ComplexBall v(middle.v.real().middle() + half * Ball(k % 3 - 1),
                          middle.v.imaginary().middle() + half * Ball(k / 3 - 1));
      const bool right = certainly_greater(v.real(), Ball(path->dominance()));
      if (!right && !certainly_less(v.imaginary(), pi())) continue;
      if (!certainly_positive(v.imaginary())) continue;
      const ComplexBall l =
          right ? v + log(ComplexBall(1) + in_v.remainder(v)) : log1p(in_v.excess(v));
      // only e^{log l} is used
      CHECK(overlaps(exp(log_l), l));
      CHECK_OVERLAPS(log_l.real(), log(abs(l)));
      const Ball turned = log_l.imaginary() - log(l).imaginary();
      CHECK((overlaps(turned, Ball(0)) || overlaps(abs(turned), ldexp(pi(), 1))));
    }
  }
  CHECK(finite > trials(200));
  CHECK(wide > trials(20));
}

TEST_CASE("a path is refused where its strip may leave the zero-free region") {
  Random random(35);
  int refused = 0, taken = 0;
  for (int i = 0; i < trials(1200); ++i) {
    GaussianMixture mixture = random_bent_mixture(random);
    BentShape shape = random_bent_shape(random);
    shape.rise *= random.uniform(0.5, 2.2);
    shape.half_width *= random.uniform(0.7, 1.6);
    if (random.one_in(4)) shape.slope = random.uniform(0.9, 1.6);
    if (random.one_in(4)) shape.bend *= random.uniform(0.3, 1);
    if (random.one_in(3)) {  // right of the knee, where C1 is sharp: a little outside, by the edge
      shape.slope = random.uniform(0.3, 0.95);
      shape.half_width = random.uniform(0.1, 0.6);
      shape.bend = 2 * shape.half_width / std::numbers::pi * 1.1;
      mixture.sensitivities = {0, 1};
      mixture.probabilities = {Rational(1, 2), Rational(1, 2)};
      const double past = random.uniform(0.5, 1.5);  // of the knee
      shape.knee = shape.slope * shape.half_width - past;
      shape.rise = std::numbers::pi - shape.half_width - shape.slope * past +
                   random.uniform(0.1, 0.9) * shape.slope * shape.slope * shape.half_width;
    }
    const PrecisionScope scope(96);
    // C1 where it is nearest to failing, at the upper edge of the strip: Im v >= pi with
    // Re v <= Y, or at the lower one: Im v <= 0.
    bool outside =
        shape.slope >= 1 || 2 * shape.half_width > std::numbers::pi * shape.bend * 1.0001;
    const MixtureInV in_v(mixture);
    double dominance = 0;  // the least Y that serves
    while (!in_v.rate.empty() &&
           in_v.remainder(ComplexBall(Ball(dominance))).real().estimate() > 1.001) {
      dominance += 0.01;
    }
    for (double x = -10; x < dominance + 3 && !outside; x += 0.02) {
      for (const double sign : {-1.0, 1.0}) {
        const std::complex<double> xi(x, sign * shape.half_width);
        const std::complex<double> s = (xi - shape.knee) / shape.bend;
        const std::complex<double> soft = s.real() > 30 ? s : std::log(1.0 + std::exp(s));
        const std::complex<double> v =
            xi + std::complex<double>(0, 1) * (shape.rise + shape.slope * shape.bend * soft);
        outside = outside || v.imag() < -1e-6 ||
                  (v.real() < dominance - 1e-3 && v.imag() > std::numbers::pi + 1e-6);
      }
    }
    bool accepted = true;
    try {
      const BentPath path(mixture, shape);
      CHECK(path.dominance() >= dominance - 0.011);
    } catch (const std::domain_error&) {
      accepted = false;
    }
    INFO(spec_of(mixture), " rise ", shape.rise, " slope ", shape.slope, " bend ", shape.bend,
         " knee ", shape.knee, " width ", shape.half_width);
    if (outside) CHECK_FALSE(accepted);
    refused += outside ? 1 : 0;
    taken += accepted ? 1 : 0;
  }
  CHECK(refused > trials(100));
  CHECK(taken > trials(100));
}

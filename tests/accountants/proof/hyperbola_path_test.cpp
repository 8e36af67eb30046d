// Mixtures on paths that turn upward: the logarithm on disks, the domain, pieces and ends, each
// against points in it.
#include "accountants/proof/kinds/hyperbola_path.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "support/containment.hpp"
#include "support/exact.hpp"
#include "support/random.hpp"
#include "support/slow.hpp"

using namespace plaudit;
using namespace plaudit::test;
using proof::MixtureLaw;
using proof::PathChoices;

namespace {

/// One to three components beside that at 0; noise and probabilities from tiny to large.
MixtureLaw random_mixture_law(Random& random) {
  MixtureLaw law;
  const double scale = std::exp(random.uniform(-1, 1.5));
  const long components = random.one_in(2) ? 1 : random.integer(2, 3);
  law.rates = {0};
  Rational rest = 1;
  std::vector<Rational> shares;
  for (long i = 1; i <= components; ++i) {
    law.rates.push_back(exactly(scale * static_cast<double>(i) / static_cast<double>(components)));
    shares.push_back(Rational(random.integer(1, 100), random.one_in(2) ? 400 : 100000));
    rest -= shares.back();
  }
  law.probabilities = {rest};
  law.probabilities.insert(law.probabilities.end(), shares.begin(), shares.end());
  return law;
}

/// Often a path that fits, often one that just does not.
PathChoices random_path(Random& random, const MixtureLaw& law) {
  const double rate = estimate(law.rates.back());
  const double rise = random.uniform(0.1, 2.4), strip = rise * random.uniform(0.1, 0.95);
  const double bend = 2 * strip / std::numbers::pi * (1 + std::exp(random.uniform(-4, 1)));
  const double origin =
      rate / 2 -
      std::log(estimate(Rational(law.probabilities.back() / law.probabilities.front()))) / rate;
  PathChoices path;
  path.rise = exactly(rise / rate);
  path.tilt = exactly(random.uniform(0.1, 0.9));
  path.knee = exactly(origin + random.uniform(-2, 3) / rate);
  path.bend = exactly(bend / rate);
  path.strip = exactly(strip / rate);
  path.step = exactly(0.125);
  path.first = -80;
  path.last = 60 + 8 * static_cast<long>(std::ceil(std::max(0.0, origin)));
  path.accuracy = exactly(random.uniform(0.05, 0.5));
  return path;
}

ComplexBall excess_at(const MixtureLaw& law, const ComplexBall& y) {
  ComplexBall sum;
  for (std::size_t i = 1; i < law.rates.size(); ++i) {
    const Ball rate(law.rates[i]);
    sum += ComplexBall(Ball(Rational(law.probabilities[i] / law.probabilities[0]))) *
           exp(y * ComplexBall(rate) - ComplexBall(ldexp(square(rate), -1)));
  }
  return sum;
}

/// log(f / p_0) at y by going upward from the real axis in steps too small to change the branch;
/// nothing where that meets a zero.
std::optional<ComplexBall> branch_at(const MixtureLaw& law, const Ball& real, double height) {
  ComplexBall before = ComplexBall(1) + excess_at(law, ComplexBall(real));
  ComplexBall sum = log(before);
  constexpr int steps = 100;
  for (int k = 1; k <= steps; ++k) {
    const ComplexBall now =
        ComplexBall(1) + excess_at(law, ComplexBall(real, Ball(height) * Ball(k) / Ball(steps)));
    const ComplexBall ratio = now / before;
    if (!ratio.is_finite() || !certainly_less(abs(ratio - ComplexBall(1)), Ball(0.5))) {
      return std::nullopt;
    }
    sum += log(ratio);
    before = now;
  }
  return sum;
}

}  // namespace

TEST_CASE("the path and its derivative: their formulas, for all offsets of the strip") {
  Random random(51);
  for (int i = 0; i < trials(200); ++i) {
    const PrecisionScope scope(128);
    const MixtureLaw law = random_mixture_law(random);
    const PathChoices path = random_path(random, law);
    const proof::MixtureOnPath<Ball> on(law, path);
    const Ball x(random.uniform(-12, 12));
    const Rational offset = path.strip * Rational(random.integer(-4, 4), 4);
    const ComplexBall xi(x, Ball(offset));
    const ComplexBall s = (xi - ComplexBall(Ball(path.knee))) / ComplexBall(Ball(path.bend));
    const ComplexBall soft = ComplexBall(Ball(path.bend)) * log(ComplexBall(1) + exp(s));
    const ComplexBall y =
        xi + ComplexBall(Ball(0), Ball(path.rise)) + ComplexBall(Ball(0), Ball(path.tilt)) * soft;
    CHECK(overlaps(on.at(x, offset), y));
    const Ball real_s = (x - Ball(path.knee)) / Ball(path.bend);
    CHECK(overlaps(on.derivative(x),
                   ComplexBall(Ball(1), Ball(path.tilt) / (Ball(1) + exp(-real_s)))));
  }
}

TEST_CASE("the density on disks: at most its bound, which is met up to the square of the radius") {
  Random random(55);
  using Path = proof::MixtureOnPath<Ball>;
  for (int i = 0; i < trials(300); ++i) {
    const PrecisionScope scope(128);
    const ComplexBall y(Ball(random.uniform(-6, 6)),
                        Ball(random.one_in(4) ? 0 : random.uniform(-3, 3)));
    const Ball radius(std::exp(random.uniform(-6, 0)));
    // |e^{-(y + r e^{it})^2 / 2}| is greatest about where y e^{it} is -|y|, or is a pure square
    const ComplexBall direction = random.one_in(2)
                                      ? ComplexBall(Ball(0), Ball(random.one_in(2) ? 1 : -1))
                                      : -conjugate(y) / ComplexBall(abs(y));
    const ComplexBall place = y + direction * ComplexBall(radius);
    const Ball size = ldexp(-square(place), -1).real();
    const Ball bound = Path::log_density(y, radius);
    CHECK(may_be_below(size, bound));
    CHECK(certainly_less_equal(bound, ldexp(-square(y), -1).real() + abs(y) * radius +
                                          ldexp(square(radius), -1) + Ball(1e-20)));
    const ComplexBall upward = ComplexBall(Ball(0)) + ComplexBall(Ball(0), radius);
    CHECK(
        may_be_below(ldexp(-square(upward), -1).real(), Path::log_density(ComplexBall(), radius)));
  }
}

TEST_CASE("disks of the domain: no zero, the branch of the axis, within the error") {
  Random random(52);
  int known = 0, outside = 0;
  for (int i = 0; i < trials(800); ++i) {
    const PrecisionScope scope(128);
    const MixtureLaw law = random_mixture_law(random);
    const proof::MixtureOnPath<Ball> on(law, random_path(random, law));
    const double rate = estimate(law.rates.back());
    const double middle = -on.shifts.back().estimate() / rate + random.uniform(-4, 5) / rate;
    const double height = random.uniform(0, 1.3) * std::numbers::pi / rate;
    const double radius = std::exp(random.uniform(-5, 0)) / rate;
    const Ball real(middle);
    if (!on.in_domain(real - Ball(radius), real + Ball(radius), Ball(height + radius))) {
      ++outside;
      continue;
    }
    const auto found = on.log_ratio(ComplexBall(real, Ball(height)), Ball(radius));
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    const double part = random.one_in(2) ? 1 : random.uniform(0, 1);
    const double away_real = part * radius * std::cos(angle);
    const double away_height = part * radius * std::sin(angle);
    for (const bool edge : {false, true}) {
      const double up = height + (edge ? away_height : 0);
      const auto truth = branch_at(law, real + Ball(edge ? away_real : 0), up);
      INFO("rate ", rate, " at ", middle, " + i ", up, " radius ", radius);
      REQUIRE(truth);  // no zero on the way: the domain has all below
      if (!edge) CHECK(overlaps(found.value, *truth));
      if (!found.error) continue;
      CHECK(may_be_below(abs(*truth - found.value), *found.error));
      ++known;
    }
  }
  CHECK(known > trials(200));
  CHECK(outside > trials(40));
}

TEST_CASE("ends: what lies to the left and to the right of the pieces") {
  Random random(57);
  int lefts = 0, rights = 0;
  for (int i = 0; i < trials(usually(800, 1500)); ++i) {
    const PrecisionScope scope(64);
    const MixtureLaw law = random_mixture_law(random);
    const PathChoices path = random_path(random, law);
    const bool of_left = random.one_in(2);
    const double knee = estimate(path.knee);
    const double from =
        of_left ? random.uniform(-6, std::min(knee, 2.0)) : knee + random.uniform(-0.5, 5);
    const proof::MixtureOnPath<Ball> on(law, path);
    const Rational offset = path.strip * Rational(random.integer(-2, 2), 2);
    const Ball order(random.one_in(4) ? 0 : random.uniform(0, 8));
    constexpr double step = 1.0 / 32;
    Ball sum, largest;
    try {
      const auto point = [&](int k) {  // the function is monotone: the sum is below the integral
        const Ball x(from + (of_left ? -1 : 1) * (k + 1) * step);
        const ComplexBall y = on.at(x, offset);
        const ComplexBall l = on.log_ratio(y, Ball(0)).value;
        const Ball speed = abs(on.at(x + Ball(0x1p-30), offset) - y) * Ball(0x1p30);
        const Ball density = exp(ldexp(-square(y), -1).real()) / sqrt(ldexp(pi(), 1)) * speed;
        largest = max(largest, abs(l));
        sum += Ball(step) * density * (of_left ? Ball(1) : exp(order * l.real()));
      };
      if (of_left) {
        const auto left = on.left_end(Ball(from), offset);
        for (int k = 0; k < 300; ++k) point(k);
        CHECK(may_be_below(sum, left.mass * Ball(1 + 1e-6)));
        CHECK(may_be_below(largest, left.size * Ball(1 + 1e-6)));
        ++lefts;
      } else {
        const Ball right = on.right_end(Ball(from), offset, order);
        for (int k = 0; k < 300; ++k) point(k);
        CHECK(may_be_below(sum, right * Ball(1 + 1e-6)));
        ++rights;
      }
    } catch (const proof::Rejected&) {
    }
  }
  MESSAGE(lefts, " left ", rights, " right");
  CHECK(lefts > trials(100));
  CHECK(rights > trials(100));
}

TEST_CASE("paths that are taken: rules and norms hold the moment at real and complex w") {
  Random random(53);
  int taken = 0, refused = 0;
  for (int i = 0; i < trials(usually(60, 120)); ++i) {
    const MixtureLaw law = random_mixture_law(random);
    PathChoices path = random_path(random, law);
    path.step = exactly(std::exp(random.uniform(-3, -1)));
    path.first = -static_cast<long>(random.uniform(0.5, 12) / estimate(path.step));
    path.last = static_cast<long>((random.uniform(1, 14) + std::max(0.0, estimate(path.knee))) /
                                  estimate(path.step));
    proof::Budget budget = proof::unlimited_budget();
    const PrecisionScope scope(96);
    try {
      const proof::MixturePath<Ball> on(law, path, budget);
      // a point of the hyperbola as an arc of its own
      const double scale = std::exp(random.uniform(-1, 1)), angle = random.uniform(0.05, 0.4);
      const proof::Hyperbola<Ball> hyperbola(Ball(random.uniform(-1, 3)), Ball(scale), Ball(angle));
      on.check_right_end(hyperbola);
      const Ball x(random.one_in(3) ? 0 : random.uniform(0, 5));
      const Ball far = x + Ball(random.one_in(2) ? 0 : random.uniform(0, 0.3));
      const ComplexBall w = hyperbola.at(x);
      const proof::Arc<Ball> arc = hyperbola.arc(x, far);
      const proof::Norms<Ball> norms = on.norms(arc);
      const Ball error = on.strip_error(arc) + on.tails(arc);
      const ComplexBall value = proof::exponential_sums(on.rule(), {w}, budget).front();
      // the moment on the real axis, where nothing grows: a fine rule over 16 deviations
      ComplexBall truth;
      const double rate = estimate(law.rates.back());
      const double reach = 12 + std::max(0.0, w.real().estimate()) * rate;
      const double fine = std::ceil(std::max(32.0, 2 * abs(w).estimate() * rate));
      const int points = static_cast<int>(fine * (reach + 12));
      for (int k = 0; k <= points; ++k) {
        const Ball y = Ball(k) / Ball(fine) - Ball(12);
        const Ball l = log1p(excess_at(law, ComplexBall(y)).real());
        truth += exp(w * ComplexBall(l)) *
                 ComplexBall(exp(-ldexp(square(y), -1)) / (Ball(fine) * sqrt(ldexp(pi(), 1))));
      }
      const Ball off = abs(truth - value);
      const Ball slack = abs(truth) * Ball(1e-9) + Ball(1e-9);
      INFO("w ", show(w.real()), " ", show(w.imaginary()));
      CHECK(may_be_below(off, error + slack));
      // the theorem of the rule asks for the norms on both edges of the strip
      const proof::MixtureOnPath<Ball> places(law, path);
      Ball edges;
      for (const Rational& offset : {path.strip, Rational(-path.strip)}) {
        for (double place = -10; place < 14; place += 1.0 / 16) {
          const ComplexBall y = places.at(Ball(place), offset);
          const ComplexBall l = places.log_ratio(y, Ball(0)).value;
          const Ball speed = abs(places.at(Ball(place) + Ball(0x1p-30), offset) - y) * Ball(0x1p30);
          edges += abs(exp(w * l) - ComplexBall(1)) * exp(ldexp(-square(y), -1).real()) * speed /
                   (Ball(16) * sqrt(ldexp(pi(), 1)));
        }
      }
      const Ball turns = ldexp(pi(), 1) * Ball(Rational(path.strip / path.step));
      CHECK(may_be_below(edges / expm1(turns), on.strip_error(arc) * Ball(1.01) + slack));
      CHECK(may_be_below(abs(truth), norms.plain + slack));
      CHECK(may_be_below(abs(truth - ComplexBall(1)), norms.minus_one + slack));
      ++taken;
    } catch (const proof::Rejected&) {
      ++refused;
    }
  }
  MESSAGE(taken, " taken ", refused, " refused");
  CHECK(taken > trials(8));
  CHECK(refused > trials(8));
}

TEST_CASE("balls and intervals find the same bounds") {
  Random random(54);
  int taken = 0;
  for (int i = 0; i < trials(12) && taken < trials(4); ++i) {
    const MixtureLaw law = random_mixture_law(random);
    const PathChoices path = random_path(random, law);
    proof::Budget budget = proof::unlimited_budget();
    const PrecisionScope scope(64);
    try {
      const proof::MixturePath<Ball> balls(law, path, budget);
      const proof::MixturePath<proof::Interval> intervals(law, path, budget);
      CHECK(balls.pieces() == intervals.pieces());
      const proof::Hyperbola<Ball> a(Ball(0.5), Ball(2), Ball(0.25));
      const proof::Hyperbola<proof::Interval> b(proof::Interval(Rational(1, 2)), 2,
                                                proof::Interval(Rational(1, 4)));
      const auto arc = a.arc(Ball(0), Ball(1));
      const auto same = b.arc(proof::Interval(0), proof::Interval(1));
      using proof::Interval;
      const auto close = [](const Ball& x, const Interval& y) {
        const double ratio = x.estimate() / estimate(upper(y));
        INFO(x.estimate(), " ", estimate(upper(y)));
        CHECK(std::fabs(ratio - 1) < 1e-6);
      };
      close(balls.norms(arc).plain, intervals.norms(same).plain);
      close(balls.norms(arc).minus_one, intervals.norms(same).minus_one);
      close(balls.plain_beyond(a, Ball(1)), intervals.plain_beyond(b, Interval(1)));
      close(balls.strip_error(arc), intervals.strip_error(same));
      ++taken;
    } catch (const proof::Rejected&) {
    }
  }
  CHECK(taken > 0);
}

// Integrals over shifted lines by points and strips that no heuristic would choose: so few or so
// wide that the tails or the quadrature error carry the bound. Against sums in floating point.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "lib/balls/precision.hpp"
#include "mechanisms/mixtures/cut_integral.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "mechanisms/mixtures/mixture_integral.hpp"
#include "mechanisms/mixtures/mixture_loss.hpp"
#include "mechanisms/replacement/half_integral.hpp"
#include "mechanisms/replacement/mirrored_integral.hpp"
#include "support/integrands.hpp"
#include "support/mixtures.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// x rounded to a multiple of 2^-10: sums of such are exact.
double short_of(double x) { return std::floor(x * 1024) / 1024; }

/// A line at height eta, a strip of half-width v around it, below `most` with its upper edge, and
/// points either narrow and few or wide and enough.
struct Line {
  double eta, v, d, reach;

  Line(Random& random, double most, double whole) {
    eta = short_of(most * random.uniform(0, 0.9));
    v = short_of((most - eta) * random.uniform(0.5, 0.99));
    const bool few = random.one_in(2);
    d = few ? 2 * std::numbers::pi * v / random.uniform(8, 20)
            : 2 * std::numbers::pi * v / random.uniform(1, 6);
    d = std::exp2(std::floor(std::log2(std::max(d, 1e-3))));
    reach = few ? random.uniform(0, whole / 2) : whole;
  }
  long points() const { return static_cast<long>(std::ceil(reach / d)); }
};

/// Counts bounds that are sharp: of an integral there is not much more than its error bounds.
struct Seen {
  int finite = 0, sharp = 0;
  void add(double truth, const Ball& bound) {
    finite += bound.is_finite() ? 1 : 0;
    sharp += certainly_less(bound, Ball(2 * truth)) ? 1 : 0;
  }
};

double random_shifted_order(Random& random) {
  return random.one_in(2) ? random.uniform(-5, 0) : random.uniform(0, 6);
}

double random_height(Random& random) { return random.one_in(3) ? 0 : random.uniform(0, 4); }

/// An upper bound of the value of a sum in floating point.
Ball above(double value) { return Ball(value * (1 + 1e-9)); }

}  // namespace

TEST_CASE("mixtures: integrals over shifted lines") {
  Random random(91);
  Seen seen;
  for (int i = 0; i < trials(150); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const MixtureIntegral integral(mixture);
    const MixtureInDoubles m(mixture);
    const PrecisionScope scope(80);
    const double r = random_shifted_order(random), s = random_height(random);
    const double whole = 12 + (std::fabs(r) + 1) * m.greatest_rate();
    const Line line(random, std::min(std::numbers::pi / m.greatest_rate(), 3.0), whole);
    if (!(line.v > 0)) continue;
    INFO(spec_of(mixture), " r ", r, " s ", s, " eta ", line.eta, " v ", line.v, " d ", line.d,
         " reach ", line.reach);
    const Ball axis = above(norm_of(mixture_integrand(m, r), 0, whole));
    const double truth = norm_of(mixture_integrand(m, {r, s}), line.eta, whole);
    const MixtureIntegral::Strip strip{line.eta, line.v, line.d, -line.points(), line.points()};
    const Ball bound = integral.shifted(Ball(r), Ball(s), strip, axis);
    CHECK(may_be(truth, bound));
    seen.add(truth, bound);
  }
  CHECK(seen.sharp > trials(150) / 8);
}

TEST_CASE("cut mixtures: integrals over shifted lines") {
  Random random(92);
  Seen seen;
  for (int i = 0; i < trials(150); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const CutIntegral integral(mixture, std::exp(random.uniform(-2, 2)));
    const MixtureInDoubles m(mixture);
    const PrecisionScope scope(80);
    const double r = random.uniform(0, 6), s = random_height(random), cut = integral.cut();
    const Line line(random, std::min(std::numbers::pi / 2, std::numbers::pi / m.greatest_rate()),
                    40);
    if (!(line.v > 0)) continue;
    INFO(spec_of(mixture), " cut ", cut, " r ", r, " s ", s, " eta ", line.eta, " v ", line.v,
         " d ", line.d, " reach ", line.reach);
    const Ball axis = above(norm_of(cut_integrand(m, cut, r), 0, 60));
    const double truth = norm_of(cut_integrand(m, cut, {r, s}), -line.eta, 60);
    const long high =
        static_cast<long>(std::ceil(cut / line.d)) + (line.reach > 20 ? line.points() : 0);
    const CutIntegral::Strip strip{line.eta, line.v, line.d, -line.points(), high};
    const Ball bound = integral.shifted(Ball(r), Ball(s), strip, axis);
    CHECK(may_be(truth, bound));
    seen.add(truth, bound);
  }
  CHECK(seen.sharp > trials(150) / 8);
}

TEST_CASE("f turns steadily up to the heights named, on lines and on the paths of half lines") {
  Random random(97);
  int steady = 0;
  for (int i = 0; i < trials(300); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const MixtureInDoubles m(mixture);
    const double edge = std::exp(random.uniform(-2, 2));
    const MixtureIntegral line(mixture);
    const CutIntegral cut(mixture, edge);
    const double height = std::numbers::pi / m.greatest_rate() * random.uniform(0, 1);
    const double lower = height * random.uniform(0.5, 1);
    const bool on_line = line.turns_steadily(height), on_path = cut.turns_steadily(height);
    INFO(spec_of(mixture), ", edge ", edge, ", heights ", lower, " and ", height);
    CHECK((on_line || !on_path));
    for (double x = -30; x < 30; x += 0.5) {
      const Complex low(x, lower), high(x, height);
      if (on_line) CHECK(m.log_f(low).imag() <= m.log_f(high).imag() + 1e-9);
      if (!on_path) continue;
      CHECK(m.log_f(edge + softplus(low)).imag() <= m.log_f(edge + softplus(high)).imag() + 1e-9);
      const Complex down(x, -lower), deep(x, -height);
      CHECK(m.log_f(edge - softplus(down)).imag() <= m.log_f(edge - softplus(deep)).imag() + 1e-9);
    }
    steady += on_path ? 1 : 0;
  }
  CHECK(steady > trials(300) / 8);
}

TEST_CASE("great heights on lines that are hardly shifted") {
  Random random(98);
  Seen seen;
  for (int i = 0; i < trials(100); ++i) {
    const GaussianMixture mixture = random_with_zero(random);
    const MixtureInDoubles m(mixture);
    const PrecisionScope scope(80);
    const double r = random_shifted_order(random), s = std::exp(random.uniform(2, 9));
    const double most = std::min(std::numbers::pi / 2, std::numbers::pi / m.greatest_rate());
    const double eta = std::max(std::ldexp(1, -10), short_of(random.uniform(0, 4) / s));
    const double v = short_of((most - eta) * random.uniform(0.1, 0.99));
    if (!(v > 0)) continue;
    const double d = std::exp2(std::floor(std::log2(v * random.uniform(0.3, 2))));
    const bool cut = random.one_in(2);
    INFO(spec_of(mixture), cut ? " cut, r " : " r ", r, " s ", s, " eta ", eta, " v ", v, " d ", d);
    const double whole = cut ? 60 : 12 + (std::fabs(r) + 1) * m.greatest_rate();
    const long points = static_cast<long>(std::ceil(whole / d));
    const MixtureIntegral::Strip strip{eta, v, d, -points, points};
    const double edge = 2;
    const auto integrand = [&](Complex w) {
      return cut ? cut_integrand(m, edge, w) : mixture_integrand(m, w);
    };
    const Ball axis = above(norm_of(integrand(r), 0, whole));
    const double truth = norm_of(integrand({r, s}), cut ? -eta : eta, whole);
    const Ball bound = cut ? CutIntegral(mixture, edge).shifted(Ball(r), Ball(s), strip, axis)
                           : MixtureIntegral(mixture).shifted(Ball(r), Ball(s), strip, axis);
    CHECK(may_be(truth, bound));
    seen.add(truth, bound);
  }
  CHECK(seen.sharp > trials(100) / 8);
}

TEST_CASE("mixtures: a bound of the integral from a coarse sum of its own") {
  Random random(96);
  int below = 0;
  int bounds = 0;
  for (int i = 0; i < trials(400); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const MixtureIntegral integral(mixture);
    const MixtureInDoubles m(mixture);
    const PrecisionScope scope(100);
    const Ball r(random.uniform(0, 5));
    const double most = std::min(std::numbers::pi / m.greatest_rate(), 3.0);
    const double eta = short_of(random.uniform(0, 0.4) * most);
    const double v = short_of(random.uniform(0.3, 0.9) * (most - eta));
    const double d = short_of(2 * std::numbers::pi * v / random.uniform(0.8, 5));
    const double whole = 12 + (r.estimate() + 1) * m.greatest_rate();
    const long points = static_cast<long>(std::ceil(whole / d));
    const MixtureIntegral::Strip strip{eta, v, d, -points, points};
    const Ball truth = integral.on_axis(r, 60);
    const LineValues line = integral.by_points(r, Ball(1e-9), 1, strip, truth.upper());
    const ComplexBall sum(line.values[0].real().middle(), line.values[0].imaginary().middle());
    const Ball bound = integral.above_axis(r, Ball(0), strip, sum, Ball(1e-15));
    INFO(spec_of(mixture), " r ", r.estimate(), " eta ", eta, " v ", v, " d ", d);
    CHECK(!certainly_less(bound, truth));
    if (certainly_less(bound, ldexp(truth, 4))) ++bounds;
    if (certainly_less(abs(sum), truth * Ball(0.999))) ++below;
  }
  CHECK(bounds > trials(400) / 4);
  CHECK(below > trials(400) / 20);
}

TEST_CASE("half integrals: integrals over shifted lines, and values by few points") {
  Random random(93);
  Seen seen;
  int values = 0;
  for (int i = 0; i < trials(200); ++i) {
    const Rational distance(random.integer(1, 24), 4), rate(random.integer(1, 99), 100);
    const HalfIntegral integral(distance, rate);
    const double a = estimate(distance), q = estimate(rate);
    const PrecisionScope scope(80);
    const double r = random_shifted_order(random), s = random_height(random);
    const double most = std::min(std::numbers::pi / 2, std::numbers::pi / a);
    const Line line(random, most, 40);
    if (!(line.v > 0)) continue;
    INFO("distance ", a, " rate ", q, " r ", r, " s ", s, " eta ", line.eta, " v ", line.v, " d ",
         line.d, " reach ", line.reach);
    const double whole = norm_of(half_integrand(a, q, r), 0, 80);
    const double truth = norm_of(half_integrand(a, q, {r, s}), line.eta, 80);
    const long high =
        static_cast<long>(std::ceil((std::max(r, 0.0) * a + (line.reach > 20 ? 20 : 0)) / line.d));
    HalfIntegral::Strip strip{line.eta, line.v, line.d, -line.points(), high};
    const Ball bound = integral.shifted(Ball(r), Ball(s), strip, above(whole));
    CHECK(may_be(truth, bound));
    seen.add(truth, bound);
    // the axis, with the widest strip: f has its zeros next to it
    strip.eta = 0;
    strip.v = short_of(0.98 * most);
    strip.d = 2 * std::numbers::pi * strip.v / random.uniform(1, 8);
    strip.first = -static_cast<long>(std::ceil(60 / strip.d));
    strip.last = static_cast<long>(std::ceil((std::max(r, 0.0) * a + 20) / strip.d));
    const std::optional<Ball> value = integral.by_points(Ball(r), strip);
    if (!value) continue;
    INFO("step ", strip.d);
    CHECK(overlaps(widened(*value, Ball(1e-7 * whole)), Ball(whole)));
    ++values;
  }
  CHECK(seen.sharp > trials(200) / 8);
  CHECK(values > trials(200) / 8);
}

TEST_CASE("mirrored mixtures: integrals over shifted lines, and values by few points") {
  Random random(94);
  Seen seen;
  int values = 0;
  for (int i = 0; i < trials(120); ++i) {
    const GaussianMixture mixture = random_with_zero(random);
    const MirroredIntegral integral(mixture);
    const MixtureInDoubles m(mixture);
    const PrecisionScope scope(80);
    const double t = random_shifted_order(random), s = random_height(random);
    const double whole = 12 + (std::fabs(t) + 2) * m.greatest_rate();
    const double most = std::min(std::numbers::pi / m.greatest_rate(), 2.5);
    const Line line(random, most, whole);
    if (!(line.v > 0)) continue;
    INFO(spec_of(mixture), " t ", t, " s ", s, " eta ", line.eta, " v ", line.v, " d ", line.d,
         " reach ", line.reach);
    const double axis = norm_of(mirrored_integrand(m, t), 0, whole);
    const double truth = norm_of(mirrored_integrand(m, {t, s}), line.eta, whole);
    MirroredIntegral::Strip strip{line.eta, line.v, line.d, -line.points(), line.points()};
    const Ball bound = integral.shifted(Ball(t), Ball(s), strip, above(axis));
    CHECK(may_be(truth, bound));
    seen.add(truth, bound);
    // values up to a height where the points alias: the lower edge carries the bound
    strip.eta = short_of(strip.v * random.uniform(0, 1));
    strip.d = 2 * std::numbers::pi * strip.v / random.uniform(2, 9);
    strip.last = static_cast<long>(std::ceil(whole / strip.d));
    strip.first = -strip.last;
    const double step = random.uniform(0.3, 3);
    const LineValues line_values = integral.by_points(Ball(t), Ball(step), 5, strip, above(axis));
    for (std::size_t k = 0; k < 5; ++k) {
      const LogIntegrand log_f = mirrored_integrand(m, {t, step * static_cast<double>(k)});
      Complex value = 0;
      for (double x = -whole; x < whole; x += 0.02) value += 0.02 * std::exp(log_f(x));
      const ComplexBall slack(widened(Ball(value.real()), Ball(1e-7 * axis)),
                              widened(Ball(value.imag()), Ball(1e-7 * axis)));
      INFO("step ", step, " k ", k, " eta ", strip.eta, " d ", strip.d);
      if (!line_values.quadrature.is_finite()) continue;
      CHECK(overlaps(line_values.values[k], slack));
      values += certainly_less(line_values.quadrature, Ball(axis)) ? 1 : 0;
    }
  }
  CHECK(seen.sharp > trials(120) / 8);
  CHECK(values > trials(120) / 8);
}

TEST_CASE("mixtures: beyond a height where the line is hardly shifted") {
  const PrecisionScope scope(200);
  // very many steps: each falls by little, on either side of the poles
  struct Case {
    const char* spec;
    Direction direction;
    double t;
    double s;
  };
  const Case cases[] = {
      {"poisson(gaussian(sigma=2.6), rate=2.2e-9)", Direction::remove, -600000, 3e6},
      {"poisson(gaussian(sigma=895), rate=0.11)", Direction::add, 3400, 900},
      {"poisson(gaussian(sigma=5), rate=1e-3)", Direction::remove, 40, 30},
  };
  for (const Case& each : cases) {
    INFO(each.spec);
    const auto loss = loss_of_normalised(mixture_of(each.spec), each.direction);
    const Ball t(each.t);
    const Ball bound = loss->mgf_bound_beyond(t, Ball(each.s), 40);
    const LineValues line = loss->mgf_on_line(t, Ball(each.s), 6, 60);
    CHECK(certainly_less(bound, abs(line.values[0]).lower()));
    for (std::size_t k = 1; k < line.values.size(); ++k) {
      CHECK(certainly_less_equal(abs(line.values[k]).lower(), bound));
    }
  }
  // what is beyond a careless end is much of it
  for (const double t : {0.5, 2.0, 6.0}) {
    const MixtureLoss loss(mixture_of("poisson(gaussian(sigma=1.5), rate=0.01)"),
                           Direction::remove);
    const Ball r = Ball(t) + Ball(1);
    const LineValues line = loss.mgf_on_line(Ball(t), Ball(1e-7), 2, 60);
    const Ball whole = loss.mgf_upper(Ball(t), 40);
    for (const double end : {0.5, 1.5, 4.0, 9.0}) {
      CHECK(certainly_less_equal(abs(line.values[1]).lower(),
                                 loss.bound_by_parts(r, Ball(1e-7), 40, whole, end)));
    }
  }
}

// Tilted moments against closed forms, and against sums of densities that share no code with them.
#include "accountants/saddle_point/tilted_moments.hpp"

#include <cmath>

#include "support/containment.hpp"
#include "support/losses.hpp"
#include "support/random.hpp"
#include "support/random_specs.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// A Gaussian loss that does not say so: the circle has to find its cumulants.
class SilentGaussian final : public PrivacyLoss {
 public:
  explicit SilentGaussian(double mu) : mu_(mu) {}
  Ball log_mgf(const Ball& t) const override { return Ball(mu_) * t * (t + Ball(1)); }
  ComplexBall log_mgf(const ComplexBall& z) const override {
    return ComplexBall(Ball(mu_)) * z * (z + ComplexBall(1));
  }
  Ball p_above(const Ball&) const override { return widened(Ball(0), Ball(1)); }
  Ball q_above(const Ball&) const override { return widened(Ball(0), Ball(1)); }
  Ball p_atom(const Ball&) const override { return Ball(0); }
  std::optional<Ball> density(const Ball&) const override { return std::nullopt; }
  Ball least_loss() const override { return -positive_infinity(); }
  Ball greatest_loss() const override { return positive_infinity(); }
  CumulantEstimate estimate_cumulant(double t) const override {
    // off on purpose: the estimate steers, it must not matter
    return {mu_ * t * (t + 1), 1.01 * mu_ * (2 * t + 1), 1.7 * mu_};
  }
  double estimate_log_decay(double, double s) const override { return -mu_ * s * s; }
  double estimate_line_points(double, double, double) const override { return 1; }
  std::string describe() const override { return "a gaussian in disguise"; }

 private:
  double mu_;
};

/// Moments of log f about `centre` under phi f^w / A(w) by the plain sum in doubles, f of the pair
/// (1 - q) N(0, 1) + q N(a, 1) against N(0, 1). Sign -1: of -log f.
struct PlainMoments {
  double mean = 0;
  double central[5] = {1, 0, 0, 0, 0};
  double third_absolute = 0;
};
PlainMoments plain(double q, double a, double w, int sign) {
  const double d = 1.0 / 256;
  double total = 0;
  PlainMoments result;
  const auto each = [&](auto&& use) {
    for (int j = -40 * 256; j <= 40 * 256; ++j) {
      const double y = j * d;
      const double l = std::log1p(q * std::expm1(a * y - a * a / 2));
      use(sign * l, std::exp(w * l - y * y / 2));
    }
  };
  each([&](double l, double p) {
    total += p;
    result.mean += p * l;
  });
  result.mean /= total;
  each([&](double l, double p) {
    const double x = l - result.mean;
    for (int k = 2; k <= 4; ++k) result.central[k] += p / total * std::pow(x, k);
    result.third_absolute += p / total * std::fabs(x * x * x);
  });
  return result;
}

/// Within the errors of doubles of the reference.
void check_near(const Ball& found, double reference, double scale) {
  CHECK(certainly_less(abs(found - Ball(reference)), Ball(1e-9 * scale)));
}

}  // namespace

TEST_CASE("a Gaussian loss: exact cumulants") {
  const auto loss = loss_from("gaussian(sigma=2)").terms()[0].loss;  // mu = 1/8
  const TiltedMoments found = tilted_moments(*loss, 1.5, 60);
  CHECK_CONTAINS(found.log_mgf, "0.46875");
  CHECK_CONTAINS(found.mean(), "0.5");
  CHECK_CONTAINS(found.variance(), "0.25");
  for (const std::size_t k : {3U, 4U, 5U, 6U}) CHECK(found.cumulants[k].is_exact_zero());
  CHECK(certainly_less_equal(found.third_absolute_lower, found.third_absolute_upper));
  CHECK(found.third_absolute_upper.estimate() == doctest::Approx(0.125 * 1.5957691216));
}

TEST_CASE("the circle finds the cumulants of a Gaussian") {
  Random random(301);
  for (int i = 0; i < trials(40); ++i) {
    const double mu = std::exp2(static_cast<double>(random.integer(-30, 12)));
    const double t = std::ldexp(static_cast<double>(random.integer(-40, 400)), -4);
    const long bits = random.integer(10, 200);
    CAPTURE(mu);
    CAPTURE(t);
    CAPTURE(bits);
    const TiltedMoments found = tilted_moments(SilentGaussian(mu), t, bits);
    const PrecisionScope scope(300);
    const Ball exact(mu);
    CHECK_CONTAINS(found.mean(), exact_rational(exact * (ldexp(Ball(t), 1) + Ball(1))));
    CHECK_CONTAINS(found.variance(), exact_rational(ldexp(exact, 1)));
    for (const std::size_t k : {3U, 4U, 5U, 6U}) {
      CHECK_CONTAINS(found.cumulants[k], 0);
      // as accurate as asked, in deviations
      CHECK(certainly_less(found.cumulants[k].radius(),
                           ldexp(power(sqrt(ldexp(exact, 1)), k), 14 - bits)));
    }
    // sqrt(3) V^{3/2} is what Lyapunov's inequality makes of it
    CHECK(certainly_greater(found.third_absolute_upper,
                            ldexp(exact, 1) * sqrt(ldexp(exact, 1)) * Ball(1.5957)));
    CHECK(certainly_less_equal(found.third_absolute_lower, found.third_absolute_upper));
  }
}

TEST_CASE("mixtures against plain sums over the density") {
  const struct {
    const char* spec;
    double q, a;
  } cases[] = {{"poisson(gaussian(sigma=2), rate=0.01)", 0.01, 0.5},
               {"poisson(gaussian(sigma=1), rate=0.1)", 0.1, 1},
               {"poisson(gaussian(sigma=0.8), rate=0.5)", 0.5, 1.25},
               {"poisson(gaussian(sigma=4), rate=0.001)", 0.001, 0.25},
               {"poisson(gaussian(sigma=0.5), rate=0.01)", 0.01, 2}};
  for (const auto& each : cases) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      for (const double t : {0.0, -1.0, 0.5, 3.0, 8.0}) {
        CAPTURE(each.spec);
        CAPTURE(name_of(direction));
        CAPTURE(t);
        const bool removes = direction == Direction::remove;
        const auto loss = loss_from(each.spec, direction).terms()[0].loss;
        const TiltedMoments found = tilted_moments(*loss, t, 50);
        const PlainMoments reference =
            plain(each.q, each.a, removes ? 1 + t : -t, removes ? 1 : -1);
        const double v = reference.central[2];
        check_near(found.mean(), reference.mean, std::sqrt(v));
        check_near(found.variance(), v, v);
        check_near(found.cumulants[3], reference.central[3],
                   std::pow(v, 1.5) + reference.third_absolute);
        check_near(found.cumulants[4], reference.central[4] - 3 * v * v, reference.central[4]);
        CHECK(found.third_absolute_lower.estimate() <= reference.third_absolute * (1 + 1e-9));
        CHECK(found.third_absolute_upper.estimate() >= reference.third_absolute * (1 - 1e-9));
      }
    }
  }
}

TEST_CASE("atoms, and a finite mass below 1") {
  const ComposedLoss loss = two_atoms(1, Rational(1, 4), -1, Rational(1, 2));
  const TiltedMoments found = tilted_moments(*loss.terms()[0].loss, 0, 60);
  // 1/3 on +1, 2/3 on -1: mean -1/3, variance 8/9, third 16/27, E|X|^3 = 80/81
  CHECK_CONTAINS(found.mean(), Rational(-1, 3));
  CHECK_CONTAINS(found.variance(), Rational(8, 9));
  CHECK_CONTAINS(found.cumulants[3], Rational(16, 27));
  CHECK(certainly_less_equal(found.third_absolute_lower, Ball(Rational(80, 81))));
  CHECK(certainly_greater_equal(found.third_absolute_upper, Ball(Rational(80, 81))));
}

TEST_CASE("no spread, no moments") {
  const ComposedLoss loss = two_atoms(1, Rational(1, 4), 1, Rational(1, 2));
  CHECK_THROWS_AS(tilted_moments(*loss.terms()[0].loss, 1, 60), std::domain_error);
}

TEST_CASE("without the aliasing term the moments are wrong") {
  // 4 bits ask for few nodes; the rest is computed to more, so the aliasing is the whole error
  for (const double jump : {2.0, 40.0}) {
    const Rational p(1, 256);
    const ComposedLoss loss = two_atoms(jump, p, 0, 1 - p);
    const auto variance = [&] { return tilted_moments(*loss.terms()[0].loss, 0, 4).variance(); };
    const Rational exact = exactly(jump * jump) * p * (1 - p);
    CHECK_CONTAINS(variance(), exact);
    sabotage::scale("tilted_moments.aliasing", 0);
    const Ball broken = variance();
    sabotage::clear();
    CHECK_FALSE(holds(broken, exact));
  }
}

TEST_CASE("few bits: all cumulants of a rare jump are held") {
  // so few nodes that what is known of the outer circle carries the bound
  for (const double jump : {0.5, 2.0, 40.0}) {
    for (const long rare : {4, 16, 64, 256, 1024, 4096, 16384}) {
      for (const long bits : {1, 2, 4, 8, 16}) {
        const Rational p(1, rare);
        const ComposedLoss loss = two_atoms(jump, p, 0, 1 - p);
        const TiltedMoments found = tilted_moments(*loss.terms()[0].loss, 0, bits);
        // of a coin: kappa_1 = p, kappa_{k+1} = p (1 - p) d kappa_k / d p
        const Rational v = p * (1 - p);
        const Rational exact[] = {0,
                                  p,
                                  v,
                                  v * (1 - 2 * p),
                                  v * (1 - 6 * v),
                                  v * (1 - 2 * p) * (1 - 12 * v),
                                  v * (1 - 30 * v + 120 * v * v)};
        INFO("jump ", jump, ", p 1/", rare, ", bits ", bits);
        Rational unit = 1;
        for (std::size_t k = 1; k <= 6; ++k) {
          unit *= exactly(jump);
          CHECK_CONTAINS(found.cumulants[k], Rational(unit * exact[k]));
        }
      }
    }
  }
}

TEST_CASE("cumulants in doubles are those that the circle encloses") {
  Random random(911);
  int checked = 0;
  for (int i = 0; i < trials(40); ++i) {
    const std::string spec = "poisson(gaussian(sigma=" + between(random, 0.2, 20) +
                             "), rate=" + between(random, 1e-4, 0.9) + ")";
    const std::string both = random.one_in(3) ? "group(" + spec + ", size=3)" : spec;
    const auto direction = random.one_in(2) ? Direction::add : Direction::remove;
    const auto loss = loss_from(both, direction).terms()[0].loss;
    const double t = std::exp(random.uniform(-2, 3));
    const auto sums = loss->estimate_cumulants(t);
    INFO(both, " ", std::string(name_of(direction)), " at ", t);
    REQUIRE(sums);
    const TiltedMoments exact = tilted_moments(*loss, t, 60);
    CHECK((*sums)[0] == doctest::Approx(exact.log_mgf.estimate()).epsilon(1e-10));
    const double deviation = std::sqrt(exact.variance().estimate());
    for (std::size_t k = 1; k <= TiltedMoments::orders; ++k) {
      CHECK(std::fabs((*sums)[k] - exact.cumulants[k].estimate()) <
            1e-9 * std::max(std::pow(deviation, k), std::fabs((*sums)[k])));
      ++checked;
    }
  }
  CHECK(checked == 6 * trials(40));
}

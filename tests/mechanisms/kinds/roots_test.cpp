// Roots in parameters, adaptive clipping, and a Gaussian beside other noise on one sample. Truths:
// computed apart, by quadrature in doubles (laws of the practice of 2026, section 5).
#include <doctest/doctest.h>

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <vector>

#include "lib/exact/square_root.hpp"
#include "mechanisms/laws/gaussian_sum_loss.hpp"
#include "mechanisms/mixtures/gaussian_loss.hpp"
#include "mechanisms/samples/gaussian_sum_integral.hpp"
#include "mechanisms/spec_error.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

std::string canonical(const std::string& text) { return parse_spec(text).spec(); }
double delta(const std::string& spec, double epsilon, Direction direction = Direction::remove) {
  return step_loss(spec, direction)->delta(Ball(epsilon)).estimate();
}
double phi(double x) { return std::erfc(-x / std::sqrt(2)) / 2; }
/// The curve of N(mu, 1) against N(0, 1) at x.
double gaussian_curve(double mu, double x) {
  return phi(mu / 2 - std::log(x) / mu) - x * phi(-mu / 2 - std::log(x) / mu);
}
/// E over the losses v of Laplace noise under Q of e^v H_(x e^-v)(Gaussian).
double beside_laplace(double mu, double a, double x) {
  const auto at = [&](double v) { return std::exp(v) * gaussian_curve(mu, x * std::exp(-v)); };
  const double curve = boost::math::quadrature::gauss_kronrod<double, 61>::integrate(
      [&](double v) { return std::exp(-(v + a) / 2) / 4 * at(v); }, -a, a, 12, 1e-13);
  return std::exp(-a) / 2 * at(a) + at(-a) / 2 + curve;
}

}  // namespace

TEST_CASE("roots: arithmetic of numbers whose square is rational") {
  const Root two = root_of(2);
  CHECK(root_of(Rational(9, 4)) == Root{Rational(3, 2)});
  CHECK((two * two) == Root{2});
  CHECK((two * root_of(8)) == Root{4});
  CHECK((Root{3} / two).square() == Rational(9, 2));
  CHECK((two / two) == Root{1});
  CHECK(sum_of(two, root_of(8))->square() == 18);
  CHECK(sum_of(root_of(8), Root{-2} * two) == Root{0});
  CHECK_FALSE(sum_of(Root{1}, two));
  CHECK_FALSE(sum_of(root_of(3), two));
  CHECK(sum_of(two, Root{0}) == two);
  CHECK(to_string(Root{Rational(2, 3)} * two) == "2/3*sqrt(2)");
  CHECK(floor_of(Root{100} * two) == Integer(141));
  CHECK(floor_of(Root{-100} * two) == Integer(-142));
  CHECK(floor_of(Root{Rational(-3, 2)}) == Integer(-2));
}

TEST_CASE("roots: canonical forms") {
  CHECK(canonical("gaussian(sigma=2*sqrt(2))") == "gaussian(variance=8)");
  CHECK(canonical("gaussian(variance=8)") == "gaussian(variance=8)");
  CHECK(canonical("gaussian(sqrt(2)*sqrt(8))") == "gaussian(sigma=4)");
  CHECK(canonical("gaussian(variance=4, sensitivity=3)") == "gaussian(sigma=2, sensitivity=3)");
  CHECK(canonical("gaussian(sqrt(8), sensitivity=sqrt(2))") == "gaussian(sigma=2)");
  CHECK(canonical("gaussian(1, sqrt(3))") == "gaussian(variance=1/3)");
  CHECK(canonical("gaussian(sqrt(2)/2, 3)") == "gaussian(variance=0.5, sensitivity=3)");
  CHECK(canonical("gaussian(noise_multiplier=sqrt(2)+sqrt(8))") == "gaussian(variance=18)");
  CHECK(canonical("discrete_gaussian(sqrt(3))") == "discrete_gaussian(variance=3)");
  CHECK(canonical("tree(8, sqrt(5))") == "tree(steps=8, variance=5)");
  CHECK(canonical("matrix([[1, 0], [1, 1]], variance=9)") ==
        "matrix(encoder=[[1, 0], [1, 1]], sigma=3)");
  CHECK(canonical("gaussian(1)^ceil(100*sqrt(2))") == "gaussian(sigma=1)^142");
  CHECK(canonical("poisson(gaussian(variance=2), 0.1)^3") ==
        "poisson(gaussian(variance=2), rate=0.1)^3");
  CHECK(step_loss("gaussian(variance=2, sensitivity=3)")->facts().gaussian_mean == Rational(9, 4));
  CHECK(refusal_of("gaussian(sigma=1, variance=2)").find("twice") != std::string::npos);
  CHECK(refusal_of("laplace(variance=2)") != "");
  CHECK(refusal_of("gaussian(variance=sqrt(2))") != "");
  CHECK(refusal_of("gaussian(0-sqrt(2))") != "");
}

TEST_CASE("roots: a sample by the root lies between those of decimals beside it") {
  const PrecisionScope scope(200);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const auto law = step_loss("poisson(gaussian(variance=2), 0.1)", direction);
    const auto less = step_loss("poisson(gaussian(1.41421356237309504880), 0.1)", direction);
    const auto more = step_loss("poisson(gaussian(1.41421356237309504881), 0.1)", direction);
    for (const double epsilon : {0.01, 0.08, 0.1}) {
      const Ball delta = law->delta(Ball(epsilon));
      CHECK(certainly_less(delta, less->delta(Ball(epsilon))));
      CHECK(certainly_less(more->delta(Ball(epsilon)), delta));
    }
    for (const double t : {-3.0, 0.5, 2.0, 20.0}) {
      const Ball moment = law->log_mgf(Ball(t));
      CHECK(certainly_less(moment, less->log_mgf(Ball(t))));
      CHECK(certainly_less(more->log_mgf(Ball(t)), moment));
    }
    CHECK(law->facts().gaussian_mixture == nullptr);
  }
  // E W^2 = (1 - q)^2 + 2 q (1 - q) + q^2 e^(mu^2)
  CHECK_OVERLAPS(exp(step_loss("poisson(gaussian(variance=2), 0.1)")->log_mgf(Ball(1))),
                 Ball(Rational(99, 100)) + exp(Ball(0.5)) / Ball(100));
}

TEST_CASE("adaptive clipping: one Gaussian of rational mu^2") {
  CHECK(canonical("adaptive_clipping(1.1, 10, rate=0.01)^5") ==
        "adaptive_clipping(noise_multiplier=1.1, count_noise=10, rate=0.01)^5");
  CHECK(canonical("adaptive_clipping(z=1, sigma_b=2, shifted=no)") ==
        "adaptive_clipping(noise_multiplier=1, count_noise=2, shifted=no)");
  CHECK(2 * *step_loss("adaptive_clipping(1.1, 10)")->facts().gaussian_mean ==
        Rational(40121, 48400));
  CHECK(2 * *step_loss("adaptive_clipping(1, 2, shifted=no)")->facts().gaussian_mean ==
        Rational(5, 4));
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const auto law = step_loss("adaptive_clipping(1.1, 10, rate=0.01)", direction);
    const auto same = step_loss("poisson(joint(gaussian(1.1), gaussian(20)), 0.01)", direction);
    CHECK_OVERLAPS(law->delta(Ball(0.005)), same->delta(Ball(0.005)));
    CHECK_OVERLAPS(law->log_mgf(Ball(2)), same->log_mgf(Ball(2)));
  }
  for (const char* refused :
       {"adaptive_clipping(1)", "adaptive_clipping(0, 1)", "adaptive_clipping(1, 0)",
        "adaptive_clipping(1, 1, 0)", "adaptive_clipping(1, 1, 2)",
        "adaptive_clipping(1, 1, shifted=maybe)", "adaptive_clipping(sqrt(2), 1)",
        "poisson(adaptive_clipping(1, 1, 0.1), 0.1)"}) {
    CHECK_MESSAGE(refusal_of(refused) != "", refused);
  }
}

TEST_CASE("joint: Gaussians of any parameters") {
  const auto law = step_loss("joint(gaussian(1), gaussian(1))");
  CHECK(law->facts().gaussian_mean == Rational(1));
  CHECK(step_loss("joint(tree(8, 2), gaussian(variance=3))")->facts().gaussian_mean ==
        Rational(4, 8) + Rational(1, 6));
  CHECK_OVERLAPS(step_loss("poisson(joint(gaussian(1), gaussian(1)), 0.1)")->delta(Ball(0.1)),
                 step_loss("poisson(gaussian(variance=1/2), 0.1)")->delta(Ball(0.1)));
  CHECK(parse_spec("joint(gaussian(1), gaussian(2))").attainment().attained == Attained::yes);
}

TEST_CASE("joint: a Gaussian beside Laplace noise, against the truths and another integral") {
  const std::string both = "joint(gaussian(1, 0.8), laplace(1, 0.6))";
  const std::string sampled = "poisson(" + both + ", 0.1)";
  CHECK(delta(sampled, 0.2) == doctest::Approx(.008751153374340).epsilon(1e-12));
  CHECK(delta(sampled, 0.5) == doctest::Approx(.001365483173105).epsilon(1e-11));
  CHECK(delta(sampled, 0.05, Direction::add) == doctest::Approx(.0100284269816).epsilon(1e-11));
  const double mu = 0.8;
  const double a = 0.6;
  const double q = 0.1;
  // A(2) = 1.0149414533112 is M(1) for remove and M(-2) for add
  const double square = (1 - q) * (1 - q) + 2 * q * (1 - q) +
                        q * q * std::exp(mu * mu) * (2 * std::exp(a) + std::exp(-2 * a)) / 3;
  CHECK(square == doctest::Approx(1.0149414533112).epsilon(1e-13));
  CHECK(exp(step_loss(sampled)->log_mgf(Ball(1))).estimate() ==
        doctest::Approx(square).epsilon(1e-14));
  CHECK(exp(step_loss(sampled, Direction::add)->log_mgf(Ball(-2))).estimate() ==
        doctest::Approx(square).epsilon(1e-14));
  for (const double epsilon : {-1.5, -0.3, 0.0, 0.4, 1.5, 4.0}) {
    CHECK(delta(both, epsilon) ==
          doctest::Approx(beside_laplace(mu, a, std::exp(epsilon))).epsilon(1e-10));
  }
  // add: H_x(P | (1-q) P + q Q) = (1 - (1-q) x) H_y(P | Q), y = q x / (1 - (1-q) x)
  const double x = std::exp(0.05);
  const double part = 1 - (1 - q) * x;
  CHECK(delta(sampled, 0.05, Direction::add) ==
        doctest::Approx(part * beside_laplace(mu, a, q * x / part)).epsilon(1e-10));
}

TEST_CASE("joint: a Gaussian beside finitely many losses") {
  const std::string both = "joint(pure(0.5), gaussian(2))";
  const double p = 1 / (1 + std::exp(-0.5));
  for (const double epsilon : {-0.7, 0.0, 0.3, 1.0}) {
    const double x = std::exp(epsilon);
    const double sum = p * gaussian_curve(0.5, x * std::exp(-0.5)) +
                       (1 - p) * gaussian_curve(0.5, x * std::exp(0.5));
    CHECK(delta(both, epsilon) == doctest::Approx(sum).epsilon(1e-12));
    const double y = 1 + (x - 1) / 0.25;
    if (y <= 0) continue;
    const double inner = p * gaussian_curve(0.5, y * std::exp(-0.5)) +
                         (1 - p) * gaussian_curve(0.5, y * std::exp(0.5));
    CHECK(delta("poisson(" + both + ", 0.25)", epsilon) ==
          doctest::Approx(0.25 * inner).epsilon(1e-12));
  }
}

TEST_CASE("joint: the law beside a Gaussian holds together") {
  const PrecisionScope scope(160);
  for (const char* spec : {"joint(gaussian(1, 0.8), laplace(1, 0.6))",
                           "joint(gaussian(4), laplace(1, 3))", "joint(gaussian(1/3), laplace(20))",
                           "joint(gaussian(variance=2), joint(pure(1), discrete_laplace(2, 3)))"}) {
    CAPTURE(spec);
    const auto law = step_loss(spec);
    for (const double x : {-6.0, -1.0, 0.0, 0.1, 0.7, 3.0, 9.0}) {
      // the law of L under Q is that of -L under P
      CHECK_OVERLAPS(law->q_above(Ball(x)), Ball(1) - law->p_above(Ball(-x)));
      const double h = 1e-5;
      const double slope =
          ((law->p_above(Ball(x - h)) - law->p_above(Ball(x + h))) / Ball(2 * h)).estimate();
      CHECK(law->density(Ball(x))->estimate() == doctest::Approx(slope).epsilon(1e-6));
    }
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const auto sampled = step_loss("poisson(" + std::string(spec) + ", 0.2)", direction);
      // two routes to the moments of one sample: M(0), M(-1), and one order by a line and alone
      CHECK_OVERLAPS(exp(sampled->log_mgf(Ball(0))), Ball(1));
      const Ball order(1.25);
      const Ball step(0.5);
      const LineValues line = sampled->mgf_on_line(order, step, 40, {60});
      for (const std::size_t k : {std::size_t(0), std::size_t(1), std::size_t(39)}) {
        const ComplexBall alone =
            exp(sampled->log_mgf(ComplexBall(order, step * Ball(static_cast<long>(k)))));
        CHECK(overlaps(line.values[k], alone));
        const Ball bound = sampled->mgf_bound_beyond(order, step * Ball(static_cast<long>(k)), 40);
        CHECK(certainly_less_equal(abs(alone).lower(), bound));
      }
    }
  }
}

TEST_CASE("joint: the integral of a sample, on any points of any strip") {
  const PrecisionScope scope(128);
  int finite = 0;
  for (const double mean : {0.02, 0.5}) {
    for (const char* beside : {"laplace(1, 0.001)", "pure(2)"}) {
      for (const double rate : {0.1, 0.9}) {
        const std::shared_ptr<const PrivacyLoss> other = step_loss(beside);
        const GaussianSumIntegral integral(exact_rational(Ball(mean)), other,
                                           exact_rational(Ball(rate)));
        const double a = other->greatest_loss().estimate();
        for (const double r : {-30.0, -2.0, 0.0, 0.5, 6.0}) {
          const Ball exact = integral.on_axis(Ball(r), 60);
          const double deviation = std::sqrt(2 * mean);
          const double top = a - mean + 2 * mean * std::max(r, 0.0);
          for (const double step : {1.0, 2.0, 3.0}) {
            for (const double v : {0.3125, 0.75, 2.0, 2.75}) {
              for (const double reach : {0.01, 9.0}) {
                StripIntegral::Strip strip;
                strip.d = std::min(step * deviation, 1.5);
                strip.v = v;
                strip.first =
                    static_cast<long>(std::floor((-a - mean - reach * deviation) / strip.d));
                strip.last =
                    static_cast<long>(std::ceil(std::max(top + reach * deviation, 0.0) / strip.d));
                if (const auto value = integral.by_points(Ball(r), strip)) {
                  ++finite;
                  CHECK_OVERLAPS(*value, exact);
                }
                for (const double eta : {0.25, 0.625}) {
                  if (eta + v > 3) continue;
                  strip.eta = eta;
                  const LineValues line =
                      integral.by_points(Ball(r), Ball(4), 2, strip, exact.upper());
                  CHECK(overlaps(line.values[0], ComplexBall(exact)));
                }
              }
            }
          }
        }
      }
    }
  }
  CHECK(finite > 100);
}

TEST_CASE("joint: two Laplace mechanisms, against their composition and a table of outcomes") {
  const PrecisionScope scope(128);
  for (const auto& ratios : {std::pair(0.75, 0.5), {0.5, 0.5}, {2.0, 0.125}, {0.25, 4.0}}) {
    const double a = ratios.first;
    const double b = ratios.second;
    const std::string spec =
        "joint(laplace(1, " + std::to_string(a) + "), laplace(1, " + std::to_string(b) + "))";
    CAPTURE(spec);
    const auto law = step_loss(spec);
    const double s = a + b;
    const auto other = [&](double x) {  // P(loss of the second > x)
      return x >= b ? 0 : x < -b ? 1 : 1 - std::exp((x - b) / 2) / 2;
    };
    for (const double share : {-1.1, -0.9, -0.4, -0.1, 0.05, 0.3, 0.8, 0.99, 1.5}) {
      const double x = share * s;
      // P(L > x) by an integral over the first loss
      double sum = other(x - a) / 2 + std::exp(-a) / 2 * other(x + a);
      std::vector<double> ends{-a, a};
      for (const double at : {x - b, x + b}) {
        if (at > -a && at < a) ends.push_back(at);
      }
      std::sort(ends.begin(), ends.end());
      for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        sum += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
            [&](double v) { return std::exp((v - a) / 2) / 4 * other(x - v); }, ends[i],
            ends[i + 1], 8, 1e-14);
      }
      CHECK(law->p_above(Ball(x)).estimate() == doctest::Approx(sum).epsilon(1e-12));
      CHECK_OVERLAPS(law->q_above(Ball(x)),
                     Ball(1) - law->p_above(Ball(-x)) - law->p_atom(Ball(-x)));
    }
    CHECK_OVERLAPS(law->p_above(Ball(-s - 1)), Ball(1));
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const double q = 0.25;
      const auto sampled = step_loss("poisson(" + spec + ", 0.25)", direction);
      CHECK_OVERLAPS(exp(sampled->log_mgf(Ball(0))), Ball(1));
      CHECK_OVERLAPS(exp(sampled->log_mgf(Ball(-1))), Ball(1));
      // E_Q f^2 = (1-q)^2 + 2 q (1-q) + q^2 M(1)
      const Ball square =
          Ball((1 - q) * (1 - q) + 2 * q * (1 - q)) + Ball(q * q) * exp(law->log_mgf(Ball(1)));
      CHECK_OVERLAPS(exp(sampled->log_mgf(Ball(direction == Direction::remove ? 1 : -2))), square);
      const ComplexBall z(Ball(0.5), Ball(3));
      CHECK(certainly_less_equal(abs(exp(sampled->log_mgf(z))).lower(),
                                 sampled->mgf_bound_beyond(Ball(0.5), Ball(3), 40)));
    }
  }
}

TEST_CASE("joint: each error term of the integral of a sample is needed") {
  bool quadrature_missed = false;
  bool tails_missed = false;
  const GaussianSumIntegral integral(Rational(1, 3), step_loss("laplace(1, 0.5)"), Rational(1, 3));
  for (const double r : {-6.0, 0.5, 6.0}) {
    const LineValues exact = integral.on_line(Ball(r), Ball(2), 4, 60);
    for (double nats = 0.5; nats < 9; nats += 0.5) {
      const auto holds = [&] {
        const LineValues line = integral.on_line(Ball(r), Ball(2), 4, nats);
        return std::equal(line.values.begin(), line.values.end(), exact.values.begin(),
                          [](const ComplexBall& a, const ComplexBall& b) {
                            return overlaps(a.real(), b.real());
                          });
      };
      CHECK(holds());
      const Scaled no_quadrature("gaussian_sum.quadrature", 0);
      const bool tails_suffice = holds();
      quadrature_missed = quadrature_missed || !tails_suffice;
      const Scaled no_tails("gaussian_sum.tails", 0);
      tails_missed = tails_missed || (tails_suffice && !holds());
    }
  }
  CHECK(quadrature_missed);
  CHECK(tails_missed);
}

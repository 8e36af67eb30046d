// Truncated Laplace noise, on the line and on the integers: laws against densities and sums over
// outcomes, smaller moves below them, known numbers, canonical forms and refusals.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "lib/balls/precision.hpp"
#include "mechanisms/laws/lattice_law.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// H of the truncated geometric noise moved by `shift` against itself: a sum over all outcomes.
double geometric_stick(double scale, long bound, long shift, double eps) {
  const auto weight = [&](long k) {
    return std::labs(k) <= bound ? std::exp(-static_cast<double>(std::labs(k)) / scale) : 0.0;
  };
  double whole = 0;
  double sum = 0;
  for (long k = -bound; k <= bound + shift; ++k) {
    whole += weight(k);
    sum += std::max(0.0, weight(k - shift) - std::exp(eps) * weight(k));
  }
  return sum / whole;
}

/// The same of truncated Laplace noise, by the rule of midpoints between the kinks.
double laplace_stick(double scale, double bound, double shift, double eps) {
  const auto density = [&](double y) {
    return std::fabs(y) <= bound ? std::exp(-std::fabs(y) / scale) : 0.0;
  };
  const double whole = 2 * scale * -std::expm1(-bound / scale);
  const double crossing = std::clamp((shift + scale * eps) / 2, 0.0, shift);
  const double ends[] = {-bound, shift - bound, 0, crossing, shift, bound, bound + shift};
  double sum = 0;
  for (int i = 0; i < 6; ++i) {
    const int cells = 20'000;
    const double width = (ends[i + 1] - ends[i]) / cells;
    for (int j = 0; j < cells; ++j) {
      const double y = ends[i] + (j + 0.5) * width;
      sum += width * std::max(0.0, density(y - shift) - std::exp(eps) * density(y));
    }
  }
  return sum / whole;
}

double truncated_delta(const std::string& spec, double eps,
                       Direction direction = Direction::remove) {
  return step_loss(spec, direction)->delta(Ball(eps)).estimate();
}

}  // namespace

TEST_CASE("truncated geometric noise: all small instances, outcome by outcome, all moves") {
  for (const char* scale : {"0.3", "1", "7"}) {
    for (long bound = 1; bound <= 6; ++bound) {
      for (long most = 1; most <= bound; ++most) {
        const std::string spec = std::string("truncated_discrete_laplace(scale=") + scale +
                                 ", bound=" + std::to_string(bound) +
                                 ", sensitivity=" + std::to_string(most) + ")";
        CAPTURE(spec);
        const double b = std::stod(scale);
        for (const double eps : {-3.0, -0.4, 0.0, 0.1, 0.5, 1.7, 9.0}) {
          CAPTURE(eps);
          const double worst = geometric_stick(b, bound, most, eps);
          for (const Direction direction : both_directions) {
            CHECK(std::fabs(truncated_delta(spec, eps, direction) - worst) < 1e-13);
          }
          for (long shift = 0; shift < most; ++shift) {
            CHECK(geometric_stick(b, bound, shift, eps) <= worst + 1e-13);
          }
        }
      }
    }
  }
}

TEST_CASE("truncated Laplace noise: densities, all moves") {
  for (const double scale : {0.4, 1.0, 3.0}) {
    for (const double bound : {1.0, 1.5, 5.0}) {
      for (const double most : {0.25, 1.0}) {
        const std::string spec = "truncated_laplace(scale=" + std::to_string(scale) +
                                 ", bound=" + std::to_string(bound) +
                                 ", sensitivity=" + std::to_string(most) + ")";
        CAPTURE(spec);
        for (const double eps : {-2.0, -0.4, 0.0, 0.2, 0.6, 3.0}) {
          CAPTURE(eps);
          const double worst = laplace_stick(scale, bound, most, eps);
          for (const Direction direction : both_directions) {
            CHECK(std::fabs(truncated_delta(spec, eps, direction) - worst) < 1e-7);
          }
          for (const double part : {0.0, 0.3, 0.9}) {
            CHECK(laplace_stick(scale, bound, part * most, eps) <= worst + 1e-7);
          }
        }
      }
    }
  }
}

TEST_CASE("truncated noise: known numbers") {
  const PrecisionScope scope(128);
  const auto on_line = step_loss("truncated_laplace(scale=1, bound=5)");
  CHECK(std::fabs(on_line->mass_at_infinity().estimate() - .0058281154780) < 1e-13);
  CHECK(std::fabs(on_line->delta(Ball(0.5)).estimate() - .2249001067) < 1e-10);
  // (e^(D/b) - 1) / (2 (e^(A/b) - 1))
  CHECK_OVERLAPS(on_line->mass_at_infinity(),
                 (exp(Ball(1)) - Ball(1)) / (Ball(2) * (exp(Ball(5)) - Ball(1))));
  const auto on_integers = step_loss("truncated_discrete_laplace(scale=1, bound=5)");
  CHECK(std::fabs(on_integers->mass_at_infinity().estimate() - .0031250467891) < 1e-13);
  CHECK(std::fabs(on_integers->delta(Ball(0.5)).estimate() - .2898752664) < 1e-10);
  REQUIRE(on_integers->lattice());
  for (const auto& loss : {on_line, on_integers}) {
    const Ball finite = Ball(1) - loss->mass_at_infinity();
    CHECK_OVERLAPS(exp(loss->log_mgf(Ball(0))), finite);
    CHECK_OVERLAPS(exp(loss->log_mgf(Ball(-1))), finite);
    CHECK_OVERLAPS(loss->q_mass(), finite);
    CHECK_OVERLAPS(loss->log_mgf(Ball(2.5)), loss->log_mgf(Ball(-3.5)));
    CHECK_OVERLAPS(loss->delta(Ball(1)), loss->mass_at_infinity());
    for (const double x : {-0.9, -0.2, 0.0, 0.7}) {
      const Ball e = exp(Ball(x));
      CHECK_OVERLAPS(loss->delta(Ball(x)), loss->p_above(Ball(x)) - e * loss->q_above(Ball(x)));
    }
  }
  // far ends: the noise without bound
  CHECK(std::fabs(truncated_delta("truncated_laplace(scale=1, bound=60)", 0.3) -
                  truncated_delta("laplace(scale=1)", 0.3)) < 1e-15);
  CHECK(std::fabs(truncated_delta("truncated_discrete_laplace(scale=1, bound=60)", 0.3) -
                  truncated_delta("discrete_laplace(scale=1)", 0.3)) < 1e-15);
}

TEST_CASE("truncated noise: canonical forms and refusals") {
  CHECK(parse_spec("truncated_laplace(1/2, 3)").spec() == "truncated_laplace(scale=0.5, bound=3)");
  CHECK(parse_spec("truncated_laplace(b=2, bound=3, sensitivity=3)^2").spec() ==
        "truncated_laplace(scale=2, bound=3, sensitivity=3)^2");
  CHECK(parse_spec("truncated_discrete_laplace(2, 9, 2)").spec() ==
        "truncated_discrete_laplace(scale=2, bound=9, sensitivity=2)");
  for (const std::string name : {"truncated_laplace", "truncated_discrete_laplace"}) {
    CHECK(refusal_of(name + "(0, 5)").find(name + ": scale") != std::string::npos);
    CHECK(refusal_of(name + "(1, 0)").find(name + ": bound") != std::string::npos);
    CHECK(refusal_of(name + "(1, 2, 3)").find(name + ": bound") != std::string::npos);
    CHECK(refusal_of(name + "(1, 2, 0)").find(name + ": sensitivity") != std::string::npos);
    CHECK(refusal_of(name + "(1)").find("bound") != std::string::npos);
    CHECK(refusal_of("group(" + name + "(1, 5), 2)") != "");
    CHECK(refusal_of("joint(" + name + "(1, 5), pure(1))") != "");
  }
  CHECK(refusal_of("truncated_discrete_laplace(1, 2.5)").find("bound") != std::string::npos);
  CHECK(refusal_of("poisson(truncated_discrete_laplace(1, 5), 0.1)") == "");
  CHECK(refusal_of("poisson(truncated_laplace(1, 5), 0.1)") != "");
}

TEST_CASE("truncated Gaussian noise: densities, all moves, known numbers, moments") {
  const auto stick = [](double sigma, double bound, double shift, double eps) {
    const auto density = [&](double y) {
      return std::fabs(y) <= bound ? std::exp(-y * y / (2 * sigma * sigma)) : 0.0;
    };
    const int cells = 40'000;
    const double ends[] = {-bound, shift - bound, bound, bound + shift};
    double whole = 0;
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double width = (ends[i + 1] - ends[i]) / cells;
      for (int j = 0; j < cells; ++j) {
        const double y = ends[i] + (j + 0.5) * width;
        whole += width * density(y);
        sum += width * std::max(0.0, density(y - shift) - std::exp(eps) * density(y));
      }
    }
    return sum / whole;
  };
  for (const double sigma : {0.4, 1.0, 3.0}) {
    for (const double bound : {1.0, 2.5}) {
      for (const double most : {0.25, 1.0}) {
        const std::string spec = "truncated_gaussian(sigma=" + std::to_string(sigma) +
                                 ", bound=" + std::to_string(bound) +
                                 ", sensitivity=" + std::to_string(most) + ")";
        CAPTURE(spec);
        for (const double eps : {-2.0, -0.4, 0.0, 0.2, 0.6, 3.0}) {
          const double worst = stick(sigma, bound, most, eps);
          for (const Direction direction : both_directions) {
            CHECK(std::fabs(truncated_delta(spec, eps, direction) - worst) < 1e-4);
          }
          CHECK(stick(sigma, bound, 0.5 * most, eps) <= worst + 1e-4);
        }
      }
    }
  }
  const PrecisionScope scope(128);
  const auto loss = step_loss("truncated_gaussian(sigma=1, bound=3)");
  CHECK(std::fabs(loss->delta(Ball(0.5)).estimate() - 0.2399452188585) < 1e-12);
  CHECK(std::fabs(loss->delta(Ball(1)).estimate() - 0.1296061529462) < 1e-12);
  const Ball finite = Ball(1) - loss->mass_at_infinity();
  CHECK_OVERLAPS(exp(loss->log_mgf(Ball(0))), finite);
  CHECK_OVERLAPS(exp(loss->log_mgf(Ball(-1))), finite);
  CHECK_OVERLAPS(loss->log_mgf(Ball(2.5)), loss->log_mgf(Ball(-3.5)));
  CHECK_OVERLAPS(loss->delta(Ball(2.5)), loss->mass_at_infinity());
  CHECK(loss->facts().greatest_loss == Rational(5) / 2);
  for (const double x : {-3.0, -0.9, 0.0, 0.7, 2.4, 2.6}) {
    CHECK_OVERLAPS(loss->p_above(Ball(x)) - exp(Ball(x)) * loss->q_above(Ball(x)),
                   loss->delta(Ball(x)));
  }
  // Moments against sums over the density, on the axis and off it, and the bound off it.
  for (const double t : {-4.0, -0.5, 0.3, 6.0}) {
    CAPTURE(t);
    for (const double s : {0.0, 2.0, 40.0}) {
      const int cells = 100'000;
      const double width = 5.0 / cells;
      double real = 0;
      double imaginary = 0;
      const PrecisionScope low(64);
      for (int j = 0; j < cells; j += 1) {
        const double l = -2.5 + (j + 0.5) * width;
        const double y = l - 0.5;  // the output less 1
        const double p = std::exp(-y * y / 2 + t * l) / 2.4998608895 * width;
        real += p * std::cos(s * l);
        imaginary += p * std::sin(s * l);
      }
      const ComplexBall value = exp(loss->log_mgf(ComplexBall(Ball(t), Ball(s))));
      const double size = std::exp(loss->log_mgf(Ball(t)).estimate());
      CHECK(std::fabs(value.real().estimate() - real) < 1e-6 * size);
      CHECK(std::fabs(value.imaginary().estimate() - imaginary) < 1e-6 * size);
      if (s > 0) {
        CHECK(std::hypot(real, imaginary) <=
              loss->mgf_bound_beyond(Ball(t), Ball(s), 40).upper_double() * (1 + 1e-6));
      }
      CHECK(std::fabs(loss->estimate_cumulant(t).value - std::log(size)) < 1e-3);
    }
    const double h = 1e-3;
    const auto k = [&](double at) { return loss->log_mgf(Ball(at)).estimate(); };
    CHECK(std::fabs(loss->estimate_cumulant(t).mean - (k(t + h) - k(t - h)) / (2 * h)) < 1e-3);
    CHECK(std::fabs(loss->estimate_cumulant(t).variance -
                    (k(t + h) - 2 * k(t) + k(t - h)) / (h * h)) < 1e-3);
  }
  // A density that is nearly flat: where the moment is greatest off the axis it is at the bound.
  const auto flat = step_loss("truncated_gaussian(sigma=100, bound=1)");
  const Ball t(-0.5);
  const Ball s = ldexp(pi(), -1) / flat->greatest_loss();
  const Ball size = abs(exp(flat->log_mgf(ComplexBall(t, s))));
  const Ball bound = flat->mgf_bound_beyond(t, s, 40);
  CHECK(certainly_less_equal(size.lower(), bound));
  CHECK(certainly_less(bound, size * Ball(1.0001)));
  CHECK(parse_spec("truncated_gaussian(variance=2, bound=3)").spec() ==
        "truncated_gaussian(variance=2, bound=3)");
  CHECK(refusal_of("truncated_gaussian(1, 1, 2)").find("bound") != std::string::npos);
  CHECK(refusal_of("truncated_gaussian(0, 1)").find("sigma") != std::string::npos);
  CHECK(refusal_of("poisson(truncated_gaussian(1, 5), 0.1)") != "");
}

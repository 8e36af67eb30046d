// A_Y(w) = int_{-inf}^Y phi f^w against closed forms, and its bounds against sampled values.
//
// For integers m, A_Y(m) = sum over m-tuples of components of prod p_i * e^{sum_{i<j} a_i a_j} *
// Phi(Y - sum a_i): exact expressions that share nothing with the quadrature.
#include "mechanisms/mixtures/cut_integral.hpp"

#include <doctest/doctest.h>

#include <random>

#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/mixtures/cut_loss.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "mechanisms/mixtures/mixture_integral.hpp"
#include "support/containment.hpp"

using namespace plaudit;

namespace {

GaussianMixture subsampled(const char* sigma, const char* rate) {
  const Rational q = parse_rational(rate);
  return normalised({parse_rational(sigma), {0, 1}, {1 - q, q}});
}

Ball rate_of(const GaussianMixture& mixture, std::size_t i) {
  return Ball(Rational(mixture.sensitivities[i] / mixture.sigma));
}

/// A_Y(m) for m = 0, 1, 2.
Ball moment(const GaussianMixture& mixture, int m, double cut) {
  const Ball y(cut);
  if (m == 0) return normal_cdf(y);
  Ball sum;
  for (std::size_t i = 0; i < mixture.sensitivities.size(); ++i) {
    const Ball p(mixture.probabilities[i]);
    const Ball a = rate_of(mixture, i);
    if (m == 1) {
      sum += p * normal_cdf(y - a);
      continue;
    }
    for (std::size_t j = 0; j < mixture.sensitivities.size(); ++j) {
      const Ball b = rate_of(mixture, j);
      sum += p * Ball(mixture.probabilities[j]) * exp(a * b) * normal_cdf(y - a - b);
    }
  }
  return sum;
}

const GaussianMixture mixtures[] = {
    subsampled("1", "0.01"),
    subsampled("4", "0.00033"),
    subsampled("0.3", "0.2"),
    normalised({Rational(2), {0, 1, 3}, {Rational(1, 2), Rational(3, 8), Rational(1, 8)}}),
    normalised({Rational(1), {Rational(1, 3), 2}, {Rational(3, 4), Rational(1, 4)}}),
};

}  // namespace

TEST_CASE("A_Y at integer powers") {
  for (const GaussianMixture& mixture : mixtures) {
    for (const double cut : {0.5, 3.0, 8.0, 25.0}) {
      const CutIntegral integral(mixture, cut);
      for (const double nats : {20.0, 60.0, 150.0}) {
        const PrecisionScope scope(400);
        for (const int m : {0, 1, 2}) {
          const Ball value = integral.on_axis(Ball(m), nats);
          CHECK_OVERLAPS(value, moment(mixture, m, integral.cut()));
          CHECK_WIDTH_BELOW(value, std::exp(-nats + 3));
        }
      }
    }
  }
}

TEST_CASE("A_Y on a line: close to A where the cut is far, and conjugate powers agree") {
  const PrecisionScope scope(200);
  for (const GaussianMixture& mixture : mixtures) {
    const CutIntegral integral(mixture, 9);
    const MixtureIntegral whole(mixture);
    const Ball r(2);
    const LineValues line = integral.on_line(r, Ball(0.75), 12, 50);
    const LineValues all = whole.on_line(r, Ball(0.75), 12, 50);
    // |A(w) - A_Y(w)| <= int_Y^inf phi f^2 = A(2) - A_Y(2)
    const Ball rest = whole.on_axis(r, 60) - moment(mixture, 2, integral.cut());
    for (std::size_t k = 0; k < line.values.size(); ++k) {
      CHECK(overlaps(widened(line.values[k], abs(rest).upper()), all.values[k]));
      CHECK(certainly_less_equal(abs(line.values[k]).lower(), moment(mixture, 2, 9).upper()));
    }
    CHECK(overlaps(line.values[0], ComplexBall(moment(mixture, 2, integral.cut()))));
  }
}

TEST_CASE("the bound beyond a height bounds sampled heights") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  const PrecisionScope scope(128);
  for (const GaussianMixture& mixture : mixtures) {
    for (const double cut : {1.5, 7.0}) {
      const CutIntegral integral(mixture, cut);
      for (const double r : {1.0, 1.5, 6.0}) {
        const double s = 20 * uniform(random);
        const Ball bound = integral.bound_beyond(Ball(r), Ball(s), 20);
        CHECK(certainly_less_equal(bound, integral.on_axis(Ball(r), 30).upper() * Ball(1.0001)));
        for (int i = 0; i < 3; ++i) {
          const double higher = s + (i == 0 ? 0 : 10 * uniform(random));
          const LineValues line = integral.on_line(Ball(r), Ball(higher), 2, 30);
          CHECK(certainly_less_equal(abs(line.values[1]).lower(), bound.upper()));
        }
      }
    }
  }
}

TEST_CASE("quadrature and ends of the path cannot be left out") {
  // The quadrature covers more than its own error; without it the ends alone must still do.
  const PrecisionScope scope(300);
  bool quadrature_missed = false;
  bool tails_missed = false;
  for (const GaussianMixture& mixture : mixtures) {
    for (const double cut : {0.5, 2.0, 4.0}) {
      const CutIntegral integral(mixture, cut);
      for (const double nats : {2.0, 4.0, 8.0, 30.0}) {
        const Ball truth = moment(mixture, 2, integral.cut());
        const auto holds = [&] { return overlaps(integral.on_axis(Ball(2), nats), truth); };
        CHECK(holds());
        sabotage::scale("cut.quadrature", 0);
        const bool tails_suffice = holds();
        quadrature_missed = quadrature_missed || !tails_suffice;
        sabotage::scale("cut.tails", 0);
        tails_missed = tails_missed || (tails_suffice && !holds());
        sabotage::clear();
      }
    }
  }
  CHECK(quadrature_missed);
  CHECK(tails_missed);
}

TEST_CASE("the loss of the restricted pair") {
  const PrecisionScope scope(200);
  const GaussianMixture mixture = subsampled("1", "0.05");
  const CutLoss loss(mixture, 3, gaussian_mixture_loss(mixture, Direction::remove));
  const std::shared_ptr<const PrivacyLoss> whole =
      gaussian_mixture_loss(mixture, Direction::remove);
  // M(0) + m_inf = 1 and M(-1) = Q(y <= Y)
  CHECK_OVERLAPS(exp(loss.log_mgf(Ball(0))) + loss.mass_at_infinity(), Ball(1));
  CHECK_OVERLAPS(exp(loss.log_mgf(Ball(-1))), loss.q_mass());
  for (const double x : {-0.04, 0.0, 0.5, 1.0}) {
    const Ball changed = loss.delta(Ball(x));
    const Ball given = whole->delta(Ball(x));
    CHECK(certainly_less_equal(given.lower(), changed.upper()));
    CHECK(certainly_less_equal((changed - loss.mass_at_infinity()).lower(), given.upper()));
  }
  CHECK_OVERLAPS(loss.p_above(loss.greatest_loss().upper()), loss.mass_at_infinity());
  // the draws beyond the cut are outcomes of P alone by now
  for (const double x : {-0.04, 0.0, 0.3}) {
    const Ball q = whole->q_above(Ball(x)) - normal_cdf(Ball(-3));
    CHECK_OVERLAPS(loss.q_above(Ball(x)), q);
    CHECK_OVERLAPS(loss.p_above(Ball(x)), whole->p_above(Ball(x)));
  }
  CHECK(gaussian_mixture_loss(mixture, Direction::add)->without_rare_draws(-10) == nullptr);
}

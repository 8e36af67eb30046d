// A(w) against closed forms at integers, against a quadrature by other means, and the upper bound
// on half lines against values on them.
#include "mechanisms/mixtures/mixture_integral.hpp"

#include <doctest/doctest.h>

#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "support/containment.hpp"
#include "support/mixtures.hpp"
#include "support/reference_table.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

constexpr double log_two = 0.6931471805599453;

/// A(m) = sum over counts k_1 + ... + k_c = m of m! / prod k_i! prod p_i^k_i
///        exp( ((sum k_i a_i)^2 - sum k_i a_i^2) / 2 ), by recursion over the components.
Ball integer_moment(const GaussianMixture& mixture, std::size_t component, long left,
                    const Rational& first, const Rational& second) {
  const Rational rate = mixture.sensitivities[component] / mixture.sigma;
  const Ball p(mixture.probabilities[component]);
  const auto leaf = [&](const Rational& a, const Rational& b) {
    return exp(Ball(Rational((a * a - b) / 2)));
  };
  if (component + 1 == mixture.sensitivities.size()) {
    return power(p, static_cast<std::uint64_t>(left)) *
           leaf(first + left * rate, second + left * rate * rate);
  }
  Ball sum;
  Ball binomial(1);
  for (long k = 0; k <= left; ++k) {
    sum += binomial * power(p, static_cast<std::uint64_t>(k)) *
           integer_moment(mixture, component + 1, left - k, first + k * rate,
                          second + k * rate * rate);
    binomial = binomial * Ball(left - k) / Ball(k + 1);
  }
  return sum;
}

Ball integer_moment(const GaussianMixture& mixture, long m) {
  return integer_moment(mixture, 0, m, 0, 0);
}

const char* const specs[] = {
    "poisson(gaussian(sigma=1), rate=0.01)",
    "poisson(gaussian(sigma=0.1), rate=0.5)",
    "poisson(gaussian(sigma=0.3), rate=1e-9)",
    "poisson(gaussian(sigma=100), rate=0.99)",
    "group(poisson(gaussian(sigma=2), rate=0.05), size=3)",
    "mixture(sigma=1.5, sensitivities=[0.5, 1, 2.25], probabilities=[0.5, 0.3, 0.2])",
    "mixture(sigma=0.25, sensitivities=[1, 4], probabilities=[0.9, 0.1])",
    "mixture(sigma=2, sensitivities=[0, 1/3, 7/5], probabilities=[1/3, 1/3, 1/3])"};

}  // namespace

TEST_CASE("A(2) = 1 + q^2 (e^(1 / sigma^2) - 1)") {
  for (const char* sigma : {"0.1", "0.5", "1", "8"}) {
    for (const char* rate : {"1e-9", "0.01", "0.75"}) {
      const std::string text =
          std::string("poisson(gaussian(sigma=") + sigma + "), rate=" + rate + ")";
      const MixtureIntegral integral(mixture_of(text));
      for (const long bits : {53L, 128L, 512L}) {
        const double nats = static_cast<double>(bits) * log_two;
        const Ball value = integral.on_axis(Ball(2), nats);
        const PrecisionScope scope(2000);
        const Ball s(parse_rational(sigma));
        const Ball q(parse_rational(rate));
        INFO(text, ", ", bits, " bits");
        CHECK_CONTAINS(value, Ball(1) + square(q) * expm1(Ball(1) / square(s)));
        CHECK((value.radius() / value).estimate_log() < -nats + 3);
      }
    }
  }
}

TEST_CASE("integer moments, 0 to 9") {
  for (const char* text : specs) {
    const GaussianMixture mixture = mixture_of(text);
    const MixtureIntegral integral(mixture);
    for (const long m : {0L, 1L, 2L, 3L, 5L, 9L}) {
      for (const long bits : {53L, 128L, 512L}) {
        const double nats = static_cast<double>(bits) * log_two;
        const Ball value = integral.on_axis(Ball(m), nats);
        const PrecisionScope scope(2000);
        INFO(std::string(text), ", A(", m, "), ", bits, " bits");
        if (m < 2) {  // exact
          CHECK((value - Ball(1)).is_exact_zero());
          CHECK_CONTAINS(integer_moment(mixture, m), value);
          continue;
        }
        CHECK_CONTAINS(value, integer_moment(mixture, m));
        CHECK((value.radius() / value).estimate_log() < -nats + 3);
      }
    }
  }
}

TEST_CASE("integer moments of random mixtures") {
  Random random(1);
  for (int i = 0; i < trials(60); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const long m = random.integer(2, 6);
    const double nats = random.uniform(5, 150);
    const Ball value = MixtureIntegral(mixture).on_axis(Ball(m), nats);
    const PrecisionScope scope(2000);
    INFO(spec_of(mixture), ", A(", m, "), nats ", nats);
    CHECK_CONTAINS(value, integer_moment(mixture, m));
  }
}

TEST_CASE("both directions: M_remove(t) = A(1 + t), M_add(t) = A(-t)") {
  for (const char* text : specs) {
    const GaussianMixture mixture = mixture_of(text);
    const auto remove = gaussian_mixture_loss(mixture, Direction::remove);
    const auto add = gaussian_mixture_loss(mixture, Direction::add);
    for (const long bits : {53L, 128L, 512L}) {
      for (const long m : {2L, 4L}) {
        Ball from_remove, from_add;
        {
          const PrecisionScope scope(bits);
          from_remove = remove->log_mgf(Ball(m - 1));
          from_add = add->log_mgf(Ball(-m));
        }
        const PrecisionScope scope(2000);
        const Ball truth = log(integer_moment(mixture, m));
        INFO(std::string(text), ", ", m, ", ", bits, " bits");
        CHECK_CONTAINS(from_remove, truth);
        CHECK_CONTAINS(from_add, truth);
      }
      const PrecisionScope scope(bits);  // M_remove(t) = M_add(-1 - t), any t
      for (const double t : {-2.25, 0.75}) {
        CHECK_OVERLAPS(remove->log_mgf(Ball(t)), add->log_mgf(Ball(-1 - t)));
      }
    }
  }
}

TEST_CASE("complex w against a quadrature by other means") {
  // 0.5 and 6 nats: the value may be wide, it must be one all the same
  for (const auto& row : reference_table("mixture_integral.tsv")) {
    const MixtureIntegral integral(mixture_of(row[0]));
    const PrecisionScope scope(300);
    const ComplexBall w{Ball(parse_rational(row[1])), Ball(parse_rational(row[2]))};
    const Ball real = printed(row[3], 42);
    const Ball imaginary = row[4] == "0" ? Ball(0) : printed(row[4], 42);
    const bool on_axis = row[2] == "0";
    for (const double nats : {0.5, 6.0, 12.0, 35.0, 70.0}) {
      const ComplexBall value = integral.at(w, nats);
      INFO(row[0], ", w = ", row[1], " + ", row[2], " i, nats ", nats);
      CHECK_CONTAINS(value.real(), real);
      if (!on_axis) CHECK_CONTAINS(value.imaginary(), imaginary);
      const ComplexBall mirrored = integral.at(conjugate(w), nats);
      CHECK_CONTAINS(mirrored.real(), real);
      if (!on_axis) CHECK_CONTAINS(-mirrored.imaginary(), imaginary);
      // good to e^-nats A(r), up to the slack of the choice of the grid
      const Ball axis = integral.on_axis(w.real(), 20);
      if (nats > 5) CHECK((value.real().radius() / axis).estimate_log() < -nats + 9);
    }
  }
}

TEST_CASE("a line of values against single ones") {
  Random random(2);
  for (int i = 0; i < trials(25); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const MixtureIntegral integral(mixture);
    const Ball r(random.uniform(-6, 8));
    const Ball step(std::exp(random.uniform(-4, 2)));
    const std::size_t count = static_cast<std::size_t>(random.integer(1, 40));
    const double nats = random.uniform(10, 60);
    INFO(spec_of(mixture), ", r ", r.estimate(), ", step ", step.estimate(), ", nats ", nats);
    const LineValues line = integral.on_line(r, step, count, nats);
    REQUIRE(line.values.size() == count);
    for (const std::size_t k : {std::size_t{0}, count / 2, count - 1}) {
      const PrecisionScope scope(300);
      const ComplexBall w(r, step * Ball(static_cast<long>(k)));
      const ComplexBall precise = integral.at(w, nats + 50);
      CHECK_CONTAINS(line.values[k].real(), precise.real());
      if (k > 0) CHECK_CONTAINS(line.values[k].imaginary(), precise.imaginary());
      CHECK(certainly_less_equal(line.quadrature, line.values[k].real().radius() * Ball(1.001)));
    }
  }
}

TEST_CASE("bound_beyond bounds |A(r + i s')| for all s' >= s") {
  Random random(3);
  for (int i = 0; i < trials(40); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const MixtureIntegral integral(mixture);
    const Ball r(random.uniform(-5, 7));
    const double s = random.one_in(8) ? 0 : std::exp(random.uniform(-3, 4));
    const Ball bound = integral.bound_beyond(r, Ball(s), random.uniform(4, 25));
    INFO(spec_of(mixture), ", r ", r.estimate(), ", s ", s);
    CHECK(certainly_less_equal(bound, integral.on_axis(r, 60) * Ball(1.1)));
    for (int j = 0; j < 4; ++j) {
      const Ball beyond(j == 0 ? s : s * std::exp(random.uniform(0, 1)) + random.uniform(0, 0.5));
      const Ball size = abs(integral.at(ComplexBall(r, beyond), 60));
      INFO("at ", beyond.estimate());
      // no certain violation: |A| computed to 60 nats of A(r) may be wide where it is tiny
      CHECK(certainly_less_equal(size.lower(), bound));
    }
  }
}

TEST_CASE("bound_beyond where the best shift is at the edge of the strip") {
  const MixtureIntegral integral(
      mixture_of("mixture(sigma=1/4, sensitivities=[0, 0.5, 1, 1.5, 9], probabilities=[13/47, "
                 "14/47, 7/47, 3/47, 10/47])"));
  const Ball axis = integral.on_axis(Ball(6.5), 25);
  const Ball bound = integral.bound_beyond(Ball(6.5), Ball(10), 25);
  CHECK(certainly_less(bound, axis * Ball(1e-10)));
  CHECK(
      certainly_less_equal(abs(integral.at(ComplexBall(Ball(6.5), Ball(10)), 60)).lower(), bound));
}

TEST_CASE("bound_beyond is not M(t) in disguise") {
  const MixtureIntegral integral(mixture_of("poisson(gaussian(sigma=1), rate=0.01)"));
  const Ball axis = integral.on_axis(Ball(3), 40);
  const Ball bound = integral.bound_beyond(Ball(3), Ball(300), 40);
  CHECK(certainly_less(bound, axis * Ball(0.5)));
  CHECK(certainly_less(integral.bound_beyond(Ball(3), Ball(3000), 40), bound * Ball(0.5)));
}

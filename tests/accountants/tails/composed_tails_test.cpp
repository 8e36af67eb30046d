// Tails, atoms and quantiles of compositions: against closed forms, against sums over outcomes in
// exact arithmetic, and against what holds of any law.
#include "accountants/tails/composed_tails.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "accountants/tails/atom_sums.hpp"
#include "accountants/tails/density_of_sum.hpp"
#include "lib/balls/binomial.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"

using namespace plaudit;

namespace {

constexpr double timeout = 60;

ComposedTails tails_of(const char* spec, Direction direction = Direction::remove) {
  return {parse_spec(spec), direction, timeout};
}

bool contains(const Span& span, const Ball& exact) {
  return !certainly_less(exact, span.lower) && !certainly_less(span.upper, exact);
}

/// upper - lower <= 10^-digits upper
bool narrow(const Span& span, unsigned digits) {
  return certainly_less_equal(span.upper - span.lower,
                              span.upper * power(Ball(Rational(1, 10)), digits));
}

/// P(N > x) for N ~ N(mean, 2 mu).
Ball normal_above(const Rational& mean, const Rational& mu, const Rational& x) {
  return normal_cdf((Ball(mean) - Ball(x)) / sqrt(Ball(Rational(2 * mu))));
}

struct Sums {
  Ball p_above;
  Ball q_above;
  Ball p_atom;
};

/// k draws of +step and n - k of -step, +step with probability `up` under P and 1 - up under Q.
Sums two_point_sums(long n, const Ball& up, const Rational& step, const Rational& x) {
  Sums sums;
  Ball choices(1);
  for (long k = 0; k <= n; ++k) {
    const Ball p = choices * power(up, static_cast<std::uint64_t>(k)) *
                   power(Ball(1) - up, static_cast<std::uint64_t>(n - k));
    const Ball q = choices * power(Ball(1) - up, static_cast<std::uint64_t>(k)) *
                   power(up, static_cast<std::uint64_t>(n - k));
    const Rational loss = Rational(2 * k - n) * step;
    if (loss > x) {
      sums.p_above += p;
      sums.q_above += q;
    }
    if (loss == x) sums.p_atom += p;
    choices = choices * Ball(n - k) / Ball(k + 1);
  }
  return sums;
}

}  // namespace

TEST_CASE("compositions of Gaussians against the normal law, at several precisions") {
  const PrecisionScope scope(400);
  ComposedTails tails = tails_of("gaussian(sigma=2)^7");
  const Rational mu(7, 8);
  for (const int digits : {5, 15, 30}) {
    const auto wanted = static_cast<unsigned>(digits);
    for (const Rational& x :
         {Rational(-2), Rational(0), Rational(7, 8), Rational(1, 3), Rational(6)}) {
      CAPTURE(digits);
      CAPTURE(to_string(x));
      const ComposedMasses masses = tails.at(x, digits);
      CHECK(contains(masses.p_above, normal_above(mu, mu, x)));
      CHECK(contains(masses.q_above, normal_above(-mu, mu, x)));
      CHECK(narrow(masses.p_above, wanted));
      CHECK(narrow(masses.q_above, wanted));
      CHECK(masses.p_atom.upper.is_exact_zero());
    }
  }
}

TEST_CASE("compositions of pure mechanisms against sums over outcomes, at their atoms too") {
  const PrecisionScope scope(300);
  ComposedTails tails = tails_of("pure(epsilon=0.1)^10");
  const Ball up = Ball(1) / (Ball(1) + exp(-Ball(Rational(1, 10))));
  for (const Rational& x : {Rational(-11, 10), Rational(-1), Rational(0), Rational(1, 5),
                            Rational(1, 7), Rational(4, 5), Rational(1), Rational(2)}) {
    CAPTURE(to_string(x));
    const ComposedMasses masses = tails.at(x, 15);
    const Sums sums = two_point_sums(10, up, Rational(1, 10), x);
    CHECK(contains(masses.p_above, sums.p_above));
    CHECK(contains(masses.q_above, sums.q_above));
    CHECK(contains(masses.p_atom, sums.p_atom));
    CHECK(narrow(masses.p_above, 15));
    CHECK(narrow(masses.q_above, 15));
    if (x != 1) CHECK(narrow(masses.p_atom, 15));
  }
}

TEST_CASE("a lattice whose unit is irrational: randomized response by probability") {
  const PrecisionScope scope(300);
  ComposedTails tails = tails_of("randomized_response(probability=3/4)^6");
  for (const Rational& x : {Rational(0), Rational(1), Rational(-3), Rational(21, 10)}) {
    CAPTURE(to_string(x));
    Sums sums;  // in units of log 3: even numbers from -6 to 6
    const Sums at_zero = two_point_sums(6, Ball(Rational(3, 4)), Rational(1), Rational(0));
    if (x == 0) {
      sums = at_zero;
    } else {
      // log 3 is 1.0986: the losses are at 0, +-2.197, ...
      const long unit = x == 1 ? 1 : x == -3 ? -3 : 1;
      sums = two_point_sums(6, Ball(Rational(3, 4)), Rational(1), Rational(unit));
    }
    const ComposedMasses masses = tails.at(x, 15);
    CHECK(contains(masses.p_above, sums.p_above));
    CHECK(contains(masses.q_above, sums.q_above));
    CHECK(contains(masses.p_atom, sums.p_atom));
    CHECK(narrow(masses.p_above, 15));
    CHECK(narrow(masses.q_above, 15));
  }
}

TEST_CASE("compositions of Laplace noise at their atoms") {
  // Two draws of ratio 1: atoms at -2, 0 and 2; by convolution,
  // P(L = 0) = 2 (1/2) (e^-1 / 2), and P(L = 2) = 1/4.
  const PrecisionScope scope(300);
  ComposedTails tails = tails_of("laplace(scale=1)^2");
  const ComposedMasses at_zero = tails.at(0, 12);
  CHECK(contains(at_zero.p_atom, ldexp(exp(Ball(-1)), -1)));
  CHECK(narrow(at_zero.p_atom, 12));
  CHECK(narrow(at_zero.q_above, 12));
  // The law of a pair with the same law in both directions: P(L > 0) = Q(L < 0).
  CHECK(contains(at_zero.q_above,
                 Ball(1) - ldexp(at_zero.p_above.lower + at_zero.p_above.upper, -1) -
                     ldexp(exp(Ball(-1)), -1) + widened(Ball(0), ldexp(Ball(1), -36))));
  const ComposedMasses at_end = tails.at(2, 12);
  CHECK(contains(at_end.p_atom, Ball(Rational(1, 4))));
  CHECK(at_end.p_above.upper.is_exact_zero());
  const ComposedMasses below = tails.at(Rational(19, 10), 12);
  // On (0, 2): P(L > x) = 1/4 + the two mixed terms + the density of two continuous parts.
  // f2(y) = (2 - y) e^{(y-2)/2} / 16, mixed: 2 * (1/2) * int e^{(y-2)/2} / 4.
  const Ball s(Rational(1, 20));  // (2 - x) / 2
  const Ball mixed = ldexp(Ball(1) - exp(-s), -1);
  const Ball two = ldexp(Ball(1) - exp(-s) * (Ball(1) + s), -2);
  const Ball exact = Ball(Rational(1, 4)) + mixed + two;
  CHECK(contains(below.p_above, exact));
  CHECK(narrow(below.p_above, 12));
}

TEST_CASE("finite laws on no lattice, at their atoms") {
  // +-1 under pure(1), +-log 3 under randomized response: no sums of them but 0 + 0 are equal.
  const PrecisionScope scope(300);
  ComposedTails tails = tails_of("randomized_response(probability=3/4)^2 * pure(epsilon=1)");
  const Ball up = Ball(1) / (Ball(1) + exp(Ball(-1)));
  const ComposedMasses at_one = tails.at(1, 15);  // log 3 cancels, pure is up
  CHECK(contains(at_one.p_atom, up * Ball(Rational(6, 16))));
  CHECK(contains(at_one.p_above, Ball(Rational(9, 16))));
  CHECK(contains(at_one.q_above, Ball(Rational(1, 16))));
  CHECK(narrow(at_one.p_atom, 15));
  CHECK(narrow(at_one.p_above, 15));
  const ComposedMasses at_zero = tails.at(0, 15);
  CHECK(at_zero.p_atom.upper.is_exact_zero());
  CHECK(contains(at_zero.p_above, Ball(Rational(9, 16)) + up * Ball(Rational(6, 16))));
}

TEST_CASE("properties of any law") {
  const PrecisionScope scope(300);
  for (const char* spec :
       {"poisson(gaussian(sigma=1), rate=0.1)^20", "discrete_laplace(scale=2)^5 * pure(0.3)",
        "discrete_gaussian(sigma=2)^3", "laplace(scale=3) * gaussian(sigma=2)",
        "approximate(epsilon=0.2, delta=0.01)^5", "randomized_response(probability=0.6)*pure(1)"}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      CAPTURE(spec);
      ComposedTails tails = tails_of(spec, direction);
      Span former_p{Ball(1), Ball(1)};
      Span former_q{Ball(1), Ball(1)};
      for (const Rational& x : {Rational(-1), Rational(-1, 3), Rational(0), Rational(2, 5),
                                Rational(1), Rational(5, 2)}) {
        CAPTURE(to_string(x));
        const ComposedMasses masses = tails.at(x, 10);
        CHECK(certainly_less_equal(Ball(0), masses.q_above.lower));
        CHECK(certainly_less_equal(masses.p_above.upper, Ball(1)));
        CHECK(certainly_less_equal(masses.p_above.lower, former_p.upper));
        CHECK(certainly_less_equal(masses.q_above.lower, former_q.upper));
        CHECK_FALSE(certainly_less(masses.p_above.upper, exp(Ball(x)) * masses.q_above.lower));
        const Span curve = tails.delta(x, 20);
        const Ball low = masses.p_above.lower - exp(Ball(x)) * masses.q_above.upper;
        const Ball high = masses.p_above.upper - exp(Ball(x)) * masses.q_above.lower;
        CHECK_FALSE(certainly_less(high, curve.lower));
        CHECK_FALSE(certainly_less(curve.upper, low));
        former_p = masses.p_above;
        former_q = masses.q_above;
      }
    }
  }
}

TEST_CASE("a factor that occurs once is the law itself") {
  const PrecisionScope scope(300);
  for (const char* spec : {"gaussian(sigma=1)", "laplace(scale=2)", "discrete_gaussian(sigma=1)",
                           "pure(epsilon=1/2)", "poisson(gaussian(sigma=1), rate=0.2)"}) {
    CAPTURE(spec);
    const Composition composition = parse_spec(spec);
    ComposedTails tails(composition, Direction::remove, timeout);
    const ComposedLoss loss(composition, Direction::remove);
    for (const Rational& x : {Rational(-1, 2), Rational(0), Rational(1, 2), Rational(9, 10)}) {
      CAPTURE(to_string(x));
      const PointMasses exact = loss.terms()[0].loss->masses_at(x);
      const ComposedMasses found = tails.at(x, 12);
      CHECK(contains(found.p_above, exact.p_above));
      CHECK(contains(found.q_above, exact.q_above));
      CHECK(contains(found.p_atom, exact.p_atom));
      CHECK((narrow(found.p_above, 12) || exact.p_above.is_exact_zero()));
    }
  }
}

TEST_CASE("quantiles invert the tails") {
  const PrecisionScope scope(300);
  ComposedTails gaussians = tails_of("gaussian(sigma=2)^8");  // N(1, 2)
  const Crossing median = gaussians.quantile(Rational(1, 2), 12);
  CHECK(contains({median.lower, median.upper}, Ball(1)));
  CHECK(narrow({median.lower, median.upper}, 11));

  // Ten draws of +-1/10: the median is the least k with P(L <= k) >= 1/2, an atom.
  ComposedTails pure = tails_of("pure(epsilon=0.1)^10");
  const Crossing atom = pure.quantile(Rational(1, 2), 12);
  CHECK(narrow({atom.lower + Ball(1), atom.upper + Ball(1)}, 11));
  CHECK(contains({atom.lower, atom.upper}, Ball(0)));

  ComposedTails infinite = tails_of("approximate(epsilon=1, delta=0.1)^2");  // P(L = inf) = 0.19
  CHECK_FALSE(infinite.quantile(Rational(9, 10), 10).lower.is_finite());
  const Crossing end = infinite.quantile(Rational(81, 100), 10);
  CHECK(contains({end.lower, end.upper}, Ball(2)));
}

TEST_CASE("lattices of sums, and their atoms") {
  const auto lattice = [](const char* spec) {
    return common_lattice(ComposedLoss(parse_spec(spec), Direction::remove));
  };
  const auto pure = lattice("pure(epsilon=1/3)^5 * pure(epsilon=1/2)");
  REQUIRE(pure);
  CHECK(pure->mesh == Rational(1, 3));
  CHECK(pure->offset == Rational(-13, 6));
  CHECK_FALSE(lattice("pure(epsilon=1) * gaussian(sigma=1)"));
  CHECK_FALSE(lattice("pure(epsilon=1) * randomized_response(probability=0.75)"));
  CHECK(lattice("randomized_response(probability=0.75)^4")->exp_unit == Rational(3));

  const PrecisionScope scope(128);
  const auto atoms = atoms_of_sum(ComposedLoss(parse_spec("laplace(2)^3"), Direction::remove));
  REQUIRE(atoms);
  CHECK(atoms->size() == 4);
  CHECK(contains({atoms->at(Rational(3, 2)).lower(), atoms->at(Rational(3, 2)).upper()},
                 Ball(Rational(1, 8))));
  CHECK(atoms_of_sum(ComposedLoss(parse_spec("laplace(2) * gaussian(1)"), Direction::remove))
            ->empty());
}

// gaussian(2)^7: K(t) = 7/8 (t + t^2), variance v = 7/4, |M(t + is)| = e^(K(t) - v s^2 / 2).
TEST_CASE("the bound of a density's curvature, wherever the pieces of its integral end") {
  const Composition run = parse_spec("gaussian(sigma=2)^7");
  const ComposedLoss loss(run, Direction::remove);
  for (const Rational& t : {Rational(0), Rational(1, 2), Rational(3)}) {
    const Ball v(Rational(7, 4));
    const Ball exact = exp(Ball(Rational(Rational(7, 8) * (t + t * t)))) *
                       (square(Ball(t)) / sqrt(v) + Ball(1) / (v * sqrt(v))) / sqrt(ldexp(pi(), 1));
    for (const double height : {0.02, 0.5, 2.0, 8.0}) {
      CAPTURE(height);
      const Ball bound = curvature_bound(loss, Ball(t), height);
      CHECK(certainly_less(exact, bound));
      if (height == 8.0) CHECK(certainly_less(bound, exact * Ball(Rational(5, 4))));
    }
  }
  CHECK_FALSE(
      curvature_bound(ComposedLoss(parse_spec("laplace(2)^3"), Direction::remove), Ball(1), 3)
          .is_finite());
}

// Products of Laplace noise and atoms: against sums over the second draw, against the sum for one
// scale at shifted epsilons, against values published in the proof's source, and against itself
// with more digits.
#include <doctest/doctest.h>

#include <string>

#include "accountants/laplace/row_series.hpp"
#include "accountants/registry.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/binomial.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/laws/laplace_loss.hpp"
#include "support/containment.hpp"
#include "support/curves.hpp"
#include "support/losses.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

Enclosure product_delta(const std::string& spec, const Rational& epsilon, int digits) {
  return accountant("laplace_product")
      ->open(loss_from(spec, Direction::remove), Goal{digits})
      ->delta(epsilon);
}

Enclosure product_epsilon(const std::string& spec, const Rational& delta, int digits) {
  return accountant("laplace_product")
      ->open(loss_from(spec, Direction::remove), Goal{digits})
      ->epsilon(delta);
}

/// Two draws of two ratios, by monotone sums over the second one.
Ball two_draws(const Rational& first, const Rational& second, const Ball& epsilon, int cells) {
  const LaplaceLoss loss(first);
  const Ball a(second);
  const Ball atoms =
      ldexp(loss.delta(epsilon - a), -1) + ldexp(exp(-a), -1) * loss.delta(epsilon + a);
  Ball low;
  Ball high;
  for (int i = 0; i < cells; ++i) {
    const Ball left = -a + ldexp(a, 1) * Ball(i) / Ball(cells);
    const Ball right = -a + ldexp(a, 1) * Ball(i + 1) / Ball(cells);
    const Ball mass = ldexp(exp(ldexp(right - a, -1)) - exp(ldexp(left - a, -1)), -1);
    low += mass * loss.delta(epsilon - left);
    high += mass * loss.delta(epsilon - right);
  }
  return hull(atoms + low, atoms + high);
}

/// Of n-fold Laplace noise beside a law with these atoms: sum p_d delta(epsilon - l_d).
Ball beside_atoms(const std::string& laplace, const ComposedLoss& atoms, const Rational& epsilon) {
  const auto curve =
      accountant("laplace_sum")->open(loss_from(laplace, Direction::remove), Goal{40});
  const auto list = atoms.terms()[0].loss->atoms_in(std::nullopt);
  Ball sum = atoms.mass_at_infinity();
  for (const LossAtom& atom : *list) {
    const Enclosure one = curve->delta(epsilon - *atom.exact_loss);
    sum += atom.p * hull(one.lower, one.upper);
  }
  return sum;
}

}  // namespace

TEST_CASE("two draws of different scales lie between monotone sums over the second one") {
  const PrecisionScope scope(160);
  for (const auto& [first, second] : {std::pair{"1/10", "1/7"}, {"1", "1/2"}, {"3", "5"}}) {
    for (const char* part : {"0", "1/3", "1", "-1/2", "19/20"}) {
      const Rational a = parse_rational(first);
      const Rational b = parse_rational(second);
      const Rational epsilon = (a + b) * parse_rational(part);
      const std::string spec = "laplace(scale=1, sensitivity=" + to_string(a) +
                               ") * laplace(scale=1, sensitivity=" + to_string(b) + ")";
      const Enclosure band = product_delta(spec, epsilon, 30);
      const Ball wide = two_draws(a, b, Ball(epsilon), 3000);
      INFO(spec, " at ", to_string(epsilon), " ", show(band));
      CHECK(certainly_less_equal(wide.lower(), band.upper));
      CHECK(certainly_less_equal(band.lower, wide.upper()));
      CHECK(reached(band, 30));
    }
  }
}

TEST_CASE("beside laws with atoms: the curve of one scale at shifted epsilons") {
  const PrecisionScope scope(300);
  for (const char* law :
       {"pure(epsilon=0.3)", "discrete_laplace(scale=3)", "approximate(epsilon=1, delta=0.001)",
        "pure(epsilon=5)", "discrete_laplace(scale=2, sensitivity=3)"}) {
    const ComposedLoss atoms = loss_from(law, Direction::remove);
    for (const char* laplace : {"laplace(scale=2)^3", "laplace(scale=10)^20"}) {
      for (const char* at : {"0", "1/3", "0.6", "1", "-1/2"}) {
        const Rational epsilon = parse_rational(at);
        const std::string spec = std::string(laplace) + " * " + law;
        const Enclosure band = product_delta(spec, epsilon, 25);
        const Ball exact = beside_atoms(laplace, atoms, epsilon);
        INFO(spec, " at ", to_string(epsilon), " ", show(band));
        CHECK(!misses(band, exact));
        CHECK(reached(band, 25));
      }
    }
  }
}

TEST_CASE("epsilons at delta = 1e-6 that were found by other programs") {
  struct Case {
    const char* spec;
    const char* epsilon;
    int digits;
  };
  const PrecisionScope scope(300);
  for (const Case& test :
       {Case{"laplace(1)*laplace(2)*laplace(3)", "1.83332533334933322666745599341232543", 30},
        Case{"laplace(10)^100*laplace(20)^100", "5.37541565923589311955836978614719778", 20},
        Case{"laplace(10)^100*discrete_laplace(10)^100", "7.12688173060641497249166590800476538",
             20},
        Case{"laplace(10)^100*pure(0.1)^10", "4.97079766153958397744535274803578160", 30},
        Case{"discrete_gaussian(5)^50*laplace(7)^10", "7.67929943502071650749749", 20}}) {
    const Enclosure band = product_epsilon(test.spec, Rational(1, 1'000'000), test.digits);
    INFO(std::string(test.spec), " ", show(band));
    const Ball known(parse_rational(test.epsilon));
    CHECK(!misses(band, widened(known, ldexp(known, -75))));
    CHECK(reached(band, test.digits));
  }
}

TEST_CASE("few digits leave atoms out, and hold what many digits show") {
  const PrecisionScope scope(300);
  int left_out = 0;
  for (const char* spec :
       {"discrete_gaussian(5)^20*laplace(7)^4", "discrete_gaussian(2)*laplace(1)",
        "discrete_gaussian(1)^3*laplace(3)^2*pure(0.5)"}) {
    for (const char* at : {"0", "1", "3", "-1"}) {
      const Rational epsilon = parse_rational(at);
      const Enclosure fine = product_delta(spec, epsilon, 40);
      CHECK(reached(fine, 40));
      for (const int digits : {1, 2, 4, 8, 16}) {
        const Enclosure band = product_delta(spec, epsilon, digits);
        INFO(std::string(spec), " at ", to_string(epsilon), " ", show(band));
        CHECK(!misses(band, hull(fine.lower, fine.upper)));
        const Ledger::Entry* entry = band.ledger.find(ErrorTerm{"laplace_product.atoms", ""});
        left_out += entry != nullptr && certainly_positive(entry->size) ? 1 : 0;
      }
    }
  }
  CHECK(left_out > 30);
}

TEST_CASE("without the mass of the atoms left out the band is wrong") {
  const PrecisionScope scope(300);
  const char* spec = "discrete_gaussian(5)^20*laplace(7)^4";
  const Enclosure fine = product_delta(spec, 1, 40);
  const Scaled without("laplace_product.atoms", 0);
  const Enclosure band = product_delta(spec, 1, 2);
  CHECK(misses(band, hull(fine.lower, fine.upper)));
}

TEST_CASE("series of few terms hold what the whole row adds up to") {
  const PrecisionScope fine(300);
  proof::Budget budget = proof::unlimited_budget();
  for (const std::uint64_t n : {1U, 2U, 7U, 30U}) {
    for (const std::uint64_t k : {std::uint64_t{0}, n / 2, n}) {
      const proof::KrawtchoukRow row = proof::krawtchouk_row(n, k, n, budget);
      for (int e = -12; e <= 4; ++e) {
        const Ball half = ldexp(Ball(1), e);
        const Ball whole = proof::row_sum(row, half, Ball(1) / factorial(row.size()), budget);
        for (const long bits : {20L, 40L, 100L}) {
          const RowSeries series = [&] {
            const PrecisionScope coarse(bits);
            return RowSeries(row, half);
          }();
          INFO(n, " ", k, " ", e, " ", bits);
          CHECK(plaudit::overlaps(series.at(half), whole));
        }
      }
    }
  }
}

TEST_CASE("below the support the curve is known, however long its series would be there") {
  const PrecisionScope scope(400);
  for (const char* at : {"-2", "-2.5", "-1000", "-1e9", "-1e1000"}) {
    const Rational epsilon = parse_rational(at);
    INFO(std::string(at));
    const Enclosure pure = product_delta("laplace(1)*pure(1)", epsilon, 30);
    CHECK(!misses(pure, -expm1(Ball(epsilon))));
    CHECK(reached(pure, 30));
    const Enclosure half = product_delta("laplace(1)*approximate(1, 0.5)", epsilon, 30);
    CHECK(!misses(half, Ball(1) - ldexp(exp(Ball(epsilon)), -1)));
    CHECK(reached(half, 30));
  }
}

TEST_CASE("losses that need a series of a billion terms are left to others at once") {
  for (const char* spec : {"laplace(1e-9)*pure(1)", "laplace(1e-8)*laplace(2e-8)"}) {
    const Enclosure band = product_delta(spec, 1, 12);
    INFO(std::string(spec), " ", show(band));
    CHECK(band.remark.find("too long a series") != std::string::npos);
    CHECK(certainly_less_equal(band.lower, band.upper));
  }
}

TEST_CASE("what is no such product is refused, with the reason") {
  for (const char* spec :
       {"laplace(1)^5", "laplace(1)*gaussian(1)", "pure(1)^3",
        "laplace(1)*poisson(laplace(2), 0.1)", "laplace(1)^2000*laplace(2)",
        "laplace(1)*discrete_gaussian(sigma=100000)^7", "discrete_gaussian(sigma=100000)^7"}) {
    const auto reason = accountant("laplace_product")->refusal(loss_from(spec, Direction::remove));
    INFO(std::string(spec));
    CHECK(reason);
  }
}

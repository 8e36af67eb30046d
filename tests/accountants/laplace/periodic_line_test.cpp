// Laplace noise of several scales on a folded line: against the exact sum, the contour, and with
// each bound left out. One scale: laplace_folded_test.cpp.
#include "accountants/laplace/periodic_line.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "accountants/registry.hpp"
#include "lib/balls/precision.hpp"
#include "support/curves.hpp"
#include "support/random.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

std::unique_ptr<PrivacyCurve> by(const char* name, const std::string& spec, int digits) {
  return accountant(name)->open(loss_from(spec, Direction::remove), Goal{digits});
}

/// A line for one epsilon, with parameters that may be spoilt.
class ProductOfTwo {
 public:
  explicit ProductOfTwo(double nats = 40)
      : loss_(loss_from("laplace(scale=10)^100 * laplace(scale=20)^100", Direction::remove)),
        law_(*periodic_law(loss_)),
        table_(loss_),
        choice_(choose_periodic(loss_, law_, table_,
                                {3, nats, table_.log_delta(3, table_.saddle(3))})) {
    choice_.bits += 200;
  }
  PeriodicChoice& choice() { return choice_; }
  Enclosure delta() {
    const PrecisionScope scope(1000);
    return PeriodicLine(loss_, law_, table_, choice_).delta(Ball(3));
  }

 private:
  ComposedLoss loss_;
  PeriodicLaw law_;
  CumulantTable table_;
  PeriodicChoice choice_;
};

Ball delta_of_two() {
  const Enclosure exact =
      by("laplace_product", "laplace(scale=10)^100 * laplace(scale=20)^100", 60)->delta(3);
  CHECK(reached(exact, 60));
  return band_of(exact);
}

/// The band holds the truth with the term; without it, it must not.
bool wrong_without(ProductOfTwo& line, const char* term, const Ball& truth) {
  CHECK_BAND_HOLDS(line.delta(), truth);
  const Scaled none(term, 0);
  try {
    return misses(line.delta(), truth);
  } catch (const std::logic_error&) {  // upper end below what holds trivially
    return true;
  }
}

}  // namespace

TEST_CASE("folded products: the exact sum, at 10, 18 and 60 digits") {
  struct Case {
    std::string spec;
    int digits;
  };
  for (const Case& each :
       {Case{"laplace(scale=10)^100 * laplace(scale=20)^100", 60},
        Case{"laplace(scale=5)^50 * laplace(scale=8)^30 * laplace(scale=13)^20", 18},
        Case{"laplace(scale=10)^100 * pure(0.1)^10", 18},
        Case{"laplace(scale=10)^100 * discrete_laplace(scale=10)^100", 18},
        Case{"discrete_gaussian(sigma=5)^10 * laplace(scale=7)^40", 10},
        Case{"laplace(scale=3)^9 * laplace(scale=4, sensitivity=3)^11", 10}}) {
    const auto folded = by("laplace_folded", each.spec, each.digits);
    const auto sum = by("laplace_product", each.spec, each.digits);
    for (const char* target : {"1e-2", "1e-9"}) {
      const Enclosure one = folded->epsilon(parse_rational(target));
      const Enclosure other = sum->epsilon(parse_rational(target));
      INFO(each.spec, " at ", std::string(target), " ", show(one), " ", one.remark);
      CHECK_BANDS_OVERLAP(one, other);
      CHECK(reached(one, each.digits));
    }
  }
}

TEST_CASE("folded products: epsilons on the lattice of the atoms, below 0, beyond the support") {
  const std::string spec = "laplace(scale=10)^60 * laplace(scale=20)^41";
  const auto folded = by("laplace_folded", spec, 20);
  const auto sum = by("laplace_product", spec, 20);
  for (const char* epsilon : {"-1", "-0.05", "0", "0.05", "0.15", "1", "2", "2.025"}) {
    const Enclosure one = folded->delta(parse_rational(epsilon));
    const Enclosure other = sum->delta(parse_rational(epsilon));
    INFO(std::string(epsilon), " ", show(one), " ", one.remark);
    CHECK_BANDS_OVERLAP(one, other);
    CHECK(reached(one, 20));
  }
  CHECK(folded->delta(parse_rational("8.05")).upper.is_exact_zero());
  CHECK(folded->delta(9).upper.is_exact_zero());
  const PrecisionScope scope(256);
  CHECK_BAND_MEETS(folded->delta(-100), -expm1(Ball(-100)));
}

TEST_CASE("folded products: random scales and counts against the exact sum") {
  Random random(91);
  for (int i = 0; i < trials(10); ++i) {
    std::string spec;
    const long scales = 2;  // more are too many terms for the exact sum
    double deviation = 0;
    double mean = 0;
    for (long k = 0; k < scales; ++k) {
      const long scale = random.integer(4, 30);
      const long count = random.integer(20, 100);
      spec += (k == 0 ? "" : " * ") + ("laplace(scale=" + std::to_string(scale) + ")^") +
              std::to_string(count);
      const double a = 1 / static_cast<double>(scale);
      deviation += a * a * static_cast<double>(count);
      mean += a * a * static_cast<double>(count) / 2;
    }
    const Rational at = exactly(mean + std::sqrt(deviation) * random.uniform(-2, 6));
    const int digits = i % 2 == 0 ? 12 : 33;
    const Enclosure one = by("laplace_folded", spec, digits)->delta(at);
    const Enclosure other = by("laplace_product", spec, digits)->delta(at);
    INFO(spec, " at ", to_string(at), " ", show(one), " ", one.remark);
    CHECK_BANDS_OVERLAP(one, other);
    CHECK(reached(one, digits));
  }
}

TEST_CASE("folded products: the contour where its line is short") {
  const std::string spec = "laplace(scale=1)^800 * laplace(scale=1.5)^500";
  const Enclosure product = by("laplace_folded", spec, 14)->epsilon(parse_rational("1e-7"));
  const Enclosure contour = by("contour", spec, 14)->epsilon(parse_rational("1e-7"));
  INFO(show(product), " ", product.remark);
  CHECK_BANDS_OVERLAP(product, contour);
  CHECK(reached(product, 14));
  CHECK(reached(contour, 14));
}

TEST_CASE("dropping a term of the folded product gives a wrong band") {
  const PrecisionScope scope(1000);
  const Ball truth = delta_of_two();
  int truncation = 0;
  int expansion = 0;
  int right = 0;
  int left = 0;
  for (const double more : {8.0, 16.0, 24.0, 30.0}) {
    ProductOfTwo line;
    line.choice().log_goal += more;
    truncation += wrong_without(line, "laplace_folded.truncation", truth) ? 1 : 0;
  }
  for (const std::size_t orders : {1UL, 2UL, 3UL, 5UL}) {
    ProductOfTwo line;
    line.choice().orders = orders;
    expansion += wrong_without(line, "laplace_folded.expansion", truth) ? 1 : 0;
  }
  for (const double share : {2.0, 0.4}) {
    for (const std::uint64_t classes : {21UL, 31UL}) {
      for (const bool both : {true, false}) {
        ProductOfTwo line;
        line.choice().t *= share;
        line.choice().classes = classes;
        line.choice().log_goal = -200;
        line.choice().direct = 16;
        line.choice().orders = 60;
        line.choice().bits += 600;
        line.choice().both_residues = both;
        right += wrong_without(line, "laplace_folded.right.aliasing", truth) ? 1 : 0;
        left += wrong_without(line, "laplace_folded.left.aliasing", truth) ? 1 : 0;
      }
    }
  }
  CHECK(truncation > 0);
  CHECK(expansion > 0);
  CHECK(right > 0);
  CHECK(left > 0);
}

TEST_CASE("folded products: with fewer orders and classes the bands are wider and right") {
  const PrecisionScope scope(1000);
  const Ball truth = delta_of_two();
  for (const std::size_t part : {2UL, 3UL}) {
    ProductOfTwo line(100);
    CHECK(line.choice().orders > 16);
    line.choice().orders /= part;
    CHECK_BAND_HOLDS(line.delta(), truth);
  }
  for (const double more : {20.0, 40.0, 60.0}) {
    ProductOfTwo line(100);
    line.choice().log_goal += more;
    CHECK_BAND_HOLDS(line.delta(), truth);
  }
  ProductOfTwo far;
  far.choice().t = 500;  // beyond what the powers of 1/j reach
  CHECK_BAND_HOLDS(far.delta(), truth);
  const auto refused = [](auto&& spoil) {
    ProductOfTwo spoilt;
    spoil(spoilt.choice());
    CHECK_THROWS_AS(spoilt.delta(), std::domain_error);
  };
  refused([](PeriodicChoice& choice) { ++choice.classes; });
  refused([](PeriodicChoice& choice) { choice.t = 0; });
  refused([](PeriodicChoice& choice) { choice.direct = 0; });
}

TEST_CASE("what the folded product refuses") {
  const auto refuses = [](const std::string& spec) {
    return accountant("laplace_folded")->refusal(loss_from(spec, Direction::remove)).has_value();
  };
  CHECK(refuses("pure(0.1)^10"));
  CHECK(refuses("laplace(scale=1) * gaussian(sigma=1)"));
  CHECK(refuses("laplace(scale=1) * approximate(0.1, 1e-6)"));
  CHECK(refuses("laplace(scale=1) * randomized_response(probability=0.7)"));
  CHECK_FALSE(refuses("laplace(scale=1)^1000 * laplace(scale=2)^5 * discrete_laplace(3)"));
}

// Laws of few sums beside a lattice: against sums over all outcomes, direct convolution in balls,
// and the sum over combinations of atoms.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "accountants/lattice/common_lattice.hpp"
#include "accountants/lattice/lattice_curve.hpp"
#include "accountants/lattice/shifted_lattice.hpp"
#include "accountants/registry.hpp"
#include "lib/balls/precision.hpp"
#include "support/curves.hpp"
#include "support/outcomes.hpp"
#include "support/random.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

std::unique_ptr<PrivacyCurve> opened(const std::string& spec, int digits, Direction direction,
                                     const char* name = "lattice_atoms") {
  return accountant(name)->open(loss_from(spec, direction), Goal{digits});
}

LatticeLaw random_law(Random& random, const Ball& mesh, long most_points = 25) {
  LatticeLaw law;
  law.mesh = mesh;
  law.offset = Ball(random.uniform(-0.1, 0.1));
  law.first = -random.integer(0, 12);
  const long points = random.integer(2, most_points);
  for (long i = 0; i < points; ++i) law.masses.push_back(Ball(std::exp(random.uniform(-12, 0))));
  const Ball total = law.mgf(Ball(0));
  for (Ball& mass : law.masses) mass /= total;
  return law;
}

/// By increasing loss.
std::vector<LatticeComposition::Shift> random_shifts(Random& random, double longest_step) {
  std::vector<LatticeComposition::Shift> shifts;
  double loss = random.uniform(-3, 0);
  const long count = random.integer(2, 40);
  for (long i = 0; i < count; ++i) {
    loss += random.uniform(0.001, longest_step);
    shifts.push_back({exp(-Ball(loss)), Ball(std::exp(random.uniform(-12, 0)))});
  }
  Ball total;
  for (const auto& shift : shifts) total += shift.p;
  for (auto& shift : shifts) shift.p /= total;
  return shifts;
}

/// One draw from the law.
Ball direct_delta(const LatticeLaw& law, const std::vector<LatticeComposition::Shift>& shifts,
                  const Ball& epsilon) {
  Ball sum;
  for (const auto& shift : shifts) {
    for (std::size_t i = 0; i < law.masses.size(); ++i) {
      const Ball decay = shift.decay * exp(epsilon - law.point(law.first + static_cast<long>(i)));
      sum += shift.p * law.masses[i] * max(Ball(0), Ball(1) - decay);
    }
  }
  return sum;
}

struct Case {
  std::shared_ptr<LatticeLaw> law;
  std::vector<LatticeComposition::Shift> shifts;
  double epsilon;
  Ball exact;

  bool is_wrong(double nats) const {
    LatticeComposition composition({{law, 1}}, shifts, epsilon, nats);
    return misses(composition.delta(Ball(epsilon)), exact);
  }
};

Case random_case(Random& random, const Ball& mesh, double longest_step, long most_points = 25,
                 double greatest_part = 0.95) {
  Case result{std::make_shared<LatticeLaw>(random_law(random, mesh, most_points)),
              random_shifts(random, longest_step), 0, Ball(0)};
  const double least =
      result.law->point(result.law->first).estimate() - log(result.shifts.front().decay).estimate();
  const double greatest =
      result.law->point(result.law->last()).estimate() - log(result.shifts.back().decay).estimate();
  result.epsilon = least + (greatest - least) * random.uniform(0.1, greatest_part);
  result.exact = direct_delta(*result.law, result.shifts, Ball(result.epsilon));
  return result;
}

}  // namespace

TEST_CASE("lattice_atoms: random laws and shifts, near and far apart, against direct sums") {
  Random random(20261125);
  const PrecisionScope scope(400);
  int narrow = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Case one =
        random_case(random, Ball(random.uniform(0.1, 2)), random.one_in(2) ? 0.05 : 3.0);
    for (const double nats : {12.0, 25.0, 80.0}) {
      LatticeComposition composition({{one.law, 1}}, one.shifts, one.epsilon, nats);
      for (const double x : {one.epsilon, one.epsilon + 0.2, one.epsilon - 0.3}) {
        const Enclosure band = composition.delta(Ball(x));
        INFO("trial ", trial, ", nats ", nats, ", epsilon ", x, " ", show(band));
        CHECK(!misses(band, direct_delta(*one.law, one.shifts, Ball(x))));
        const Ball width = band.upper - band.lower;
        if (x == one.epsilon && certainly_less(width, band.upper * exp(Ball(-nats + 1)))) {
          ++narrow;
        }
      }
    }
  }
  CHECK(narrow >= 170);  // of 180
}

TEST_CASE("lattice_atoms: a threshold on a point of the lattice beside some shifts") {
  Random random(7);
  const PrecisionScope scope(300);
  for (int trial = 0; trial < 20; ++trial) {
    const auto law = std::make_shared<LatticeLaw>(random_law(random, Ball(0.25)));
    auto shifts = random_shifts(random, 0.5);
    const long j = law->first + static_cast<long>(law->masses.size()) / 2;
    const std::size_t middle = shifts.size() / 2;
    const Ball point = law->point(j) - log(shifts[middle].decay);
    LatticeComposition composition({{law, 1}}, shifts, point.estimate(), 40);
    for (const double radius : {1e-3, 1e-9, 0x1p-60}) {
      const Enclosure band = composition.delta(widened(point, Ball(radius)));
      for (const double part : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
        INFO("trial ", trial, ", radius ", radius, ", part ", part);
        CHECK(!misses(band, direct_delta(*law, shifts, point + Ball(part * radius))));
      }
    }
  }
}

TEST_CASE("lattice_atoms: without an error term of the folded contour bands are wrong") {
  Random random(11);
  const PrecisionScope scope(300);
  std::vector<Case> cases;
  for (int trial = 0; trial < 120; ++trial) {
    cases.push_back(random_case(random, Ball(0.25), 0.1, 150, 0.6));
  }
  const auto wrong = [&] {
    int sum = 0;
    for (const double nats : {0.5, 1.0, 2.0, 4.0, 60.0}) {
      for (const Case& each : cases) sum += each.is_wrong(nats) ? 1 : 0;
    }
    return sum;
  };
  CHECK(wrong() == 0);
  for (const char* term : {"lattice.right.aliasing", "lattice.left.aliasing", "lattice.transform",
                           "lattice.spectrum"}) {
    INFO(std::string(term));
    const Scaled without(term, 0);
    CHECK(wrong() > 0);
  }
}

TEST_CASE("lattice_atoms: what is only bounded of the spectrum counts for all sums") {
  // the sum that is least and comes first has hardly any mass
  Random random(29);
  const PrecisionScope scope(300);
  for (int trial = 0; trial < 60; ++trial) {
    const double mesh = random.uniform(3, 15);
    const auto law = std::make_shared<LatticeLaw>(random_law(random, Ball(mesh)));
    const double epsilon =
        law->point(random.integer(law->first, law->last() - 1)).estimate() + 0.02 * mesh;
    const double step = random.uniform(1.01, 1.3) * mesh;
    const std::vector<LatticeComposition::Shift> shifts = {{exp(Ball(step)), Ball(1e-6)},
                                                           {Ball(1), Ball(1) - Ball(1e-6)}};
    const Ball exact = direct_delta(*law, shifts, Ball(epsilon));
    for (const double nats : {0.5, 1.0, 2.0, 4.0}) {
      LatticeComposition composition({{law, 1}}, shifts, epsilon, nats);
      INFO("trial ", trial, ", nats ", nats);
      CHECK(!misses(composition.delta(Ball(epsilon)), exact));
    }
  }
}

TEST_CASE("lattice_atoms: products against sums over all outcomes") {
  const PrecisionScope scope(600);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    // poisson(discrete_laplace(scale=2), rate=0.1)^4 * pure(epsilon=0.3)^3
    const Outcomes sample = sampled(test::discrete_laplace(2, 1), Rational(1, 10), direction);
    const Outcomes plain = two_points(Rational(3, 10));
    Outcomes all = plain;
    for (int i = 0; i < 2; ++i) all = product(all, plain);
    for (int i = 0; i < 4; ++i) all = product(all, sample);
    const std::string spec = "poisson(discrete_laplace(scale=2), rate=0.1)^4 * pure(epsilon=0.3)^3";
    for (const int digits : {5, 15, 40, 140}) {
      for (const char* text : {"0", "0.1", "0.3", "0.7", "-0.2"}) {
        const Rational epsilon = parse_rational(text);
        const Enclosure band = opened(spec, digits, direction)->delta(epsilon);
        INFO(name_of(direction), ", ", digits, " digits at ", std::string(text), " ", show(band));
        CHECK(!misses(band, test::direct_delta(all, Ball(epsilon))));
        CHECK(reached(band, digits));
      }
      // on a loss: both neighbours of the threshold
      const Ball loss = log(Ball(Rational(9, 10)) + exp(Ball(Rational(1, 2))) / Ball(10));
      const Rational near = exact_rational((loss + Ball(Rational(3, 10))).middle());
      CHECK(!misses(opened(spec, digits, direction)->delta(near),
                    test::direct_delta(all, Ball(near))));
    }
  }
}

TEST_CASE("lattice_atoms: bands of delta and epsilon overlap those of atom_sum, and nest") {
  for (const char* spec :
       {"poisson(discrete_laplace(scale=2), rate=0.1)^10 * discrete_gaussian(sigma=2)",
        "poisson(discrete_laplace(scale=2), rate=0.1)^200 * poisson(pure(epsilon=0.4), "
        "rate=0.3)^50",
        "poisson(discrete_gaussian(sigma=1), rate=0.05)^2 * pure(epsilon=0.2)^30",
        "randomized_response(probability=0.6)^20 * approximate(epsilon=0.1, delta=1e-7)^9",
        "poisson(approximate(epsilon=1, delta=1e-5), rate=0.2)^6 * discrete_laplace(scale=3)^5"}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      Enclosure former;
      for (const int digits : {6, 12, 35, 140}) {
        const PrecisionScope scope(64);
        INFO(std::string(spec), ", ", name_of(direction), ", ", digits, " digits");
        const auto curve = opened(spec, digits, direction);
        const auto other = opened(spec, digits, direction, "atom_sum");
        const Enclosure delta = curve->delta(Rational(1, 2));
        CHECK(overlaps(delta, other->delta(Rational(1, 2))));
        CHECK(reached(delta, digits));
        const Enclosure epsilon = curve->epsilon(Rational(1, 10000));
        CHECK(overlaps(epsilon, other->epsilon(Rational(1, 10000))));
        CHECK(reached(epsilon, digits));
        if (digits > 6) CHECK(overlaps(epsilon, former));
        former = epsilon;
      }
    }
  }
}

TEST_CASE("lattice_atoms: what is left out of the sums counts") {
  const PrecisionScope scope(300);
  const auto wrong = [&](const char* spec, double tilt) {
    int sum = 0;
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const ComposedLoss loss = loss_from(spec, direction);
      const auto split = lattice_split(loss);
      REQUIRE(split);
      for (const char* text : {"0.2", "1", "2"}) {
        const Rational epsilon = parse_rational(text);
        const Enclosure whole = opened(spec, 30, direction)->delta(epsilon);
        for (const double nats : {5.0, 7.0, 9.0}) {
          auto laws = on_common_lattice(split->on_lattice.terms());
          REQUIRE(laws);
          ShiftedLattice few(*split, *std::move(laws), estimate(epsilon), 60,
                             SumsLeftOut{tilt, nats});
          if (!overlaps(few.delta(Ball(epsilon)), whole)) ++sum;
        }
      }
    }
    return sum;
  };
  const char* spec =
      "poisson(discrete_gaussian(sigma=1), rate=0.2)^3 * discrete_gaussian(sigma=3)^2";
  CHECK(wrong(spec, 2) == 0);
  {
    const Scaled without("lattice.left_out", 0);
    CHECK(wrong(spec, 2) > 0);
  }
  // Where losses on the lattice are infinite that is nearly all that the missing sums contribute.
  CHECK(wrong("poisson(discrete_laplace(scale=3, sensitivity=2), rate=0.3)^5 * "
              "approximate(epsilon=0.01, delta=0.3)^4",
              1e-3) == 0);
}

TEST_CASE(
    "lattice_atoms: 12 digits of what its issue asked for, inside the pinched contour's band") {
  const Enclosure band =
      opened("poisson(discrete_laplace(scale=2), rate=0.1)^20 * discrete_gaussian(sigma=6)^10", 12,
             Direction::remove)
          ->epsilon(parse_rational("1e-6"));
  CHECK(reached(band, 12));
  CHECK(certainly_greater_equal(band.lower, Ball(parse_rational("2.626511721576978"))));
  CHECK(certainly_less_equal(band.upper, Ball(parse_rational("2.626511817900931"))));
}

TEST_CASE("lattice_atoms: next to the greatest loss, where one sum is all that matters") {
  const char* spec = "randomized_response(probability=0.72) * pure(epsilon=0.9)^11";
  for (const char* text : {"10.5", "10.8", "10.84"}) {
    const Rational epsilon = parse_rational(text);
    const Enclosure band = opened(spec, 20, Direction::remove)->delta(epsilon);
    INFO(std::string(text), " ", show(band));
    CHECK(reached(band, 20));
    CHECK(overlaps(band, opened(spec, 20, Direction::remove, "atom_sum")->delta(epsilon)));
  }
  for (const char* text : {"1e-6", "1e-10"}) {
    const Rational delta = parse_rational(text);
    const Enclosure band = opened(spec, 12, Direction::remove)->epsilon(delta);
    INFO(std::string(text), " ", show(band));
    CHECK(reached(band, 12));
    CHECK(overlaps(band, opened(spec, 12, Direction::remove, "atom_sum")->epsilon(delta)));
  }
}

TEST_CASE("lattice_atoms: what it refuses") {
  const auto refusal = [](const char* spec) {
    return accountant("lattice_atoms")->refusal(loss_from(spec, Direction::remove));
  };
  CHECK(refusal("gaussian(sigma=1) * pure(epsilon=1)"));
  CHECK(refusal("pure(epsilon=0.1)^5 * pure(epsilon=0.3)"));  // one lattice
  CHECK(refusal("poisson(discrete_gaussian(sigma=1.5), rate=0.05)^100 * pure(epsilon=0.1)"));
  CHECK_FALSE(refusal("poisson(pure(epsilon=0.1), rate=0.5) * pure(epsilon=0.3)"));
}

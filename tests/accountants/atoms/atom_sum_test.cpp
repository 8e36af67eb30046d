// Sums over combinations of atoms against sums over all outcomes, exact lattices, the sum for
// two-point laws, and grids.
#include <doctest/doctest.h>

#include <cmath>

#include "accountants/plan/atom_lists.hpp"
#include "accountants/proof/arithmetic/multisets.hpp"
#include "accountants/registry.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/work/work_limit.hpp"
#include "support/curves.hpp"
#include "support/outcomes.hpp"
#include "support/random.hpp"
#include "support/random_specs.hpp"
#include "support/sabotage.hpp"
#include "support/slow.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

std::unique_ptr<PrivacyCurve> opened(const std::string& spec, int digits,
                                     Direction direction = Direction::remove,
                                     const char* name = "atom_sum") {
  return accountant(name)->open(loss_from(spec, direction), Goal{digits});
}

Enclosure by_atoms(const std::string& spec, const Rational& epsilon, int digits,
                   Direction direction = Direction::remove) {
  return opened(spec, digits, direction)->delta(epsilon);
}

/// A decimal with two digits.
std::string decimal(Random& random, long low, long high) {
  return to_string(Rational(random.integer(low, high), 100));
}

/// One to three factors without a continuous part, on no common lattice as a rule.
std::string random_atoms(Random& random) {
  std::string spec;
  const long factors = random.integer(1, 3);
  for (long i = 0; i < factors; ++i) {
    std::string mechanism;
    long most = 6;
    switch (random.integer(0, 3)) {
      case 0:
        mechanism = "pure(epsilon=" + decimal(random, 5, 150) + ")";
        most = 40;
        break;
      case 1:
        mechanism = "approximate(epsilon=" + decimal(random, 5, 150) + ", delta=1e-" +
                    std::to_string(random.integer(2, 12)) + ")";
        most = 40;
        break;
      case 2:
        mechanism = "discrete_laplace(scale=" + decimal(random, 60, 400) +
                    ", sensitivity=" + std::to_string(random.integer(1, 3)) + ")";
        break;
      default:
        mechanism = "discrete_gaussian(sigma=" + decimal(random, 60, 250) + ")";
        most = 1;
    }
    if (!random.one_in(3))
      mechanism = "poisson(" + mechanism + ", rate=" + decimal(random, 1, 99) + ")";
    spec += (i > 0 ? " * " : "") + mechanism + "^" + std::to_string(random.integer(1, most));
  }
  return spec;
}

/// Collects what Multisets visits.
struct Collected {
  std::vector<Category> categories;
  std::uint64_t draws;
  std::vector<std::pair<std::size_t, std::uint64_t>> stack = {};
  std::size_t leaves = 0;
  double probability = 0;
  void push(std::size_t i, std::uint64_t k) { stack.emplace_back(i, k); }
  void pop() { stack.pop_back(); }
  bool step() { return true; }
  void leaf(double log) {
    std::vector<std::uint64_t> counts;
    for (const Category& each : categories) counts.push_back(each.low);
    for (const auto& [i, k] : stack) counts[i] += k;
    std::uint64_t sum = 0;
    double expected = estimate_log_factorial(draws);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      CHECK(counts[i] <= categories[i].high);
      sum += counts[i];
      expected +=
          static_cast<double>(counts[i]) * categories[i].log - estimate_log_factorial(counts[i]);
    }
    CHECK(sum == draws);
    // the logs of factorials of 10^9 have ten digits before the point
    CHECK(std::fabs(log - expected) < 1e-9 + 1e-15 * estimate_log_factorial(draws));
    ++leaves;
    probability += std::exp(log);
  }

  bool visit(double least) { return Multisets<Collected>(categories, draws, least, *this).visit(); }
};

std::vector<Category> categories_of(const std::vector<double>& p) {
  std::vector<Category> result;
  for (const double each : p) result.push_back({std::log(each)});
  return result;
}

/// The sum over combinations that are not rarer than e^-nats.
proof::AtomSum<Ball> atom_sum(const ComposedLoss& loss, double tilt, double nats) {
  const auto lists = atom_lists(loss, tilt, nats);
  REQUIRE(lists);
  proof::Budget budget = proof::unlimited_budget();
  return {{lists->atoms, lists->atoms, lists->whole, loss.mass_at_infinity(),
           [&] { return exp(loss.log_mgf(Ball(tilt))); }},
          plan_atoms(lists->factors, tilt, nats).choices,
          most_atom_points,
          budget};
}

}  // namespace

TEST_CASE("many draws of two atoms: the plan counts about those that are likely enough") {
  for (const double p : {1e-6, 1e-4, 0.002, 0.999}) {
    for (const double nats : {5.0, 40.0}) {
      CAPTURE(p);
      CAPTURE(nats);
      const std::uint64_t draws = 3 * most_atom_points;
      const AtomsPlan plan = plan_atoms({{{std::log(p), std::log1p(-p)}, {1, 0}, draws}}, 0, nats);
      const std::uint64_t outer = plan.choices.outer[0].draws;
      CHECK(plan.choices.inner[0].draws == draws - outer);
      CHECK(std::max(outer, draws - outer) > most_atom_points);
      for (const bool inside : {false, true}) {
        const std::uint64_t n = inside ? draws - outer : outer;
        double likely = 0;
        for (std::uint64_t k = 0; k <= n; ++k) {
          const double log = estimate_log_factorial(n) - estimate_log_factorial(k) -
                             estimate_log_factorial(n - k) + static_cast<double>(k) * std::log(p) +
                             static_cast<double>(n - k) * std::log1p(-p);
          likely += log >= -nats ? 1 : 0;
        }
        CHECK(std::fabs((inside ? plan.inner_points : plan.outer_points) - likely) <=
              2 + 0.01 * likely);
      }
    }
  }
}

TEST_CASE("multisets: as many as there are, of probability 1, and the rare ones left out") {
  struct Case {
    std::vector<double> p;
    std::uint64_t draws;
    std::size_t number;  // C(n+K-1, K-1)
  };
  for (const Case& each :
       {Case{{1}, 5, 1}, Case{{0.25, 0.75}, 7, 8}, Case{{0.2, 0.3, 0.5}, 20, 231},
        Case{{0.1, 0.1, 0.1, 0.7}, 6, 84}, Case{{0.5, 0.3, 0.2}, 0, 1}}) {
    Collected all{categories_of(each.p), each.draws};
    CHECK(all.visit(-1e9));
    CHECK(all.leaves == each.number);
    CHECK(std::fabs(all.probability - 1) < 1e-12);
    if (each.number < 20) continue;
    Collected likely{categories_of(each.p), each.draws};
    CHECK_FALSE(likely.visit(-9));
    CHECK(likely.leaves < all.leaves);
    CHECK(likely.probability < 1);
    CHECK(likely.probability > 0.98);
  }
  Collected many{categories_of({0.25, 0.75}), 1'000'000'000};  // of 10^9 + 1
  many.visit(-30);
  CHECK(many.leaves > 80'000);
  CHECK(many.leaves < 300'000);
  CHECK(std::fabs(many.probability - 1) < 1e-5);
}

TEST_CASE("multisets within limits: all of them and no other, rare ones left out or not") {
  Random random(413);
  for (int i = 0; i < trials(60); ++i) {
    const auto size = static_cast<std::size_t>(random.integer(1, 4));
    const auto draws = static_cast<std::uint64_t>(random.integer(0, 9));
    std::vector<Category> categories;
    double whole = 0;
    for (std::size_t j = 0; j < size; ++j)
      whole += (categories.emplace_back().log = random.uniform(0.05, 1));
    for (Category& each : categories) {
      each.log = std::log(each.log / whole);
      each.low = static_cast<std::uint64_t>(random.integer(0, 3));
      each.high = each.low + static_cast<std::uint64_t>(random.integer(0, 6));
    }
    const double least = random.one_in(2) ? -4 : -infinity;
    std::size_t number = 0;
    std::size_t likely = 0;
    std::uint64_t lows = 0;
    std::uint64_t highs = 0;
    for (const Category& each : categories) {
      lows += each.low;
      highs += each.high;
    }
    if (lows > draws || highs < draws) continue;
    std::uint64_t base = 1;
    for (std::size_t j = 0; j < size; ++j) base *= draws + 1;
    for (std::uint64_t code = 0; code < base; ++code) {
      std::uint64_t rest = code;
      std::uint64_t sum = 0;
      double log = estimate_log_factorial(draws);
      bool within = true;
      for (const Category& each : categories) {
        const std::uint64_t k = rest % (draws + 1);
        rest /= draws + 1;
        sum += k;
        within = within && each.low <= k && k <= each.high;
        log += static_cast<double>(k) * each.log - estimate_log_factorial(k);
      }
      if (!within || sum != draws) continue;
      ++number;
      if (!(log < least)) ++likely;
    }
    Collected found{categories, draws};
    const bool all = found.visit(least);
    CHECK(found.leaves == likely);
    if (likely < number) CHECK_FALSE(all);
    if (least == -infinity) CHECK(all);
  }
}

TEST_CASE("samples of discrete mechanisms, to 30 digits, against sums over all outcomes") {
  Random random(411);
  const PrecisionScope scope(320);
  for (int i = 0; i < trials(6); ++i) {
    const Rational scale(random.integer(50, 300), 100);
    const Rational one(random.integer(10, 150), 100);
    const Rational rate(random.integer(5, 95), 100);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const Outcomes laplace = sampled(test::discrete_laplace(scale, 2), rate, direction);
      const Outcomes pure = sampled(two_points(one), Rational(1, 3), direction);
      Outcomes all = product(two_points(Rational(3, 10)), pure);
      for (int k = 0; k < 3; ++k) all = product(all, laplace);
      all = product(all, pure);
      const std::string spec = "poisson(discrete_laplace(scale=" + to_string(scale) +
                               ", sensitivity=2), rate=" + to_string(rate) +
                               ")^3 * poisson(pure(epsilon=" + to_string(one) +
                               "), rate=1/3)^2 * pure(epsilon=0.3)";
      const auto curve = opened(spec, 30, direction);
      for (const char* text : {"-0.4", "0", "0.3", "1.25"}) {
        const Rational epsilon = parse_rational(text);
        const Ball exact = direct_delta(all, Ball(epsilon));
        const Enclosure band = curve->delta(epsilon);
        INFO(spec, " at ", std::string(text), " ", show(band), " ", show(exact));
        CHECK_BAND_MEETS(band, exact);
        CHECK((reached(band, 30) || certainly_less(exact, Ball(1e-60))));
      }
    }
  }
}

TEST_CASE("samples of discrete Gaussian noise, to 30 digits, against sums over all outcomes") {
  const PrecisionScope scope(320);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    for (const char* text : {"0.36", "4"}) {
      const Rational variance = parse_rational(text);
      const long reach = 4 + static_cast<long>(25 * std::sqrt(estimate(variance)));  // to e^-312
      const Rational rate(1, 4);
      const Outcomes one = sampled(test::discrete_gaussian(variance, 1, reach), rate, direction);
      const Outcomes two = product(one, one);
      const auto curve = opened("poisson(discrete_gaussian(variance=" + std::string(text) +
                                    "), rate=0.25)^2 * pure(epsilon=0.5)",
                                30, direction);
      for (const char* at : {"0", "0.7", "2.5"}) {
        const Rational epsilon = parse_rational(at);
        const Ball exact = direct_delta(product(two, two_points(Rational(1, 2))), Ball(epsilon));
        const Enclosure band = curve->delta(epsilon);
        INFO(std::string(text), " at ", std::string(at), " ", show(band), " ", show(exact));
        CHECK_BAND_MEETS(band, exact);
        CHECK((reached(band, 30) || certainly_less(exact, Ball(1e-60))));
      }
    }
  }
}

TEST_CASE("laws on a lattice: the same 30 digits as there, delta and epsilon") {
  for (const char* spec :
       {"discrete_laplace(scale=2, sensitivity=2)^20", "discrete_gaussian(sigma=2)^4",
        "pure(epsilon=0.1)^1000", "approximate(epsilon=0.1, delta=1e-8)^100",
        "poisson(pure(epsilon=0.5), rate=0.25)^1000", "randomized_response(epsilon=0.4)^31",
        "discrete_laplace(scale=1) * discrete_laplace(scale=3)^7"}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const auto atoms = opened(spec, 30, direction);
      const auto lattice = opened(spec, 30, direction, "fourier(mode=lattice)");
      for (const char* text : {"0", "0.5", "1.7"}) {
        const Rational epsilon = parse_rational(text);
        const Enclosure band = atoms->delta(epsilon);
        const Enclosure other = lattice->delta(epsilon);
        INFO(std::string(spec), " at ", std::string(text), " ", show(band), " ", show(other));
        CHECK(reached(band, 30));
        CHECK(reached(other, 29));
        CHECK_BANDS_OVERLAP(band, other);
      }
      for (const char* text : {"0.01", "1e-6"}) {
        const Rational delta = parse_rational(text);
        const Enclosure band = atoms->epsilon(delta);
        const Enclosure other = lattice->epsilon(delta);
        INFO(std::string(spec), " at delta ", std::string(text), " ", show(band), " ", show(other),
             " ", band.remark);
        CHECK(reached(band, 30));
        CHECK_BANDS_OVERLAP(band, other);
      }
    }
  }
}

TEST_CASE("several two-point laws: the same 30 digits as their own sum") {
  for (const char* spec :
       {"pure(epsilon=0.1)^30 * randomized_response(epsilon=0.8)^20 * pure(epsilon=1/3)^11",
        "randomized_response(epsilon=0.21)^200 * approximate(epsilon=0.2, delta=1e-5)^90"}) {
    for (const char* text : {"0", "1", "6.5"}) {
      const Rational epsilon = parse_rational(text);
      const Enclosure band = by_atoms(spec, epsilon, 30);
      const Enclosure other =
          opened(spec, 30, Direction::remove, "optimal_composition")->delta(epsilon);
      INFO(std::string(spec), " at ", std::string(text), " ", show(band), " ", show(other));
      CHECK(reached(band, 30));
      CHECK(reached(other, 30));
      CHECK_BANDS_OVERLAP(band, other);
    }
  }
}

TEST_CASE("epsilon exactly the sum of losses, and small deltas: all digits") {
  // every loss is a multiple of 1/10, and so is epsilon: ties everywhere
  const std::string ties =
      "pure(epsilon=0.1)^9 * pure(epsilon=0.3)^4 * approximate(epsilon=0.7, delta=0.01)^3";
  for (const char* text : {"-0.3", "0", "0.1", "2", "4", "4.1"}) {
    const Rational epsilon = parse_rational(text);
    const Enclosure band = by_atoms(ties, epsilon, 30);
    const Enclosure other =
        opened(ties, 30, Direction::remove, "fourier(mode=lattice)")->delta(epsilon);
    INFO(std::string(text), " ", show(band), " ", show(other));
    CHECK(reached(band, 30));
    CHECK_BANDS_OVERLAP(band, other);
  }
  const std::string spec =
      "poisson(pure(epsilon=0.5), rate=0.25)^40 * poisson(pure(epsilon=0.3), rate=0.5)^9";
  for (const char* text : {"2", "4", "5.5", "6.3"}) {
    const Enclosure band = by_atoms(spec, parse_rational(text), 30);
    INFO(std::string(text), " ", show(band));
    CHECK(reached(band, 30));
    if (std::string(text) == "6.3") CHECK(band.upper.estimate() < 1e-12);
  }
}

TEST_CASE("at the end of a rational support nothing is left, whatever balls can decide") {
  for (const char* spec :
       {"pure(epsilon=0.1)^3", "laplace(scale=10)^3", "discrete_laplace(scale=10)^3",
        "pure(epsilon=0.1) * laplace(scale=10) * discrete_laplace(scale=20, sensitivity=2)"}) {
    const ComposedLoss loss = loss_from(spec);
    for (const auto& candidate : accountants()) {
      if (candidate->refusal(loss) || candidate->estimates_only()) continue;
      const WorkShare limit(20);
      const auto curve = candidate->open(loss, Goal{12});
      INFO(std::string(spec), " by ", std::string(candidate->name()));
      CHECK(curve->delta(Rational(3, 10)).upper.is_exact_zero());
    }
    const auto before = opened(spec, 12, Direction::remove, "moments")->delta(Rational(29, 100));
    CHECK(certainly_positive(before.upper));
  }
  const PrecisionScope scope(256);
  const ComposedLoss loss = loss_from("approximate(epsilon=0.1, delta=1e-8)^3");
  const Enclosure band = accountant("atom_sum")->open(loss, Goal{30})->delta(Rational(3, 10));
  CHECK(reached(band, 30));
  CHECK_BAND_MEETS(band, loss.mass_at_infinity());
}

TEST_CASE("epsilon inverts delta") {
  for (const char* spec : {"poisson(discrete_gaussian(sigma=3), rate=0.25)^3",
                           "poisson(discrete_laplace(scale=2, sensitivity=2), rate=0.25)^20",
                           "poisson(pure(epsilon=0.5), rate=0.25)^100 * pure(epsilon=0.1)^10"}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const auto curve = opened(spec, 25, direction);
      const Rational delta = parse_rational("1e-5");
      const Enclosure epsilon = curve->epsilon(delta);
      INFO(std::string(spec), " ", show(epsilon), " ", epsilon.remark);
      CHECK(reached(epsilon, 25));
      const PrecisionScope scope(300);
      CHECK(
          certainly_greater_equal(curve->delta(exact_rational(epsilon.lower)).upper, Ball(delta)));
      CHECK(certainly_less_equal(curve->delta(exact_rational(epsilon.upper)).lower, Ball(delta)));
    }
  }
  CHECK(by_atoms("pure(epsilon=0.1)^3", 0, 20).accountant == "atom_sum");
  const auto curve = opened("approximate(epsilon=0.1, delta=0.01)", 20);
  CHECK_FALSE(curve->epsilon(parse_rational("0.001")).lower.is_finite());
  CHECK(curve->epsilon(1).upper.is_exact_zero());
}

TEST_CASE("random compositions of atoms lie in the bands of grids and moments") {
  Random random(412);
  int sharp = 0;
  const int rounds = trials(usually(7, 12));
  for (int i = 0; i < rounds; ++i) {
    const std::string spec = random_atoms(random);
    const Direction direction = random.one_in(2) ? Direction::remove : Direction::add;
    const ComposedLoss loss = loss_from(spec, direction);
    const Rational epsilon(random.integer(-20, 200), 100);
    if (accountant("atom_sum")->refusal(loss)) continue;
    const WorkShare limit(20);
    const Enclosure band = accountant("atom_sum")->open(loss, Goal{20})->delta(epsilon);
    INFO(spec, " at ", to_string(epsilon), ", ", std::string(name_of(direction)), " ", show(band),
         " ", band.remark);
    if (reached(band, 20)) ++sharp;
    for (const char* name : {"fourier", "moments"}) {
      const WorkShare shorter(1);
      const Enclosure other = accountant(name)->open(loss, Goal{4})->delta(epsilon);
      INFO(std::string(name), " ", show(other));
      CHECK_BANDS_OVERLAP(band, other);
      if (reached(band, 20)) {
        CHECK(certainly_less_equal(other.lower, band.upper));
        CHECK(certainly_less_equal(band.lower, other.upper));
      }
    }
  }
  CHECK(sharp * 3 >= rounds * 2);
}

TEST_CASE("leaving out what was left out gives a wrong band") {
  // Few digits, so that much is left out; also the far atoms of an infinite law.
  int cases = 0;
  for (const char* spec : {"poisson(pure(epsilon=0.5), rate=0.25)^1000",
                           "poisson(discrete_laplace(scale=2, sensitivity=2), rate=0.25)^100",
                           "poisson(discrete_gaussian(sigma=2), rate=0.25)^2"}) {
    const ComposedLoss loss = loss_from(spec);
    const Ball epsilon(0.5);
    const PrecisionScope scope(300);
    proof::Budget budget = proof::unlimited_budget();
    const Ball exact = atom_sum(loss, 4, 160).at(epsilon, budget).low;
    for (const double nats : {8.0, 12.0, 20.0}) {
      const proof::ProofOf<Ball> found = atom_sum(loss, 4, nats).at(epsilon, budget);
      INFO(std::string(spec), " ", nats, " ", show(found.low), " ", show(found.high), " ",
           show(exact));
      CHECK(certainly_less(found.low, exact));
      CHECK(certainly_greater_equal(found.high, exact));
      ++cases;
    }
  }
  CHECK(cases == 9);
  int wrong = 0;
  for (const char* spec : {"poisson(pure(epsilon=0.5), rate=0.25)^1000",
                           "poisson(discrete_gaussian(sigma=2), rate=0.25)^2"}) {
    for (const char* text : {"0.5", "2", "3.5"}) {
      const Rational epsilon = parse_rational(text);
      const Enclosure exact = by_atoms(spec, epsilon, 40);
      REQUIRE(reached(exact, 40));
      CHECK_BANDS_OVERLAP(by_atoms(spec, epsilon, 3), exact);
      const Scaled none("atom_sum.left_out", 0);
      const Enclosure band = by_atoms(spec, epsilon, 3);
      if (misses(band, exact.lower) && misses(band, exact.upper)) ++wrong;
    }
  }
  CHECK(wrong >= 3);
}

TEST_CASE("a time limit leaves a valid band; what atom_sum refuses") {
  const ComposedLoss large = loss_from("poisson(discrete_gaussian(sigma=10), rate=0.25)^4");
  const auto curve = accountant("atom_sum")->open(large, Goal{30});
  {
    const WorkLimit limit(0.02);
    const Enclosure band = curve->delta(1);
    CHECK(band.remark == "time limit reached");
    CHECK(certainly_less_equal(band.lower, band.upper));
  }
  const auto refuses = [](const std::string& spec) {
    return accountant("atom_sum")->refusal(loss_from(spec, Direction::remove)).has_value();
  };
  CHECK(refuses("gaussian(sigma=1)"));
  CHECK(refuses("laplace(scale=1)"));
  CHECK(refuses("poisson(laplace(scale=1), rate=0.5)"));
  CHECK(refuses("pure(epsilon=1) * gaussian(sigma=1)"));
  CHECK(refuses("poisson(discrete_gaussian(sigma=10), rate=0.25)^100"));
  CHECK(refuses("poisson(discrete_laplace(scale=2, sensitivity=2), rate=0.25)^1000000"));
  CHECK_FALSE(refuses("poisson(pure(epsilon=0.5), rate=0.25)^1000000"));
}

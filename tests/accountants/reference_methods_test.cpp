// Optimal, advanced and basic composition: against direct sums, against each other, and with their
// bounds broken.
#include <doctest/doctest.h>

#include <map>

#include "accountants/literature/step_privacy.hpp"
#include "accountants/literature/two_point_rounding.hpp"
#include "accountants/literature/two_point_sum.hpp"
#include "accountants/registry.hpp"
#include "lib/balls/binomial.hpp"
#include "support/curves.hpp"
#include "support/random.hpp"
#include "support/random_specs.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

Enclosure delta_of(const char* name, const std::string& spec, const Rational& epsilon,
                   int digits = 12, Direction direction = Direction::remove) {
  return accountant(name)->open(loss_from(spec, direction), {digits})->delta(epsilon);
}

Enclosure epsilon_of(const char* name, const std::string& spec, const char* delta,
                     int digits = 12) {
  return accountant(name)
      ->open(loss_from(spec, Direction::remove), {digits})
      ->epsilon(parse_rational(delta));
}

/// The sum of Kairouz, Oh and Viswanath as printed: integers and exponentials, term by term,
///   1 - (1-delta)^n + (1-delta)^n sum_l C(n,l) (e^{(n-l) eps} - e^{x + l eps})_+ / (1 + e^eps)^n.
Ball printed_sum(const Rational& step, const Rational& delta, std::uint64_t n, const Rational& x) {
  const Ball e(step);
  const Ball at(x);
  Integer binomial = 1;
  Ball sum;
  for (std::uint64_t l = 0; l <= n; ++l) {
    if (Rational(n - l) * step > x + Rational(l) * step) {
      sum += Ball(Rational(binomial)) * (exp(Ball(n - l) * e) - exp(at + Ball(l) * e));
    }
    binomial = binomial * (n - l) / (l + 1);
  }
  const Ball finite = power(Ball(Rational(1 - delta)), n);
  return Ball(1) - finite + finite * sum / power(Ball(1) + exp(e), n);
}

/// Rare draws with a huge loss, otherwise next to none: what one point (eps, delta) describes well.
constexpr const char* rare =
    "mixture(sigma=10, sensitivities=[0.1, 100], "
    "probabilities=[0.999999, 0.000001])";

}  // namespace

TEST_CASE("log binomials") {
  const PrecisionScope scope(128);
  Random random(5);
  for (int i = 0; i < trials(20); ++i) {
    const auto n = static_cast<std::uint64_t>(random.integer(0, 400));
    const auto k = static_cast<std::uint64_t>(random.integer(0, static_cast<long>(n)));
    Integer exact = 1;
    for (std::uint64_t j = 0; j < k; ++j) exact = exact * (n - j) / (j + 1);
    CHECK_OVERLAPS(log_binomial(n, k), log(Ball(Rational(exact))));
  }
  // neighbours at a size where nothing can be written out
  const std::uint64_t n = 1'000'000'000'000;
  CHECK_OVERLAPS(log_binomial(n, 12345678) - log_binomial(n, 12345677),
                 log(Ball(n - 12345677) / Ball(12345678)));
}

TEST_CASE("optimal composition of equal steps is the printed sum") {
  struct Case {
    const char* epsilon;
    const char* delta;
    std::uint64_t n;
  };
  for (const Case& each : {Case{"0.1", "0", 1000}, Case{"0.1", "1e-8", 1000}, Case{"1", "0", 1},
                           Case{"3/7", "0.01", 2}, Case{"2", "1e-5", 37}, Case{"0.01", "0", 300}}) {
    const Rational step = parse_rational(each.epsilon);
    const Rational end = step * each.n;
    const std::string spec = "approximate(" + std::string(each.epsilon) + ", " + each.delta + ")^" +
                             std::to_string(each.n);
    const auto curve =
        accountant("optimal_composition")->open(loss_from(spec, Direction::remove), {30});
    // on points of the lattice, between them, at both ends and beyond
    for (const Rational& x :
         {Rational(0), Rational(end / 20), Rational(end / 20 + step / 3), Rational(end / 3),
          Rational(end - step / 2), end, Rational(end + 1), Rational(-end / 10), Rational(-end),
          Rational(-end - 2), Rational(end - 2 * step)}) {
      const Enclosure band = curve->delta(x);
      const PrecisionScope scope(4000);
      const Ball exact = printed_sum(step, parse_rational(each.delta), each.n, x);
      INFO(spec, " at ", to_string(x));
      CHECK_BAND_HOLDS(band, exact);
      CHECK(reached(band, 30));
    }
  }
}

TEST_CASE("30 digits for many steps, and epsilon inverts delta") {
  for (const char* spec :
       {"randomized_response(0.1)^100", "randomized_response(0.1)^10000",
        "randomized_response(0.001)^1000000", "pure(0.0003)^10000000",
        "randomized_response(probability=0.51)^100000", "approximate(0.1, 1e-12)^1000"}) {
    const auto curve =
        accountant("optimal_composition")->open(loss_from(spec, Direction::remove), {30});
    const Enclosure epsilon = curve->epsilon(parse_rational("1e-6"));
    INFO(std::string(spec), " ", show(epsilon));
    REQUIRE(reached(epsilon, 30));
    const Enclosure above = curve->delta(exact_rational(epsilon.lower));
    const Enclosure below = curve->delta(exact_rational(epsilon.upper));
    CHECK(reached(above, 30));
    const PrecisionScope scope(400);
    CHECK(certainly_greater_equal(above.upper, Ball(parse_rational("1e-6"))));
    CHECK(certainly_less_equal(below.lower, Ball(parse_rational("1e-6"))));
    const Enclosure moments = accountant("moments")
                                  ->open(loss_from(spec, Direction::remove), {12})
                                  ->epsilon(parse_rational("1e-6"));
    CHECK_BANDS_OVERLAP(moments, epsilon);
  }
  // what no epsilon reaches, and what every one does
  CHECK_FALSE(
      epsilon_of("optimal_composition", "approximate(1, 0.01)^100", "0.5").lower.is_finite());
  CHECK(epsilon_of("optimal_composition", "pure(0.1)^10", "0.9").upper.is_exact_zero());
}

TEST_CASE("several eps: all combinations") {
  Random random(71);
  for (int i = 0; i < trials(12); ++i) {
    std::string spec;
    struct Kind {
      Rational epsilon;
      long count;
    };
    std::vector<Kind> kinds;
    for (long j = 0; j < random.integer(2, 4); ++j) {
      kinds.push_back({Rational(random.integer(1, 12), 8), random.integer(1, 6)});
      spec += (j > 0 ? " * pure(" : "pure(") + to_string(kinds.back().epsilon) + ")^" +
              std::to_string(kinds.back().count);
    }
    // one step after the other, all 2^n outcomes merged by their exact loss
    std::map<Rational, Ball> law{{Rational(0), Ball(1)}};
    const PrecisionScope scope(300);
    Rational end = 0;
    for (const Kind& kind : kinds) {
      const Ball p = Ball(1) / (Ball(1) + exp(-Ball(kind.epsilon)));
      for (long step = 0; step < kind.count; ++step) {
        std::map<Rational, Ball> next;
        for (const auto& [loss, mass] : law) {
          next[loss + kind.epsilon] += mass * p;
          next[loss - kind.epsilon] += mass * (Ball(1) - p);
        }
        law = std::move(next);
        end += kind.epsilon;
      }
    }
    // eighths: often exactly a point of the law
    const Rational x(random.integer(-8, 8 * static_cast<long>(estimate(end))), 8);
    Ball exact;
    for (const auto& [loss, mass] : law) {
      if (loss > x) exact += mass * -expm1(Ball(Rational(x - loss)));
    }
    const Enclosure band = delta_of("optimal_composition", spec, x, 30);
    INFO(spec, " at ", to_string(x), " ", show(exact));
    CHECK_BAND_MEETS(band, exact);
    CHECK(reached(band, 30));
    const Enclosure inverse = epsilon_of("optimal_composition", spec, "0.001", 20);
    CHECK(reached(inverse, 20));
  }
}

TEST_CASE("a large group beside small ones, and equal eps of different delta") {
  const Enclosure both = delta_of("optimal_composition",
                                  "pure(0.001)^300000 * approximate(0.001, 1e-9)^100000", 2, 25);
  const Enclosure one = delta_of("optimal_composition", "approximate(0.001, 0)^400000", 2, 25);
  CHECK(reached(both, 25));
  const PrecisionScope scope(200);
  const Ball infinite = -expm1(Ball(100000) * log1p(-Ball(parse_rational("1e-9"))));
  const Ball composed = infinite + (Ball(1) - infinite) * hull(one.lower, one.upper);
  CHECK_BAND_MEETS(both, composed);

  // 2 steps beside a binomial sum are 4 shifted sums
  const Enclosure beside =
      delta_of("optimal_composition", "pure(0.001)^400000 * pure(1/3)^2", 2, 20);
  CHECK(reached(beside, 20));
  const Ball third(Rational(1, 3));
  const Ball p = Ball(1) / (Ball(1) + exp(-third));
  const auto shifted = [&](const Rational& by) {
    const Enclosure band = delta_of("optimal_composition", "pure(0.001)^400000", 2 - by, 25);
    return hull(band.lower, band.upper);
  };
  const Ball exact = square(p) * shifted(Rational(2, 3)) +
                     ldexp(p * (Ball(1) - p), 1) * shifted(0) +
                     square(Ball(1) - p) * shifted(Rational(-2, 3));
  CHECK_BAND_MEETS(beside, exact);
}

TEST_CASE("rounded losses enclose the exact sum") {
  Random random(13);
  for (int i = 0; i < trials(6); ++i) {
    const std::string spec =
        "pure(" + between(random, 0.01, 0.5) + ")^" + std::to_string(random.integer(1, 60)) +
        " * pure(" + between(random, 0.01, 0.5) + ")^" + std::to_string(random.integer(1, 60));
    const ComposedLoss loss = loss_from(spec);
    const double end = loss.greatest_loss().estimate();
    const double x = random.uniform(-0.1, 0.6) * end;
    const PrecisionScope scope(256);
    const TwoPointSum::Value exact = TwoPointSum::affordable(loss)->delta(Ball(x));
    const TwoPointRounding rounding(loss, x);
    const Enclosure band = rounding.delta(Ball(x));
    INFO(spec, " at ", x, " ", show(band), " ", show(exact.sum));
    CHECK_BAND_HOLDS(band, hull(exact.sum, exact.sum + exact.rest));
    CHECK(relative_width(band.lower, band.upper) < 0.2);
    const Scaled broken("optimal_composition.rounding", 0);
    CHECK(misses(rounding.delta(Ball(x)), exact.sum));
  }
}

TEST_CASE("too many combinations: the rounded band, both ways") {
  const std::string spec =
      "pure(0.0101)^400 * pure(0.0203)^400 * pure(0.0307)^400 * pure(0.0409)^400";
  CHECK(TwoPointSum::affordable(loss_from(spec)) == nullptr);
  const Enclosure delta = delta_of("optimal_composition", spec, 3, 6);
  const Enclosure moments = delta_of("moments", spec, 3);
  INFO(show(delta));
  CHECK_BANDS_OVERLAP(delta, moments);
  CHECK(relative_width(delta.lower, delta.upper) < 0.05);
  const Enclosure epsilon = epsilon_of("optimal_composition", spec, "1e-5", 6);
  INFO(show(epsilon));
  CHECK(relative_width(epsilon.lower, epsilon.upper) < 0.02);
  const PrecisionScope scope(200);
  const Enclosure at_end = delta_of("optimal_composition", spec, exact_rational(epsilon.upper), 6);
  CHECK(certainly_less_equal(at_end.lower, Ball(parse_rational("1e-5"))));
}

TEST_CASE("one point of a step's curve dominates the step") {
  Random random(29);
  constexpr ErrorTerm term{"none", "none"};
  for (int i = 0; i < trials(30); ++i) {
    std::string spec = random_spec(random, 1);
    spec = spec.substr(0, spec.rfind('^'));
    if (random.one_in(4)) spec = "laplace(" + between(random, 0.2, 5) + ")";
    const auto direction = random.one_in(2) ? Direction::add : Direction::remove;
    const ComposedLoss loss = loss_from(spec, direction);
    StepPrivacy steps(loss);
    Ledger ledger;
    const double level = random.uniform(-40, -0.2);
    const ComposedLoss laws = steps.certified(level, term, ledger);
    const PrecisionScope scope(400);
    const auto& law = *laws.terms()[0].loss;
    INFO(spec, " ", law.describe());
    for (int j = 0; j < 20; ++j) {
      const Ball x(random.one_in(3) ? random.uniform(-0.1, 0.1)
                                    : random.uniform(-1.5, 1.5) * law.greatest_loss().estimate());
      CHECK_FALSE(certainly_greater(loss.terms()[0].loss->delta(x), law.delta(x)));
    }
    const double delta = law.mass_at_infinity().upper_double();
    CHECK(std::log(delta) < level + 0.02);  // and the point is about where it was wanted
  }
}

TEST_CASE("truth <= optimal <= advanced <= published, and truth <= basic") {
  Random random(37);
  int improved = 0;
  for (int i = 0; i < trials(30); ++i) {
    const std::string step = random.one_in(2) ? "pure(" + between(random, 0.001, 1) + ")"
                                              : "approximate(" + between(random, 0.001, 1) + ", " +
                                                    between(random, 1e-12, 1e-7) + ")";
    const std::string spec = step + "^" + std::to_string(random.integer(1, 3000));
    const std::string delta = "1e-" + std::to_string(random.integer(2, 6));
    INFO(spec, " ", delta);
    const Enclosure optimal = epsilon_of("optimal_composition", spec, delta.c_str());
    CHECK(reached(optimal, 12));
    const Enclosure advanced = epsilon_of("advanced_composition", spec, delta.c_str());
    const Enclosure published =
        epsilon_of("advanced_composition(bound=published)", spec, delta.c_str());
    const Enclosure basic = epsilon_of("basic_composition", spec, delta.c_str());
    CHECK(certainly_less_equal(optimal.lower, advanced.upper));
    CHECK(certainly_less_equal(advanced.upper, published.upper));
    CHECK(certainly_less_equal(optimal.lower, basic.upper));
    if (certainly_less(advanced.upper, basic.upper)) ++improved;
  }
  CHECK(6 * improved > trials(30));

  for (int i = 0; i < trials(8); ++i) {
    const std::string sigma = between(random, 1, 20);
    std::string spec = "gaussian(sigma=" + sigma + ")";
    if (random.one_in(2)) spec = "poisson(" + spec + ", rate=" + between(random, 0.001, 0.3) + ")";
    spec += "^" + std::to_string(random.integer(1, 500));
    if (random.one_in(3)) spec += " * pure(0.01)^20 * laplace(5)";
    const Rational epsilon = exactly(random.uniform(0.1, 4));
    const Enclosure truth = delta_of("moments", spec, epsilon);
    INFO(spec, " ", to_string(epsilon));
    for (const char* name : {"optimal_composition", "advanced_composition", "basic_composition"}) {
      const Enclosure bound = delta_of(name, spec, epsilon);
      const Enclosure inverse = epsilon_of(name, spec, "1e-5");
      CHECK_BANDS_OVERLAP(bound, truth);
      CHECK_BANDS_OVERLAP(inverse, epsilon_of("moments", spec, "1e-5"));
      CHECK(inverse.upper.is_finite());
    }
  }
}

TEST_CASE("amplification carries a point of the noise's curve to one of the sampled curve") {
  const PrecisionScope scope(200);
  for (const char* rate : {"0.01", "0.3", "1"}) {
    const ComposedLoss noise = loss_from("gaussian(sigma=4)");
    const std::string spec = std::string("poisson(gaussian(sigma=4), rate=") + rate + ")";
    const ComposedLoss remove = loss_from(spec, Direction::remove);
    const ComposedLoss add = loss_from(spec, Direction::add);
    const Ball q(parse_rational(rate));
    for (const double epsilon : {0.1, 0.9, 1.5, 4.0}) {
      const Ball delta = q * noise.terms()[0].loss->delta(Ball(epsilon));
      const Ball at = log1p(q * expm1(Ball(epsilon)));
      CHECK_OVERLAPS(remove.terms()[0].loss->delta(at), delta);
      CHECK_FALSE(certainly_greater(add.terms()[0].loss->delta(at), delta));
    }
  }
}

TEST_CASE("the strong composition that Abadi et al. print") {
  // Independently, in floating point, by a plain scan of the split of delta.
  const auto plotted = [](double steps) {
    double least = 1e9;
    for (int i = 1; i < 20000; ++i) {
      const double share = i / 20000.0;
      const double step = 0.01 * std::sqrt(2 * std::log(1.25 * steps * 0.01 / (1e-5 * share))) / 4;
      least = std::min(
          least, std::sqrt(-2 * steps * std::log(1e-5 * (1 - share))) * step + steps * step * step);
    }
    return least;
  };
  const std::string step = "poisson(gaussian(sigma=4), rate=0.01)";
  const char* name = "advanced_composition(step=linear, bound=square)";
  for (const int steps : {10000, 40000}) {
    const Enclosure found = epsilon_of(name, step + "^" + std::to_string(steps), "1e-5");
    CHECK_FALSE(found.certified);
    CHECK(found.lower.estimate() == doctest::Approx(plotted(steps)).epsilon(1e-7));
    CHECK(found.upper.estimate() == found.lower.estimate());
  }
  CHECK(epsilon_of(name, step + "^10000", "1e-5").lower.estimate() ==
        doctest::Approx(9.34).epsilon(0.0005));
  CHECK(accountant(name)->estimates_only());
  CHECK_FALSE(accountant("advanced_composition(step=amplified)")->estimates_only());
  // What is said of the step is not true of it.
  const PrecisionScope scope(128);
  CHECK(certainly_greater(loss_from(step).terms()[0].loss->delta(Ball(0.0145633)),
                          Ball(5.35e-10) * Ball(200)));
  CHECK(accountant(name)->refusal(loss_from("laplace(3)")).has_value());
  CHECK_FALSE(accountant(name)->refusal(loss_from("gaussian(3)^2 * pure(0.1)")).has_value());
}

TEST_CASE("textbook steps are certified, and above those of the exact curve") {
  for (const char* const spec :
       {"poisson(gaussian(sigma=4), rate=0.01)^10000", "poisson(gaussian(sigma=1), rate=0.1)^50",
        "gaussian(sigma=20)^30 * approximate(0.01, 1e-9)"}) {
    const Enclosure truth = epsilon_of("moments", spec, "1e-5");
    double last = 0;
    for (const char* bound : {"improved", "square", "published"}) {
      const std::string with = std::string("bound=") + bound + ")";
      const Enclosure exact = epsilon_of(("advanced_composition(" + with).c_str(), spec, "1e-5");
      const Enclosure textbook =
          epsilon_of(("advanced_composition(step=amplified, " + with).c_str(), spec, "1e-5");
      INFO(std::string(spec), " ", std::string(bound), " ", show(exact), " ", show(textbook));
      CHECK(textbook.certified);
      CHECK(textbook.upper.is_finite());
      CHECK_BANDS_OVERLAP(textbook, truth);
      CHECK(textbook.upper.estimate() > exact.upper.estimate());
      CHECK(exact.upper.estimate() > last);  // tanh(u/2) < u < e^u - 1
      last = exact.upper.estimate();
    }
  }
}

TEST_CASE("basic composition adds up, for several kinds of steps too") {
  const Enclosure one = delta_of("closed_form", "gaussian(sigma=5)", Rational(1, 10));
  const Enclosure ten = delta_of("basic_composition", "gaussian(sigma=5)^10", 1);
  const PrecisionScope scope(200);
  CHECK_OVERLAPS(ten.upper, widened(Ball(10) * one.upper, Ball(1e-14)));
  const std::string both = "gaussian(sigma=5)^4 * laplace(3)^2 * approximate(0.1, 1e-7)";
  for (const char* epsilon : {"0.7", "2", "-0.5"}) {
    const Enclosure bound = delta_of("basic_composition", both, parse_rational(epsilon));
    const Enclosure truth = delta_of("contour", both, parse_rational(epsilon));
    INFO(std::string(epsilon), " ", show(bound), " ", show(truth));
    CHECK_BANDS_OVERLAP(bound, truth);
  }
  // the split is better than equal parts
  CHECK(delta_of("basic_composition", both, 2).upper.estimate() < 0.05);
}

TEST_CASE("bounds of the reference methods broken on purpose") {
  {
    const Enclosure exact = delta_of("optimal_composition", "pure(0.1)^1000", 5, 60);
    const Scaled broken("optimal_composition.tail", 0);
    int wrong = 0;
    for (const int digits : {1, 3, 6}) {
      if (misses(delta_of("optimal_composition", "pure(0.1)^1000", 5, digits), exact.lower))
        ++wrong;
    }
    CHECK(wrong == 3);
  }
  const std::string rare_steps = std::string(rare) + "^100";
  const Enclosure truth = delta_of("closed_form", rare, 6);  // of one step: below that of 100
  for (const char* name : {"optimal_composition", "advanced_composition"}) {
    CHECK(certainly_less_equal(truth.lower, delta_of(name, rare_steps, 6).upper));
    CHECK(delta_of(name, rare_steps, 6).upper.estimate() < 2e-4);
    const Scaled broken((std::string(name) + ".step").c_str(), 0);
    INFO(std::string(name));
    CHECK(certainly_less(delta_of(name, rare_steps, 6).upper, truth.lower));
  }
  {  // the textbook's eps is false for so little noise, which only the check notices
    const char* name = "advanced_composition(step=amplified)";
    CHECK(delta_of(name, "gaussian(sigma=0.02)", 1000).upper.estimate() == 1);
    const Enclosure loud = delta_of("closed_form", "gaussian(sigma=0.02)", 1000);
    const Scaled broken("advanced_composition.step", 0);
    CHECK(certainly_less(delta_of(name, "gaussian(sigma=0.02)", 1000).upper, loud.lower));
  }
  const char* pure = "pure(0.1)^100";
  const Enclosure delta = delta_of("optimal_composition", pure, 3);
  const Enclosure epsilon = epsilon_of("optimal_composition", pure, "1e-6");
  {
    // not 0, which the greatest atom contradicts
    const Scaled broken("advanced_composition.hoeffding", 1e-6);
    CHECK(misses(delta_of("advanced_composition", pure, 3), delta.lower));
    CHECK(misses(epsilon_of("advanced_composition", pure, "1e-6"), epsilon.lower));
  }
  {
    const Scaled broken("basic_composition.delta", 1e-6);
    CHECK(misses(delta_of("basic_composition", pure, 3), delta.lower));
  }
  {
    const Scaled broken("basic_composition.epsilon", 0);
    CHECK(misses(epsilon_of("basic_composition", pure, "1e-6"), epsilon.lower));
  }
}

// One step of a law at its optimal event: the evaluator in both arithmetics against the tails of
// the laws, and its brackets.
#include "accountants/proof/kinds/threshold.hpp"

#include <doctest/doctest.h>

#include "accountants/plan/threshold_plan.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/laws/laplace_loss.hpp"
#include "mechanisms/laws/range_loss.hpp"
#include "mechanisms/replacement/replacement_loss.hpp"
#include "support/containment.hpp"
#include "support/random.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

proof::Budget budget() { return proof::unlimited_budget(); }

/// Both ends as balls, at more digits than any test asks for.
Ball ball_of(const proof::Interval& x) {
  const PrecisionScope scope(2000);
  return hull(Ball(proof::lower(x)), Ball(proof::upper(x)));
}

/// By the tails of the law, whose threshold is a root in balls.
Ball truth(const PrivacyLoss& law, const Rational& epsilon) {
  const PrecisionScope scope(600);
  const Ball x(epsilon);
  return law.p_above(x) - exp(x) * law.q_above(x);
}

struct Pair {
  GaussianMixture mixture;
  proof::Mixture remove;
  proof::Mixture add;
  proof::Mirrored mirrored;
};

Pair pair_of(GaussianMixture mixture) {
  std::vector<Rational> rates;
  for (const Rational& x : mixture.sensitivities) rates.emplace_back(x / mixture.sigma);
  const std::vector<Rational> shares = mixture.probabilities;
  return {std::move(mixture), {rates, shares, true}, {rates, shares, false}, {rates, shares}};
}

std::vector<Pair> pairs() {
  std::vector<Pair> result;
  result.push_back(pair_of({Rational(4, 5), {0, 1}, {Rational(249, 250), Rational(1, 250)}}));
  result.push_back(pair_of({20, {0, 1}, {Rational(1, 3), Rational(2, 3)}}));
  result.push_back(
      pair_of({Rational(1, 2), {0, 1, 3}, {Rational(1, 2), Rational(1, 4), Rational(1, 4)}}));
  result.push_back(
      pair_of({Rational(1, 10), {0, 1}, {1 - Rational(1, 1000000), Rational(1, 1000000)}}));
  return result;
}

/// Both arithmetics hold the truth, to nearly so many bits.
template <class Loss>
void check_planned(const Loss& by_tails, const Rational& epsilon, long bits) {
  const auto law = plain_law(by_tails);
  const Ball value = truth(by_tails, epsilon);
  INFO(by_tails.describe(), ", epsilon ", to_string(epsilon), ", delta ", value.to_string());
  const PrecisionScope scope(bits + 64);
  auto work = budget();
  const auto choices = plan_threshold(by_tails, Ball(epsilon), Ball(epsilon), bits);
  const auto balls = proof::threshold(law, Ball(epsilon), choices, work);
  const auto intervals = proof::threshold(law, proof::Interval(epsilon), choices, work);
  for (const Ball& found :
       {hull(balls.low, balls.high), hull(ball_of(intervals.low), ball_of(intervals.high))}) {
    CHECK_OVERLAPS(found, value);
    CHECK(found.relative_accuracy_bits() > bits - 12);
  }
}

}  // namespace

TEST_CASE("planned brackets prove the curves of mixtures to the bits they were made for") {
  for (const Pair& pair : pairs()) {
    const MixtureLoss remove(pair.mixture, plaudit::Direction::remove);
    const MixtureLoss add(pair.mixture, plaudit::Direction::add);
    const MirroredLoss mirrored(pair.mixture);
    for (const char* text : {"1e-9", "0.3", "2", "11"}) {
      for (const long bits : {40L, 90L, 400L}) {
        const Rational epsilon = parse_rational(text);
        check_planned(remove, epsilon, bits);
        check_planned(remove, -epsilon / 1000, bits);
        check_planned(mirrored, epsilon, bits);
        check_planned(mirrored, -epsilon, bits);
        if (certainly_less(Ball(epsilon), add.greatest_loss())) {
          check_planned(add, epsilon, bits);
        }
        check_planned(add, -epsilon, bits);
      }
    }
  }
}

TEST_CASE(
    "the width of a bracket is attained where the ratio of the densities is a step, up to "
    "rounding") {
  const PrecisionScope scope(200);
  auto work = budget();
  const Pair pair = pair_of({Rational(1, 40), {0, 1}, {Rational(1, 2), Rational(1, 2)}});
  const MixtureLoss law(pair.mixture, plaudit::Direction::remove);
  const Rational epsilon(7, 10);
  const Ball value = truth(law, epsilon);
  const auto exact = plan_threshold(law, Ball(epsilon), Ball(epsilon), 100).bracket;
  REQUIRE(exact.has_value());
  const proof::ThresholdChoices choices{.bracket = proof::Bracket{exact->below - 30, exact->above}};
  const auto found = proof::threshold(pair.remove, proof::Interval(epsilon), choices, work);
  CHECK_OVERLAPS(ball_of(found.high), value);  // what is between them is below rounding
  CHECK(certainly_less(proof::upper(found.high) - proof::lower(found.high), Ball(1e-40)));
  CHECK(certainly_less(ball_of(found.low), value));
  const Ball width = exp(Ball(epsilon)) - ldexp(Ball(1), -1);  // of f from 1/2 on, over all of Q
  CHECK(certainly_less(abs(ball_of(found.errors[0].size) - width), Ball(1e-20)));
  const Scaled less("threshold.bracket", 0.999);
  const auto narrow = proof::threshold(pair.remove, proof::Interval(epsilon), choices, work);
  CHECK(certainly_less(ball_of(narrow.high), value));
}

TEST_CASE("a coarse bracket holds the curve, and its width may not be left out") {
  const PrecisionScope scope(200);
  auto work = budget();
  Random random(311);
  for (const Pair& pair : pairs()) {
    const MixtureLoss law(pair.mixture, plaudit::Direction::remove);
    for (int i = 0; i < trials(10); ++i) {
      const Rational epsilon = exactly(std::exp(random.uniform(-3, 1)));
      const Ball value = truth(law, epsilon);
      const auto exact = plan_threshold(law, Ball(epsilon), Ball(epsilon), 100).bracket;
      REQUIRE(exact.has_value());
      const auto around = [&](double before, double after) {
        const proof::ThresholdChoices choices{
            .bracket =
                proof::Bracket{exact->below - exactly(before), exact->above + exactly(after)}};
        return proof::threshold(pair.remove, Ball(epsilon), choices, work);
      };
      const auto honest = around(0.1, 0.05);
      CHECK(certainly_less(honest.low, value));
      CHECK(certainly_less(value, honest.high));
      CHECK(certainly_less(abs(honest.high - honest.low - honest.errors[0].size), Ball(1e-40)));
      {
        const Scaled off("threshold.bracket", 0);
        CHECK(certainly_less(around(0.1, 0.05).high, value));
      }
      // a bracket that ends before the place, or begins after it, bounds from below alone
      for (const auto& [before, after] : {std::pair(0.2, -0.1), std::pair(-0.1, 0.2)}) {
        const auto beside = around(before, after);
        CHECK(certainly_less(beside.low, value));
        CHECK((beside.high - Ball(1)).is_exact_zero());
      }
      // half of the width is enough where the density hardly changes: the bound is sharp to that
      const auto narrow = around(0, 0.01);
      const auto wide = around(0.01, 0);
      CHECK(certainly_less(narrow.errors[0].size, ldexp(wide.errors[0].size, -8)));
      const Ball share = (value - wide.low) / wide.errors[0].size;
      CHECK(share.estimate() > 0.4);
      CHECK(share.estimate() < 0.6);
    }
  }
}

TEST_CASE("without a bracket a mixture is known beyond its losses alone") {
  const PrecisionScope scope(128);
  auto work = budget();
  const Pair pair = pairs()[2];
  const Ball log_two = log(Ball(2));
  const auto at = [&](const proof::Mixture& law, const Ball& epsilon) {
    return proof::threshold(law, epsilon, {}, work);
  };
  CHECK(at(pair.add, Ball(0.7)).high.is_exact_zero());
  CHECK_OVERLAPS(at(pair.remove, Ball(-0.7)).low, -expm1(Ball(-0.7)));
  CHECK_OVERLAPS(at(pair.remove, Ball(-0.7)).high, -expm1(Ball(-0.7)));
  CHECK_THROWS_AS(at(pair.add, Ball(0.69)), proof::Rejected);
  CHECK_THROWS_AS(at(pair.add, log_two), proof::Rejected);
  CHECK_THROWS_AS(at(pair.add, Ball(-0.7)), proof::Rejected);
  CHECK_THROWS_AS(at(pair.remove, Ball(-0.69)), proof::Rejected);
  CHECK_THROWS_AS(at(pair.remove, Ball(0.7)), proof::Rejected);
  CHECK_THROWS_AS(proof::threshold(pair.mirrored, Ball(50), {}, work), proof::Rejected);
  const proof::ThresholdChoices empty{.bracket = proof::Bracket{1, 0}};
  CHECK_THROWS_AS(proof::threshold(pair.remove, Ball(1), empty, work), proof::Rejected);
  // a mixture that is none
  const auto refused = [&](proof::Mixture law) {
    const proof::ThresholdChoices wide{.bracket = proof::Bracket{-9, 9}};
    CHECK_THROWS_AS(proof::threshold(law, Ball(1), wide, work), proof::Rejected);
  };
  refused({{0, -1}, {Rational(1, 2), Rational(1, 2)}, true});
  refused({{0, 1}, {Rational(3, 2), Rational(-1, 2)}, false});
  CHECK_THROWS_AS(proof::curve(proof::Gaussian{0}, Ball(1)), proof::Rejected);
  // the plan says the same
  const auto planned = [&](plaudit::Direction direction, double epsilon) {
    const MixtureLoss law(pair.mixture, direction);
    return plan_threshold(law, Ball(epsilon), Ball(epsilon), 60).bracket.has_value();
  };
  CHECK_FALSE(planned(plaudit::Direction::add, 0.7));
  CHECK(planned(plaudit::Direction::add, 0.69));
  CHECK_FALSE(planned(plaudit::Direction::remove, -0.7));
}

TEST_CASE("one bracket proves the curve at both ends of a band of epsilon") {
  const PrecisionScope scope(200);
  auto work = budget();
  const Pair pair = pairs()[0];
  const MixtureLoss law(pair.mixture, plaudit::Direction::remove);
  const Rational low(3, 2);
  const Rational high = low + Rational(1, 1000000000);
  const auto choices = plan_threshold(law, Ball(low), Ball(high), 150);
  for (const Rational& epsilon : {low, high}) {
    const auto found = proof::threshold(pair.remove, Ball(epsilon), choices, work);
    const Ball value = hull(found.low, found.high);
    CHECK_OVERLAPS(value, truth(law, epsilon));
    CHECK(value.relative_accuracy_bits() > 45);
  }
}

TEST_CASE("Laplace noise and bounded range: curves are those of the tails, in both arithmetics") {
  const PrecisionScope scope(150);
  for (const char* text : {"0.01", "1", "3/2", "7"}) {
    const Rational end = parse_rational(text);
    const LaplaceLoss laplace(end);
    const RangeLoss range(end);
    for (const Rational& part : {Rational(-3, 2), Rational(-1), Rational(-3, 10), Rational(0),
                                 Rational(2, 5), Rational(9, 10), Rational(1), Rational(2)}) {
      const Rational x = end * part;
      const Ball at(x);
      const proof::Interval interval(x);
      const Ball of_laplace = laplace.p_above(at) - exp(at) * laplace.q_above(at);
      const Ball of_range = range.p_above(at) - exp(at) * range.q_above(at);
      const Ball found[] = {proof::curve(proof::Laplace{end}, at),
                            proof::curve(proof::Range{end}, at),
                            ball_of(proof::curve(proof::Laplace{end}, interval)),
                            ball_of(proof::curve(proof::Range{end}, interval))};
      for (int i = 0; i < 4; ++i) {
        INFO(end, " ", part, " ", i);
        CHECK_OVERLAPS(found[i], i % 2 == 0 ? of_laplace : of_range);
        CHECK(found[i].radius_double() < 1e-38);
        if (part >= 1) CHECK(certainly_less(found[i], Ball(1e-38)));
      }
    }
    // wherever the order of epsilon and an end is open, both forms are held
    for (const Ball& wide : {widened(Ball(end), Ball(0.001)), widened(-Ball(end), Ball(0.001))}) {
      for (const Ball& value :
           {proof::curve(proof::Laplace{end}, wide), proof::curve(proof::Range{end}, wide)}) {
        CHECK(value.radius_double() < 0.003);  // a slope of 1, twice by dependence
      }
      for (const Ball& at : {wide.lower(), wide.upper()}) {
        CHECK(contains(proof::curve(proof::Laplace{end}, wide),
                       proof::curve(proof::Laplace{end}, at).middle()));
        CHECK(contains(proof::curve(proof::Range{end}, wide),
                       proof::curve(proof::Range{end}, at).middle()));
      }
    }
  }
}

TEST_CASE("a sample of Laplace noise is its curve at another place") {
  const PrecisionScope scope(150);
  const Rational ratio(3, 2);
  for (const Rational& rate : {Rational(1, 5), Rational(1, 100000)}) {
    for (const bool removes : {true, false}) {
      const auto law = LaplaceLoss(ratio).sampled(
          rate, removes ? plaudit::Direction::remove : plaudit::Direction::add);
      for (const char* text : {"-0.4", "-0.1", "-1e-6", "0", "1e-6", "0.1", "0.4", "2"}) {
        const Ball at(parse_rational(text));
        const Ball expected = law->p_above(at) - exp(at) * law->q_above(at);
        const auto base = proof::of_sampled(rate, removes, at);
        const Ball found = base ? base->front * proof::curve(proof::Laplace{ratio}, base->place)
                                : (removes ? -expm1(at) : Ball(0));
        INFO(rate, " ", removes, " ", std::string(text));
        CHECK_OVERLAPS(found, expected);
        CHECK(found.radius_double() < 1e-35);
        const auto interval =
            proof::of_sampled(rate, removes, proof::Interval(parse_rational(text)));
        CHECK(interval.has_value() == base.has_value());
        if (base) CHECK_OVERLAPS(ball_of(interval->front), base->front);
        if (base) CHECK_OVERLAPS(ball_of(interval->place), base->place);
      }
    }
  }
  CHECK_THROWS_AS(proof::of_sampled(Rational(1, 2), true, log(Ball(0.5))), proof::Rejected);
  CHECK_THROWS_AS(proof::of_sampled(Rational(0), true, Ball(1)), proof::Rejected);
  CHECK_THROWS_AS(proof::of_sampled(Rational(2), false, Ball(1)), proof::Rejected);
}

TEST_CASE("a label of a batch: both signs of epsilon, in both arithmetics") {
  const PrecisionScope scope(150);
  const Rational q(1, 7);
  const Rational a(5, 4);
  const ReplacementLoss law(Replacement{1, a, q, {1}, {Integer(1)}, Integer(1)});
  for (const char* text : {"-2", "-0.1", "0", "1e-8", "0.3", "4"}) {
    const Rational epsilon = parse_rational(text);
    const Ball at(epsilon);
    const Ball expected = law.p_above(at) - exp(at) * law.q_above(at);
    const Ball found = proof::LabelCurve<Ball>(Ball(q), at).at(Ball(a));
    const proof::Interval interval =
        proof::LabelCurve<proof::Interval>(proof::Interval(q), proof::Interval(epsilon))
            .at(proof::Interval(a));
    INFO(std::string(text));
    CHECK_OVERLAPS(found, expected);
    CHECK_OVERLAPS(ball_of(interval), expected);
    CHECK(found.radius_double() < 1e-38);
  }
  CHECK_THROWS_AS(proof::LabelCurve<Ball>(Ball(q), widened(Ball(0), Ball(0.1))), proof::Rejected);
}

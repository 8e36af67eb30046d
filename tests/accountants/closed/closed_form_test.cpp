#include "accountants/closed/closed_form.hpp"

#include <stdexcept>

#include "accountants/proof/evidence.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "tests/support/containment.hpp"
#include "tests/support/losses.hpp"
#include "tests/support/random.hpp"

using namespace plaudit;
using plaudit::test::loss_from;
using plaudit::test::Random;
using plaudit::test::relative_width;
using plaudit::test::trials;

namespace {

Enclosure delta_of(const char* spec, const char* epsilon, int digits = 12,
                   Direction direction = Direction::remove) {
  return closed_form_accountant()
      ->open(loss_from(spec, direction), {digits})
      ->delta(parse_rational(epsilon));
}
Enclosure epsilon_of(const char* spec, const char* delta, int digits = 12,
                     Direction direction = Direction::remove) {
  return closed_form_accountant()
      ->open(loss_from(spec, direction), {digits})
      ->epsilon(parse_rational(delta));
}

/// `text` is the first digits of the number: number in [text, text + one unit of its last digit].
bool begins(const Enclosure& band, const char* text, const char* unit) {
  const PrecisionScope scope(1000);
  const Rational low = parse_rational(text);
  const Rational high = low + parse_rational(unit);
  return certainly_greater_equal(band.upper, Ball(low)) &&
         certainly_less_equal(band.lower, Ball(high));
}

}  // namespace

TEST_CASE("one Gaussian step") {
  // Phi(-0.5) - e Phi(-1.5), by mpmath at 60 digits
  const Enclosure band = delta_of("gaussian(sigma=1)", "1", 50);
  CHECK(reached(band, 50));
  CHECK(begins(band, "0.12693673750664394580082962475776688", "1e-34"));
  CHECK(begins(delta_of("gaussian(sigma=1)", "0", 30), "0.38292492254802620727", "1e-20"));
}

TEST_CASE("mu adds up: n steps at sigma are one at sigma / sqrt n") {
  for (const char* epsilon : {"-2", "0", "0.3", "7", "1000"}) {
    const Enclosure many =
        delta_of("gaussian(sigma=3)^9 * gaussian(sigma=2, sensitivity=4)^3", epsilon, 40);
    const Enclosure one =
        delta_of("gaussian(sigma=1, sensitivity=1) * gaussian(sigma=1)^12", epsilon, 40);
    CHECK(reached(many, 40));
    CHECK(certainly_less_equal(many.lower, one.upper));
    CHECK(certainly_less_equal(one.lower, many.upper));
  }
}

TEST_CASE("both directions have delta(eps) and delta(-eps) related") {
  // delta_add(-eps) = 1 - e^-eps + e^-eps delta_remove(eps): swap P and Q
  const PrecisionScope scope(400);
  Random random(81);
  for (const char* spec :
       {"poisson(gaussian(sigma=0.8), rate=0.004)",
        "mixture(sigma=1/2, sensitivities=[1/3, 1, 2], probabilities=[1/2, 1/4, 1/4])",
        "group(poisson(gaussian(sigma=1), rate=1/10), size=3)"}) {
    for (int i = 0; i < trials(10); ++i) {
      const Rational epsilon(random.integer(-3000, 3000), 1000);
      const auto open = [&](Direction d) {
        return closed_form_accountant()->open(loss_from(spec, d), {60});
      };
      const Enclosure there = open(Direction::remove)->delta(epsilon);
      const Enclosure back = open(Direction::add)->delta(-epsilon);
      const Ball e = exp(-Ball(epsilon));
      const Ball expected = Ball(1) - e + e * hull(there.lower, there.upper);
      CAPTURE(spec);
      CAPTURE(to_string(epsilon));
      CHECK_OVERLAPS(expected, hull(back.lower, back.upper));
      CHECK(reached(back, 60));
    }
  }
}

TEST_CASE("wanted digits are reached at every size") {
  for (const char* delta : {"0.3", "1e-5", "1e-30", "1e-300", "1e-1000"}) {
    for (const char* spec :
         {"gaussian(sigma=0.1)", "gaussian(sigma=1)^1000000", "gaussian(sigma=1000)",
          "poisson(gaussian(sigma=0.8), rate=0.004)", "poisson(gaussian(sigma=0.1), rate=1e-9)"}) {
      for (const Direction direction : {Direction::remove, Direction::add}) {
        for (const int digits : {12, 100}) {
          const Enclosure band = epsilon_of(spec, delta, digits, direction);
          CAPTURE(spec);
          CAPTURE(delta);
          CHECK(reached(band, digits));
          CHECK(certainly_less_equal(band.lower, band.upper));
        }
      }
    }
  }
  for (const char* epsilon : {"-10000", "-1", "0", "1e-9", "1", "10000"}) {
    for (const char* spec : {"gaussian(sigma=1000)", "gaussian(sigma=0.1)^100"}) {
      const Enclosure band = delta_of(spec, epsilon, 50);
      CAPTURE(spec);
      CAPTURE(epsilon);
      CHECK(reached(band, 50));
      CHECK(certainly_less_equal(band.upper, Ball(1)));
    }
  }
}

TEST_CASE("more digits lie within fewer") {
  Random random(82);
  for (int i = 0; i < trials(20); ++i) {
    const std::string delta = to_string(test::exactly(std::exp(random.uniform(-80, -1))));
    const Enclosure wide = epsilon_of("gaussian(sigma=2)^7", delta.c_str(), 8);
    const Enclosure tight = epsilon_of("gaussian(sigma=2)^7", delta.c_str(), 80);
    CHECK(certainly_less_equal(wide.lower, tight.upper));
    CHECK(certainly_less_equal(tight.lower, wide.upper));
  }
}

TEST_CASE("what proved a band proves its printed ends again, in intervals") {
  for (const char* spec :
       {"poisson(gaussian(sigma=0.8), rate=0.004)", "poisson(gaussian(sigma=9), rate=0.3)",
        "group(poisson(gaussian(sigma=1), rate=1/10), size=3)"}) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      for (const int digits : {5, 12, 40}) {
        const Rational delta = parse_rational("1e-6");
        const ComposedLoss loss = loss_from(spec, direction);
        const Enclosure band = closed_form_accountant()->open(loss, {digits})->epsilon(delta);
        REQUIRE(band.evidence != nullptr);
        const PrecisionScope scope(band.evidence->bits);
        const GaussianMixture& mixture = *loss.terms()[0].loss->facts().gaussian_mixture;
        proof::Mixture law{{}, mixture.probabilities, direction == Direction::remove};
        for (const Rational& x : mixture.sensitivities) law.rates.emplace_back(x / mixture.sigma);
        const auto& choices = std::get<proof::ThresholdChoices>(band.evidence->choices);
        auto budget = proof::unlimited_budget();
        const auto at = [&](const std::string& epsilon) {
          return proof::threshold(law, proof::Interval(parse_rational(epsilon)), choices, budget);
        };
        CAPTURE(spec);
        CAPTURE(digits);
        CHECK(proof::upper(at(decimal_above(band, digits + 4)).high) <= delta);
        CHECK(proof::lower(at(decimal_below(band, digits + 4)).low) > delta);
      }
    }
  }
  // of one epsilon, and where nothing has to be chosen
  const Enclosure at_one = delta_of("poisson(gaussian(sigma=0.8), rate=0.004)", "1");
  REQUIRE(at_one.evidence != nullptr);
  CHECK(std::get<proof::ThresholdChoices>(at_one.evidence->choices).bracket.has_value());
  CHECK(delta_of("gaussian(sigma=1)", "1").evidence != nullptr);
  CHECK(delta_of("bounded_range(epsilon=1)", "0.3").evidence != nullptr);
  CHECK(delta_of("random_allocation(gaussian(sigma=3), steps=3)", "0.3").evidence == nullptr);
}

TEST_CASE("samples of a Gaussian whose sigma is a root: values of mpmath") {
  const char* spec = "poisson(gaussian(variance=2), rate=1/4)";
  const Enclosure remove = delta_of(spec, "0.3", 20);
  const Enclosure add = delta_of(spec, "0.1", 20, Direction::add);
  CHECK(begins(remove, "0.01361924120422385425051", "1e-23"));
  CHECK(begins(add, "0.02203513660371623503480", "1e-23"));
  CHECK(relative_width(remove.lower, remove.upper) < 1e-20);
  CHECK(relative_width(add.lower, add.upper) < 1e-20);
  CHECK(delta_of(spec, "0.3").evidence != nullptr);
}

TEST_CASE("ends") {
  CHECK(epsilon_of("gaussian(sigma=1)", "1").upper.is_exact_zero());
  CHECK_FALSE(epsilon_of("gaussian(sigma=1)", "0").lower.is_finite());
  const Enclosure add = epsilon_of("poisson(gaussian(sigma=1), rate=1/2)", "0", 20, Direction::add);
  CHECK(begins(add, "0.69314718055994530941", "1e-20"));
  CHECK(delta_of("poisson(gaussian(sigma=1), rate=1/2)", "0.7", 20, Direction::add)
            .upper.is_exact_zero());
}

TEST_CASE("it refuses what it cannot do, with the reason") {
  const auto accountant = closed_form_accountant();
  const ComposedLoss two = loss_from("poisson(gaussian(sigma=1), rate=1/2)^2");
  REQUIRE(accountant->refusal(two).has_value());
  CHECK_THROWS_AS(accountant->open(two, {12}), std::invalid_argument);
  CHECK_FALSE(accountant->refusal(loss_from("poisson(gaussian(sigma=1), rate=1/2)")).has_value());
  CHECK_FALSE(
      accountant->refusal(loss_from("gaussian(sigma=1)^5 * gaussian(sigma=3)")).has_value());
}

TEST_CASE("out of time it returns what it has") {
  const WorkLimit limit(0);
  const Enclosure band = delta_of("gaussian(sigma=1)", "1");
  CHECK(certainly_less_equal(band.lower, Ball(0.12)));
  CHECK(certainly_greater_equal(band.upper, Ball(0.13)));
  CHECK_FALSE(band.remark.empty());
}

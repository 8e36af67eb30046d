// The checker's laws of several answers and of noise that is cut off, summed, shown above a
// threshold or averaged: their curves against closed forms of their own, their moments at 0 and -1
// against their masses.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "lib/balls/precision.hpp"
#include "verification/checker/lines/lines.hpp"
#include "verification/checker/statements.hpp"
#include "verification/forms/closed_forms.hpp"

using namespace plaudit;

namespace {

const proof::PublicLabel* public_label_of(const proof::Law& law) {
  return std::get_if<proof::PublicLabel>(&law);
}

/// Choices of a law none of whose parts takes any, but the empty lists of labels.
nlohmann::json no_noise_choices(const proof::Law& law, bool of_a_line) {
  nlohmann::json result = nlohmann::json::object();
  const bool label = of_a_line && std::holds_alternative<proof::Labelled>(law);
  if (public_label_of(law) != nullptr || label) result["labels"] = nlohmann::json::array();
  if (public_label_of(law) != nullptr) {
    for (const auto& each : public_label_of(law)->laws->each) {
      result["labels"].push_back(no_noise_choices(*each, of_a_line));
    }
  }
  return result;
}

const proof::Law& noise_law_of(const proof::Spec& spec, Direction direction) {
  return *(direction == Direction::remove ? spec.remove : spec.add).factors.front().law;
}

struct NoiseExample {
  const char* spec;
  const char* near;  ///< how near to each other the enclosures are
};

const std::vector<NoiseExample> noise_examples = {
    {"randomized_response(epsilon=0.5, categories=5)", "1e-60"},
    {"randomized_response(probability=0.5, categories=4)", "1e-60"},
    {"laplace_threshold(scale=1, threshold=4)", "1e-27"},
    {"laplace_threshold(scale=0.5, threshold=0)", "1e-27"},
    {"laplace_threshold(scale=3, threshold=-2)", "1e-27"},
    {"truncated_gaussian(sigma=2, bound=3, sensitivity=3)", "1e-60"},
    {"truncated_gaussian(variance=3, bound=40)", "1e-60"},
    {"skellam(variance=9)", "1e-60"},
    {"skellam(variance=0.25, sensitivity=3)", "1e-60"},
    {"discrete_gaussian_sum(parties=5, sigma=0.7)", "1e-60"},
    {"discrete_gaussian_sum(parties=12, variance=3, sensitivity=2)", "1e-60"},
    {"averaged(gaussian(sigma=1), rate=0.3, population=9, adjacency=replace)", "1e-60"}};

}  // namespace

TEST_CASE("laws of noise: the curves of the checker's laws are those of the pairs") {
  for (const NoiseExample& each : noise_examples) {
    const proof::Spec spec = proof::read_spec(each.spec, {});
    for (const Direction direction : {Direction::remove, Direction::add}) {
      for (const char* at : {"-1", "-0.2", "0", "0.125", "0.75", "2"}) {
        CAPTURE(each.spec);
        CAPTURE(name_of(direction));
        CAPTURE(at);
        const nlohmann::json statement = {
            {"direction", std::string(name_of(direction))},
            {"epsilon", at},
            {"at_most", "1"},
            {"kind", "threshold"},
            {"bits", 400},
            {"choices", no_noise_choices(noise_law_of(spec, direction), false)}};
        const proof::Evaluation found = proof::evaluate(spec, statement, {});
        CAPTURE(found.reason);
        REQUIRE(found.valid);
        const PrecisionScope scope(400);
        const auto form = closed_form_delta(each.spec, direction, parse_rational(at));
        REQUIRE(form);
        const Rational near = parse_rational(each.near);
        CHECK(found.high - found.low < near);
        CHECK(found.low < form->exact_upper() + near);
        CHECK(found.high > form->exact_lower() - near);
      }
    }
  }
}

TEST_CASE("laws of noise: M(0) and M(-1) are masses, and values at the height 0 are moments") {
  const PrecisionScope scope(300);
  proof::Budget budget({});
  for (const NoiseExample& each : noise_examples) {
    const proof::Spec spec = proof::read_spec(each.spec, {});
    for (const Direction direction : {Direction::remove, Direction::add}) {
      CAPTURE(each.spec);
      CAPTURE(name_of(direction));
      const proof::Law& law = noise_law_of(spec, direction);
      if (public_label_of(law) != nullptr) continue;  // their moments take rules
      nlohmann::json choices = no_noise_choices(law, true);
      if (std::holds_alternative<proof::TruncatedGaussian>(law)) {
        choices["line"] = {
            {"eta", {0, 0}}, {"v", {1, -2}}, {"d", {1, -6}}, {"first", -2048}, {"last", 2048}};
      }
      proof::Fields fields(choices, "choices");
      const proof::LinePointer line = proof::make_line(law, fields, false);
      const auto near = [](const proof::Interval& a, const proof::Interval& b) {
        return proof::upper(a) >= proof::lower(b) &&
               proof::upper(proof::abs(a - b)) < parse_rational("1e-25");
      };
      CHECK(near(line->moment(0, "axis", budget), 1 - line->infinite()));
      CHECK(near(line->moment(-1, "axis", budget), line->q_mass()));
      const proof::Interval t(Rational(3, 4));
      const proof::Complex value = line->values(t, t, {0, 1}, budget)[0];
      CHECK(near(line->moment(t, "axis", budget), value.re));
    }
  }
}

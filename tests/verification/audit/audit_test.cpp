#include "verification/audit/audit.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "support/claims.hpp"
#include "support/random.hpp"
#include "verification/audit/audit_report.hpp"
#include "verification/claims/dp_events.hpp"
#include "verification/claims/exact_json.hpp"
#include "verification/claims/importers.hpp"
#include "verification/forms/closed_forms.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

std::vector<Finding> verdicts_of(const std::string& json, AuditOptions options = {}) {
  return audit(claims_from_json(json), options, [](std::size_t) {});
}

Finding verdict_of(const std::string& claim, AuditOptions options = {}) {
  const auto found = verdicts_of("[" + claim + "]", options);
  REQUIRE(found.size() == 1);
  return found[0];
}

std::string imported(const std::string& event) {
  return dp_event_spec(parse_exact_json(event)).spec;
}

/// The PLD of gaussian(sigma=1) that puts the mass of each cell of losses at its upper end (so it
/// is pessimistic by construction), with decimals rounded upward.
std::string gaussian_pld(double scale_of_mass, const char* kind) {
  constexpr long first = -600;
  constexpr long last = 800;
  std::string masses;
  const PrecisionScope scope(200);
  const auto above = [](long k) {  // P(L > k / 100), L ~ N(1/2, 1)
    return normal_cdf(Ball(Rational(1, 2)) - Ball(Rational(k, 100)));
  };
  for (long k = first; k <= last; ++k) {
    const Ball mass = (above(k - 1) - above(k)) * Ball(scale_of_mass);
    masses += (k > first ? ", " : "") + decimal_above(mass, 20);
  }
  return std::string("{\"id\": \"p\", \"spec\": \"gaussian(sigma=1)\", \"kind\": \"") + kind +
         "\", \"pld\": {\"discretization_interval\": 0.01, \"lower_loss\": -600, "
         "\"infinity_mass\": " +
         decimal_above(above(last), 20) + ", \"probabilities\": [" + masses + "]}}";
}

}  // namespace

TEST_CASE("claims next to the truth are decided, on the right side") {
  // delta(E) is known to 15 digits by another arithmetic; claims are off by a little.
  Random random(21);
  for (int i = 0; i < trials(20); ++i) {
    const std::string epsilon = std::to_string(random.integer(0, 400)) + "/100";
    const std::string spec =
        random.one_in(2) ? "gaussian(sigma=1)" : "poisson(gaussian(sigma=2), rate=1/4)";
    const Direction direction = random.one_in(2) ? Direction::remove : Direction::add;
    const auto truth = closed_form_delta(spec, direction, parse_rational(epsilon));
    REQUIRE(truth.has_value());
    if (!truth->certainly_positive()) continue;
    Rational off(1);
    for (long k = random.integer(2, 12); k > 0; --k) off /= 10;
    const bool above = random.one_in(2);
    const Rational claimed = above ? Rational(truth->exact_upper() * (1 + off))
                                   : Rational(truth->exact_lower() * (1 - off));
    for (const bool upper : {true, false}) {
      const std::string claim =
          "{\"id\": \"x\", \"spec\": \"" + spec + "\", \"direction\": \"" +
          std::string(name_of(direction)) + "\", \"quantity\": \"delta\", \"epsilon\": \"" +
          epsilon + "\", \"delta\": \"" + numerator(claimed).str() + "/" +
          denominator(claimed).str() + "\", \"kind\": \"" + (upper ? "upper" : "lower") + "\"}";
      INFO(claim);
      const Finding finding = verdict_of(claim);
      INFO(finding.reason);
      CHECK(finding.verdict == (upper == above ? Verdict::valid : Verdict::refuted));
    }
  }
}

TEST_CASE("delta = 0: from which epsilon on the loss is bounded") {
  const std::string above =
      R"j({"id": "x", "spec": "laplace(scale=1)", "delta": 0, "epsilon": 1.001, "kind": "upper"})j";
  const std::string below =
      R"j({"id": "x", "spec": "laplace(scale=1)", "delta": 0, "epsilon": 0.999, "kind": "upper"})j";
  CHECK(verdict_of(above).verdict == Verdict::valid);
  CHECK(verdict_of(below).verdict == Verdict::refuted);
}

TEST_CASE("more threads, the same verdicts in the same order") {
  std::string list;
  for (int i = 0; i < 40; ++i) {
    list += (i > 0 ? ", " : "") + std::string("{\"id\": \"") + std::to_string(i) +
            "\", \"spec\": \"gaussian(sigma=" + std::to_string(1 + i % 3) +
            ")\", \"delta\": 1e-5, \"kind\": \"upper\", \"epsilon\": " + std::to_string(i) + "/8}";
  }
  for (std::size_t at = list.find("/8"); at != std::string::npos; at = list.find("/8")) {
    list.replace(at, 2, "e-1");
  }
  AuditOptions many;
  many.threads = 3;
  std::size_t told = 0;
  const auto claims = claims_from_json("[" + list + "]");
  const auto parallel = audit(claims, many, [&](std::size_t finished) { told = finished; });
  const auto serial = audit(claims, {}, [](std::size_t) {});
  REQUIRE(parallel.size() == 40);
  CHECK(told == 40);
  for (std::size_t i = 0; i < parallel.size(); ++i) {
    CHECK(parallel[i].verdict == serial[i].verdict);
    CHECK(parallel[i].gap_delta == serial[i].gap_delta);
  }
}

TEST_CASE("the event of a witness has the delta it says") {
  for (const char* spec : {"gaussian(sigma=1)", "poisson(gaussian(sigma=1), rate=0.1)",
                           "mixture(sigma=2, sensitivities=[1, 3], probabilities=[0.5, 0.5])"}) {
    for (const char* direction : {"remove", "add"}) {
      const std::string claim = std::string("{\"id\": \"x\", \"spec\": \"") + spec +
                                "\", \"direction\": \"" + direction +
                                "\", \"delta\": 1e-9, \"epsilon\": 0.05, \"kind\": \"upper\"}";
      const Finding finding = verdict_of(claim);
      INFO(claim);
      REQUIRE(finding.witness.has_value());
      const Witness& witness = *finding.witness;
      CHECK(witness.direction == direction);
      CHECK(witness.output_event.find(std::string(direction) == "remove" ? ">" : "<") !=
            std::string::npos);
      const Rational by_event = parse_rational(witness.output_delta_lower);
      const Rational by_curve = parse_rational(witness.delta_lower);
      CHECK(by_event > parse_rational(witness.claimed_delta));
      CHECK(abs(by_event - by_curve) < by_curve / 1000000);
    }
  }
}

TEST_CASE("discrete PLDs") {
  AuditOptions options;
  options.timeout_seconds = 60;
  const Finding good = verdict_of(gaussian_pld(1, "pessimistic"), options);
  INFO(good.reason);
  CHECK(good.verdict == Verdict::valid);
  // A millionth of the mass taken away is seen only where the mesh leaves less slack than that.
  const Finding light = verdict_of(gaussian_pld(0.97, "pessimistic"), options);
  CHECK(light.verdict == Verdict::refuted);
  REQUIRE(light.witness.has_value());
  CHECK(parse_rational(light.witness->delta_lower) > parse_rational(light.witness->claimed_delta));
  CHECK(verdict_of(gaussian_pld(1, "optimistic"), options).verdict == Verdict::refuted);
}

TEST_CASE("the digits of a discrete PLD are those that decided it") {
  // A curve that is constant, 8e-25 above the delta at epsilon = 0.
  const Finding near =
      verdict_of(R"j({"id": "p", "spec": "gaussian(sigma=1)", "kind": "pessimistic", "pld": {)j"
                 R"j("discretization_interval": 1, "lower_loss": 0, "probabilities": [0], )j"
                 R"j("infinity_mass": "0.38292492254802620727541"}})j");
  CHECK(near.verdict == Verdict::valid);
  CHECK(near.digits == 24);
}

TEST_CASE("optimistic discrete PLDs") {
  AuditOptions options;
  options.timeout_seconds = 60;
  const auto judged = [&](const Claim& claim) {
    return audit({claim}, options, [](std::size_t) {})[0];
  };
  // The mass of each cell at its lower end, none at infinity.
  Claim down = claims_from_json("[" + gaussian_pld(1, "optimistic") + "]")[0];
  down.pld->lower_loss -= 1;
  down.pld->infinity_mass = 0;
  const Finding good = judged(down);
  INFO(good.reason);
  CHECK(good.verdict == Verdict::valid);
  // Mass at infinity, which this mechanism has not: too high beyond the last loss.
  Claim infinite = down;
  infinite.pld->infinity_mass = parse_rational("1e-30");
  CHECK(judged(infinite).verdict != Verdict::valid);

  // The chords of the exact curve, a millionth lower: below it at every grid point, above it
  // between them, where the chord is higher by h^2 / 8 times the curvature.
  const PrecisionScope scope(200);
  const auto exact = [](long k) {
    const Ball x(Rational(k, 100));
    return normal_cdf(Ball(Rational(1, 2)) - x) - exp(x) * normal_cdf(-Ball(Rational(1, 2)) - x);
  };
  Claim chords = down;
  chords.pld->lower_loss = -100;
  chords.pld->probabilities.clear();
  const auto slope = [&](long k) {  // of the chord from k to k + 1, in u
    return (exact(k + 1) - exact(k)) /
           (exp(Ball(Rational(k + 1, 100))) - exp(Ball(Rational(k, 100))));
  };
  for (long k = -100; k <= 800; ++k) {
    const Ball rise = (k == 800 ? Ball(0) : slope(k)) - (k == -100 ? Ball(0) : slope(k - 1));
    const Ball mass = exp(Ball(Rational(k, 100))) * (k == 800 ? -slope(k - 1) : rise);
    chords.pld->probabilities.push_back(exact_rational((mass * Ball(0.999999)).lower()));
  }
  const Finding between = judged(chords);
  INFO(between.reason);
  CHECK(between.verdict == Verdict::undecided);
}

TEST_CASE("a violation between coarse points is found") {
  // Pessimistic but for one mass moved far down: only losses near it see that.
  std::string claim = gaussian_pld(1, "pessimistic");
  const Claim whole = claims_from_json("[" + claim + "]")[0];
  Claim dented = whole;
  auto& masses = dented.pld->probabilities;
  for (std::size_t k = 900; k < 905; ++k) {  // losses 3.00 to 3.04
    masses[600] += masses[k];
    masses[k] = 0;
  }
  AuditOptions options;
  options.timeout_seconds = 60;
  CHECK(audit({whole}, options, [](std::size_t) {})[0].verdict == Verdict::valid);
  const Finding finding = audit({dented}, options, [](std::size_t) {})[0];
  INFO(finding.reason);
  CHECK(finding.verdict == Verdict::refuted);
}

TEST_CASE("importers") {
  CHECK(opacus_spec(parse_exact_json("[[1.1, 0.01, 100], [0.9, 2e-2, 5]]")).spec ==
        "poisson(gaussian(sigma=1.1), rate=0.01)^100 * poisson(gaussian(sigma=0.9), rate=2e-2)^5");
  CHECK_THROWS_AS(opacus_spec(parse_exact_json("[[1, 2]]")), InputError);
  CHECK_THROWS_AS(opacus_spec(parse_exact_json("[]")), InputError);
  const std::string gauss = R"({"type": "GaussianDpEvent", "noise_multiplier": 1.5})";
  CHECK(imported(gauss) == "gaussian(sigma=1.5)");
  const std::string laplace = R"({"type": "LaplaceDpEvent", "noise_multiplier": 2})";
  CHECK(imported(laplace) == "laplace(scale=2)");
  const std::string mixture = R"({"type": "MixtureOfGaussiansDpEvent", "standard_deviation": 1,
    "sensitivities": [0, 1], "sampling_probs": [0.5, 0.5]})";
  CHECK(imported(mixture) == "mixture(sigma=1, sensitivities=[0, 1], probabilities=[0.5, 0.5])");
  const std::string thrice =
      R"({"type": "SelfComposedDpEvent", "count": 3, "event": )" + gauss + "}";
  const std::string list = R"({"type": "ComposedDpEvent", "events": [{"type": "NoOpDpEvent"}, )" +
                           gauss + ", " + thrice + "]}";
  CHECK(imported(list) == "gaussian(sigma=1.5) * gaussian(sigma=1.5)^3");
  const std::string nested =
      R"({"type": "SelfComposedDpEvent", "count": 2, "event": )" + thrice + "}";
  CHECK(imported(nested) == "(gaussian(sigma=1.5)^3)^2");
  const std::string batches =
      R"({"type": "SampledWithoutReplacementDpEvent", "source_dataset_size": 100,
          "sample_size": 10, "event": )" +
      gauss + "}";
  CHECK(imported(batches) ==
        "without_replacement(gaussian(sigma=1.5, sensitivity=2), batch=10, population=100, "
        "adjacency=replace)");
  for (const char* name : {"NonPrivateDpEvent", "UnsupportedDpEvent"}) {
    try {
      imported(std::string(R"({"type": ")") + name + "\"}");
      FAIL("not refused");
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).find(name) != std::string::npos);
    }
  }
  const std::string sampled_composition =
      R"({"type": "PoissonSampledDpEvent", "sampling_probability": 0.1,
          "event": {"type": "ComposedDpEvent", "events": []}})";
  CHECK_THROWS_AS(imported(sampled_composition), InputError);
}

TEST_CASE("numbers of JSON stay the decimals written") {
  const Json json = parse_exact_json(R"([1e-10, 0.1000000000000000055511151231257827, -3, 2.50])");
  CHECK(json[0] == "1e-10");
  CHECK(json[1] == "0.1000000000000000055511151231257827");
  CHECK(json[2] == "-3");
  CHECK(json[3] == "2.50");
}

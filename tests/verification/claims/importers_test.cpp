// Runs as other libraries write them: what they become, what is only bounded, what is refused.
#include "verification/claims/importers.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "mechanisms/language/spec.hpp"
#include "support/claims.hpp"
#include "verification/audit/audit.hpp"
#include "verification/claims/dp_events.hpp"

using namespace plaudit;

namespace {

std::string sample(const std::string& name) {
  std::ifstream file(std::string(PLAUDIT_SOURCE_DIR "/tests/verification/claims/samples/") + name);
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The canonical spec of an event, and that it only bounds the run where it does.
std::string run_of(const std::string& text) {
  const ImportedSpec run = spec_of_text(text);
  return parse_spec(run.spec).spec() + (run.bound.empty() ? "" : " (bound)");
}

std::string event_refusal(const std::string& text) {
  try {
    return "accepted: " + run_of(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

#define CHECK_EVENT_REFUSED(text, words) \
  CHECK_MESSAGE(event_refusal(text).find(words) != std::string::npos, event_refusal(text))

/// {"type": "XDpEvent", fields...}
std::string event(const std::string& type, const std::string& fields) {
  return R"({"type": ")" + type + R"(DpEvent", )" + fields + "}";
}

}  // namespace

TEST_CASE("samples of dp_accounting, by name and as tuples") {
  const std::pair<const char*, const char*> samples[] = {
      {"dpsgd", "poisson(gaussian(sigma=1.1), rate=0.004266666666666667)^14063"},
      {"composed",
       "poisson(gaussian(sigma=1.1), rate=0.01)^100 * laplace(scale=20) * "
       "discrete_laplace(scale=2, sensitivity=3) * "
       "mixture(sigma=2, sensitivities=[0, 1], probabilities=[0.5, 0.5]) * zcdp(rho=0.125)"},
      {"without_replacement",
       "without_replacement(gaussian(sigma=2, sensitivity=2), batch=100, population=10000, "
       "adjacency=replace)^10"},
      {"with_replacement",
       "with_replacement(gaussian(sigma=2, sensitivity=2), batch=100, population=10000)"},
      // 5/8 for the true bucket, 1/8 for each other one
      {"bounded", "zcdp(rho=0.375) * randomized_response(probability=0.625, categories=4) (bound)"},
      {"tree", "tree(steps=8, sigma=1)"},
      {"truncated", "truncated_poisson(gaussian(sigma=1), rate=0.1, cap=150, population=1000)"},
  };
  for (const auto& each : samples) {
    const auto& name = each.first;
    const auto& spec = each.second;
    CAPTURE(name);
    CHECK(run_of(sample(std::string(name) + ".json")) == spec);
    CHECK(run_of(sample(std::string(name) + ".tuple.json")) == spec);
  }
  const std::pair<const char*, const char*> refused[] = {
      {"non_private", "NonPrivateDpEvent"},
      {"repeat", "RepeatAndSelectDpEvent"},
  };
  for (const auto& each : refused) {
    const auto& name = each.first;
    const auto& type = each.second;
    CHECK_EVENT_REFUSED(sample(std::string(name) + ".json"), type);
    CHECK_EVENT_REFUSED(sample(std::string(name) + ".tuple.json"), type);
  }
}

TEST_CASE("events of the newest dp_accounting") {
  CHECK(run_of(event("EpsilonDelta", R"("epsilon": 0.5, "delta": 1e-9)")) ==
        "approximate(epsilon=0.5, delta=1e-9)");
  CHECK(run_of(event("DiscreteGaussian", R"("sigma": 10, "sensitivity": 2.0, "dimension": 1)")) ==
        "discrete_gaussian(sigma=10, sensitivity=2)");
  // In several dimensions one coordinate is not the worst: rho = s^2 / (2 sigma^2).
  CHECK(run_of(event("DiscreteGaussian", R"("sigma": 10, "sensitivity": 2, "dimension": null)")) ==
        "zcdp(rho=0.02) (bound)");
  CHECK(run_of(event("DiscreteGaussian", R"("sigma": 10, "dimension": 3)")) ==
        "zcdp(rho=0.005) (bound)");
  CHECK(run_of(event("DiscreteGaussian", R"("sigma": 10)")) == "zcdp(rho=0.005) (bound)");
  CHECK_EVENT_REFUSED(
      event("DiscreteGaussian", R"("sigma": 10, "sensitivity": 1.5, "dimension": 1)"),
      "sensitivity must be");
  CHECK(run_of(event("ExponentialMechanism", R"("epsilon": 0.5)")) == "exponential(epsilon=0.5)");
  CHECK(run_of(event("PermuteAndFlip", R"("epsilon": 0.5)")) == "permute_and_flip(epsilon=0.5)");
  CHECK(run_of(event("SingleEpochTreeAggregation",
                     R"("noise_multiplier": 2, "step_counts": [3, 100, 7])")) ==
        "tree(steps=100, sigma=2)");
  CHECK_EVENT_REFUSED(
      event("SingleEpochTreeAggregation", R"("noise_multiplier": 2, "step_counts": [])"),
      "step_counts");
  CHECK_EVENT_REFUSED(
      event("SingleEpochTreeAggregation", R"("noise_multiplier": 2, "step_counts": [1.5])"),
      "step_counts must be an integer");
  CHECK_EVENT_REFUSED(event("TruncatedSubsampledGaussian",
                            R"("dataset_size": 10, "sampling_probability": 0.1,
                               "noise_multiplier": 1)"),
                      "truncated_batch_size");
  CHECK(run_of(event("ZC", R"("rho": 0.5, "xi": 0)")) == "zcdp(rho=0.5)");
  CHECK(run_of(event("ZC", R"("rho": 0.5, "xi": null)")) == "zcdp(rho=0.5)");
  CHECK_EVENT_REFUSED(event("ZC", R"("rho": 0.5, "xi": -0.1)"), "at least 0");
  CHECK(run_of(event("RandomizedResponse", R"("noise_parameter": 0.2, "num_buckets": 2)")) ==
        "randomized_response(probability=0.9)");
  CHECK(run_of(event("RandomizedResponse", R"("noise_parameter": 0.2, "num_buckets": 3)")) ==
        "randomized_response(probability=13/15, categories=3)");
  CHECK_EVENT_REFUSED(event("RandomizedResponse", R"("noise_parameter": 0, "num_buckets": 2)"),
                      "noise_parameter must be between 0 and 1");
  CHECK_EVENT_REFUSED(event("RandomizedResponse", R"("noise_parameter": 0.2, "num_buckets": 1)"),
                      "num_buckets must be an integer");
  CHECK_EVENT_REFUSED(event("DiscreteLaplace", R"("noise_parameter": 0, "sensitivity": 1)"),
                      "noise_parameter must be above 0");
  CHECK_EVENT_REFUSED(event("DiscreteLaplace", R"("noise_parameter": 0.1, "sensitivity": 1.5)"),
                      "sensitivity must be an integer");
}

TEST_CASE("samples and batches of events") {
  const auto poisson = [](const std::string& inner) {
    return event("PoissonSampled", R"("sampling_probability": 0.1, "event": )" + inner);
  };
  CHECK(run_of(poisson(event("DiscreteLaplace", R"("noise_parameter": 0.5, "sensitivity": 3)"))) ==
        "poisson(discrete_laplace(scale=2, sensitivity=3), rate=0.1)");
  CHECK(run_of(poisson(event("DiscreteGaussian", R"("sigma": 10, "dimension": 1)"))) ==
        "poisson(discrete_gaussian(sigma=10), rate=0.1)");
  CHECK(run_of(poisson(event("EpsilonDelta", R"("epsilon": 1, "delta": 0)"))) ==
        "poisson(approximate(epsilon=1, delta=0), rate=0.1)");
  CHECK(run_of(poisson(event("ExponentialMechanism", R"("epsilon": 1)"))) ==
        "poisson(pure(epsilon=1), rate=0.1) (bound)");
  for (const char* inner :
       {R"({"type": "ZCDpEvent", "rho": 1})", R"({"type": "DiscreteGaussianDpEvent", "sigma": 1})",
        R"({"type": "RandomizedResponseDpEvent", "noise_parameter": 0.5, "num_buckets": 2})",
        R"({"type": "NoOpDpEvent"})", R"({"type": "ComposedDpEvent", "events": []})"}) {
    CHECK_EVENT_REFUSED(poisson(inner), "is not supported: only of one mechanism whose pair");
  }
  const auto batch = [](const std::string& inner) {
    return event("SampledWithReplacement",
                 R"("source_dataset_size": 100, "sample_size": 10, "event": )" + inner);
  };
  CHECK_EVENT_REFUSED(batch(event("Laplace", R"("noise_multiplier": 1)")), "only of GaussianDp");
  // What has no adjacency of its own goes with both; noise multipliers do not.
  const std::string fixed = batch(event("Gaussian", R"("noise_multiplier": 3)"));
  const std::string stated = event("EpsilonDelta", R"("epsilon": 1, "delta": 0)");
  const std::string noise = event("Gaussian", R"("noise_multiplier": 3)");
  CHECK(run_of(event("Composed", R"("events": [)" + fixed + ", " + stated + "]")) ==
        "with_replacement(gaussian(sigma=3, sensitivity=2), batch=10, population=100) * "
        "approximate(epsilon=1, delta=0)");
  CHECK_EVENT_REFUSED(event("Composed", R"("events": [)" + fixed + ", " + noise + "]"),
                      "no common adjacency");
  // Nor does randomized response, whose pair is for a replaced record, go with added ones.
  const std::string bit =
      event("RandomizedResponse", R"("noise_parameter": 0.5, "num_buckets": 2)");
  CHECK_EVENT_REFUSED(event("Composed", R"("events": [)" + noise + ", " + bit + "]"),
                      "no common adjacency");
  CHECK(run_of(event("Composed", R"("events": [)" + fixed + ", " + bit + "]")) ==
        "with_replacement(gaussian(sigma=3, sensitivity=2), batch=10, population=100) * "
        "randomized_response(probability=0.75)");
}

TEST_CASE("what is no event") {
  CHECK_EVENT_REFUSED(event("Gausian", R"("noise_multiplier": 1)"),
                      "DpEvent 'GausianDpEvent' is not supported (did you mean GaussianDpEvent?)");
  CHECK_EVENT_REFUSED(event("Gaussian", R"("noise_multipler": 1)"), "(did you mean noise_mult");
  CHECK_EVENT_REFUSED(R"({"module_name": "mine", "class_name": "GaussianDpEvent",
                          "noise_multiplier": 1})",
                      "module_name must be dp_accounting.dp_event, not 'mine'");
  CHECK_EVENT_REFUSED(R"(["dp_accounting.dp_event", "GaussianDpEvent", 1, 2])",
                      "GaussianDpEvent has at most 1 fields");
  CHECK_EVENT_REFUSED(R"(["dp_accounting.dp_event", "GaussianDpEvent"])",
                      "noise_multiplier is missing");
  CHECK_EVENT_REFUSED(R"(["mine", "GaussianDpEvent", 1])", "a DpEvent must be an object");
  CHECK_EVENT_REFUSED("{", "not JSON");
  CHECK_EVENT_REFUSED("[]", "nothing was run");
}

TEST_CASE("Opacus, by its history and its state") {
  const std::string spec =
      "poisson(gaussian(sigma=1.1), rate=0.00390625)^2560 * "
      "poisson(gaussian(sigma=0.9), rate=0.00390625)^256";
  CHECK(run_of(sample("opacus_state.json")) == spec);
  CHECK(run_of("\xef\xbb\xbf [[1.1, 0.00390625, 2560], [0.9, 0.00390625, 256]]\r\n") == spec);
  CHECK_EVENT_REFUSED(R"({"history": [[1, 0.1, 2]], "steps": 3})", "no field 'steps'");
  CHECK_EVENT_REFUSED(R"({"history": {"a": 1}})", "history must be a list");
  CHECK(run_of("gaussian(2)") == "gaussian(sigma=2)");
}

TEST_CASE("a spec that bounds the run refutes nothing, and shows no lower end") {
  const auto judged_as = [](const std::string& fields) {
    const auto claims = claims_from_json(
        R"([{"event": {"type": "PoissonSampledDpEvent", "sampling_probability": 0.5, "event":
            {"type": "ExponentialMechanismDpEvent", "epsilon": 1}}, "delta": 0, )" +
        fields + "}]");
    REQUIRE(claims.size() == 1);
    return audit(claims, {}, [](std::size_t) {})[0];
  };
  const Finding valid = judged_as(R"("epsilon": 1.5)");
  CHECK(valid.verdict == Verdict::valid);
  CHECK(valid.lower == "0");
  CHECK(valid.gap_epsilon.empty());
  CHECK(valid.reason.find("bounded by pure(epsilon=1)") != std::string::npos);
  const Finding below = judged_as(R"("epsilon": 0.5)");  // of the sample of pure(1) it is false
  CHECK(below.verdict == Verdict::undecided);
  CHECK_FALSE(below.witness.has_value());
  CHECK(below.direction.empty());
  const Finding lower = judged_as(R"("epsilon": 0.9, "kind": "lower")");
  CHECK(lower.verdict == Verdict::error);
  CHECK(lower.reason.find("only claims of kind upper") != std::string::npos);
}

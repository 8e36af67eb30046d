// Claims from files: what may be left out, what columns there are, and how CSV is written.
#include "verification/claims/claims.hpp"

#include <doctest/doctest.h>

#include "support/claims.hpp"

using namespace plaudit;

namespace {

/// The specs of the claims of a CSV, or why one is none.
std::vector<std::string> specs_of(const std::string& csv) {
  std::vector<std::string> specs;
  for (const Claim& claim : claims_from_csv(csv)) {
    specs.push_back(claim.error.empty() ? claim.spec : "error: " + claim.error);
  }
  return specs;
}

Claim claim_of(const std::string& fields) {
  const std::vector<Claim> claims = claims_from_json("[{" + fields + "}]");
  REQUIRE(claims.size() == 1);
  return claims[0];
}

bool refused(const Claim& claim, const std::string& words) {
  INFO(claim.error);
  return claim.error.find(words) != std::string::npos;
}

const std::string run_of_60 = "poisson(gaussian(sigma=1.1), rate=1/240)^14400";

}  // namespace

TEST_CASE("a claim without a kind is that its epsilon suffices") {
  const Claim claim = claim_of(R"j("spec": "gaussian(1)", "epsilon": 4.5, "delta": 1e-5)j");
  CHECK(claim.error.empty());
  CHECK(claim.kind == ClaimKind::upper);
  CHECK(refused(claim_of(R"j("spec": "gaussian(1)", "epsilon": 4, "delta": 0.1, "tolerance": 1)j"),
                "kind is missing: with a tolerance it may be upper or estimate"));
  CHECK(refused(claim_of(R"j("spec": "gaussian(1)", "epsilon_lower": 4, "delta": 0.1)j"),
                "epsilon_lower means nothing in a claim of kind upper"));
  CHECK(refused(claim_of(R"j("spec": "gaussian(1)", "epsilon": 4, "delta": 0.1, "kind": "uper")j"),
                "not 'uper' (did you mean upper?)"));
}

TEST_CASE("the columns of DP-SGD stand for a spec") {
  const auto run = [](const std::string& columns) {
    return claim_of(columns + R"j(, "epsilon": 3, "delta": 1e-5)j");
  };
  CHECK(run(R"j("noise_multiplier": 1.1, "batch": 250, "population": 60000, "epochs": 60)j").spec ==
        run_of_60);
  CHECK(run(R"j("noise_multiplier": "1.1", "sample_rate": "1/240", "steps": 14400)j").spec ==
        run_of_60);
  CHECK(run(R"j("noise_multiplier": "1.1", "sample_rate": "1.67%", "steps": "14,400")j").spec ==
        "poisson(gaussian(sigma=1.1), rate=0.0167)^14400");
  CHECK(refused(run(R"j("noise_multiplier": "1,1", "sample_rate": 0.1, "steps": 5)j"),
                "noise_multiplier must be a number"));
  CHECK(refused(run(R"j("noise_multiplier": 1.1, "steps": 5)j"),
                "dpsgd: takes noise_multiplier with either batch and population"));
  CHECK(refused(run(R"j("noise_multiplier": "1)^2 * pure(1", "steps": 5)j"),
                "noise_multiplier must be a number"));
  CHECK(refused(run(R"j("noise_multiplier": 1, "spec": "pure(1)")j"),
                "spec and dpsgd(noise_multiplier=1) are both given"));
  CHECK(refused(run(R"j("noise_multiplyer": 1)j"), "(did you mean noise_multiplier?)"));
}

TEST_CASE("CSV with commas, semicolons or tabs, capitals and a byte order mark") {
  const std::string header = "Id,Noise Multiplier,Batch-Size,POPULATION,epochs,Epsilon,Delta";
  const std::string row = "a,1.1,250,60000,60,3,1e-5";
  for (const char separator : {',', ';', '\t'}) {
    CAPTURE(separator);
    std::string text = "\xef\xbb\xbf" + header + "\r\n" + row + "\r\n";
    for (char& c : text) {
      if (c == ',') c = separator;
    }
    CHECK(specs_of(text) == std::vector<std::string>{run_of_60});
  }
  // The header line alone decides, outside of its quotes.
  CHECK(specs_of("spec;epsilon;delta\nlaplace(1, 2);3;0\n") ==
        std::vector<std::string>{"laplace(scale=1, sensitivity=2)"});
  CHECK(specs_of("\"spec\",epsilon,delta,\"notes\"\npure(1),3,0,\";;;;;\"\n") ==
        std::vector<std::string>{"pure(epsilon=1)"});
  CHECK(specs_of("spec,epsilon,delta,notes\npure(1),3,0,a;b;c;d;e\n") ==
        std::vector<std::string>{"pure(epsilon=1)"});
  CHECK(specs_of("\r\n\nspec;epsilon;delta\npure(1);3;0\n") ==
        std::vector<std::string>{"pure(epsilon=1)"});
  // A decimal comma is not guessed at.
  CHECK(specs_of("spec;epsilon;delta\npure(1);3,5;0\n").front().rfind("error: epsilon", 0) == 0);
  CHECK_THROWS_AS(claims_from_csv("spec,Spec,epsilon,delta\npure(1),pure(1),3,0\n"), InputError);
  CHECK_THROWS_AS(claims_from_csv("spec,epsilom,delta\npure(1),3,0\n"), InputError);
}

TEST_CASE("no better parameter is one moved towards less privacy, by a proof, or none") {
  const auto specs = [](const std::string& spec, const std::string& parameter,
                        const std::string& tolerance) {
    std::vector<std::string> found;
    for (const Claim& claim : claims_from_json(
             R"([{"epsilon": 1, "delta": 1e-5, "spec": ")" + spec + R"(", "parameter": ")" +
             parameter + '"' + (tolerance.empty() ? "" : ", " + tolerance) + "}]")) {
      found.push_back(claim.error.empty() ? claim.spec : "error: " + claim.error);
    }
    return found;
  };
  using Specs = std::vector<std::string>;
  const auto only_error = [&](const Specs& found, const std::string& words) {
    INFO(found[0]);
    return found.size() == 1 && found[0].find(words) != std::string::npos;
  };
  CHECK(specs("gaussian(sigma=?)", "2", R"("relative_tolerance": 0.1)") ==
        Specs{"gaussian(sigma=2)", "gaussian(sigma=1.8)"});
  CHECK(specs("gaussian(2)^?", "10", R"("tolerance": 0.5)") ==
        Specs{"gaussian(sigma=2)^10", "gaussian(sigma=2)^11"});
  CHECK(specs("tcdp(rho=1, omega=?)", "5", R"("tolerance": 2)") ==
        Specs{"tcdp(rho=1, omega=5)", "tcdp(rho=1, omega=3)"});
  // More of the number is fewer steps: it was moved up, to 7 of them.
  CHECK(specs("gaussian(sigma=10)^ceil(100/?)", "10", "") == Specs{"gaussian(sigma=10)^10"});
  CHECK(specs("gaussian(sigma=10)^ceil(100/?)", "5/2", "") == Specs{"gaussian(sigma=10)^40"});
  CHECK(only_error(specs("gaussian(sigma=10)^ceil(100/?)", "10", R"("tolerance": 5)"),
                   "the expression subtracts or divides"));
  // A larger batch is a larger rate and fewer steps.
  const std::string epochs = "dpsgd(noise_multiplier=1, batch=?, population=1000, epochs=2)";
  CHECK(specs(epochs, "100", "") == Specs{"poisson(gaussian(sigma=1), rate=0.1)^20"});
  CHECK(only_error(specs(epochs, "100", R"("tolerance": 5)"), "with epochs it changes the rate"));
  CHECK(only_error(specs("discrete_gaussian(sigma=?)", "2", R"("tolerance": 1)"),
                   "the curve is not monotone in it"));
}

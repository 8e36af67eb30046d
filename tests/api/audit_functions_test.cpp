// Audits, certificates and the cross-check as functions.
#include <plaudit/audit.hpp>
#include <plaudit/certificate.hpp>
#include <plaudit/crosscheck.hpp>
#include <plaudit/observe.hpp>

#include <doctest/doctest.h>

#include <string>

using plaudit::Verdict;

TEST_CASE("claims as structs, JSON and CSV have the same verdicts") {
  // epsilon(1e-5) of gaussian(sigma=1) is 4.377...
  const std::vector<plaudit::Claim> claims = {
      {.id = "a", .spec = "gaussian(sigma=1)", .delta = "1e-5", .epsilon = "4.4"},
      {.id = "b", .spec = "gaussian(sigma=1)", .delta = "1e-5", .epsilon = "4.3"},
      {.id = "c", .spec = "gaussian(sigma=1)", .delta = "1e-5", .epsilon = "4.3", .kind = "lower"},
      {.id = "d", .spec = "nothing(1)", .delta = "1e-5", .epsilon = "1"}};
  const plaudit::Audit one = plaudit::audit(claims);
  const plaudit::Audit two = plaudit::audit_json(R"json([
    {"id": "a", "spec": "gaussian(sigma=1)", "delta": "1e-5", "epsilon": "4.4", "kind": "upper"},
    {"id": "b", "spec": "gaussian(sigma=1)", "delta": "1e-5", "epsilon": "4.3", "kind": "upper"},
    {"id": "c", "spec": "gaussian(sigma=1)", "delta": "1e-5", "epsilon": "4.3", "kind": "lower"},
    {"id": "d", "spec": "nothing(1)", "delta": "1e-5", "epsilon": "1", "kind": "upper"}])json");
  const plaudit::Audit three = plaudit::audit_csv(
      "id,spec,delta,epsilon,kind\na,gaussian(sigma=1),1e-5,4.4,upper\nb,gaussian(sigma=1),1e-5,4."
      "3,upper\n"
      "c,gaussian(sigma=1),1e-5,4.3,lower\nd,nothing(1),1e-5,1,upper\n");
  for (const plaudit::Audit* audit : {&one, &two, &three}) {
    REQUIRE(audit->findings.size() == 4);
    CHECK(audit->findings[0].verdict == Verdict::valid);
    CHECK(audit->findings[1].verdict == Verdict::refuted);
    CHECK(audit->findings[2].verdict == Verdict::valid);
    CHECK(audit->findings[3].verdict == Verdict::error);
    CHECK(audit->findings[3].reason.find("nothing") != std::string::npos);
    CHECK(audit->valid == 2);
    CHECK(audit->refuted == 1);
    CHECK(audit->errors == 1);
    REQUIRE(audit->findings[1].witness.has_value());
    CHECK_FALSE(audit->findings[1].witness->delta_lower.empty());
    CHECK(audit->findings[1].id == "b");
  }
  CHECK(one.markdown().find("refuted") != std::string::npos);
  CHECK(one.html().find("<html") != std::string::npos);
  CHECK(plaudit::name_of(Verdict::tight) == "tight");
}

TEST_CASE("claims about delta, bands, and what is no claim") {
  const plaudit::Audit audit = plaudit::audit(
      {{.id = "delta",
        .spec = "pure(epsilon=1)",
        .delta = "0.3",
        .epsilon = "0.5",
        .quantity = "delta"},
       {.id = "band",
        .spec = "gaussian(sigma=1)",
        .delta = "1e-5",
        .kind = "band",
        .epsilon_lower = "4.3",
        .epsilon_upper = "4.4"},
       {.id = "kind",
        .spec = "gaussian(sigma=1)",
        .delta = "1e-5",
        .epsilon = "1",
        .kind = "guess"},
       {.id = "number", .spec = "gaussian(sigma=1)", .delta = "1e-5", .epsilon = "one"},
       {.id = "file", .spec = "pld(\"/etc/passwd\")", .delta = "1e-5", .epsilon = "1"}});
  REQUIRE(audit.findings.size() == 5);
  CHECK(audit.findings[0].verdict == Verdict::valid);  // (e - e^0.5) / (1 + e) = 0.2877
  CHECK(audit.findings[1].verdict == Verdict::valid);
  for (std::size_t i = 2; i < 5; ++i) {
    CHECK(audit.findings[i].verdict == Verdict::error);
    CHECK_FALSE(audit.findings[i].reason.empty());
  }
  CHECK(audit.findings[4].reason.find("read_files") != std::string::npos);
  CHECK_THROWS_AS(plaudit::audit_json("{"), std::invalid_argument);
  CHECK_THROWS_AS(plaudit::audit({}, {.threads = 0}), std::invalid_argument);
  CHECK_THROWS_AS(plaudit::audit({}, {.timeout_seconds = -1}), std::invalid_argument);
  CHECK_THROWS_AS(plaudit::audit({}, {.most_digits = 1000000}), std::invalid_argument);
}

TEST_CASE("certificates are written, checked, and refused where they were changed") {
  const plaudit::Composition run = plaudit::parse("pure(epsilon=0.1)^20");
  const plaudit::Certificate epsilon = plaudit::certify_epsilon(run, "1e-3", {.digits = 6});
  const plaudit::CertificateCheck good = plaudit::check_certificate(epsilon.text);
  CHECK_MESSAGE(good.accepted, good.reason);
  CHECK(good.spec == run.spec());
  CHECK(good.claim.find("epsilon") != std::string::npos);
  CHECK_FALSE(good.statements.empty());
  CHECK(epsilon.band.certified());

  const plaudit::Certificate delta = plaudit::certify_delta(plaudit::gaussian(1), 1, {.digits = 6});
  CHECK(plaudit::check_certificate(delta.text).accepted);

  // a band that was found before has the same certificate, made of what it was found by
  CHECK(plaudit::certify(epsilon.band).text == epsilon.text);
  const std::vector<plaudit::Band> curve = plaudit::epsilon_curve(run, {"1e-3", "1e-4"});
  CHECK(plaudit::check_certificate(plaudit::certify(curve[1]).text).accepted);
  const plaudit::Band read_again(
      {curve[0].lower(), curve[0].upper(), true, true, {}, {}, {}, {}, {}, 0});
  CHECK_THROWS_AS(plaudit::certify(read_again), std::invalid_argument);
  CHECK_THROWS_AS(plaudit::certify(plaudit::renyi(run, 2)), std::invalid_argument);
  CHECK_THROWS_AS(plaudit::certify(epsilon.band, 0), std::invalid_argument);
  const plaudit::Band estimate =
      plaudit::epsilon(plaudit::gaussian(1), "1e-3", {.accountant = "saddle_point_clt"});
  CHECK_THROWS_WITH_AS(plaudit::certify(estimate), "no certificate: the band is not certified",
                       std::runtime_error);

  std::string forged = epsilon.text;
  const std::size_t place = forged.find("\"0.001\"");
  if (place != std::string::npos) forged.replace(place, 7, "\"0.0001\"");
  CHECK(place != std::string::npos);
  CHECK_FALSE(plaudit::check_certificate(forged).accepted);
  CHECK_FALSE(plaudit::check_certificate("").accepted);
  CHECK_FALSE(plaudit::check_certificate("[]").accepted);
  CHECK_THROWS_AS(plaudit::check_certificate("", 0), std::invalid_argument);
  CHECK_THROWS_AS(plaudit::certify_epsilon(run, 2), std::invalid_argument);
}

TEST_CASE("the cross-check asks the same questions for the same seed") {
  const plaudit::CrossCheckReport report = plaudit::cross_check({.count = 3, .seed = 5});
  CHECK(report.checks > 0);
  CHECK(report.defects.empty());
  CHECK_FALSE(report.accountants.empty());
  CHECK_THROWS_AS(plaudit::cross_check({.count = 0}), std::invalid_argument);
  CHECK_THROWS_AS(plaudit::cross_check({.seconds_each = 0}), std::invalid_argument);
}

TEST_CASE("nothing is said of the best test where the numbers of guesses of each kind are fixed") {
  const plaudit::Composition claim = plaudit::parse("pure(epsilon=5)");
  const plaudit::GuessedCoins fixed = plaudit::guess_by_scores({{1}, {0}}, 1, 1);
  CHECK(fixed.right == 2);
  CHECK(plaudit::observe_guesses(claim, {fixed}, {}).no_test_below == 0);
  CHECK(plaudit::observe_guesses(claim, {{2, 2, 2}}, {}).no_test_below > 0);
}

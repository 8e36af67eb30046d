// Curves, comparisons and reports as SVG and HTML from C++.
#include <plaudit/audit.hpp>
#include <plaudit/pictures.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("curves of each kind, in the width that is asked for") {
  const plaudit::Composition run = plaudit::parse("gaussian(sigma=1)^10");
  std::vector<plaudit::CurvePoint> deltas;
  std::vector<plaudit::CurvePoint> epsilons;
  std::vector<plaudit::CurvePoint> divergences;
  for (const char* epsilon : {"1", "5", "40"}) {
    deltas.push_back({epsilon, plaudit::delta(run, epsilon, {.digits = 6})});
  }
  for (const char* delta : {"1e-9", "1e-6", "1e-3"}) {
    epsilons.push_back({delta, plaudit::epsilon(run, delta, {.digits = 6})});
  }
  for (const char* order : {"2", "4", "8"}) {
    divergences.push_back({order, plaudit::renyi(run, order, {.digits = 6})});
  }
  for (const std::string& svg :
       {plaudit::curve_svg(run, plaudit::Curve::delta, deltas),
        plaudit::curve_svg(run, plaudit::Curve::epsilon, epsilons),
        plaudit::curve_svg(run, plaudit::Curve::divergence, divergences)}) {
    CHECK(svg.rfind("<svg ", 0) == 0);
    CHECK(has(svg, "gaussian(sigma=1)^10"));
    CHECK(has(svg, "adjacency as_stated"));
    CHECK(has(svg, "width=\"800\""));
    CHECK(count(svg, "class=\"mark proven\"") == 3);
    CHECK(count(svg, "class=\"curve\"") == 1);
    CHECK_FALSE(has(svg, "nan"));
  }
  const std::string narrow = plaudit::curve_svg(run, plaudit::Curve::delta, deltas, {.width = 320});
  CHECK(has(narrow, "width=\"320\""));
  CHECK_NOTHROW(plaudit::curve_svg(run, plaudit::Curve::delta, {}));
  CHECK_THROWS_AS(plaudit::curve_svg(run, plaudit::Curve::delta, deltas, {.width = 100}),
                  std::invalid_argument);
  CHECK_THROWS_AS(plaudit::curve_svg(run, plaudit::Curve::delta, deltas, {.width = 1e9}),
                  std::invalid_argument);
}

TEST_CASE("a comparison draws those that answered and names the others") {
  const plaudit::Comparison comparison = plaudit::compare_epsilon(
      plaudit::gaussian(1), "1e-5",
      {.accountants = {"closed_form", "moments", "gaussian_limit", "laplace_sum"}});
  const std::string svg = plaudit::compare_svg(comparison);
  CHECK(has(svg, "epsilon at delta = 1e-5"));
  CHECK(has(svg, "closed_form"));
  CHECK(has(svg, "no answer: laplace_sum"));
  CHECK(count(svg, "certified band") == 1);
  CHECK(has(plaudit::compare_svg(comparison, {.width = 400}), "closed_form"));
  CHECK_THROWS_AS(plaudit::compare_svg(comparison, {.width = 0}), std::invalid_argument);
  CHECK_NOTHROW(plaudit::compare_svg(plaudit::Comparison()));
}

TEST_CASE("a report has the pictures, the date and the certificates that are asked for") {
  const plaudit::Audit audit = plaudit::audit(
      {{.id = "low", .spec = "gaussian(sigma=1)", .delta = "1e-5", .epsilon = "4.3"},
       {.id = "high", .spec = "gaussian(sigma=1)", .delta = "1e-5", .epsilon = "4.4"},
       {.id = "<b>", .spec = "nothing(1)", .delta = "1e-5", .epsilon = "1"}});
  const auto pictures = [&](const std::string& which) {
    return count(audit.html({.pictures = which}), "class=\"plaudit one\"");
  };
  CHECK(pictures("none") == 0);
  CHECK(pictures("refuted") == 1);
  CHECK(pictures("notable") == 1);
  CHECK(pictures("all") == 2);
  CHECK(count(audit.html(), "class=\"plaudit wide\"") == 1);
  CHECK(count(audit.html({.pictures = "none"}), "class=\"plaudit wide\"") == 0);
  const std::string html =
      audit.html({.date = "2026-01-02 & <i>", .certificates = {"proofs/a b.json", "", ""}});
  CHECK(has(html, "2026-01-02 &amp; &lt;i&gt;"));
  CHECK(has(html, "href=\"proofs/a%20b.json\""));
  CHECK(has(html, "1 certificate beside this file"));
  CHECK(has(html, "the claim \u201cepsilon &lt;= 4.3 at delta = "));
  CHECK(has(html, "is false."));
  CHECK_FALSE(has(html, "<b></a>"));
  CHECK_THROWS_AS(audit.html({.pictures = "some"}), std::invalid_argument);
  CHECK_THROWS_AS(audit.html({.certificates = {"one"}}), std::invalid_argument);
  CHECK_THROWS_AS(audit.html({.timeout_seconds = 0}), std::invalid_argument);
  CHECK(plaudit::Audit().html().empty());
}

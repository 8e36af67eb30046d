// Where a band is too narrow to be proven at the cost that is allowed, a wider one is; a false band
// is never replaced by a wider one.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "accountants/session/answer.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/spec.hpp"
#include "tests/support/exact.hpp"
#include "verification/certificates/write.hpp"
#include "verification/checker/statements.hpp"

using namespace plaudit;
using nlohmann::json;

namespace {

constexpr int digits = 16;

struct Case {
  explicit Case(const char* spec, const char* delta)
      : composition(parse_spec(spec)), at(parse_rational(delta)) {
    answer = Session(composition, {}).answer(Quantity::epsilon, at);
    lower = decimal_below(answer.band.lower, digits);
    upper = decimal_above(answer.band.upper, digits);
  }
  /// Work is counted, so that the outcome does not hang on the clock.
  Certificate certified(const std::string& from, const std::string& to, double work,
                        bool may_widen) const {
    const WorkShare share(work);
    return write_certificate(composition, {Quantity::epsilon, at, from, to, may_widen}, answer,
                             600);
  }

  Composition composition;
  Rational at;
  Answer answer;
  std::string lower;
  std::string upper;
};

}  // namespace

TEST_CASE("what is too costly to prove is proven of a wider band") {
  // 12 digits need some ten times as much
  const Case narrow("poisson(discrete_gaussian(sigma=2.85), rate=0.0255)^10956", "1e-31");
  CHECK_THROWS_AS(narrow.certified(narrow.lower, narrow.upper, 1.5, false), NoCertificate);
  const Certificate found = narrow.certified(narrow.lower, narrow.upper, 1.5, true);
  CHECK(found.remark.find("wider band") != std::string::npos);
  CHECK(proof::check(found.text, {}).accepted);
  const json written = json::parse(found.text);
  const Rational lower = parse_rational(written["lower"].get<std::string>());
  const Rational upper = parse_rational(written["upper"].get<std::string>());
  CHECK(lower <= parse_rational(narrow.lower));
  CHECK(upper >= parse_rational(narrow.upper));
  CHECK(upper > parse_rational(narrow.upper));
  CHECK(upper < 2 * parse_rational(narrow.upper));
  for (const char* end : {"lower", "upper"}) {
    CHECK(found.remark.find(written[end].get<std::string>()) != std::string::npos);
  }
}

TEST_CASE("what can be proven is not made wider") {
  const Case easy("poisson(gaussian(sigma=2), rate=0.1)^100", "1e-5");
  const Certificate found = easy.certified(easy.lower, easy.upper, 100, true);
  CHECK(found.remark.empty());
  CHECK(found.text == easy.certified(easy.lower, easy.upper, 100, false).text);
}

TEST_CASE("a false band has no certificate, and no wider one") {
  const Case easy("poisson(gaussian(sigma=2), rate=0.1)^100", "1e-5");
  const auto moved = [&](const std::string& end, double share) {
    return to_string(Rational(parse_rational(end) * test::exactly(share)));
  };
  CHECK_THROWS_AS(easy.certified("0", moved(easy.lower, 0.875), 100, true), NoCertificate);
  CHECK_THROWS_AS(easy.certified(moved(easy.upper, 1.125), moved(easy.upper, 1.5), 100, true),
                  NoCertificate);
}

// The canonical form of gaussian(12e1000) was gaussian(sigma=1.2e1001), whose exponent is beyond
// what a spec may have; that of 12e1000/7 had over 1000 digits: neither was read back.
#include <doctest/doctest.h>

#include <random>

#include "mechanisms/forms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/spec_error.hpp"

using namespace plaudit;

namespace {

class RandomNumbers {
 public:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  std::string digits(unsigned count) {
    std::string text(1, static_cast<char>('1' + below(9)));
    while (text.size() < count) text += static_cast<char>('0' + below(10));
    return text;
  }

  /// From one digit to as many as are read, powers of 2, 5 and 10 among them.
  std::string mantissa() {
    switch (below(6)) {
      case 0:
        return Integer(pow(Integer(2), below(3300))).str();
      case 1:
        return Integer(pow(Integer(5), below(1400))).str();
      case 2:
        return "1" + std::string(below(990), '0');
      case 3:
        return "0." + std::string(below(900), '0') + digits(1 + below(80));
      case 4:
        return digits(1 + below(500)) + "." + digits(1 + below(480));
      default:
        return digits(1 + below(below(2) == 0 ? 5 : 990));
    }
  }

  std::string decimal() {
    switch (below(4)) {
      case 0:
        return mantissa();
      case 1:
        return mantissa().substr(0, 994) + "e1000";
      case 2:
        return mantissa().substr(0, 994) + "e-1000";
      default:
        return mantissa().substr(0, 994) + "e" +
               std::to_string(static_cast<int>(below(2001)) - 1000);
    }
  }

  std::string number() { return below(2) == 0 ? decimal() : decimal() + "/" + decimal(); }

 private:
  std::mt19937_64 random_{16};
};

/// Sigma of the spec, after the canonical form was read back to the same mechanism.
std::optional<Rational> sigma_kept(const std::string& number) {
  std::optional<Composition> first;
  try {
    first = parse_spec("gaussian(" + number + ")");
  } catch (const SpecError&) {
    return std::nullopt;
  }
  const std::string canonical = first->spec();
  const Composition second = parse_spec(canonical);
  CHECK(second.spec() == canonical);
  const auto sigma = [](const Composition& composition) {
    const Mechanism& mechanism = *composition.factors()[0].mechanism;
    return dynamic_cast<const GaussianMixtureMechanism&>(mechanism).mixture().sigma;
  };
  CHECK(sigma(second) == sigma(*first));
  return sigma(*first);
}

}  // namespace

TEST_CASE("what is accepted is read back from its canonical form") {
  const auto power = [](unsigned n) { return Integer(pow(Integer(10), n)); };
  CHECK(sigma_kept("12e1000") == Rational(Integer(12 * power(1000))));
  CHECK(parse_spec("gaussian(12e1000)").spec() == "gaussian(sigma=12e1000)");
  CHECK(sigma_kept("1e1000") == Rational(power(1000)));
  CHECK(sigma_kept("0.01e-1000") == Rational(Integer(1), power(1002)));
  CHECK(sigma_kept("12e1000/7") == Rational(Integer(12 * power(1000)), Integer(7)));
  CHECK(sigma_kept("7e-1000/12e1000") == Rational(Integer(7), Integer(12 * power(2000))));
  CHECK(sigma_kept(std::string(1000, '9')).has_value());
  CHECK(sigma_kept("1/" + std::string(1000, '9')).has_value());
  CHECK(sigma_kept("." + std::string(990, '0') + "1").has_value());
}

TEST_CASE("random extreme numbers") {
  RandomNumbers dice;
  int accepted = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const std::string number = dice.number();
    CAPTURE(number);
    const std::optional<Rational> sigma = sigma_kept(number);
    accepted += sigma ? 1 : 0;
    if (sigma) CHECK(*sigma == parse_rational(number));
  }
  CHECK(accepted > 2500);
}

TEST_CASE("probabilities that are merged, and specs that grow") {
  // Sums of the probabilities of one sensitivity may be too long to be written.
  std::string low(990, '3');
  std::string high(991, '1');
  const std::string half = "1/" + low + "7";
  const std::string other = "1/" + high + "3";
  try {
    const Composition first =
        parse_spec("mixture(1, [0, 1, 1], [1e-990, " + half + ", " + other + "])");
    CHECK(parse_spec(first.spec()).spec() == first.spec());
  } catch (const SpecError&) {
  }
  // Each "gaussian(1001)" becomes "gaussian(sigma=1001)" and is a factor of its own.
  std::string many = "gaussian(1)";
  for (int i = 2; i < 6500; ++i) many += "*gaussian(" + std::to_string(i) + ")";
  REQUIRE(many.size() < 100'000);
  CHECK_THROWS_WITH_AS(parse_spec(many), doctest::Contains("canonical form has"), SpecError);
}

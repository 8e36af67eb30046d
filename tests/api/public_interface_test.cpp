// The public header alone: what a user writes, and that it says what the program says.
#include <plaudit/plaudit.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

using plaudit::Composition;
using plaudit::Direction;
using plaudit::Interval;
using plaudit::Real;

namespace {

constexpr const char* example = "poisson(gaussian(sigma=0.8), rate=0.004)^1000";

bool contains_to_69_digits(const Interval& interval, const char* value) {
  // The reference is rounded in its 70th digit.
  const Real exact(value, 80);
  const Real slack = Real("1e-69", 80);
  return interval.lower <= exact + slack && exact - slack <= interval.upper;
}

bool narrow_within(const Interval& interval, double relative) {
  return interval.upper - interval.lower <= abs(interval.upper) * relative;
}

#define CHECK_REJECTED(expression, words)                                              \
  do {                                                                                 \
    std::string said;                                                                  \
    try {                                                                              \
      (void)(expression);                                                              \
    } catch (const std::invalid_argument& error) {                                     \
      said = error.what();                                                             \
    }                                                                                  \
    CHECK_MESSAGE(said.find(words) != std::string::npos, #expression " said: ", said); \
  } while (false)

}  // namespace

TEST_CASE("the example of the documentation") {
  Composition run = plaudit::parse(example);
  plaudit::Band epsilon = plaudit::epsilon(run, "1e-7", {.digits = 12});
  CHECK(epsilon.certified());
  CHECK(epsilon.reached());
  CHECK(epsilon.lower() <= epsilon.upper());
  CHECK(epsilon.lower() > 2.08589);
  CHECK(epsilon.upper() < 2.0859);
  CHECK(epsilon.directions().size() == 2);
  CHECK(epsilon.accountant() == "contour");
  CHECK_FALSE(epsilon.errors().empty());
  for (const auto& error : epsilon.errors()) {
    CHECK_FALSE(error.name.empty());
    CHECK(error.size >= 0);
  }

  const plaudit::Band above = plaudit::delta(run, epsilon.upper(), {.digits = 20});
  const plaudit::Band below = plaudit::delta(run, epsilon.lower(), {.digits = 20});
  CHECK(above.lower() <= Real("1e-7", 60));
  CHECK(below.upper() >= Real("1e-7", 60));
}

TEST_CASE("bands print outward") {
  const plaudit::Band band = plaudit::delta(plaudit::gaussian(1), 1, {.digits = 30});
  CHECK(contains_to_69_digits(
      {band.lower(), band.upper()},
      "0.1269367375066439458008296247577668804150806501120013223306557543673419"));
  CHECK(narrow_within({band.lower(), band.upper()}, 1e-29));
  CHECK(Real(band.lower_decimal(10), 60) <= band.lower());
  CHECK(Real(band.upper_decimal(10), 60) >= band.upper());
  CHECK(band.lower_decimal(5) == "0.12693");
  CHECK(band.upper_decimal(5) == "0.12694");
}

TEST_CASE("mechanisms as functions") {
  CHECK(plaudit::gaussian("0.8").spec() == "gaussian(sigma=0.8)");
  CHECK(plaudit::gaussian(2, "1/3").spec() == "gaussian(sigma=2, sensitivity=1/3)");
  CHECK(pow(poisson(plaudit::gaussian("0.8"), "0.004"), 1000).spec() == example);
  CHECK(plaudit::mixture(1, {0, 1, "2"}, {"1/2", 0.25, "0.25"}).spec() ==
        "mixture(sigma=1, sensitivities=[0, 1, 2], probabilities=[0.5, 0.25, 0.25])");
  CHECK(plaudit::group(plaudit::poisson(plaudit::gaussian(1), "0.1"), 4).spec() ==
        "group(poisson(gaussian(sigma=1), rate=0.1), size=4)");
  const Composition a = plaudit::gaussian(1);
  const Composition b = plaudit::poisson(plaudit::gaussian(2), "0.1");
  CHECK((a * pow(b * a, 3)).spec() ==
        "gaussian(sigma=1)^4 * poisson(gaussian(sigma=2), rate=0.1)^3");
  CHECK(a.symmetric());
  CHECK_FALSE(b.symmetric());
}

TEST_CASE("numbers are exact") {
  CHECK(plaudit::gaussian(0.5).spec() == "gaussian(sigma=0.5)");
  CHECK(plaudit::gaussian(0.1).spec() != plaudit::gaussian("0.1").spec());
  CHECK(plaudit::gaussian(Real(0.1)).spec() == plaudit::gaussian(0.1).spec());
  CHECK(plaudit::gaussian(std::uint64_t{1} << 63).spec() ==
        "gaussian(sigma=9.223372036854775808e18)");
}

TEST_CASE("bad parameters are named") {
  CHECK_REJECTED(plaudit::parse("gaussian("), "spec");
  CHECK_REJECTED(plaudit::gaussian(0), "sigma must be a number > 0");
  CHECK_REJECTED(plaudit::gaussian("x"), "gaussian: sigma 'x' is not a number");
  CHECK_REJECTED(plaudit::gaussian(std::nan("")), "finite");
  CHECK_REJECTED(plaudit::gaussian(Real("inf", 10)), "finite");
  CHECK_REJECTED(plaudit::poisson(plaudit::gaussian(1), 2), "rate must be a number in (0, 1]");
  CHECK_REJECTED(plaudit::poisson(plaudit::parse(example), "0.1"), "single mechanism");
  CHECK_REJECTED(pow(plaudit::gaussian(1), 0), "from 1 to 10^12");
  CHECK_REJECTED(pow(plaudit::parse(example), 10'000'000'000), "10^12");
  const Composition run = plaudit::gaussian(1);
  CHECK_REJECTED(plaudit::epsilon(run, "x"), "delta");
  CHECK_REJECTED(plaudit::epsilon(run, 2), "delta");
  CHECK_REJECTED(plaudit::epsilon(run, -1), "delta");
  CHECK_REJECTED(plaudit::epsilon(run, "0.1", {.digits = 0}), "digits");
  CHECK_REJECTED(plaudit::epsilon(run, "0.1", {.accountant = "nobody"}), "nobody");
}

TEST_CASE("a session answers many queries") {
  plaudit::Session session(plaudit::parse(example), {.digits = 10});
  Real former = 1;
  for (int e = -2; e <= 3; ++e) {
    const plaudit::Band band = session.delta(e);
    CHECK(band.reached());
    CHECK(band.upper() <= former);
    former = band.upper();
  }
  const plaudit::Band epsilon = session.epsilon("1e-5");
  CHECK(epsilon.reached());
  plaudit::Session moved = std::move(session);
  const plaudit::Band again = moved.epsilon("1e-5");
  CHECK(again.lower() <= epsilon.upper());
  CHECK(epsilon.lower() <= again.upper());

  plaudit::Session one(plaudit::parse(example), {.direction = plaudit::DirectionChoice::add});
  const plaudit::Band add = one.delta(1);
  REQUIRE(add.directions().size() == 1);
  CHECK(add.directions()[0].direction == Direction::add);
}

TEST_CASE("the law of a Gaussian loss") {
  // L ~ N(1/2, 1) under P and N(-1/2, 1) under Q.
  const plaudit::PrivacyLoss loss(plaudit::gaussian(1), Direction::remove);
  CHECK(contains_to_69_digits(loss.log_mgf(2), "3"));
  CHECK(contains_to_69_digits(loss.log_mgf("0.5", 40), "0.375"));
  CHECK(contains_to_69_digits(loss.p_above("0.5"), "0.5"));
  CHECK(contains_to_69_digits(loss.q_above("-1/2"), "0.5"));
  CHECK(contains_to_69_digits(
      loss.p_above("1.5", 25),
      "0.1586552539314570514147674543679620775220870332733956090126055497570086"));
  CHECK(narrow_within(loss.p_above("1.5", 25), 1e-24));
  CHECK(narrow_within(loss.p_above(40, 15), 1e-14));
  CHECK(contains_to_69_digits(loss.p_atom(0), "0"));
  CHECK(contains_to_69_digits(
      loss.delta(1, 20),
      "0.1269367375066439458008296247577668804150806501120013223306557543673419"));
  CHECK(contains_to_69_digits(loss.quantile("0.5", 30), "0.5"));
  CHECK(narrow_within(loss.quantile("0.999", 30), 1e-29));
  CHECK(contains_to_69_digits(loss.mass_at_infinity(), "0"));
  CHECK(loss.least_loss().lower < -1e300);
  CHECK(loss.greatest_loss().upper > 1e300);
  const auto density = loss.density("0.5", 20);
  REQUIRE(density.has_value());
  CHECK(contains_to_69_digits(
      *density, "0.3989422804014326779399460599343818684758586311649346576659258296706579"));
  // M(i) = e^{mu i (1 + i)} = e^{-1/2 + i/2}
  const plaudit::PrivacyLoss::Complex value = loss.log_mgf(0, 1, 20);
  CHECK(contains_to_69_digits(value.real, "-0.5"));
  CHECK(contains_to_69_digits(value.imaginary, "0.5"));
}

TEST_CASE("the law of a subsampled loss and of a composition") {
  const Composition step = plaudit::parse("poisson(gaussian(sigma=1), rate=1/2)");
  const plaudit::PrivacyLoss loss(step, Direction::remove);
  CHECK(narrow_within(loss.log_mgf(3, 30), 1e-29));
  CHECK(contains_to_69_digits(
      loss.least_loss(20),
      "-0.6931471805599453094172321214581765680755001343602552541206800094933936"));  // log(1 -
                                                                                      // rate)
  CHECK(contains_to_69_digits(loss.log_mgf(0), "0"));
  CHECK(contains_to_69_digits(loss.log_mgf(-1), "0"));
  // The quantile inverts the distribution function.
  const Interval median = loss.quantile("1/2", 25);
  CHECK(contains_to_69_digits(median, "0"));
  CHECK(median.upper - median.lower < 1e-20);
  CHECK(loss.p_above(median.lower, 25).upper >= 0.5);
  CHECK(loss.p_above(median.upper, 25).lower <= 0.5);

  for (const char* p : {"1e-10", "0.3", "0.9", "0.999999"}) {
    CAPTURE(p);
    const Interval x = loss.quantile(p, 25);
    CHECK(narrow_within(x, 1e-19));
    CHECK(loss.p_above(x.lower, 30).upper >= 1 - Real(p, 60));
    CHECK(loss.p_above(x.upper, 30).lower <= 1 - Real(p, 60));
  }

  const plaudit::PrivacyLoss ten(pow(step, 10), Direction::remove);
  const Interval once = loss.log_mgf(2, 30);
  const Interval all = ten.log_mgf(2, 30);
  CHECK(all.lower <= 10 * once.upper);
  CHECK(10 * once.lower <= all.upper);
  CHECK(narrow_within(ten.density(1).value(), 1e-14));
  CHECK_REJECTED(loss.quantile(1), "0 < p < 1");
  CHECK_REJECTED(loss.p_above(1, 0), "digits");
}

TEST_CASE("private mechanisms as functions, and Renyi divergences") {
  CHECK(pow(plaudit::pure("0.1"), 1000).spec() == "pure(epsilon=0.1)^1000");
  CHECK(plaudit::approximate(1, "1e-8").spec() == "approximate(epsilon=1, delta=1e-8)");
  CHECK(plaudit::randomized_response("1/3").spec() == "randomized_response(epsilon=1/3)");
  CHECK_REJECTED(plaudit::pure(0), "pure: epsilon");

  // N(1, s^2) against N(0, s^2): alpha / (2 s^2)
  const plaudit::Band gaussian =
      plaudit::renyi(pow(plaudit::gaussian(2), 8), "2.5", {.digits = 40});
  CHECK(gaussian.reached());
  CHECK(gaussian.lower() <= 2.5);
  CHECK(gaussian.upper() >= 2.5);
  CHECK(gaussian.directions().size() == 2);
  // two outcomes, order 2: log(p^2/q + q^2/p)
  const plaudit::Band response =
      plaudit::renyi(plaudit::parse("randomized_response(probability=0.75)"), 2);
  const Real exact =
      log(Real("0.5625", 60) / Real("0.25", 60) + Real("0.0625", 60) / Real("0.75", 60));
  CHECK(response.lower() <= exact);
  CHECK(response.upper() >= exact);
  CHECK(isinf(plaudit::renyi(plaudit::approximate(1, "1e-8"), 2).lower()));
  CHECK_REJECTED(plaudit::renyi(plaudit::gaussian(1), 1), "order");
  CHECK_REJECTED(plaudit::renyi(plaudit::gaussian(1), 0), "order");
}

TEST_CASE("digits for which nobody asked: few where all of them are dear") {
  const plaudit::Composition dear = plaudit::parse("bounded_range(epsilon=0.18)^2");
  const plaudit::Band few = plaudit::epsilon(dear, "5.6e-5");
  CHECK(few.reached());
  CHECK(few.digits() == 6);
  CHECK(few.stopped_by() == "enough");
  const plaudit::Band all = plaudit::epsilon(dear, "5.6e-5", {.digits = 12});
  CHECK(all.reached());
  CHECK(all.digits() == 12);
  CHECK(all.remark().empty());
  CHECK(few.lower() <= all.upper());
  CHECK(all.lower() <= few.upper());
  CHECK(few.upper() - few.lower() > all.upper() - all.lower());
  CHECK(plaudit::delta(plaudit::gaussian(1), 1).digits() == 12);
  CHECK(plaudit::Session(dear).epsilon("5.6e-5").digits() == 12);
}

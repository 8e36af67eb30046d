// Laws with two ends: their ends against their moments, and the bounds of them.
#include "accountants/laplace/end_law.hpp"

#include <doctest/doctest.h>

#include <complex>

#include "accountants/laplace/end_choices.hpp"
#include "lib/balls/precision.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

constexpr const char* specs[] = {"laplace(2)", "pure(0.4)", "poisson(laplace(1), 0.2)",
                                 "poisson(laplace(3), 0.01)", "poisson(laplace(0.7), 0.9)"};
ComplexBall at(double real, double imaginary) { return {Ball(real), Ball(imaginary)}; }

std::vector<EndPower> prepared(const ComposedLoss& loss, const EndAccuracy& accuracy) {
  std::vector<EndPower> laws = end_laws(loss);
  for (const EndPower& each : laws) each.law->prepare(accuracy);
  return laws;
}

ComplexBall joined(const EndLaw& law, const ComplexBall& z) {
  const TwoEnds<ComplexBall> both = law.ends(z);
  return exp(z * ComplexBall(law.losses().top)) * both.top +
         exp(z * ComplexBall(law.losses().bottom)) * both.bottom;
}

ComplexBall value_at(EndLaw& law, double t, double height) {
  return law.values(Ball(t), Ball(height), {Ball(0)})[0];
}

}  // namespace

TEST_CASE("ends of a law and its values: the moments") {
  const PrecisionScope scope(300);
  for (const char* spec : specs) {
    for (const Direction direction : both_directions) {
      const ComposedLoss loss = loss_from(spec, direction);
      const PrivacyLoss& law = *loss.terms()[0].loss;
      const std::vector<EndPower> laws = prepared(loss, {60, 2.5, 90});
      REQUIRE(laws.size() == 1);
      for (const double height : {0.0, 0.5, 7.0, 40.0, 90.0}) {
        const ComplexBall z = at(2.5, height);
        const ComplexBall exact = exp(law.log_mgf(z));
        const ComplexBall value = value_at(*laws[0].law, 2.5, height);
        INFO(std::string(spec), " ", std::string(name_of(direction)), " at ", height);
        CHECK(overlaps(value, exact));
        CHECK(certainly_less(abs(value - exact), Ball(1e-20)));
        if (height == 0) continue;
        for (const double real : {-30.0, -0.5, 2.5, 25.0}) {
          const ComplexBall beside = at(real, height);
          CHECK(overlaps(joined(*laws[0].law, beside), exp(law.log_mgf(beside))));
        }
      }
    }
  }
}

TEST_CASE("a law that is prepared again has the values of its latest accuracy") {
  const PrecisionScope scope(300);
  const ComposedLoss loss = loss_from("poisson(laplace(1), 0.2)", Direction::remove);
  const std::vector<EndPower> laws = prepared(loss, {60, 2.5, 90});
  EndLaw& law = *laws[0].law;
  for (const double t : {2.5, 1.0}) {
    for (int i = 0; i < 2; ++i) {
      CHECK(overlaps(value_at(law, t, 0.5), exp(loss.terms()[0].loss->log_mgf(at(t, 0.5)))));
      law.prepare({60, t, 90});
    }
    law.prepare({30, 1, 90});
  }
}

TEST_CASE("bounds of the ends hold far and near") {
  const PrecisionScope scope(200);
  for (const char* spec : specs) {
    for (const Direction direction : both_directions) {
      const std::vector<EndPower> laws = prepared(loss_from(spec, direction), {30, 1, 5});
      for (const double height : {0.6, 3.0, 50.0}) {
        const TwoEnds<Ball> sizes = laws[0].law->sizes(Ball(height));
        for (const double real : {-200.0, -20.0, -2.0, -0.5, 0.0, 0.5, 1.5, 20.0, 200.0}) {
          for (const double more : {1.0, 1.5, 9.0}) {
            const TwoEnds<ComplexBall> ends = laws[0].law->ends(at(real, more * height));
            INFO(std::string(spec), " ", std::string(name_of(direction)), " at ", real, " ",
                 more * height);
            CHECK(certainly_less_equal(abs(ends.top).lower(), sizes.top));
            CHECK(certainly_less_equal(abs(ends.bottom).lower(), sizes.bottom));
          }
        }
      }
    }
  }
}

TEST_CASE("ends of a wide ball hold those of its points") {
  const PrecisionScope scope(200);
  for (const char* spec : specs) {
    for (const Direction direction : both_directions) {
      const std::vector<EndPower> laws = prepared(loss_from(spec, direction), {30, 1, 5});
      for (const double real : {-20.0, -1.5, 3.0, 40.0}) {
        const TwoEnds<ComplexBall> wide =
            laws[0].law->ends({widened(Ball(real), Ball(0.5)), widened(Ball(30), Ball(0.25))});
        CHECK(wide.top.is_finite());
        for (const double side : {-0.5, 0.5}) {
          const TwoEnds<ComplexBall> corner = laws[0].law->ends(at(real + side, 30 + side / 2));
          INFO(std::string(spec), " ", std::string(name_of(direction)), " at ", real);
          CHECK(overlaps(wide.top, corner.top));
          CHECK(overlaps(wide.bottom, corner.bottom));
        }
      }
    }
  }
}

TEST_CASE("dropping the errors of the values gives wrong ones") {
  const PrecisionScope scope(300);
  int rule = 0;
  int fraction = 0;
  for (const Direction direction : both_directions) {
    const ComposedLoss loss = loss_from("poisson(laplace(1), 0.2)", direction);
    const PrivacyLoss& law = *loss.terms()[0].loss;
    const auto misses = [&](double height) {
      return !overlaps(value_at(*prepared(loss, {4, 2.5, 90})[0].law, 2.5, height),
                       exp(law.log_mgf(at(2.5, height))));
    };
    for (const double height : {1.0, 8.0, 30.0, 60.0, 85.0}) {
      CHECK_FALSE(misses(height));
      {
        const Scaled none("turned_laplace.values", 0);
        rule += misses(height) ? 1 : 0;
      }
      const Scaled none("turned_laplace.fraction", 0);
      fraction += misses(height) ? 1 : 0;
    }
  }
  CHECK(rule > 0);
  CHECK(fraction > 0);
}

TEST_CASE("values are given up to the height of the rule, and no farther") {
  const PrecisionScope scope(200);
  const auto laws = prepared(loss_from("poisson(laplace(5), 0.2)", Direction::remove), {30, 2, 2});
  CHECK(value_at(*laws[0].law, 2, 2).is_finite());
  CHECK_FALSE(value_at(*laws[0].law, 2, 2.5).is_finite());
}

TEST_CASE("values at offsets from a middle") {
  const PrecisionScope scope(200);
  for (const char* spec : specs) {
    for (const Direction direction : both_directions) {
      const ComposedLoss loss = loss_from(spec, direction);
      const auto laws = prepared(loss, {40, 1, 60});
      const std::vector<Ball> offsets{Ball(1.5), Ball(-0.25), Ball(-1.5)};
      for (const double middle : {2.0, 9.5, 58.5}) {
        const auto values = laws[0].law->values(Ball(1), Ball(middle), offsets);
        for (std::size_t j = 0; j < offsets.size(); ++j) {
          const ComplexBall z(Ball(1), Ball(middle) + offsets[j]);
          CHECK(overlaps(values[j], exp(loss.terms()[0].loss->log_mgf(z))));
        }
      }
    }
  }
}

TEST_CASE("sums over choices of ends: both sides together are the product of powers") {
  const PrecisionScope scope(200);
  const ComposedLoss loss =
      loss_from("laplace(2)^3 * poisson(laplace(1), 0.2)^2 * laplace(3)^4", Direction::remove);
  const std::vector<EndPower> laws = prepared(loss, {40, 1, 5});
  CHECK(laws.back().count == 4);
  CHECK(EndChoices::choices_of_others(laws) == 12);
  const EndChoices choices(laws);
  const std::vector<TwoEnds<ComplexBall>> ends{
      {at(0.3, 1), at(-2, 0.5)}, {at(1, 1), at(0.25, -3)}, {at(-1, 0.125), at(0.5, 0.75)}};
  ComplexBall product(1);
  for (std::size_t f = 0; f < 3; ++f) {
    product *= power(ends[f].top + ends[f].bottom, laws[f].count);
  }
  const auto above = choices.terms(ends, at(0, 0), EndSide::above);
  const auto below = choices.terms(ends, at(0, 0), EndSide::below);
  for (const double epsilon : {-9.0, -1.013, 0.217, 1.5, 9.0}) {
    const auto split = choices.split(Ball(epsilon));
    REQUIRE(split.has_value());
    const ComplexBall one = EndChoices::sum(above, *split);
    const ComplexBall other = EndChoices::sum(below, *split);
    CHECK(overlaps(one + other, product));
    if (epsilon == 9) CHECK(abs(one).is_exact_zero());
    if (epsilon == -9) CHECK(abs(other).is_exact_zero());
    if (epsilon != 1.5) continue;
    // one by one
    ComplexBall direct;
    const auto each_power = [&](std::size_t f, std::uint64_t k) {
      Ball binomial(1);
      for (std::uint64_t i = 0; i < k; ++i) {
        binomial *= Ball(laws[f].count - i);
        binomial.divide_by(i + 1);
      }
      return ComplexBall(binomial) * power(ends[f].top, k) *
             power(ends[f].bottom, laws[f].count - k);
    };
    const auto loss_of = [&](std::size_t f, std::uint64_t k) {
      const TwoEnds<Ball>& losses = laws[f].law->losses();
      return Ball(k) * losses.top + Ball(laws[f].count - k) * losses.bottom;
    };
    for (std::uint64_t i = 0; i <= laws[0].count; ++i) {
      for (std::uint64_t j = 0; j <= laws[1].count; ++j) {
        for (std::uint64_t k = 0; k <= laws[2].count; ++k) {
          const Ball lambda = loss_of(0, i) + loss_of(1, j) + loss_of(2, k);
          if (!certainly_greater(lambda, Ball(epsilon))) continue;
          direct += each_power(0, i) * each_power(1, j) * each_power(2, k);
        }
      }
    }
    CHECK(overlaps(one, direct));
  }
  CHECK_FALSE(choices.split(Ball(0) + widened(Ball(1), Ball(2))).has_value());
}

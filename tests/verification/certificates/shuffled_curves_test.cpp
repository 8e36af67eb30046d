// The checker's curves of shuffled messages against sums over all that can be drawn, against all
// data sets of few users, and against what the program states.
#include "verification/checker/curves/shuffled_curves.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "accountants/proof/arithmetic/balls.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/composition.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/laws/curve_bound.hpp"
#include "mechanisms/privacy_loss.hpp"

using namespace plaudit;
using proof::Interval;

namespace {

constexpr double many_operations = 1e12;

proof::Budget some_budget() { return proof::Budget({.operations = many_operations}); }

Interval ways(std::uint64_t n, std::uint64_t k) { return proof::Made<Interval>::binomial(n, k); }

/// From 0 to just below epsilon.
std::vector<Rational> losses_to(const Rational& epsilon) {
  std::vector<Rational> losses;
  for (const char* share : {"0", "0.01", "0.1", "0.3", "0.7", "0.999"}) {
    losses.push_back(epsilon * parse_rational(share));
  }
  return losses;
}

/// docs/proofs/shuffle.md#law
Interval sum_of_clones(const Rational& epsilon, std::uint64_t users, const Rational& loss) {
  const Interval e = proof::exp(Interval(epsilon));
  const Interval x = proof::exp(Interval(loss));
  const Interval rate = 1 / (1 + e);
  Interval sum = 0;
  for (std::uint64_t m = 1; m <= users; ++m) {
    Interval given = 0;
    for (std::uint64_t j = 0; j <= m; ++j) {
      const Interval one(static_cast<unsigned long>(j));
      const Interval other(static_cast<unsigned long>(m - j));
      given += ways(m, j) * proof::max(e * one + other - x * (one + e * other), 0);
    }
    sum += ways(users, m) * proof::power(rate, m) * proof::power(1 - 2 * rate, users - m) * given;
  }
  return sum / Interval(static_cast<unsigned long>(users));
}

/// docs/proofs/shuffle.md#categories (a)
Interval sum_of_categories(const Rational& epsilon, std::uint64_t users, std::uint64_t categories,
                           const Rational& loss) {
  const Interval e = proof::exp(Interval(epsilon));
  const Interval x = proof::exp(Interval(loss));
  const auto number = [](std::uint64_t n) { return Interval(static_cast<unsigned long>(n)); };
  const Interval share = 1 / (e + number(categories - 1));
  const Interval neither = number(categories - 2) * share;
  const Interval nothing = (e - 1) * share;
  Interval sum = 0;
  for (std::uint64_t votes = 0; votes <= users; ++votes) {
    for (std::uint64_t w = 0; votes + w <= users; ++w) {
      Interval given = 0;
      for (std::uint64_t i = 0; i <= votes; ++i) {
        const Interval value =
            number(i) * (e - x) + number(votes - i) * (1 - e * x) + number(w) * (1 - x);
        given += ways(votes, i) * proof::max(value, 0);
      }
      sum += ways(users, votes) * ways(users - votes, w) * proof::power(share, votes) *
             proof::power(neither, w) * proof::power(nothing, users - votes - w) * given;
    }
  }
  return sum / number(users);
}

using Counts = std::vector<int>;
using Messages = std::map<Counts, Interval>;

/// What is released of users with these values, by randomized response.
Messages released(const Rational& epsilon, int categories, const std::vector<int>& values) {
  const Interval e = proof::exp(Interval(epsilon));
  const Interval share = 1 / (e + (categories - 1));
  Messages law{{Counts(static_cast<std::size_t>(categories), 0), Interval(1)}};
  for (const int value : values) {
    Messages more;
    for (const auto& [counts, mass] : law) {
      for (int said = 0; said < categories; ++said) {
        Counts now = counts;
        ++now[static_cast<std::size_t>(said)];
        more[now] += mass * (said == value ? e * share : share);
      }
    }
    law = std::move(more);
  }
  return law;
}

/// The greatest curve of all data sets of these neighbours: the first user says 0 or 1.
Interval over_all_data_sets(const Rational& epsilon, int users, int categories,
                            const Rational& loss) {
  const Interval x = proof::exp(Interval(loss));
  Interval most = 0;
  std::vector<int> values(static_cast<std::size_t>(users), 0);
  const auto look_at = [&] {
    values.front() = 0;
    const Messages p = released(epsilon, categories, values);
    values.front() = 1;
    const Messages q = released(epsilon, categories, values);
    Interval sum = 0;
    for (const auto& [counts, mass] : p) sum += proof::max(mass - x * q.at(counts), 0);
    most = proof::max(most, sum);
  };
  const auto all_from = [&](const auto& self, std::size_t user, int least) -> void {
    if (user == values.size()) return look_at();
    for (values[user] = least; values[user] < categories; ++values[user]) {
      self(self, user + 1, values[user]);
    }
  };
  all_from(all_from, 1, 0);
  return most;
}

void check_alike(const Interval& above, const Interval& exact) {
  CHECK(proof::upper(above) >= proof::lower(exact));
  const Rational spare = proof::upper(exact) * parse_rational("1e-30") + parse_rational("1e-55");
  CHECK(proof::upper(above) <= proof::upper(exact) + spare);
}

}  // namespace

TEST_CASE("shuffled curves: of clones it is the sum over all that may be drawn") {
  const PrecisionScope scope(320);
  proof::Budget budget = some_budget();
  for (const auto& asked : {std::pair{"1", 1U}, std::pair{"1", 2U}, std::pair{"0.001", 40U},
                            std::pair{"1", 150U}, std::pair{"9", 90U}}) {
    const auto& text = std::get<0>(asked);
    const auto& users = std::get<1>(asked);
    const Rational epsilon = parse_rational(text);
    const auto curve = proof::curve_of_clones(epsilon, users, budget);
    const auto rough = proof::curve_of_clones(epsilon, users, budget, {2, 60});
    for (const Rational& loss : losses_to(epsilon)) {
      CAPTURE(text);
      CAPTURE(users);
      CAPTURE(to_string(loss));
      const Interval exact = sum_of_clones(epsilon, users, loss);
      check_alike(curve->at(loss, budget), exact);
      CHECK(proof::upper(rough->at(loss, budget)) >= proof::lower(exact));
    }
  }
}

TEST_CASE("shuffled curves: of categories it is the sum over all that may be drawn") {
  const PrecisionScope scope(320);
  proof::Budget budget = some_budget();
  for (const auto& asked :
       {std::tuple{"1", 1U, 3U}, std::tuple{"1", 6U, 3U}, std::tuple{"0.1", 6U, 3U},
        std::tuple{"0.001", 20U, 4U}, std::tuple{"1", 40U, 10U}, std::tuple{"2", 50U, 5U},
        std::tuple{"8", 30U, 3U}}) {
    const auto& text = std::get<0>(asked);
    const auto& users = std::get<1>(asked);
    const auto& categories = std::get<2>(asked);
    const Rational epsilon = parse_rational(text);
    const auto curve = proof::curve_of_categories(epsilon, users, categories, budget);
    const auto rough = proof::curve_of_categories(epsilon, users, categories, budget, {2, 60});
    const auto of_few_votes =
        proof::curve_of_categories(epsilon, users, categories, budget, {60, 2});
    for (const Rational& loss : losses_to(epsilon)) {
      CAPTURE(text);
      CAPTURE(users);
      CAPTURE(categories);
      CAPTURE(to_string(loss));
      const Interval exact = sum_of_categories(epsilon, users, categories, loss);
      check_alike(curve->at(loss, budget), exact);
      CHECK(proof::upper(rough->at(loss, budget)) >= proof::lower(exact));
      CHECK(proof::upper(of_few_votes->at(loss, budget)) >= proof::lower(exact));
    }
  }
}

TEST_CASE("shuffled curves: where messages are spread they are above that sum, and hardly") {
  const PrecisionScope scope(256);
  proof::Budget budget = some_budget();
  for (const auto& asked : {std::tuple{"1", 100U, 3U}, std::tuple{"4", 90U, 20U}}) {
    const auto& text = std::get<0>(asked);
    const auto& users = std::get<1>(asked);
    const auto& categories = std::get<2>(asked);
    const Rational epsilon = parse_rational(text);
    const auto curve = proof::curve_of_categories(epsilon, users, categories, budget);
    for (const char* share : {"0", "0.05", "0.3"}) {
      const Rational loss = epsilon * parse_rational(share);
      const Rational above = proof::upper(curve->at(loss, budget));
      const Interval exact = sum_of_categories(epsilon, users, categories, loss);
      CAPTURE(users);
      CAPTURE(share);
      CHECK(above >= proof::lower(exact));
      CHECK(above <= proof::upper(exact) * parse_rational("1.02"));
    }
  }
}

TEST_CASE("shuffled curves: all data sets of few users are below") {
  const PrecisionScope scope(256);
  proof::Budget budget = some_budget();
  for (const char* text : {"0.3", "1", "3"}) {
    const Rational epsilon = parse_rational(text);
    for (int users = 1; users <= 6; ++users) {
      const auto n = static_cast<std::uint64_t>(users);
      const auto two = proof::curve_of_two_values(epsilon, n, budget);
      const auto three = proof::curve_of_categories(epsilon, n, 3, budget);
      const auto any = proof::curve_of_clones(epsilon, n, budget);
      for (const Rational& loss : losses_to(epsilon)) {
        CAPTURE(text);
        CAPTURE(users);
        CAPTURE(to_string(loss));
        const Interval of_two = over_all_data_sets(epsilon, users, 2, loss);
        check_alike(two->at(loss, budget), of_two);
        CHECK(proof::upper(any->at(loss, budget)) >= proof::lower(of_two));
        const Interval of_three = over_all_data_sets(epsilon, users, 3, loss);
        CHECK(proof::upper(three->at(loss, budget)) >= proof::lower(of_three));
        CHECK(proof::upper(any->at(loss, budget)) >= proof::lower(of_three));
      }
    }
  }
}

TEST_CASE("shuffled curves: they are not above what the program states, and hardly below") {
  const PrecisionScope scope(256);
  proof::Budget budget = some_budget();
  const auto compare = [&](const std::string& text, const proof::ShuffledCurve& curve) {
    const auto mechanism = parse_spec(text).factors().front().mechanism;
    const auto law = mechanism->loss(Direction::remove);
    const CurveBounds* bounds = law->facts().curve_bounds;
    REQUIRE(bounds != nullptr);
    for (std::size_t k = 0; k + 1 < bounds->corners.size(); k += 7) {
      const CurveBound& corner = bounds->corners[k];
      const Rational above = proof::upper(curve.at(corner.loss, budget));
      CAPTURE(text);
      CAPTURE(to_string(corner.loss));
      CHECK(above <= corner.value);
      CHECK(above >= corner.value * parse_rational("0.999999") - parse_rational("1e-30"));
    }
  };
  compare("shuffle(epsilon=1, users=200)", *proof::curve_of_clones(1, 200, budget));
  compare("shuffle(epsilon=6, users=500)", *proof::curve_of_clones(6, 500, budget));
  compare("shuffle(epsilon=1, users=150, categories=3)",
          *proof::curve_of_categories(1, 150, 3, budget));
  compare("shuffle(epsilon=4, users=500, categories=20)",
          *proof::curve_of_categories(4, 500, 20, budget));
  compare("shuffle(epsilon=1, users=99, categories=1000000)",
          *proof::curve_of_categories(1, 99, 1'000'000, budget));
  compare("shuffle(epsilon=2, users=30, categories=2)", *proof::curve_of_two_values(2, 30, budget));
}

// Shuffled messages: the law of few users is stated with all its atoms, of more a certificate
// bounds the curve at points, and of randomized response of several values always.
#include <algorithm>
#include <map>

#include "verification/checker/curves/shuffled_curves.hpp"
#include "verification/checker/laws/released_laws.hpp"
#include "verification/checker/specs/builders.hpp"
#include "verification/checker/specs/stated_points.hpp"

namespace plaudit::proof {

namespace {

constexpr std::uint64_t most_users_of_categories = 10'000;
constexpr std::uint64_t most_listed_users = 64;
constexpr std::uint64_t most_values = 1'000'000'000'000;

struct Shuffle {
  Rational epsilon;
  std::uint64_t users;
  std::uint64_t categories;  ///< 0 where the local randomizer may be any

  bool of_two_values() const { return categories == 2 && users <= most_listed_users; }
  bool of_clones() const { return categories == 0 || (categories == 2 && !of_two_values()); }

  std::unique_ptr<const ShuffledCurve> curve(Budget& budget) const {
    if (of_two_values()) return curve_of_two_values(epsilon, users, budget);
    if (of_clones()) return curve_of_clones(epsilon, users, budget);
    return curve_of_categories(epsilon, users, categories, budget);
  }
};

/// Of what does not depend on a point, and of a point. docs/certificates/costs.md#laws
struct Operations {
  Integer before;
  Integer point;
};
Operations operations_of(const Shuffle& shuffle) {
  const Integer n(shuffle.users);
  if (shuffle.of_two_values()) return {20 * n * n * n, 20 * n * n};
  const Integer window = std::min(n, Integer(20 * root_of(n) + 100));
  if (shuffle.of_clones()) return {50 * n, 40 * window};
  return {60 * window * window, 1500 * window};
}

}  // namespace

// Proof: docs/proofs/shuffle.md#clones docs/proofs/shuffle.md#curve
// docs/proofs/shuffle.md#categories docs/proofs/shuffle.md#two-categories
Mechanism shuffle(const Arguments& arguments) {
  const Rational epsilon = arguments.positive("epsilon");
  if (epsilon < Rational(1, 1'000'000'000) || epsilon > 1000) {
    arguments.fail("epsilon", "must lie between 1e-9 and 1000");
  }
  const bool known = arguments.has("categories");
  const std::uint64_t users =
      arguments.count("users", known ? most_users_of_categories : most_shuffled_users);
  const std::uint64_t categories = known ? arguments.count("categories", most_values) : 0;
  if (categories == 1) arguments.fail("categories", "must be at least 2");
  Mechanism result;
  result.text = "shuffle(epsilon=" + to_string(epsilon) + ", users=" + std::to_string(users);
  if (known) result.text += ", categories=" + std::to_string(categories);
  result.text += ")";
  result.adjacency = of_one_record("replace");
  if (!known && users <= most_listed_users) {
    result.operations = Integer(20 * users * users);
    set_law(result, law(shuffle_law(epsilon, static_cast<long>(users))));
    return result;
  }
  const Shuffle shuffle{epsilon, users, categories};
  const Operations operations = operations_of(shuffle);
  result.operations = operations.before;
  // what does not depend on the point, by precisions
  const auto curves = std::make_shared<std::map<long, std::unique_ptr<const ShuffledCurve>>>();
  set_stated_curve(result, arguments, true, operations.point,
                   [=](Direction, const Rational& loss, Budget& budget) -> Interval {
                     if (loss >= epsilon) return 0;
                     auto& curve = (*curves)[working_precision()];
                     if (!curve) curve = shuffle.curve(budget);
                     return curve->at(loss, budget);
                   });
  return result;
}

}  // namespace plaudit::proof

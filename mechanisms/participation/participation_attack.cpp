#include "mechanisms/participation/participation_attack.hpp"

#include <cmath>
#include <memory>
#include <utility>

#include "lib/balls/precision.hpp"
#include "mechanisms/forms/attack.hpp"
#include "mechanisms/participation/ring_filter.hpp"
#include "mechanisms/participation/two_state_filter.hpp"

namespace plaudit {

namespace {

/// Log odds against Q at the tests are r |r|, more densely where they are even. test_attack begins
/// 3 below the first of these r and ends 8 beyond the last: at -42 and 42.
constexpr double first_root = -3.5;
constexpr double last_root = -1.5;
constexpr double most_counted = 1e6;  ///< whole columns, squared: what counting them takes

/// A sum over some rows that a pattern moves by |piece|, in units of its deviation.
struct Pieces {
  double count;      ///< of them, at most
  Ball square;       ///< |piece|^2
  Ball probability;  ///< that a record has one of them at all
};

/// Of bins each pattern whole: those with fewest rows for the tail under P. Of draws each column
/// alone that is whole.
Pieces pieces_of(const RandomParticipation& scheme) {
  Rational column = 0;
  for (const Rational& each : scheme.coefficients) column += each * each;
  const std::size_t whole = scheme.steps + 1 - scheme.bands();  // columns, from the first on
  if (scheme.rate) {
    const Ball missed(Rational(1 - *scheme.rate));
    // whoever drew before the first step is free separation - 1 steps later at the latest
    const std::size_t waits = scheme.stationary ? scheme.period - 1 : 0;
    return {static_cast<double>(whole), Ball(Rational(scheme.ratio * column)),
            Ball(1) - power(missed, whole > waits ? whole - waits : 0)};
  }
  const std::size_t turns = whole / scheme.period;  // of every bin, at least
  return {static_cast<double>(scheme.period),
          Ball(Rational(scheme.ratio * column * Rational(Integer(turns)))), Ball(1)};
}

/// By how much the sum of all rows over its deviation is moved, with which probability; at least.
struct Moved {
  Ball probability;
  Ball by;
};

/// P of each number of whole columns in which a record takes part.
std::vector<Ball> numbers_of_columns(const RandomParticipation& scheme, std::size_t whole) {
  const std::size_t ages = scheme.period;  // the last one is: free
  std::vector<std::vector<Ball>> now(1, std::vector<Ball>(ages));
  const Rational free = scheme.stationary ? free_share(scheme) : Rational(1);
  now[0][ages - 1] = Ball(free);
  for (std::size_t age = 0; scheme.stationary && age + 1 < ages; ++age) {
    now[0][age] = Ball(Rational(free * *scheme.rate));
  }
  const Ball drawn(*scheme.rate);
  const Ball missed(Rational(1 - *scheme.rate));
  for (std::size_t step = 0; step < whole; ++step) {
    std::vector<std::vector<Ball>> next(now.size() + 1, std::vector<Ball>(ages));
    for (std::size_t count = 0; count < now.size(); ++count) {
      for (std::size_t age = 0; age + 1 < ages; ++age) next[count][age + 1] += now[count][age];
      next[count + 1][0] += now[count][ages - 1] * drawn;
      next[count][ages - 1] += now[count][ages - 1] * missed;
    }
    if (next.back()[0].is_exact_zero()) next.pop_back();
    now = std::move(next);
  }
  std::vector<Ball> result;
  for (const auto& each : now) {
    Ball sum;
    for (const Ball& part : each) sum += part;
    result.push_back(sum);
  }
  return result;
}

/// Each whole column moves the sum of all rows by a times the sum of the coefficients.
std::vector<Moved> sum_moves(const RandomParticipation& scheme) {
  const std::size_t whole = scheme.steps + 1 - scheme.bands();
  if (static_cast<double>(whole) * static_cast<double>(whole) > most_counted) return {};
  Rational column = 0;
  for (const Rational& each : scheme.coefficients) column += each;
  const Ball one =
      sqrt(Ball(scheme.ratio)) * Ball(column) / sqrt(Ball(std::uint64_t{scheme.steps}));
  std::vector<Moved> result;
  if (scheme.rate) {
    const std::vector<Ball> numbers = numbers_of_columns(scheme, whole);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      result.push_back({numbers[k], one * Ball(std::uint64_t{k})});
    }
    return result;
  }
  const std::size_t turns = whole / scheme.period;  // whole columns of each bin, some have one more
  const std::size_t more = whole % scheme.period;
  const Ball bins(std::uint64_t{scheme.period});
  result.push_back(
      {Ball(std::uint64_t{scheme.period - more}) / bins, one * Ball(std::uint64_t{turns})});
  result.push_back({Ball(std::uint64_t{more}) / bins, one * Ball(std::uint64_t{turns + 1})});
  return result;
}

/// Of tests that a label of a grid is above a place.
template <typename Labels>
Tests tests_of_labels(std::shared_ptr<const Labels> labels) {
  return {first_root, last_root, [labels = std::move(labels)](const Ball& u) {
            const double root = u.estimate();
            return labels->above(root * std::abs(root));
          }};
}

}  // namespace

MechanismPointer participation_attack(const RandomParticipation& scheme, const std::string& spec) {
  const PrecisionScope scope(128);
  if (const auto grid = two_state_grid(scheme)) {
    return test_attack(spec,
                       {tests_of_labels(std::make_shared<const TwoStateAttack>(scheme, *grid))});
  }
  std::vector<Tests> tests;
  if (const auto grid = ring_grid(scheme)) {
    tests.push_back(tests_of_labels(std::make_shared<const RingAttack>(scheme, *grid)));
  }
  if (scheme.steps < scheme.bands()) return tests.empty() ? nullptr : test_attack(spec, tests);
  const Pieces pieces = pieces_of(scheme);
  if (!certainly_positive(pieces.square)) return tests.empty() ? nullptr : test_attack(spec, tests);
  const Ball moved = sqrt(pieces.square);
  const double greatest = moved.estimate() + std::sqrt(2 * std::log(pieces.count + 1));
  tests.push_back({0, greatest, [&](const Ball& u) -> EventRates {
                     return {pieces.probability * normal_cdf(moved - u),
                             min(Ball(1), Ball(pieces.count) * normal_cdf(-u))};
                   }});
  const std::vector<Moved> sums = sum_moves(scheme);
  if (!sums.empty()) {
    tests.push_back({0, sums.back().by.estimate(), [&](const Ball& u) -> EventRates {
                       Ball p;
                       for (const Moved& each : sums)
                         p += each.probability * normal_cdf(each.by - u);
                       return {p, normal_cdf(-u)};
                     }});
  }
  return test_attack(spec, tests);
}

}  // namespace plaudit

#include "mechanisms/participation/participation_tests.hpp"

#include <cmath>

#include "lib/balls/precision.hpp"
#include "mechanisms/forms/attack.hpp"
#include "mechanisms/participation/plane_filter.hpp"

namespace plaudit {

namespace {

/// Log odds of Q at the tests are r |r|, more densely where they are even. test_attack begins 3
/// below the first of these r and ends 8 beyond the last: at -42 and 42.
constexpr double first_root = -3.5;
constexpr double last_root = -1.5;

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

}  // namespace

MechanismPointer participation_tests(const RandomParticipation& scheme, const std::string& spec) {
  const PrecisionScope scope(128);
  if (const auto grid = plane_grid(scheme)) {
    const PlaneTests tests(scheme, *grid);
    return test_attack(spec, first_root, last_root, [&](const Ball& u) {
      const double root = u.estimate();
      return tests.above(root * std::abs(root));
    });
  }
  if (scheme.steps < scheme.bands()) return nullptr;
  const Pieces pieces = pieces_of(scheme);
  if (!certainly_positive(pieces.square)) return nullptr;
  const Ball moved = sqrt(pieces.square);
  const double greatest = moved.estimate() + std::sqrt(2 * std::log(pieces.count + 1));
  return test_attack(spec, 0, greatest, [&](const Ball& u) -> EventRates {
    return {pieces.probability * normal_cdf(moved - u),
            min(Ball(1), Ball(pieces.count) * normal_cdf(-u))};
  });
}

}  // namespace plaudit

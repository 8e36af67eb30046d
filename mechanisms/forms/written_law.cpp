#include "mechanisms/forms/written_law.hpp"

#include <algorithm>

#include "lib/balls/decided_sign.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

/// The greatest precision that is tried: of each mass, and of all masses of one law together.
constexpr long most_bits = 1 << 16;
constexpr long most_bits_of_all = 1L << 29;

/// By halves, which keeps the denominators small.
Rational sum(std::vector<Rational> terms) {
  if (terms.empty()) return 0;
  while (terms.size() > 1) {
    for (std::size_t i = 0; 2 * i < terms.size(); ++i) {
      terms[i] =
          2 * i + 1 < terms.size() ? Rational(terms[2 * i] + terms[2 * i + 1]) : terms[2 * i];
    }
    terms.resize((terms.size() + 1) / 2);
  }
  return terms[0];
}

/// What the masses [first, last) may have beyond their lower ends.
Rational room(const WrittenLaw& law, std::size_t first, std::size_t last) {
  std::vector<Rational> terms;
  for (std::size_t i = first; i < last; ++i) {
    const WrittenLaw::Mass& mass = law.masses[i];
    if (mass.lower != mass.upper) terms.push_back(mass.upper - mass.lower);
  }
  return sum(std::move(terms));
}

}  // namespace

std::optional<std::vector<Rational>> masses_of_least_q(const WrittenLaw& law) {
  std::vector<Rational> result;
  for (const WrittenLaw::Mass& mass : law.masses) result.push_back(mass.lower);
  const Rational at_infinity = law.infinite.upper - law.infinite.lower;
  Rational rest = 1 - law.infinite.lower - sum(result);
  if (rest < 0 || rest > at_infinity + room(law, 0, result.size())) return std::nullopt;
  rest -= std::min(rest, at_infinity);
  rest = PLAUDIT_BOUND("written_law.rest", rest, Rational(0));
  if (rest == 0) return result;
  // All masses from `full` on have their upper ends, those before `open` their lower ones.
  std::size_t open = 0;
  std::size_t full = result.size();
  while (full - open > 1) {
    const std::size_t middle = open + (full - open) / 2;
    const Rational taken = room(law, middle, full);
    if (taken > rest) {
      open = middle;
      continue;
    }
    for (std::size_t i = middle; i < full; ++i) result[i] = law.masses[i].upper;
    rest -= taken;
    full = middle;
  }
  result[open] += rest;
  return result;
}

std::optional<bool> q_is_at_most_one(const std::vector<Rational>& losses,
                                     const std::vector<Rational>& masses) {
  Rational at_zero = 0;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    if (masses[i] == 0) continue;
    if (losses[i] == 0) {
      at_zero = masses[i];
      continue;
    }
    // p >= 2^-b for the number b of bits of its denominator, and e^-loss >= e^b: above 1
    if (-losses[i] > static_cast<long>(msb(denominator(masses[i]))) + 1) return false;
    others.push_back(i);
  }
  const long bits =
      others.empty() ? most_bits : most_bits_of_all / static_cast<long>(others.size());
  const std::optional<int> sign = decided_sign(std::min(most_bits, bits), [&] {
    Ball left(Rational(1 - at_zero));
    for (const std::size_t i : others) left -= Ball(masses[i]) * exp(-Ball(losses[i]));
    return left;
  });
  if (!sign) return std::nullopt;
  return PLAUDIT_BOUND("written_law.sign", *sign >= 0, true);
}

}  // namespace plaudit

#include "verification/kernel/laws/normal_cells.hpp"

#include <algorithm>

#include "verification/kernel/laws/enclosures.hpp"

namespace plaudit::kernel {

namespace {

/// A term +-beta^power / divisor of a coefficient of an inner integral, and of which power of k.
struct Term {
  int of_k;
  bool negative;
  unsigned power;
  long divisor;
};

/// Normal.v, table5; table6 has those of the sixth power besides.
const std::vector<Term>& terms() {
  static const std::vector<Term> all{
      {0, false, 0, 1},     {0, true, 1, 6},     {0, false, 2, 40},     {0, true, 3, 336},
      {0, false, 4, 3456},  {0, true, 5, 42240}, {0, false, 6, 599040}, {1, true, 1, 2},
      {1, false, 2, 8},     {1, true, 3, 48},    {1, false, 4, 384},    {1, true, 5, 3840},
      {1, false, 6, 46080}, {2, false, 2, 6},    {2, true, 3, 20},      {2, false, 4, 112},
      {2, true, 5, 864},    {2, false, 6, 8448}, {3, true, 3, 24},      {3, false, 4, 72},
      {3, true, 5, 384},    {3, false, 6, 2880}, {4, false, 4, 120},    {4, true, 5, 336},
      {4, false, 6, 1728},  {5, true, 5, 720},   {5, false, 6, 1920},   {6, false, 6, 5040}};
  return all;
}

/// The coefficients' floors (of table5) and ceilings (of table6), in units of 2^-T.
struct Coefficients {
  std::vector<Integer> low = std::vector<Integer>(6);
  std::vector<Integer> high = std::vector<Integer>(7);
};

Coefficients coefficients(const Rational& beta, long T) {
  Coefficients result;
  for (const Term& term : terms()) {
    const Integer top = pow(numerator(beta), term.power) << static_cast<unsigned long>(T);
    Integer floor = quotient_below(top, pow(denominator(beta), term.power) * term.divisor);
    if (term.negative) floor = -floor - 1;
    const std::size_t place = static_cast<std::size_t>(term.of_k);
    if (term.power < 6) result.low[place] += floor;
    result.high[place] += floor + 1;
  }
  return result;
}

Integer horner(const std::vector<Integer>& c, long k) {
  Integer result;
  for (auto a = c.rbegin(); a != c.rend(); ++a) result = *a + result * k;
  return result;
}

}  // namespace

std::vector<Bounds> normal_cells(const Rational& beta, long T, long points,
                                 const std::vector<Bounds>& densities) {
  const Coefficients c = coefficients(beta, T);
  std::vector<Bounds> result;
  for (std::size_t k = 0; k < densities.size(); ++k) {
    const long at = static_cast<long>(k);
    const Integer low = std::max(Integer(0), horner(c.low, at));
    result.push_back({quotient_below(down(T, densities[k].low * low), points),
                      quotient_above(up(T, densities[k].high * horner(c.high, at)), points)});
  }
  return result;
}

}  // namespace plaudit::kernel

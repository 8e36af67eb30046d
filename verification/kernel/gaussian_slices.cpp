#include "verification/kernel/gaussian_slices.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "lib/balls/ball.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "verification/kernel/fixed_format.hpp"

namespace plaudit::kernel {

namespace {

/// Bits with which exp and the density are enclosed before they are rounded to units of 2^-T.
constexpr long spare_bits = 172;

Integer quotient_below(const Integer& a, const Integer& b) {
  Integer result;
  mpz_fdiv_q(result.data(), a.data(), b.data());
  return result;
}

Integer quotient_above(const Integer& a, const Integer& b) {
  Integer result;
  mpz_cdiv_q(result.data(), a.data(), b.data());
  return result;
}

/// A unit of slack on each side, so that Coq's interval arithmetic decides it.
Bounds enclosed(long T, const Ball& x) {
  const Ball y = ldexp(x, T);
  const Integer low = floor_of(exact_rational(y.lower()));
  return {low > 2 ? low - 1 : Integer(0), floor_of(exact_rational(y.upper())) + 2};
}

Bounds product_of(long T, const Bounds& a, const Bounds& b) {
  return {down(T, a.low * b.low), up(T, a.high * b.high)};
}

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

std::vector<Bounds> densities(const GaussianSource& source) {
  std::vector<Bounds> result;
  Bounds v = source.density_at_0;
  Bounds g = source.first_factor;
  for (long k = 0; k < source.table_size; ++k) {
    result.push_back(v);
    v = product_of(source.T, v, g);
    g = product_of(source.T, g, source.second_factor);
  }
  return result;
}

std::vector<Bounds> masses(const GaussianSource& source, const std::vector<Bounds>& table) {
  const Coefficients c = coefficients(source.beta, source.T);
  std::vector<Bounds> result;
  for (std::size_t k = 0; k < table.size(); ++k) {
    const long at = static_cast<long>(k);
    const Integer low = std::max(Integer(0), horner(c.low, at));
    result.push_back(
        {quotient_below(down(source.T, table[k].low * low), source.grid.points),
         quotient_above(up(source.T, table[k].high * horner(c.high, at)), source.grid.points)});
  }
  return result;
}

std::vector<Bounds> mixed_masses(const GaussianSource& source, const Mixture& mixture,
                                 const std::vector<Bounds>& table) {
  std::vector<Bounds> result(static_cast<std::size_t>(source.grid.cells));
  for (const Part& part : mixture.parts) {
    for (std::size_t i = 0; i < result.size(); ++i) {
      const long k = source.grid.first + static_cast<long>(i) - part.centre;
      const Bounds& mass = table[static_cast<std::size_t>(k >= 0 ? k : -k - 1)];
      result[i].low += part.share * mass.low;
      result[i].high += part.share * mass.high;
    }
  }
  return result;
}

std::vector<Bounds> mixed_tilts(const GaussianSource& source, const Mixture& mixture) {
  std::vector<Bounds> result(static_cast<std::size_t>(source.grid.cells) + 1);
  for (const Part& part : mixture.parts) {
    Bounds tilt = part.start;
    for (Bounds& sum : result) {
      sum.low += part.share * tilt.low;
      sum.high += part.share * tilt.high;
      tilt = product_of(source.T, tilt, part.growth);
    }
  }
  return result;
}

double log_of_quotient(const Integer& a, const Integer& b) {
  return estimate_log(Rational(a)) - estimate_log(Rational(b));
}

std::vector<Slice> slices_of(const GaussianSource& source,
                             const std::vector<Bounds>& densities_at) {
  const std::vector<Bounds> table = masses(source, densities_at);
  const std::vector<Bounds> p = mixed_masses(source, source.p, table);
  const std::vector<Bounds> q = mixed_masses(source, source.q, table);
  const std::vector<Bounds> a = mixed_tilts(source, source.p);
  const std::vector<Bounds> b = mixed_tilts(source, source.q);
  const Integer& of_p = source.p.denominator;
  const Integer& of_q = source.q.denominator;
  std::vector<Slice> result;
  for (std::size_t i = 0; i < p.size(); ++i) {
    Slice slice{quotient_below(p[i].low, of_p),
                quotient_above(p[i].high, of_p),
                quotient_below(q[i].low, of_q),
                quotient_above(q[i].high, of_q),
                b[i].high * of_p,
                a[i].low * of_q,
                b[i + 1].low * of_p,
                a[i + 1].high * of_q,
                0,
                0};
    slice.loss_at_left = log_of_quotient(slice.den_hi, slice.num_hi);
    slice.loss_at_right = log_of_quotient(a[i + 1].low * of_q, b[i + 1].high * of_p);
    result.push_back(std::move(slice));
  }
  return result;
}

/// Gaussian.v, `tails`, in units of 2^-B of p.
Integer outside_of(const GaussianSource& source, const std::vector<Bounds>& table) {
  const Integer top = denominator(source.beta);
  const Integer bottom = numerator(source.beta) * source.grid.points;
  const auto term = [&](long k) {
    return quotient_above(table[static_cast<std::size_t>(k)].high * top, bottom * k);
  };
  Integer tails;
  const long last = source.grid.first + source.grid.cells;
  for (const Part& part : source.p.parts) {
    tails += part.share * (term(part.centre - source.grid.first) + term(last - part.centre));
  }
  return quotient_above(tails,
                        source.p.denominator << static_cast<unsigned long>(source.T - source.B));
}

Mixture mixture_of(const std::vector<Component>& components, const GaussianSource& source) {
  Mixture result;
  result.denominator = 1;
  for (const Component& each : components) {
    result.denominator = lcm(result.denominator, denominator(each.probability));
  }
  const Ball beta(source.beta);
  for (const Component& each : components) {
    const Integer share = numerator(each.probability * Rational(result.denominator));
    const long c = each.centre * source.grid.points;
    const Rational at_first =
        Rational(Integer(c) * source.grid.first) - Rational(Integer(c) * c, 2);
    result.parts.push_back({share, c, enclosed(source.T, exp(beta * Ball(at_first))),
                            enclosed(source.T, exp(beta * Ball(Rational(c))))});
  }
  return result;
}

}  // namespace

TiltBits tilt_bits(const NormalPair& pair, const Grid& grid) {
  const double variance = estimate(pair.sigma * pair.sigma);
  const double first = static_cast<double>(grid.first) / static_cast<double>(grid.points);
  const double last = first + static_cast<double>(grid.cells) / static_cast<double>(grid.points);
  TiltBits result{0, 0};
  for (const std::vector<Component>* side : {&pair.p, &pair.q}) {
    for (const Component& each : *side) {
      const double c = static_cast<double>(each.centre);
      for (const double x : {first, last}) {
        const double bits = (c * x - c * c / 2) / variance / log_two;
        result.least = std::min(result.least, bits);
        result.greatest = std::max(result.greatest, bits);
      }
    }
  }
  return result;
}

GaussianSource gaussian_source(const NormalPair& pair, const Grid& grid, long T, long B) {
  GaussianSource source;
  source.pair = pair;
  source.grid = grid;
  source.T = T;
  source.B = B;
  const TiltBits bits = tilt_bits(pair, grid);
  source.interval_bits = T + 72 + static_cast<long>(bits.greatest);
  const PrecisionScope scope(source.interval_bits + spare_bits);
  const Rational scale = pair.sigma * Rational(grid.points);
  source.beta = Rational(1) / (scale * scale);
  source.p = mixture_of(pair.p, source);
  source.q = mixture_of(pair.q, source);
  const Ball beta(source.beta);
  source.density_at_0 = enclosed(T, Ball(1) / (Ball(pair.sigma) * sqrt(ldexp(pi(), 1))));
  source.first_factor = enclosed(T, exp(-ldexp(beta, -1)));
  source.second_factor = enclosed(T, exp(-beta));
  source.table_size = 0;
  for (const Mixture* mixture : {&source.p, &source.q}) {
    for (const Part& part : mixture->parts) {
      source.table_size = std::max({source.table_size, std::labs(grid.first - part.centre) + 1,
                                    std::labs(grid.first + grid.cells - part.centre) + 1});
    }
  }
  const std::vector<Bounds> table = densities(source);
  source.slices = slices_of(source, table);
  source.outside = outside_of(source, table);
  return source;
}

}  // namespace plaudit::kernel

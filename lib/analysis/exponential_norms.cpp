#include "lib/analysis/exponential_norms.hpp"

#include <algorithm>
#include <cmath>

#include "lib/analysis/upper_exponential.hpp"
#include "lib/constants.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

/// At least the next double above x: at least the exact number that was rounded to x.
double up(double x) {
  return PLAUDIT_BOUND("hyperbola.rounded_up", x + (std::fabs(x) * 0x1p-52 + 0x1p-1022), x);
}
double down(double x) { return -up(-x); }

/// Upper bound of a b over a in [a1, a2] and b in [b1, b2].
double product_up(double a1, double a2, double b1, double b2) {
  return up(PLAUDIT_BOUND("hyperbola.all_four_products",
                          std::max(std::max(a1 * b1, a1 * b2), std::max(a2 * b1, a2 * b2)),
                          a2 * b2));
}

/// The same for one b.
double product_up(double a1, double a2, double b) { return up(std::max(a1 * b, a2 * b)); }

bool is_finite(const DoubleRange& x) { return std::isfinite(x.low) && std::isfinite(x.high); }

/// Of D(l) over the points of a piece.
double steepness_above(const DoublePiece& piece, const DoubleRange& sine,
                       const DoubleRange& cosine) {
  return up(up(product_up(sine.low, sine.high, piece.real) +
               product_up(-cosine.high, -cosine.low, piece.imaginary)) +
            PLAUDIT_BOUND("hyperbola.steepness_off_middle", piece.error, 0));
}

}  // namespace

// |e^u - 1| <= min(1 + e^{Re u}, |u| max(1, e^{Re u})) = max(1, e^{Re u}) min(1 + e^{-|Re u|},
// |u|). The sums are taken in units of the greatest term, which may be far outside binary64.
// binary64 bound: docs/proofs/hyperbola.md#doubles
DoubleNorms norms_above(const std::vector<DoublePiece>& pieces, const DoubleArc& arc) {
  const bool finite = is_finite(arc.level) && is_finite(arc.reach) && is_finite(arc.sine) &&
                      is_finite(arc.cosine) && arc.size < infinity;
  if (!finite) return {0, infinity, infinity};
  std::vector<double> exponents(pieces.size());
  double greatest = -infinity;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const DoublePiece& piece = pieces[i];
    const double steepness = steepness_above(piece, arc.sine, arc.cosine);
    exponents[i] = up(product_up(arc.level.low, arc.level.high, down(piece.real - piece.error),
                                 up(piece.real + piece.error)) +
                      PLAUDIT_BOUND("hyperbola.growth_along_arc",
                                    product_up(arc.reach.low, arc.reach.high, steepness), 0));
    if (!(exponents[i] < infinity)) return {0, infinity, infinity};
    greatest = std::max(greatest, piece.log_weight + std::max(exponents[i], 0.0));
  }
  double plain = 0, minus_one = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const DoublePiece& piece = pieces[i];
    const double exponent = exponents[i];
    const double growing =
        upper_exponential(up(up(piece.log_weight + std::max(exponent, 0.0)) - greatest));
    const double small = upper_exponential(-std::fabs(exponent));
    plain = up(plain + (exponent > 0 ? growing : up(growing * small)));
    const double one_and_small = up(PLAUDIT_BOUND("hyperbola.one_beside_growth", 1, 0) + small);
    minus_one = up(minus_one + up(growing * std::min(one_and_small, up(arc.size * piece.modulus))));
  }
  return {greatest, minus_one, plain};
}

double steepest_above(const std::vector<DoublePiece>& pieces, const DoubleRange& sine,
                      const DoubleRange& cosine) {
  double worst = 0;
  for (const DoublePiece& piece : pieces) {
    worst = std::max(worst, steepness_above(piece, sine, cosine));
  }
  return worst;
}

}  // namespace plaudit

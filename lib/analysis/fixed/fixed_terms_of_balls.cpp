#include "lib/analysis/fixed/fixed_terms_of_balls.hpp"

#include <gmp.h>

#include "lib/balls/precision.hpp"
#include "lib/balls/size_bound.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

constexpr long bits_of_term_errors = 64;

/// Makes numbers in fixed point of the middles of balls.
class Reader {
 public:
  explicit Reader(int limbs) : limbs_(limbs) {
    arf_init(scaled_);
    fmpz_init(whole_);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() {
    fmpz_clear(whole_);
    arf_clear(scaled_);
  }

  /// Puts the middle of z 2^-exponent, parts below 2, into number i, each part rounded towards 0 by
  /// less than a unit. @returns whether anything was cut off.
  bool read(FixedNumbers& to, std::size_t i, const ComplexBall& z, long exponent) {
    const bool real = read(to.at(FixedNumbers::part_real, i), acb_realref(z.raw()), exponent);
    const bool imaginary =
        read(to.at(FixedNumbers::part_imaginary, i), acb_imagref(z.raw()), exponent);
    to.add_parts(i);
    return real || imaginary;
  }

 private:
  bool read(FixedNumbers::Limb* to, arb_srcptr x, long exponent) {
    arf_mul_2exp_si(scaled_, arb_midref(x), FixedNumbers::fraction_bits(limbs_) - exponent);
    const bool cut = arf_get_fmpz(whole_, scaled_, ARF_RND_DOWN) != 0;
    const bool negative = fmpz_sgn(whole_) < 0;
    fmpz_abs(whole_, whole_);
    fmpz_get_ui_array(to, limbs_, whole_);
    if (negative) mpn_neg(to, to, limbs_);
    to[limbs_ - 1] += FixedNumbers::offset;
    return cut;
  }

  int limbs_;
  arf_t scaled_;
  fmpz_t whole_;
};

}  // namespace

std::optional<FixedTerms> fixed_terms_of_balls(const std::vector<ComplexBall>& weights,
                                               const std::vector<ComplexBall>& bases, int limbs) {
  SizeBound size;
  SizeBound radii;
  SizeBound radius_of_bases;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    size.add_size(weights[j]);
    radii.add_radius(weights[j]);
    SizeBound of_base;
    of_base.add_size(bases[j]);
    if (!of_base.is_less_than_two()) return std::nullopt;
    SizeBound radius;
    radius.add_radius(bases[j]);
    radius_of_bases.raise_to(radius);
  }
  const Ball total = size.ball();
  if (!total.is_finite() || total.is_exact_zero()) return std::nullopt;
  fmpz_t exponent_of_total;
  fmpz_init(exponent_of_total);
  arf_abs_bound_lt_2exp_fmpz(exponent_of_total, arb_midref(total.raw()));
  const bool usual = fmpz_bits(exponent_of_total) < 40;
  const long exponent = usual ? fmpz_get_si(exponent_of_total) : 0;
  fmpz_clear(exponent_of_total);
  if (!usual) return std::nullopt;

  FixedTerms terms{
      FixedNumbers(limbs, weights.size()), FixedNumbers(limbs, bases.size()), exponent, {}, {}, {}};
  Reader reader(limbs);
  long weights_cut = 0;
  bool bases_cut = false;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (reader.read(terms.weights, j, weights[j], exponent)) weights_cut += 1;
    if (reader.read(terms.bases, j, bases[j], 0)) bases_cut = true;
  }
  const PrecisionScope of_errors(bits_of_term_errors);
  const Ball cut = ldexp(FixedNumbers::unit(limbs), 1);
  terms.size_of_weights = ldexp(total, -exponent).upper();
  terms.error_of_weights =
      (ldexp(radii.ball(), -exponent) +
       PLAUDIT_BOUND("fixed_sums.cut_of_weights", Ball(weights_cut) * cut, Ball(0)))
          .upper();
  terms.error_of_bases = radius_of_bases.ball();
  if (bases_cut) {
    terms.error_of_bases =
        (terms.error_of_bases + PLAUDIT_BOUND("fixed_sums.cut_of_bases", cut, Ball(0))).upper();
  }
  return terms;
}

}  // namespace plaudit

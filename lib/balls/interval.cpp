#include "lib/balls/interval.hpp"

#include "lib/mutant.hpp"

#include <algorithm>

namespace plaudit {

namespace {

constexpr slong most_bits = 100'000'000;  ///< of an end; fewer round it outward, never wrongly

void directed_end(const arf_t end, mpfr_rnd_t rounding, mpfr_ptr result) {
  const slong bits = std::max<slong>(64, arf_bits(end));
  mpfr_set_prec(result, static_cast<mpfr_prec_t>(bits));
  if (arf_is_finite(end) && !arf_is_zero(end) &&
      arf_cmpabs_2exp_si(end, -1000000000000000000L) < 0) {
    // 0 where the rounding is towards 0, else 2^(-10^18), or MPFR's least number if that is greater
    const bool away =
        PLAUDIT_BOUND("interval.tiny_end", (arf_sgn(end) > 0) == (rounding == MPFR_RNDU), false);
    mpfr_set_si_2exp(result, away ? arf_sgn(end) : 0, -1000000000000000000L, rounding);
  } else if (arf_is_finite(end) && arf_cmpabs_2exp_si(end, 1000000000000000000L) > 0) {
    const bool away = (arf_sgn(end) > 0) == (rounding == MPFR_RNDU);
    if (away) {
      mpfr_set_inf(result, arf_sgn(end));
    } else {
      mpfr_set_si_2exp(result, arf_sgn(end), 1000000000000000000L, rounding);
    }
  } else {
    arf_get_mpfr(result, end, rounding);
  }
}

}  // namespace

MpfrFloat::MpfrFloat(mpfr_srcptr value) {
  mpfr_init2(value_, mpfr_get_prec(value));
  mpfr_set(value_, value, MPFR_RNDN);
}

void enclose(const Ball& x, mpfr_ptr lower, mpfr_ptr upper) {
  arf_t end;
  arf_init(end);
  // Bits of the midpoint and of a radius far below it: rounding an end outward adds little.
  slong bits = std::max<slong>(64, arf_bits(arb_midref(x.raw())) + 32);
  if (!arb_is_exact(x.raw()) && arb_is_finite(x.raw())) {
    bits = std::max(bits, std::min<slong>(arb_rel_accuracy_bits(x.raw()), most_bits) + 64);
  }
  // Arb 2.23 gives a nan end for a ball with infinite midpoint and infinite radius.
  if (arf_is_nan(arb_midref(x.raw())) ||
      (!arf_is_finite(arb_midref(x.raw())) && !mag_is_finite(arb_radref(x.raw())))) {
    arf_neg_inf(end);
    directed_end(end, MPFR_RNDD, lower);
    arf_pos_inf(end);
    directed_end(end, MPFR_RNDU, upper);
  } else {
    arb_get_lbound_arf(end, x.raw(), bits);
    directed_end(end, MPFR_RNDD, lower);
    arb_get_ubound_arf(end, PLAUDIT_BOUND("interval.radius", x, x.middle()).raw(), bits);
    directed_end(end, MPFR_RNDU, upper);
  }
  arf_clear(end);
}

Interval enclose(const Ball& x) {
  Interval result;
  enclose(x, result.lower.data(), result.upper.data());
  return result;
}

Ball exact_ball(mpfr_srcptr x) {
  Ball result;
  arf_set_mpfr(arb_midref(result.raw()), x);
  return result;
}

Ball enclosing_ball(mpfr_srcptr x, mpfr_srcptr y) {
  Ball result;
  const Ball lower = exact_ball(x);
  const Ball upper = exact_ball(y);
  const slong bits =
      std::max<slong>({64, arf_bits(arb_midref(lower.raw())), arf_bits(arb_midref(upper.raw()))});
  arb_set_interval_arf(result.raw(), arb_midref(lower.raw()), arb_midref(upper.raw()), bits + 8);
  return result;
}

}  // namespace plaudit

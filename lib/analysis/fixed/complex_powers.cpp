// Notation of the proof page, as in fixed_kernel.hpp.
#include "lib/analysis/fixed/complex_powers.hpp"

#include <algorithm>

#include "lib/analysis/fixed/fixed_logarithm.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace fixed {

namespace {

constexpr int most_bits_of_power = 26;     ///< of the exponent
constexpr long spare_bits_of_powers = 15;  ///< of W beyond the precision; too few make radii wider

/// x 2^(exponent + 1 - W), of a two's complement, as a midpoint.
template <std::size_t n>
void set_middle(arb_ptr to, const Limbs<n>& x, std::int64_t exponent) {
  const Part<n> part = Part<n>::of(x);
  std::size_t size = n;
  while (size > 0 && part.size[size - 1] == 0) --size;
  if (size == 0) return arf_zero(arb_midref(to));
  arf_set_mpn(arb_midref(to), part.size.data(), static_cast<mp_size_t>(size), part.negative);
  arf_mul_2exp_si(arb_midref(to), arb_midref(to), exponent + 1 - Tables<n>::width);
}

/// z^power for one power. Errors are over 2^e, e the exponent of the term that is z^power.
template <std::size_t n>
class Powers {
 public:
  Powers(std::uint64_t power, int of_log)
      : tables_(Tables<n>::get()),
        of_power_(static_cast<int>(std::bit_width(power))),
        of_log_(of_log),
        power_(Ball(power), width - of_power_) {
    const PrecisionScope of_errors(bits_of_limb);
    rounding_.set(PLAUDIT_BOUND("complex_powers.rounding",
                                rounding_of_term<n>(of_power_, of_log_, whole_bits()), Ball(0)));
    by_radius_.set(Ball(power) * Ball(1.01 * term_by_exponent));
    most_.set(ldexp(Ball(1), -8));
  }

  bool fits() const {
    return of_power_ <= most_bits_of_power && of_log_ <= most_bits_of_guess &&
           whole_bits() <= most_whole_bits;
  }

  /// Encloses z^power; false where z is too wide or too large, or its logarithm is not found.
  bool put(ComplexBall& to, const ComplexBall& z) const {
    if (std::labs(exponent_of(z)) > most_exponent_of_f) return false;
    SizeBound error;
    set_relative_radius(error, z);
    mag_mul(error.raw(), error.raw(),
            PLAUDIT_BOUND("complex_powers.radius", by_radius_.raw(), SizeBound().raw()));
    mag_add(error.raw(), error.raw(), rounding_.raw());
    if (mag_cmp(error.raw(), most_.raw()) > 0) return false;
    const std::optional<Scaled<n>> number = scaled<n>(z);
    std::optional<Logarithm<n>> log = number ? guess(*number) : std::nullopt;
    if (!log || !add_rest(tables_, *number, *log)) return false;
    Limbs<n> real{}, imaginary{};
    constexpr int down = 2;
    add_product(real, power_, in_units(log->real, log->real_rest, of_log_), down, false);
    add_product(imaginary, power_, in_units(log->imaginary, log->imaginary_rest, of_log_), down,
                false);
    const Term<n> term =
        exponential(tables_, reduce(real, whole_bits(), tables_.power_step, power_reciprocal),
                    reduce(imaginary, whole_bits(), tables_.angle_step, angle_reciprocal));
    mag_mul_2exp_si(error.raw(), error.raw(), term.exponent);
    set_middle(acb_realref(to.raw()), term.real, term.exponent);
    set_middle(acb_imagref(to.raw()), term.imaginary, term.exponent);
    mag_set(arb_radref(acb_realref(to.raw())), error.raw());
    mag_set(arb_radref(acb_imagref(to.raw())), error.raw());
    return true;
  }

 private:
  static constexpr long width = Tables<n>::width;
  int whole_bits() const { return of_power_ + of_log_ + 2; }

  const Tables<n>& tables_;
  int of_power_, of_log_;
  Part<n> power_;
  SizeBound rounding_, by_radius_, most_;
};

template <std::size_t n>
void put_powers(std::vector<ComplexBall>& result, std::vector<bool>& done,
                const std::vector<ComplexBall>& z, std::uint64_t power) {
  constexpr double seconds_of_power = 1.5e-7 * n;
  const Powers<n> here(power, bits_of_logarithms(z));
  if (!here.fits()) return;
  for (std::size_t j = 0; j < z.size(); ++j) {
    check_work_limit_in_turn(j, z.size(), seconds_of_power);
    done[j] = !z[j].may_be_zero() && here.put(result[j], z[j]);
  }
}

}  // namespace

}  // namespace fixed

// Proof: docs/proofs/fixed_exponentials.md#powers
std::vector<ComplexBall> complex_powers(const std::vector<ComplexBall>& z, std::uint64_t n) {
  if (n == 1) return z;
  std::vector<ComplexBall> result(z.size());
  std::vector<bool> done(z.size(), false);
  const long bits = working_precision() + fixed::spare_bits_of_powers;
  if (bits <= fixed::Tables<2>::width) {
    fixed::put_powers<2>(result, done, z, n);
  } else if (bits <= fixed::Tables<3>::width) {
    fixed::put_powers<3>(result, done, z, n);
  }
  for (std::size_t j = 0; j < z.size(); ++j) {
    if (done[j]) continue;
    ComplexBall log_of_power = log(z[j]);
    log_of_power.scale(Ball(n));
    result[j] = exp(log_of_power);
  }
  return result;
}

}  // namespace plaudit

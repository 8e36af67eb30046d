#include "lib/analysis/fixed/fixed_numbers.hpp"

#include "lib/balls/precision.hpp"

namespace plaudit {

ComplexBall FixedNumbers::value(std::size_t i) const {
  const auto part_of = [&](Part part) {
    fmpz_t whole;
    fmpz_init(whole);
    fmpz_set_ui_array(whole, at(part, i), static_cast<slong>(limbs_));
    Ball x;
    arb_set_fmpz(x.raw(), whole);
    fmpz_clear(whole);
    const PrecisionScope scope(64 * static_cast<long>(limbs_));
    return ldexp(x, -fraction_bits(limbs())) - Ball(2);
  };
  return {part_of(real_part), part_of(imaginary_part)};
}

ComplexBall FixedTerms::weight(std::size_t j) const {
  return ldexp(widened(weights.value(j), error_of_weights), exponent);
}

ComplexBall FixedTerms::base(std::size_t j) const {
  return widened(bases.value(j), error_of_bases);
}

}  // namespace plaudit

#include "lib/analysis/fixed/fixed_numbers.hpp"

#include <algorithm>

#include "lib/balls/precision.hpp"

namespace plaudit {

namespace {

__extension__ typedef unsigned __int128 TwoLimbs;  // NOLINT(modernize-use-using): __extension__

}  // namespace

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
  return {part_of(part_real), part_of(part_imaginary)};
}

void FixedNumbers::set_one(std::size_t i) {
  for (const Part part : {part_real, part_imaginary}) {
    std::fill_n(at(part, i), limbs_, Limb{0});
    at(part, i)[limbs_ - 1] = part == part_real ? offset + offset / 2 : offset;
  }
  add_parts(i);
}

void FixedNumbers::copy(std::size_t i, const FixedNumbers& from, std::size_t first,
                        std::size_t count) {
  for (const Part part : {part_real, part_imaginary, parts_summed}) {
    std::copy_n(from.at(part, first), count * limbs_, at(part, i));
  }
}

FixedNumbers FixedNumbers::shortened(int limbs) const {
  FixedNumbers result(limbs, size_);
  const std::ptrdiff_t spared = this->limbs() - limbs;
  for (std::size_t i = 0; i < size_; ++i) {
    for (const Part part : {part_real, part_imaginary}) {
      std::copy_n(at(part, i) + spared, limbs, result.at(part, i));
    }
    result.add_parts(i);
  }
  return result;
}

Ball FixedNumbers::greatest_modulus() const {
  TwoLimbs greatest = 0;
  const auto size = [&](Part part, std::size_t i) {
    const Limb highest = at(part, i)[limbs_ - 1];
    // with its lower limbs a part >= 0 is less than 1 farther from 0, a negative one nearer to it
    return highest >= offset ? highest - offset + 1 : offset - highest;
  };
  for (std::size_t i = 0; i < size_; ++i) {
    const TwoLimbs re = size(part_real, i);
    const TwoLimbs im = size(part_imaginary, i);
    greatest = std::max(greatest, re * re + im * im);  // parts are below 2^63
  }
  const Ball square(static_cast<Limb>(greatest >> 64) + 1);  // in units of 2^64
  return sqrt(ldexp(square, 2 * whole_bits - 64)).upper();
}

ComplexBall FixedTerms::weight(std::size_t j) const {
  return ldexp(widened(weights.value(j), error_of_weights), exponent);
}

ComplexBall FixedTerms::base(std::size_t j) const {
  return widened(bases.value(j), error_of_bases);
}

}  // namespace plaudit

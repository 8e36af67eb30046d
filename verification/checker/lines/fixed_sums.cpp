#include "verification/checker/lines/fixed_sums.hpp"

#include <algorithm>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/laws/discrete_noise.hpp"

namespace plaudit::proof {

namespace {

__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using): __extension__

/// A whole number within 1 of all of x 2^60, |x| <= 1.
std::int64_t fixed(const Interval& x) {
  const Interval moved = scaled(x, FixedSums::bits);
  require(bounded(moved), "an enclosure is not finite");
  const Integer low = floor_of(lower(moved));
  const Integer high = floor_of(upper(moved));
  require(high - low <= 1, "an angle is not known well enough");
  require(abs(low) <= (Integer(1) << (FixedSums::bits + 1)), "a number is too large");
  return to_long(high);
}

std::int64_t shifted(Wide x) { return static_cast<std::int64_t>(x >> FixedSums::bits); }

}  // namespace

void FixedSums::add(const Complex& value, const Complex& base) {
  real_.push_back(fixed(value.re));
  imaginary_.push_back(fixed(value.im));
  base_real_.push_back(fixed(base.re));
  base_imaginary_.push_back(fixed(base.im));
}

void FixedSums::advance() {
  for (std::size_t j = 0; j < real_.size(); ++j) {
    const Wide x = real_[j];
    const Wide y = imaginary_[j];
    const Wide c = base_real_[j];
    const Wide d = base_imaginary_[j];
    real_[j] = shifted(x * c - y * d);
    imaginary_[j] = shifted(x * d + y * c);
  }
}

int FixedSums::below(const std::vector<std::int64_t>& thresholds) const {
  Wide real = 0;
  Wide imaginary = 0;
  for (std::size_t j = 0; j < real_.size(); ++j) {
    real += real_[j];
    imaginary += imaginary_[j];
  }
  const Wide squared = real * real + imaginary * imaginary;
  const auto end = std::partition_point(
      thresholds.begin(), thresholds.end(),
      [&](std::int64_t threshold) { return squared <= Wide(threshold) * threshold; });
  return static_cast<int>(end - thresholds.begin());
}

}  // namespace plaudit::proof

#include "lib/analysis/power_sums.hpp"
#include "lib/balls/ball_memory.hpp"

#include <algorithm>
#include <stdexcept>

#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {
constexpr std::size_t widest_block = 256;                   ///< bases whose powers are kept at once
constexpr std::size_t most_entries = std::size_t{1} << 19;  ///< of a table of small powers

/// rows[k * stride + c] = bases[c]^k for k < count, c < width, by halving the exponent.
void fill_powers(std::vector<ComplexBall>& rows, std::size_t stride, const ComplexBall* bases,
                 std::size_t width, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    if ((k & 15) == 15) check_work_limit();
    ComplexBall* row = rows.data() + k * stride;
    for (std::size_t c = 0; c < width; ++c) {
      if (k == 0) {
        row[c] = ComplexBall(1);
      } else if (k == 1) {
        row[c] = bases[c];
      } else {
        acb_mul(row[c].raw(), rows[k / 2 * stride + c].raw(), rows[(k - k / 2) * stride + c].raw(),
                working_precision());
      }
    }
  }
}

/// The most bits that a sum of this row needs, at most the working precision.
long greatest_of_row(const std::vector<long>& bits, std::size_t from, std::size_t length) {
  if (bits.empty()) return working_precision();
  const auto first = bits.begin() + static_cast<std::ptrdiff_t>(from);
  const auto end = bits.begin() + static_cast<std::ptrdiff_t>(std::min(from + length, bits.size()));
  return std::min(working_precision(), *std::max_element(first, end));
}
}  // namespace

// With k = steps * b + a, 0 <= a < steps, u^k = (u^steps)^b u^a: a base needs about 2 sqrt(count)
// powers, and each sum is a dot product with the weights times the power of u^steps.
std::vector<ComplexBall> power_sums(const std::vector<ComplexBall>& weights,
                                    const std::vector<ComplexBall>& bases, std::size_t count,
                                    const std::vector<long>& bits) {
  if (weights.size() != bases.size() || (!bits.empty() && bits.size() != count)) {
    throw std::logic_error("power_sums: lengths differ");
  }
  check_memory_of_balls(2 * static_cast<double>(count));
  std::vector<ComplexBall> result(count);
  if (count == 0) return result;
  std::size_t steps = 1;
  while (steps * steps < count) ++steps;
  const std::size_t strides = (count + steps - 1) / steps;
  const std::size_t block =
      std::clamp<std::size_t>(std::min(most_entries / (steps + 1), bases.size()), 1, widest_block);
  std::vector<ComplexBall> small((steps + 1) * block);  // row k: the powers k of the block's bases
  std::vector<ComplexBall> large(strides * block);      // row b: the powers steps * b
  std::vector<ComplexBall> scaled(block);
  for (std::size_t begin = 0; begin < weights.size(); begin += block) {
    const std::size_t width = std::min(block, weights.size() - begin);
    fill_powers(small, block, bases.data() + begin, width, steps + 1);
    fill_powers(large, block, small.data() + steps * block, width, strides);
    for (std::size_t b = 0; b < strides; ++b) {
      check_work_limit();
      const PrecisionScope scope(greatest_of_row(bits, b * steps, steps));
      for (std::size_t c = 0; c < width; ++c) {
        acb_mul(scaled[c].raw(), weights[begin + c].raw(), large[b * block + c].raw(),
                working_precision());
      }
      for (std::size_t a = 0; a < steps && b * steps + a < count; ++a) {
        result[b * steps + a] += dot(scaled.data(), small.data() + a * block, width);
      }
    }
  }
  return result;
}

}  // namespace plaudit

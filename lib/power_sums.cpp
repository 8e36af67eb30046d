#include "lib/power_sums.hpp"

#include <algorithm>
#include <stdexcept>

#include "lib/precision.hpp"
#include "lib/work_limit.hpp"

namespace plaudit {

namespace {
constexpr std::size_t widest_block = 64;
constexpr std::size_t most_entries = std::size_t{1} << 19;
}  // namespace

std::vector<ComplexBall> power_sums(const std::vector<ComplexBall>& weights,
                                    const std::vector<ComplexBall>& bases, std::size_t count) {
  if (weights.size() != bases.size()) throw std::logic_error("power_sums: lengths differ");
  std::vector<ComplexBall> result(count);
  if (count == 0) return result;
  const std::size_t block = std::clamp<std::size_t>(most_entries / count, 1, widest_block);
  std::vector<ComplexBall> table(count * block);  // row k: the powers k of the block's bases
  for (std::size_t begin = 0; begin < weights.size(); begin += block) {
    const std::size_t width = std::min(block, weights.size() - begin);
    for (std::size_t k = 0; k < count; ++k) {
      if ((k & 63) == 0) check_work_limit();
      ComplexBall* row = table.data() + k * block;
      for (std::size_t c = 0; c < width; ++c) {
        if (k == 0) {
          row[c] = ComplexBall(1);
        } else if (k == 1) {
          row[c] = bases[begin + c];
        } else {
          acb_mul(row[c].raw(), table[k / 2 * block + c].raw(),
                  table[(k - k / 2) * block + c].raw(), working_precision());
        }
      }
      result[k] += dot(weights.data() + begin, row, width);
    }
  }
  return result;
}

}  // namespace plaudit

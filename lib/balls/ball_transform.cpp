#include "lib/balls/ball_transform.hpp"

#if defined(PLAUDIT_FLINT3) && PLAUDIT_FLINT3
#include <flint/acb_dft.h>
#else
#include <acb_dft.h>
#endif

#include <bit>

#include "lib/balls/ball_memory.hpp"
#include "lib/balls/complex_ball.hpp"
#include "lib/balls/precision.hpp"

namespace plaudit {

namespace {
constexpr double products_of_butterfly = 5;  ///< real ones, nominally
}

std::vector<Ball> transform_of_even(const std::vector<Ball>& even) {
  const std::size_t count = even.size();
  const auto levels = static_cast<int>(std::bit_width(count)) - 1;
  check_memory_of_balls(8 * static_cast<double>(count));
  std::vector<ComplexBall> given(even.begin(), even.end());
  std::vector<ComplexBall> result(count);
  const double butterflies = static_cast<double>(count) / 2 * levels;
  acb_dft_rad2(result[0].raw(), given[0].raw(), levels,
               affordable_product(products_of_butterfly * butterflies));
  std::vector<Ball> values;
  values.reserve(count);
  for (const ComplexBall& value : result) values.push_back(value.real());
  return values;
}

}  // namespace plaudit

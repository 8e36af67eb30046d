#include "lib/balls/precision.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "lib/balls/ball.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/thread_caches.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

struct Cost {
  double logarithm, product;  ///< seconds
};

/// Of a real logarithm and a real product at 32, 64, 128, ... bits: measured on one machine (Arb
/// 2.23), and a quarter more. Nominal: on every machine these seconds are counted.
constexpr std::array<Cost, 20> costs{{
    {2e-7, 2.6e-8},   {2.2e-7, 2.7e-8}, {3.2e-7, 3e-8},   {5.5e-7, 6e-8}, {1.5e-6, 1.1e-7},
    {4.6e-6, 2.5e-7}, {1.7e-5, 6e-7},   {4.5e-5, 1.8e-6}, {1.2e-4, 5e-6}, {4e-4, 1.6e-5},
    {1.5e-3, 4.4e-5}, {4.6e-3, 1.1e-4}, {1.4e-2, 3e-4},   {4e-2, 8e-4},   {0.11, 2e-3},
    {0.3, 5e-3},      {0.85, 1.2e-2},   {2.4, 2.9e-2},    {6.5, 7e-2},    {18, 0.17},
}};
constexpr double seconds_of_short_sum = 2e-8;
constexpr double seconds_of_bit = 2.5e-11;  ///< of a sum
constexpr int first_exponent = 5;           // of 32 bits

constexpr double seconds_of_sum(long bits) noexcept {
  return seconds_of_short_sum + seconds_of_bit * static_cast<double>(bits);
}

// What is counted before the first scope of a thread is what is counted after it.
static_assert(detail::Precision{}.seconds_of_logarithm == costs[1].logarithm &&
              detail::Precision{}.seconds_of_product == costs[1].product &&
              detail::Precision{}.seconds_of_sum == seconds_of_sum(detail::Precision{}.bits));

/// Linear between powers of 2.
Cost cost_of(long bits) noexcept {
  const auto exponent = static_cast<int>(std::bit_width(static_cast<unsigned long>(bits))) - 1;
  const auto i = static_cast<std::size_t>(exponent - first_exponent);
  const double rest = static_cast<double>(bits) / static_cast<double>(1L << exponent) - 1;
  const Cost& low = costs[i];
  const Cost& high = costs[i + 1];
  return {low.logarithm + rest * (high.logarithm - low.logarithm),
          low.product + rest * (high.product - low.product)};
}

/// Above this a single operation may take longer than some hundredths of a second.
constexpr long costly_bits = 100'000;

void set_precision(long bits) noexcept {
  const Cost cost = cost_of(bits);
  detail::precision.bits = bits;
  detail::precision.seconds_of_logarithm = cost.logarithm;
  detail::precision.seconds_of_product = cost.product;
  detail::precision.seconds_of_sum = seconds_of_sum(bits);
  detail::precision.costly = bits > costly_bits;
}

}  // namespace

constinit thread_local detail::Precision detail::precision;

void detail::look_at_limits(double seconds) {
  if (precision.costly) {
    check_work_limit(0);
    // Twice: the nominal seconds of an operation may be half of its real ones.
    if (seconds > 2 * wall_seconds_left()) throw WorkLimitReached("time limit reached");
  }
  const double done = plaudit::work_done();
  if (done >= precision.next_look || done < precision.next_look - between_looks) {
    precision.next_look = done + between_looks;
    check_work_overrun();
  }
}

long precision_bits(double wanted) { return clamped_integer(wanted, 0, most_precision); }

PrecisionScope::PrecisionScope(long bits) noexcept : former_(working_precision()) {
  release_caches_at_thread_end();
  set_precision(std::clamp(bits, 32L, most_precision));
}

PrecisionScope::~PrecisionScope() { set_precision(former_); }

}  // namespace plaudit

// Discrete Fourier transforms. The radix-2 kernel is decimation in time: bit reversal, then for
// the lengths 2, 4, ..., K butterflies (a, b) -> (a + w b, a - w b) with the product
//   w b = (w.re b.re - w.im b.im) + i (w.re b.im + w.im b.re),
// every operation rounded by itself. The proof counts these roundings: every source is compiled
// with -ffp-contract=off (cmake/PlauditTargets.cmake), for a fused a * b + c would be another
// computation, and another one on every machine. Stages run depth first, for the caches; the
// operations and their operands are those of the loop over stages.
#include "lib/analysis/fft.hpp"
#include "lib/balls/ball_memory.hpp"

#if defined(PLAUDIT_FLINT3) && PLAUDIT_FLINT3
#include <flint/acb_dft.h>
#else
#include <acb_dft.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "lib/analysis/unit_roots.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

// binary64 bound: docs/proofs/fourier.md#rounding
static_assert(std::numeric_limits<double>::is_iec559 && FLT_EVAL_METHOD == 0,
              "the rounding proof counts binary64 operations");

using Twiddles = std::vector<std::complex<double>>;

constexpr std::size_t largest_size = std::size_t{1} << 26;
constexpr std::size_t largest_period = std::size_t{1} << 50;
constexpr int most_levels = 27;        // 1 to 26, and an unused 0
constexpr int most_cached_level = 21;  // 64 MB in all; larger tables live for one call
constexpr std::size_t cache_block = std::size_t{1} << 12;  // numbers that fit the first cache

/// Whether all points of the ball have the same nearest double; `nearest` is then that.
bool rounds_to(double& nearest, const Ball& x) {
  arf_t end;
  arf_init(end);
  // Intervals [lower, upper] at the precision of the twiddles; rounding is monotone.
  arb_get_lbound_arf(end, x.raw(), 256);
  nearest = arf_get_d(end, ARF_RND_NEAR);
  arb_get_ubound_arf(end, x.raw(), 256);
  const bool unique = arf_get_d(end, ARF_RND_NEAR) == nearest;
  arf_clear(end);
  return unique;
}

/// e^{2 pi i j / size}, enclosed by `first`, rounded to nearest. A part that is 0 is decided at
/// 2048 bits, where both ends of its ball round to 0.
std::complex<double> correctly_rounded(const ComplexBall& first, std::size_t j, std::size_t size) {
  double re = 0;
  double im = 0;
  if (rounds_to(re, first.real()) && rounds_to(im, first.imaginary())) return {re, im};
  for (long bits = 256; bits < 4096; bits *= 2) {
    const PrecisionScope scope(bits);
    const Ball angle = Ball(Rational(2) * Rational(j) / Rational(size)) * pi();
    if (rounds_to(re, cos(angle)) && rounds_to(im, sin(angle))) return {re, im};
  }
  throw std::logic_error("radix_two_transform: a twiddle factor could not be rounded");
}

/// e^{2 pi i j / size} for j <= size / 8, correctly rounded: 128-bit balls of two short tables are
/// multiplied; a ball that leaves the rounding open is computed again.
Twiddles first_octant(std::size_t size) {
  const std::size_t count = size / 8 + 1;
  const std::size_t block = std::max<std::size_t>(1, std::size_t{1} << (std::bit_width(count) / 2));
  const PrecisionScope scope(128);
  const auto unit = [&](std::size_t j) {
    const Ball angle = Ball(Rational(2) * Rational(j) / Rational(size)) * pi();
    return ComplexBall(cos(angle), sin(angle));
  };
  std::vector<ComplexBall> fine(block);
  for (std::size_t j = 0; j < block; ++j) fine[j] = unit(j);
  Twiddles result(count);
  ComplexBall coarse;
  for (std::size_t j = 0; j < count; ++j) {
    if (j % block == 0) {
      coarse = unit(j);
      check_work_limit();
    }
    result[j] =
        j == 0 ? std::complex<double>(1, 0) : correctly_rounded(coarse * fine[j % block], j, size);
  }
  return result;
}

/// w[j] = e^{2 pi i j / 2^level}, j < 2^(level-1). Reflections at pi/4 and pi/2 are exact.
Twiddles half_circle(int level) {
  const std::size_t size = std::size_t{1} << level;
  if (level == 1) return {{1, 0}};
  if (level == 2) return {{1, 0}, {0, 1}};
  const Twiddles octant = first_octant(size);
  const std::size_t eighth = size / 8;
  const std::size_t quarter = size / 4;
  Twiddles result(size / 2);
  for (std::size_t j = 0; j <= quarter; ++j) {
    result[j] = j <= eighth
                    ? octant[j]
                    : std::complex<double>(octant[quarter - j].imag(), octant[quarter - j].real());
  }
  for (std::size_t j = quarter + 1; j < size / 2; ++j) {
    result[j] = {-result[size / 2 - j].real(), result[size / 2 - j].imag()};
  }
  return result;
}

using Tables = std::array<std::shared_ptr<const Twiddles>, most_levels>;

/// tables[s] for s = 1..levels.
Tables tables_for(int levels) {
  static std::mutex mutex;
  static Tables cache;
  const std::lock_guard<std::mutex> lock(mutex);
  const UncountedWork kept;
  Tables result;
  for (int level = levels; level >= 1; --level) {
    const auto s = static_cast<std::size_t>(level);
    if (cache[s]) {
      result[s] = cache[s];
      continue;
    }
    if (level == levels) {
      result[s] = std::make_shared<const Twiddles>(half_circle(level));
    } else {  // every second one of the table above
      auto table = std::make_shared<Twiddles>(std::size_t{1} << (level - 1));
      for (std::size_t j = 0; j < table->size(); ++j) (*table)[j] = (*result[s + 1])[2 * j];
      result[s] = std::move(table);
    }
    if (level <= most_cached_level) cache[s] = result[s];
  }
  return result;
}

void reverse_bits(ComplexVector& data) {
  const std::size_t size = data.size();
  for (std::size_t i = 1, j = 0; i < size; ++i) {
    std::size_t bit = size >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(data[i], data[j]);
  }
}

/// The stage that joins two transforms of length half. Proof: docs/proofs/fourier.md#product
void join(double* data, std::size_t half, const double* twiddles, double sign) {
  double* low = data;
  double* high = data + 2 * half;
  for (std::size_t j = 0; j < 2 * half; j += 2) {
    const double w_re = twiddles[j];
    const double w_im = sign * twiddles[j + 1];
    const double b_re = high[j];
    const double b_im = high[j + 1];
    const double p_re = w_re * b_re - w_im * b_im;
    const double p_im = w_re * b_im + w_im * b_re;
    const double a_re = low[j];
    const double a_im = low[j + 1];
    low[j] = a_re + p_re;
    low[j + 1] = a_im + p_im;
    high[j] = a_re - p_re;
    high[j + 1] = a_im - p_im;
  }
}

const double* parts(const Twiddles& table) {
  return reinterpret_cast<const double*>(table.data());  // std::complex is two doubles
}

constexpr double seconds_of_butterfly = 2e-9;   ///< nominal
constexpr double seconds_of_reversal = 1.5e-8;  ///< nominal, of a place, which is in no cache

void transform(double* data, std::size_t size, const Tables& tables, double sign) {
  if (size > cache_block) {
    transform(data, size / 2, tables, sign);
    transform(data + size, size / 2, tables, sign);
    check_work_limit(seconds_of_butterfly * 0.5 * static_cast<double>(size));
    join(data, size / 2, parts(*tables[static_cast<std::size_t>(std::bit_width(size)) - 1]), sign);
    return;
  }
  count_work(seconds_of_butterfly * 0.5 * static_cast<double>(size) *
             static_cast<double>(std::bit_width(size)));
  std::size_t level = 1;
  for (std::size_t length = 2; length <= size; length *= 2, ++level) {
    for (std::size_t begin = 0; begin < size; begin += length) {
      join(data + 2 * begin, length / 2, parts(*tables[level]), sign);
    }
  }
}

void require_power_of_two(std::size_t size, std::size_t most) {
  if (!std::has_single_bit(size) || size > most) {
    throw std::invalid_argument("radix-2 transform: the size must be a power of two, at most " +
                                std::to_string(most));
  }
}

/// The tree of even and odd subsequences down to leaves of `leaf_` places, which are transformed as
/// a whole. A node has the first `count` outputs of its subsequence, from those of its halves as in
/// join(). Subsequences of zeros are left out. Proof: docs/proofs/fourier.md#product
class FirstOutputs {
 public:
  FirstOutputs(const std::vector<double>& values, std::size_t start, std::size_t size,
               std::size_t count, Sign sign)
      : values_(values), start_(start % size), size_(size), count_(count), sign_(sign) {
    leaf_ = std::min(size, std::bit_ceil(std::max<std::size_t>(2 * count, 16)));
    for (std::size_t length = 2 * leaf_; length <= size; length *= 2) {
      const PrecisionScope scope(128);
      Twiddles table(count);
      for (std::size_t k = 0; k < count; ++k) {
        if ((k & 255) == 0) check_work_limit();
        const Ball angle = Ball(Rational(2) * Rational(k) / Rational(length)) * pi();
        table[k] = k == 0 ? std::complex<double>(1, 0)
                          : correctly_rounded(ComplexBall(cos(angle), sin(angle)), k, length);
        table[k].imag(static_cast<int>(sign) * table[k].imag());
      }
      tables_.push_back(std::move(table));
    }
    buffer_.resize(leaf_);
  }

  ComplexVector outputs() {
    ComplexVector result(count_);
    if (!node(0, 1, result)) std::fill(result.begin(), result.end(), 0.0);
    return result;
  }

 private:
  /// Outputs of the subsequence offset, offset + stride, ...; false if it is all zeros.
  bool node(std::size_t offset, std::size_t stride, ComplexVector& result) {
    const std::size_t first = (offset + size_ - start_) % stride;  // start_ < size, stride | size
    if (first >= values_.size()) return false;
    const std::size_t length = size_ / stride;
    if (length == leaf_) {
      if ((++leaves_ & 255) == 0) check_work_limit();
      std::fill(buffer_.begin(), buffer_.end(), 0.0);
      for (std::size_t i = first; i < values_.size(); i += stride) {
        buffer_[((start_ + i) % size_ - offset) / stride] = values_[i];
      }
      radix_two_transform(buffer_, sign_);
      std::copy_n(buffer_.begin(), count_, result.begin());
      return true;
    }
    const bool even = node(offset, 2 * stride, result);
    ComplexVector other(count_);
    const bool odd = node(offset + stride, 2 * stride, other);
    if (!odd) return even;
    const Twiddles& twiddles =
        tables_[static_cast<std::size_t>(std::countr_zero(length) - std::countr_zero(leaf_) - 1)];
    for (std::size_t k = 0; k < count_; ++k) {
      const double re = twiddles[k].real() * other[k].real() - twiddles[k].imag() * other[k].imag();
      const double im = twiddles[k].real() * other[k].imag() + twiddles[k].imag() * other[k].real();
      result[k] = even ? std::complex<double>(result[k].real() + re, result[k].imag() + im)
                       : std::complex<double>(re, im);
    }
    return true;
  }

  const std::vector<double>& values_;
  std::size_t start_;
  std::size_t size_;
  std::size_t count_;
  Sign sign_;
  std::size_t leaf_ = 0;
  std::size_t leaves_ = 0;
  std::vector<Twiddles> tables_;
  ComplexVector buffer_;
};

}  // namespace

void radix_two_transform(ComplexVector& data, Sign sign) {
  require_power_of_two(data.size(), largest_size);
  if (data.size() == 1) return;
  const Tables tables = tables_for(static_cast<int>(std::bit_width(data.size())) - 1);
  if (data.size() > cache_block) {
    check_work_limit(seconds_of_reversal * static_cast<double>(data.size()));
  }
  reverse_bits(data);
  transform(reinterpret_cast<double*>(data.data()), data.size(), tables, static_cast<int>(sign));
}

ComplexVector radix_two_first(const std::vector<double>& values, std::size_t start,
                              std::size_t size, std::size_t count, Sign sign) {
  require_power_of_two(size, largest_period);
  if (values.size() > size || 2 * count > size) {
    throw std::invalid_argument("radix_two_first: more data or outputs than the size allows");
  }
  return FirstOutputs(values, start, size, count, sign).outputs();
}

double radix_two_error(std::size_t size) {
  require_power_of_two(size, largest_period);
  const PrecisionScope scope(128);
  const Ball u = ldexp(Ball(1), -53);
  const Ball twiddle = u / sqrt(Ball(2));
  const Ball stage = (Ball(1) + twiddle) * (Ball(1) + sqrt(Ball(5)) * u) * (Ball(1) + u);
  // Proof: docs/proofs/fourier.md#rounding
  const Ball growth = power(stage, static_cast<std::uint64_t>(std::bit_width(size)) - 1);
  return ((growth - Ball(1)) * PLAUDIT_BOUND("fft.rounding", Ball(1), Ball(0x1p-10)))
      .upper_double();
}

namespace {

/// Longer transforms in balls are split: no call of Arb then outlasts a limit by much.
constexpr std::size_t longest_whole_transform = 2048;
/// Nominal, of each number of a split transform: balls are made, moved and freed.
constexpr double seconds_of_split_place = 4e-7;

/// A butterfly is a complex product and two sums.
double products_of_transform(std::size_t size) {
  return 3 * static_cast<double>(size) * static_cast<double>(std::bit_width(size));
}

/// The transform of Arb (sign -) of one size, many times.
class ArbTransform {
 public:
  explicit ArbTransform(std::size_t size) : products_(products_of_transform(size)) {
    acb_dft_precomp_init(plan_, static_cast<slong>(size), working_precision());
  }
  ~ArbTransform() { acb_dft_precomp_clear(plan_); }
  ArbTransform(const ArbTransform&) = delete;
  ArbTransform& operator=(const ArbTransform&) = delete;
  void operator()(ComplexBall* result, const ComplexBall* data) const {
    acb_dft_precomp(result->raw(), data->raw(), plan_, affordable_product(products_));
  }

 private:
  acb_dft_pre_t plan_;
  double products_;
};

/// Sign -, size = rows * columns = a power of two: with j = j1 columns + j2, k = k1 + rows k2,
///   y_k = sum_{j2} e^{-2 pi i j2 k1 / size} (sum_{j1} x_j e^{-2 pi i j1 k1 / rows})
///         e^{-2 pi i j2 k2 / columns}.
std::vector<ComplexBall> split_transform(const std::vector<ComplexBall>& data) {
  const std::size_t size = data.size();
  std::size_t rows = 1;
  while (rows * rows < size) rows *= 2;
  const std::size_t columns = size / rows;
  const UnitRoots roots(size);
  check_memory_of_balls(4 * static_cast<double>(size));
  check_work_limit(seconds_of_split_place * static_cast<double>(size));
  std::vector<ComplexBall> inner(size);
  std::vector<ComplexBall> given(rows);
  std::vector<ComplexBall> taken(rows);
  {
    const ArbTransform transform(rows);
    for (std::size_t j2 = 0; j2 < columns; ++j2) {
      check_work_limit();
      for (std::size_t j1 = 0; j1 < rows; ++j1) given[j1] = data[j1 * columns + j2];
      transform(taken.data(), given.data());
      for (std::size_t k1 = 0; k1 < rows; ++k1) {
        inner[k1 * columns + j2] = taken[k1] * roots(size - j2 * k1 % size);
      }
    }
  }
  std::vector<ComplexBall> result(size);
  const ArbTransform transform(columns);
  for (std::size_t k1 = 0; k1 < rows; ++k1) {
    check_work_limit();
    transform(taken.data(), inner.data() + k1 * columns);
    for (std::size_t k2 = 0; k2 < columns; ++k2) result[k1 + rows * k2] = taken[k2];
  }
  return result;
}

}  // namespace

void ball_transform(std::vector<ComplexBall>& data, Sign sign) {
  if (data.empty()) return;
  check_work_limit();
  std::vector<ComplexBall> result;
  if (data.size() > longest_whole_transform && std::has_single_bit(data.size())) {
    result = split_transform(data);
  } else {
    result.resize(data.size());
    acb_dft(result.front().raw(), data.front().raw(), static_cast<slong>(data.size()),
            affordable_product(products_of_transform(data.size())));  // sign -
  }
  if (sign == Sign::plus) {
    for (std::size_t k = 1; k < result.size() - k; ++k) {
      std::swap(result[k], result[result.size() - k]);
    }
  }
  data = std::move(result);
}

}  // namespace plaudit

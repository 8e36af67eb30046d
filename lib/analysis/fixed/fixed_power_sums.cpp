#include "lib/analysis/fixed/fixed_power_sums.hpp"

#include <algorithm>
#include <stdexcept>

#include "lib/analysis/fixed/fixed_arithmetic.hpp"
#include "lib/analysis/fixed/fixed_terms_of_balls.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr long bits_of_limb = 64;
constexpr std::size_t least_count = 4;                      ///< fewer sums are left to balls
constexpr std::size_t widest_block = 256;                   ///< bases whose powers are kept at once
constexpr std::size_t most_entries = std::size_t{1} << 19;  ///< of a table of small powers
constexpr long bits_of_errors = 64;                         ///< of balls that hold error bounds

/// r_k and p_k of the proof: |u^k| <= size, and the number kept for u^k is within `error` of it.
struct PowerBounds {
  Ball size;
  Ball error;

  Ball of_number() const { return size + error; }
};

/// Those of a product each of whose parts is moved down by less than a unit.
PowerBounds times(const PowerBounds& a, const PowerBounds& b, const Ball& unit) {
  const Ball error = a.of_number() * b.error + b.size * a.error +
                     PLAUDIT_BOUND("fixed_sums.cut_of_products", ldexp(unit, 1), Ball(0));
  return {(a.size * b.size).upper(), error.upper()};
}

double seconds_of_products(int limbs, std::size_t count) {
  constexpr double seconds_of_product = 1e-8;
  constexpr double seconds_of_limbs = 2e-9;
  return static_cast<double>(count) * (seconds_of_product + seconds_of_limbs * limbs * limbs);
}

/// For k = steps b + a < count: rows b of g_j u_j^(steps b) times columns a of u_j^a.
class FixedSums {
 public:
  FixedSums(const FixedTerms& terms, std::size_t count)
      : terms_(terms),
        count_(count),
        limbs_(terms.bases.limbs()),
        unit_(FixedNumbers::unit(limbs_)) {
    while (steps_ * steps_ < count) ++steps_;
    strides_ = (count + steps_ - 1) / steps_;
  }

  std::size_t steps() const { return steps_; }

  /// The bounds of all errors; false where the numbers would be too large.
  /// @param limbs_of_row for each row of `steps` sums.
  bool prepare(const std::vector<int>& limbs_of_row) {
    const PrecisionScope of_errors(bits_of_errors);
    PowerBounds base{terms_.bases.greatest_modulus() + terms_.error_of_bases,
                     terms_.error_of_bases};
    const std::vector<PowerBounds> of_small = bounds_of_powers(base, steps_ + 1);
    const std::vector<PowerBounds> of_large = bounds_of_powers(of_small[steps_], strides_);
    for (const auto& all : {of_small, of_large}) {
      for (const PowerBounds& each : all) {
        if (!certainly_less(each.of_number(), Ball(1.75))) return false;
      }
    }
    const Ball points(terms_.weights.size());
    const Ball& size_of_weights = terms_.size_of_weights;
    for (std::size_t b = 0; b < strides_; ++b) {
      // what numbers lose that are shortened to the limbs of this row
      const Ball shorter =
          limbs_of_row[b] < limbs_ ? ldexp(FixedNumbers::unit(limbs_of_row[b]), 1) : Ball(0);
      const PowerBounds& turned = of_large[b];
      const Ball error_of_scaled =
          PLAUDIT_BOUND("fixed_sums.weights", terms_.error_of_weights * turned.of_number(),
                        Ball(0)) +
          PLAUDIT_BOUND("fixed_sums.large_powers", size_of_weights * turned.error, Ball(0)) +
          points *
              (ldexp(unit_, 1) + PLAUDIT_BOUND("fixed_sums.shorter_weights", shorter, Ball(0)));
      if (!certainly_less(error_of_scaled + size_of_weights * turned.size, Ball(1.75)))
        return false;
      for (std::size_t a = 0; a < steps_ && b * steps_ + a < count_; ++a) {
        const Ball error_of_power =
            of_small[a].error + PLAUDIT_BOUND("fixed_sums.shorter_powers", shorter, Ball(0));
        const Ball error = error_of_scaled * (of_small[a].size + error_of_power) +
                           PLAUDIT_BOUND("fixed_sums.small_powers",
                                         size_of_weights * turned.size * error_of_power, Ball(0));
        errors_.push_back(ldexp(error, terms_.exponent).upper());
      }
    }
    return true;
  }

  /// Adds the sums over the bases from `begin`.
  void add_block(std::vector<ComplexBall>& result, std::size_t begin, std::size_t width,
                 const std::vector<int>& limbs_of_row) const {
    FixedNumbers small(limbs_, (steps_ + 1) * width);
    FixedNumbers large(limbs_, strides_ * width);
    FixedNumbers scaled(limbs_, width);
    small.copy(width, terms_.bases, begin, width);
    powers(small, width, steps_ + 1);
    if (strides_ > 1) {
      large.copy(width, small, steps_ * width, width);
      powers(large, width, strides_);
    }
    const FixedArithmetic& full = fixed_arithmetic(limbs_);
    // of as many limbs as the rows ask for, row after row
    std::optional<FixedNumbers> fewer;
    const FixedNumbers* powers_here = &small;
    std::vector<FixedTotals> of_powers = totals_of_rows(small, width);
    for (std::size_t b = 0; b < strides_; ++b) {
      check_work_limit(seconds_of_products(limbs_of_row[b], width * steps_));
      if (b == 0) {
        scaled.copy(0, terms_.weights, begin, width);
      } else {
        for (std::size_t c = 0; c < width; ++c) {
          full.product(scaled, c, terms_.weights, begin + c, large, b * width + c);
        }
      }
      const int limbs = limbs_of_row[b];
      if (limbs != powers_here->limbs()) {
        fewer = small.shortened(limbs);
        powers_here = &*fewer;
        of_powers = totals_of_rows(*fewer, width);
      }
      std::optional<FixedNumbers> fewer_scaled;
      if (limbs < limbs_) fewer_scaled = scaled.shortened(limbs);
      const FixedNumbers& scaled_here = fewer_scaled ? *fewer_scaled : scaled;
      const FixedArithmetic& here = fixed_arithmetic(limbs);
      const FixedTotals of_scaled = here.totals(scaled_here, 0, width);
      for (std::size_t a = 0; a < steps_ && b * steps_ + a < count_; ++a) {
        result[b * steps_ + a] += here.dot(scaled_here, 0, of_scaled, *powers_here, a * width,
                                           of_powers[a], width, terms_.exponent);
      }
    }
  }

  /// The sums are off by that much.
  void widen(std::vector<ComplexBall>& result) const {
    for (std::size_t k = 0; k < count_; ++k) {
      check_work_limit_in_turn(k, count_);
      result[k] = widened(result[k], errors_[k]);
    }
  }

 private:
  /// Powers are made by halving the exponent: the numbers of row k of `rows` are those of its row 1
  /// to the k.
  void powers(FixedNumbers& rows, std::size_t width, std::size_t count) const {
    const FixedArithmetic& full = fixed_arithmetic(limbs_);
    for (std::size_t c = 0; c < width; ++c) rows.set_one(c);
    for (std::size_t k = 2; k < count; ++k) {
      const std::size_t half = k / 2;
      for (std::size_t c = 0; c < width; ++c) {
        full.product(rows, k * width + c, rows, half * width + c, rows, (k - half) * width + c);
      }
    }
  }
  std::vector<PowerBounds> bounds_of_powers(const PowerBounds& base, std::size_t count) const {
    std::vector<PowerBounds> bounds{{Ball(1), Ball(0)}, base};
    for (std::size_t k = 2; k < count; ++k) {
      bounds.push_back(times(bounds[k / 2], bounds[k - k / 2], unit_));
    }
    return bounds;
  }

  std::vector<FixedTotals> totals_of_rows(const FixedNumbers& rows, std::size_t width) const {
    std::vector<FixedTotals> result;
    const FixedArithmetic& here = fixed_arithmetic(rows.limbs());
    for (std::size_t k = 0; k < steps_; ++k) result.push_back(here.totals(rows, k * width, width));
    return result;
  }

  const FixedTerms& terms_;
  std::size_t count_;
  int limbs_;
  Ball unit_;
  std::size_t steps_ = 1;
  std::size_t strides_ = 1;
  std::vector<Ball> errors_;
};

int limbs_for(long bits, int most) {
  const long limbs = (bits + FixedNumbers::whole_bits + bits_of_limb - 1) / bits_of_limb;
  return static_cast<int>(std::clamp<long>(limbs, 1, most));
}

}  // namespace

// Proof: docs/proofs/straight_contour.md#sums-in-fixed-point
std::optional<std::vector<ComplexBall>> fixed_power_sums(const FixedTerms& terms, std::size_t count,
                                                         const std::vector<long>& bits) {
  if (!bits.empty() && bits.size() != count) throw std::logic_error("power_sums: lengths differ");
  if (count < least_count) return std::nullopt;
  const int limbs = terms.bases.limbs();
  FixedSums sums(terms, count);
  std::vector<int> limbs_of_row;
  for (std::size_t from = 0; from < count; from += sums.steps()) {
    long needed = working_precision();
    if (!bits.empty()) {
      const auto first = bits.begin() + static_cast<std::ptrdiff_t>(from);
      const auto end =
          bits.begin() + static_cast<std::ptrdiff_t>(std::min(from + sums.steps(), count));
      needed = std::min(needed, *std::max_element(first, end));
    }
    limbs_of_row.push_back(limbs_for(needed, limbs));
  }
  if (!sums.prepare(limbs_of_row)) return std::nullopt;
  const std::size_t size = terms.bases.size();
  const std::size_t block =
      std::clamp<std::size_t>(std::min(most_entries / (sums.steps() + 1), size), 1, widest_block);
  std::vector<ComplexBall> result(count);
  for (std::size_t begin = 0; begin < size; begin += block) {
    sums.add_block(result, begin, std::min(block, size - begin), limbs_of_row);
  }
  sums.widen(result);
  return result;
}

std::optional<std::vector<ComplexBall>> fixed_power_sums(const std::vector<ComplexBall>& weights,
                                                         const std::vector<ComplexBall>& bases,
                                                         std::size_t count,
                                                         const std::vector<long>& bits) {
  const long most_bits = working_precision();
  if (count < least_count || weights.empty() ||
      most_bits > bits_of_limb * most_limbs_of_fixed_numbers) {
    return std::nullopt;
  }
  const auto terms =
      fixed_terms_of_balls(weights, bases, limbs_for(most_bits, most_limbs_of_fixed_numbers));
  return terms ? fixed_power_sums(*terms, count, bits) : std::nullopt;
}

}  // namespace plaudit

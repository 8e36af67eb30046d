#include "lib/analysis/normal/normal_tail.hpp"

#include <array>
#include <cmath>

#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {
constexpr long bits_of_tail = 64;
constexpr int first_index = 25;     ///< m of the proof; odd: the quotient is then an upper bound
constexpr long log_rounding = -46;  ///< 49 roundings of 2^-53 change the divisor by less than 2^-46

// Below 1: a line above the tail on each piece [x0 - width, x0].
constexpr double width_of_piece = 1.0 / 16;
constexpr double least_end = -4;                  ///< up to it the bound is 1
constexpr std::size_t pieces = 81;                ///< x0 = -4, ..., 1
constexpr double rounding_of_line = 1 + 0x1p-40;  ///< more than the roundings of the line

struct Line {
  double at_end;  ///< no less than the tail at x0
  double slope;   ///< no less than what it falls by on the piece, per unit
};

// Proof: docs/proofs/tails.md#normal-tail
std::array<Line, pieces> lines_above() {
  const UncountedWork kept;
  std::array<Line, pieces> lines;
  for (std::size_t i = 0; i < pieces; ++i) {
    const double end = least_end + static_cast<double>(i) * width_of_piece;
    const Ball here = normal_cdf(Ball(-end));
    const Ball chord = (normal_cdf(Ball(width_of_piece - end)) - here) / Ball(width_of_piece);
    const Ball slope =
        PLAUDIT_BOUND("normal_tail.tangent", end > 0, true) ? chord : normal_density(Ball(end));
    lines[i] = {here.upper_double(), slope.upper_double()};
  }
  return lines;
}

double below_one(double x) {
  static const std::array<Line, pieces> lines = lines_above();
  if (!(x > least_end)) return 1;
  const auto i = static_cast<std::size_t>(
      clamped_integer(std::ceil((x - least_end) / width_of_piece), 0, pieces - 1));
  const double end = least_end + static_cast<double>(i) * width_of_piece;
  return (lines[i].at_end + lines[i].slope * (end - x)) * rounding_of_line;
}

}  // namespace

// phi(x) over Laplace's continued fraction in doubles, whose rest is replaced by 0, a lower bound.
// binary64 bound: docs/proofs/tails.md#normal-tail
// Proof: docs/proofs/tails.md#normal-tail
Ball normal_tail_above(const Ball& x) {
  const PrecisionScope scope(bits_of_tail);
  const double low = x.lower_double();
  if (!std::isfinite(low)) {
    const Ball end = x.lower();
    return end.is_finite() ? normal_cdf(-end).upper() : Ball(1);
  }
  if (low < 1) return Ball(below_one(low));
  double rest = 0;
  for (int n = first_index - PLAUDIT_BOUND("normal_tail.parity", 1, 2); n > 0; --n) {
    rest = n / (low + rest);
  }
  const Ball quotient(low + rest);
  const Ball least = quotient - PLAUDIT_BOUND("normal_tail.rounding", ldexp(quotient, log_rounding),
                                              -ldexp(quotient, -6));
  return (normal_density(Ball(low)) / least).upper();
}

}  // namespace plaudit

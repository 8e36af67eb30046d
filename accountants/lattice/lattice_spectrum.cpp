#include "accountants/lattice/lattice_spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "lib/balls/ball_memory.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm transform_term{"lattice.transform", "docs/proofs/fourier.md#rounding"};
constexpr double unit_roundoff = 0x1p-53;
constexpr double least_error = 1e-290;    ///< above what underflows in a transform
constexpr double seconds_of_term = 3e-8;  ///< nominal: rounded, weighed and put into its place

constexpr double seconds_of_place = 5e-8;  ///< nominal, of a transform in balls beside the balls
constexpr std::size_t places_of_part = 1 << 16;  ///< that are made between two looks at the limits
/// What a term of a sum in balls costs, 30 ns, in points of a transform, 3 microseconds.
constexpr double points_of_term = 0.01;
constexpr long bits_of_moment = 64;

/// The greatest squares of the first `count` values, over blocks of 1, 2, 4, ...
std::vector<std::vector<double>> greatest_of_blocks(const ComplexVector& values,
                                                    std::size_t count) {
  std::vector<std::vector<double>> levels(1);
  count = std::min(count, values.size());
  check_memory(16.0 * static_cast<double>(count));
  levels[0].reserve(count);
  for (std::size_t k = 0; k < count; ++k) levels[0].push_back(std::norm(values[k]));
  while (levels.back().size() > 1) {
    const std::vector<double>& fine = levels.back();
    std::vector<double> coarse((fine.size() + 1) / 2);
    for (std::size_t i = 0; i < fine.size(); ++i) coarse[i / 2] = std::max(coarse[i / 2], fine[i]);
    levels.push_back(std::move(coarse));
  }
  return levels;
}

/// The greatest square of the values first .. last.
double greatest_in(const std::vector<std::vector<double>>& levels, std::size_t first,
                   std::size_t last) {
  double greatest = 0;
  for (std::size_t level = 0; first <= last; ++level) {
    const std::vector<double>& all = levels[level];
    if (first % 2 == 1) greatest = std::max(greatest, all[first++]);
    if (last % 2 == 0) {
      greatest = std::max(greatest, all[last]);
      if (last == 0) break;
      --last;
    }
    first /= 2;
    last /= 2;
  }
  return greatest;
}

/// The x_j as doubles, in their order, and what the proof needs of them.
struct RoundedTerms {
  std::vector<double> values;
  Ball distance;      ///< of the exact ones, in l1
  double norm = 0;    ///< sum of |values|
  double square = 0;  ///< sum of |values| (j - middle)^2
  double reach = 0;   ///< greatest |j - middle|
};

RoundedTerms rounded_terms(const LatticeLaw& law, const Ball& tilt, const Ball& divisor,
                           std::size_t times) {
  RoundedTerms result;
  const std::vector<double> own = law.tilted_doubles(tilt, divisor, result.distance);
  result.values.resize((own.size() - 1) * times + 1);
  for (std::size_t i = 0; i < own.size(); ++i) result.values[i * times] = own[i];
  double first = 0;
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    const double size = std::fabs(result.values[i]);
    result.norm += size;
    first += size * static_cast<double>(i);
  }
  const double middle = std::round(first / result.norm);
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    const double distance = static_cast<double>(i) - middle;
    result.square += std::fabs(result.values[i]) * distance * distance;
    result.reach = std::max(result.reach, std::fabs(distance));
  }
  return result;
}

/// Bound of the l1 distance of the data of the transform from the exact x_j: that of the terms, and
/// for each addition into a place unit_roundoff times partial sums that are at most the sum of
/// absolute values; the factor 1 + 2^-20 covers the additions that formed `norm`.
// binary64 bound: docs/proofs/lattice.md#spectrum
Ball spread_of_doubles(const RoundedTerms& terms, std::size_t size) {
  const std::size_t folds = terms.values.size() / size;
  const auto additions = static_cast<double>(folds + 1);
  return (terms.distance + Ball(terms.norm) * Ball(additions * unit_roundoff)) * Ball(1 + 0x1p-20);
}

/// pi^2 m0 m2 / K'^2 for the sums m0 of |x_j| and m2 of |x_j| (j - middle)^2; 1 + 2^-20
/// covers the roundings of the sums of doubles.
// binary64 bound: docs/proofs/lattice.md#between
Ball bound_between(const RoundedTerms& terms, const Ball& spread, std::size_t points) {
  const Ball cover(1 + 0x1p-20);
  const Ball sum = Ball(terms.norm) * cover + spread;
  const Ball squares = Ball(terms.square) * cover + spread * square(Ball(terms.reach));
  const Ball bound = square(pi() / Ball(static_cast<long>(points))) * sum * squares;
  return PLAUDIT_BOUND("lattice.between_values", bound, Ball(0)).upper();
}

/// sum_i x_i e^{2 pi i (first + i) times k / K} for the k of a list: one by one, or all by a
/// transform where that is cheaper.
std::vector<ComplexBall> values_in_balls(const std::vector<Ball>& x, std::size_t first,
                                         std::size_t times, const std::vector<std::size_t>& list,
                                         const UnitRoots& roots) {
  std::vector<ComplexBall> values;
  const std::size_t size = roots.size();
  if (points_of_term * static_cast<double>(x.size()) * static_cast<double>(list.size()) <
      static_cast<double>(size)) {
    for (const std::size_t k : list) {
      check_work_limit();
      values.push_back(fourier_sum(x, first, times * k, roots));
    }
    return values;
  }
  check_memory_of_balls(2 * static_cast<double>(size));
  check_work_limit(seconds_of_place * static_cast<double>(size));
  std::vector<ComplexBall> data;
  data.reserve(size);
  while (data.size() < size) {  // millions of places take a while
    check_work_overrun();
    data.resize(std::min(size, data.size() + places_of_part));
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    data[(first + i) * times & (size - 1)] += ComplexBall(x[i]);
  }
  ball_transform(data, Sign::plus);
  check_work_limit();
  for (const std::size_t k : list) values.push_back(data[k]);
  return values;
}

}  // namespace

// binary64 bound: docs/proofs/lattice.md#spectrum
LatticeSpectrum spectrum_of(const LatticeLaw& law, const Ball& tilt, std::size_t size,
                            std::size_t stride, std::size_t times) {
  LatticeSpectrum result;
  result.divisor = law.mgf(tilt).middle();
  check_work_limit(seconds_of_term * static_cast<double>(law.masses.size()));
  const RoundedTerms rounded = rounded_terms(law, tilt, result.divisor, times);
  const std::size_t points = size / stride;
  const Ball spread = spread_of_doubles(rounded, points);
  const double gain = radix_two_error(size);
  result.error = charged(
      transform_term,
      spread + Ball(gain) * (Ball(rounded.norm) + spread) * Ball(1 + 0x1p-20) + Ball(least_error));
  result.stride = stride;
  const auto mask = [&](std::size_t period) {
    return static_cast<std::size_t>(static_cast<unsigned long>(law.first)) * times & (period - 1);
  };
  ComplexVector data(points);
  for (std::size_t i = 0; i < rounded.values.size(); ++i) {
    data[(mask(points) + i) & (points - 1)] += rounded.values[i];
  }
  radix_two_transform(data, Sign::plus);
  result.values = std::move(data);
  if (stride > 1) {
    result.between = bound_between(rounded, spread, points);
    result.central = radix_two_first(rounded.values, mask(size), size, central_values, Sign::plus);
  }
  return result;
}

TransformedFactor::TransformedFactor(std::shared_ptr<const LatticeLaw> law, std::size_t times,
                                     std::uint64_t n, const proof::PeriodLine<Ball>& line,
                                     std::size_t stride)
    : law_(std::move(law)),
      times_(times),
      line_(line),
      spectrum_(
          spectrum_of(*law_, line.tilt, static_cast<std::size_t>(line.period), stride, times)),
      scale_(spectrum_.divisor * exp(-line.tilt * law_->offset)),
      greatest_values_(greatest_of_blocks(spectrum_.values, spectrum_.values.size() / 2 + 1)),
      greatest_central_(greatest_of_blocks(spectrum_.central, spectrum_.central.size())) {
  count = n;
  offset.value = law_->offset;
  finite = law_->mgf(Ball(0));
  infinite = law_->infinite;
  greatest = Integer(law_->last()) * Integer(times);
}

long TransformedFactor::known() const {
  return static_cast<long>(spectrum_.stride == 1 ? spectrum_.values.size()
                                                 : spectrum_.central.size());
}

ComplexBall TransformedFactor::at(long k) const {
  const auto index = static_cast<std::size_t>(k);
  const auto summed = std::lower_bound(nodes_.begin(), nodes_.end(), index);
  if (summed != nodes_.end() && *summed == index) {
    return ComplexBall(scale_) * sums_[static_cast<std::size_t>(summed - nodes_.begin())];
  }
  const auto& computed = spectrum_.at(index);
  return ComplexBall(scale_) *
         widened(ComplexBall(Ball(computed.real()), Ball(computed.imag())), spectrum_.error);
}

double TransformedFactor::greatest_square(std::size_t first, std::size_t last,
                                          bool* between) const {
  *between = false;
  const std::size_t stride = spectrum_.stride;
  if (stride == 1) return greatest_in(greatest_values_, first, last);
  double most = 0;
  const std::size_t exact = spectrum_.central.size();
  if (first < exact) most = greatest_in(greatest_central_, first, std::min(last, exact - 1));
  if (last < exact) return most;
  *between = true;
  // at the multiples of the stride around
  return std::max(most, greatest_in(greatest_values_, std::max(first, exact) / stride,
                                    (last + stride - 1) / stride));
}

// binary64 bound: docs/proofs/lattice.md#spectrum, docs/proofs/lattice.md#between
Ball TransformedFactor::bound(long first, long last) const {
  bool between = false;
  const double square_of_greatest =
      greatest_square(static_cast<std::size_t>(first), static_cast<std::size_t>(last), &between);
  // std::norm is off by at most 3 roundings and an underflow
  const Ball largest =
      sqrt(Ball(square_of_greatest) * Ball(1 + 0x1p-50) + Ball(0x1p-1000)) + spectrum_.error;
  const Ball most = between ? sqrt(square(largest) + spectrum_.between) : largest;
  return (scale_ * most).upper();
}

Ball TransformedFactor::log_moment(const Rational& order) const {
  const PrecisionScope scope(
      std::min(working_precision(),
               bits_of_moment + precision_bits(std::log2(1 + static_cast<double>(count)))));
  return log(law_->mgf(Ball(order)));
}

double TransformedFactor::power_error() const {
  return static_cast<double>(count) * spectrum_.error.upper_double();
}

void TransformedFactor::sum_in_balls(std::vector<std::size_t> nodes, const UnitRoots& roots) {
  nodes_ = std::move(nodes);
  std::vector<Ball> weights = law_->tilted(line_.tilt);
  const Ball inverse = Ball(1) / spectrum_.divisor;
  for (Ball& weight : weights) weight *= inverse;
  const auto first = static_cast<std::size_t>(static_cast<unsigned long>(law_->first));
  sums_ = values_in_balls(weights, first, times_, nodes_, roots);
}

}  // namespace plaudit

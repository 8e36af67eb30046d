#include "accountants/plan/path_sketch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lib/analysis/log_sums.hpp"
#include "lib/constants.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

using Complex = std::complex<double>;

// The ends of a path.
constexpr double greatest_small = 0.7;  ///< of u on the left, q on the right; the proof wants < 1
constexpr double least_slope = 0.1;     ///< with which the bound beyond an end falls
constexpr double step_outward = 0.25;
constexpr int most_steps_outward = 400;
constexpr double steps_inward = 400;  ///< ends are moved by this part of the path

// Lengths of the cells at which a path is looked at, and of its pieces.
constexpr double cell_of_phi = 0.9;
constexpr double more_of_depth = 0.12;   ///< for each nat that phi is below its peak
constexpr double cell_near_bend = 0.35;  ///< in v
constexpr double cell_on_strip = 0.1;    ///< there e^{w l} rises and falls steeply
constexpr double cell_left = 0.8;
constexpr double cell_right = 0.12;  ///< of the distance from -1
constexpr double near_zero = 4;
// Pieces of the proof: halving leaves radii from 1/16 to 1/8, and from half the greatest on that is
// accurate; their errors count at the worst.
constexpr double longest_radius = 0.09;
constexpr double radius_of_accuracy = 0.7;  ///< times accuracy |l| / |dl / dy|
constexpr double error_of_accuracy = 1.05;  ///< times accuracy |l|
constexpr double growth_of_error = 0.28;    ///< times |dl / dy|, of the longest piece

}  // namespace

Complex PathSketch::at(double x, double offset) const {
  const Complex place((x - knee) / bend, offset / bend);
  const bool right = place.real() > 0;
  const Complex soft = std::log(1.0 + std::exp(right ? -place : place)) + (right ? place : 0);
  return Complex(x, offset + rise) + Complex(0, tilt * bend) * soft;
}

std::vector<DoublePiece> PathSketch::along(double offset, double stretch, double* count) const {
  std::vector<DoublePiece> result;
  const double rate = mixture.rate();
  for (double x = from; x < to && result.size() <= most_cells;) {
    const double v = rate * (x - mixture.dominance);
    double width = cell_of_phi * (1 + more_of_depth * x * x / 2) / (1 + std::fabs(x));
    const bool turns = std::fabs(v) < near_zero;
    const double near_bend = offset == 0 ? cell_near_bend : cell_on_strip * stretch;
    width = std::min(width, (turns ? near_bend : v < 0 ? cell_left : cell_right * (v + 1)) / rate);
    if (!turns) width *= stretch;
    width = std::min(width, to - x + 1e-9);
    const Complex y = at(x + width / 2, offset);
    const Complex value = mixture.log_ratio(y);
    const double slope = std::abs(mixture.log_ratio(y + 1e-4) - value) / 1e-4;
    const double modulus = std::abs(value);
    const double radius = std::min(longest_radius, radius_of_accuracy * accuracy * modulus / slope);
    const double error = std::min(error_of_accuracy * accuracy * modulus, growth_of_error * slope);
    const double log_weight = -(y * y).real() / 2 + std::abs(y) * radius +
                              std::log(width * (1 + tilt) / std::sqrt(2 * std::numbers::pi));
    result.push_back({log_weight, value.real(), value.imag(), error, modulus + error});
    if (count != nullptr) *count += width * (1 + tilt) / (2 * radius);
    x += width;
  }
  check_work_limit(static_cast<double>(result.size()) * 4e-7);
  return result;
}

double PathSketch::left_end(double x, double size) const {
  const double drift = tilt * bend * std::exp((x - knee) / bend);
  const double y = x + drift, bound = mixture.excess(y), height = rise + drift;
  if (!(bound < greatest_small) || !(y < -least_slope)) return infinity;
  const double growth = size * bound / (1 - bound);
  return std::log((1 + tilt) / 2 / -y) + (height * height - y * y) / 2 +
         std::min(log1p_exp(growth), std::log(growth) + growth);
}

double PathSketch::right_end(double x, const HyperbolaCurve& outer) const {
  const double rate = mixture.rate();
  const double drift = tilt * bend * std::exp((knee - x) / bend);
  const double least = x - tilt * strip - drift;
  const double bound = mixture.remainder(least);
  if (!(bound < greatest_small) || !(least > least_slope)) return infinity;
  const double error = bound / (1 - bound), height = rise + tilt * (x - knee);
  const double order = std::max(outer.crossing(), 0.0);
  const double slope = least - drift - tilt * (height + strip + drift) - order * rate;
  const double real = rate * (x + tilt * strip + drift) + mixture.shifts.back();
  const double imaginary = rate * (height - strip - drift);
  if (!(slope > least_slope) || height - strip < drift ||
      rate * least + mixture.shifts.back() < error ||
      outer.sine * real - outer.cosine * imaginary + error > 0) {
    return infinity;
  }
  const double low = x - drift, high = height + drift;
  const double most = rate * (x + drift) + mixture.shifts.back() + error;
  return std::log((1 + tilt) / slope) + (high * high - low * low) / 2 + order * most;
}

bool PathSketch::find_ends(double depth, const HyperbolaCurve& outer) {
  from = -1;
  to = std::max({1.0, mixture.dominance, knee});
  int steps = 0;
  while (!(left_end(from, 1) < depth)) {
    from -= step_outward;
    if (++steps > most_steps_outward) return false;
  }
  while (!(right_end(to, outer) < depth)) {
    to += step_outward + 0.05 * std::fabs(to);
    if (++steps > most_steps_outward) return false;
  }
  return from < to;
}

bool PathSketch::move_ends(double share, double growth, double size, const HyperbolaCurve& outer) {
  const double stride = (to - from) / steps_inward;
  int outward = 0;
  const auto left_fits = [&](double x) {
    const double drift = tilt * bend * std::exp((x - knee) / bend);
    const double bound = mixture.excess(x + drift);
    return bound / (1 - bound) < growth && left_end(x, size) < share;
  };
  while (!left_fits(from)) {
    from -= stride;
    if (++outward > most_steps_outward) return false;
  }
  while (left_fits(from + stride)) from += stride;
  while (!(right_end(to, outer) < share)) {
    to += stride;
    if (++outward > most_steps_outward) return false;
  }
  while (right_end(to - stride, outer) < share) to -= stride;
  return from < to;
}

}  // namespace plaudit

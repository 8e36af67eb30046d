#include "lib/analysis/rough_samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "lib/analysis/rough_exponential.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double none = -std::numeric_limits<double>::infinity();
constexpr double seconds_of_value = 1e-6;
constexpr double seconds_of_point = 2e-8;
// Choices: the degree of a polynomial, for how few points none is made, and how small its last
// coefficients are where it has converged.
constexpr std::size_t degree = 20;
constexpr long few_points = 2 * static_cast<long>(degree);
constexpr long most_points = 1 << 17;
constexpr double vanishing = 2e-14;   ///< last coefficients over 1 + |f|, f the greatest value
constexpr double negligible = 1e-17;  ///< error of e^f over its greatest value so far
constexpr double rounding = 1e-16;    ///< of values of f, relative
constexpr std::size_t block = 512;

class Sampler {
 public:
  Sampler(const std::function<double(double)>& f, double dx, long first, std::span<double> values)
      : f_(f), dx_(dx), first_(first), values_(values) {
    for (std::size_t k = 0; k <= degree; ++k) {
      nodes_[k] = std::cos(std::numbers::pi * static_cast<double>(k) / degree);
    }
  }

  /// The points from .. to - 1.
  void sample(long from, long to) {
    while (to - from > most_points) {
      piece(from, from + most_points);
      from += most_points;
    }
    piece(from, to);
  }

 private:
  using Coefficients = std::array<double, degree + 1>;
  enum class Outcome { zero, converged, neither };

  double at(double j) {
    check_work_limit(seconds_of_value);
    const double value = f_(j * dx_);
    peak_ = std::max(peak_, value);
    return value;
  }

  void piece(long from, long to) {
    if (to - from > few_points) {
      Coefficients c;
      const Outcome found = expand(static_cast<double>(from), static_cast<double>(to - 1), c);
      if (found == Outcome::zero) return;
      if (found == Outcome::converged) return fill(from, to, c);
      const long middle = from + (to - from) / 2;
      piece(from, middle);
      piece(middle, to);
      return;
    }
    for (long j = from; j < to; ++j) {
      values_[static_cast<std::size_t>(j - first_)] = std::exp(at(static_cast<double>(j)));
    }
  }

  /// Coefficients of the Chebyshev interpolant of f on [low, high], converged if those at the end
  /// vanish; zero if f is -infinity at all nodes.
  Outcome expand(double low, double high, Coefficients& c) {
    Coefficients values;
    double greatest = none;
    double size = 0;
    for (std::size_t k = 0; k <= degree; ++k) {
      values[k] = at((low + high) / 2 + (high - low) / 2 * nodes_[k]);
      greatest = std::max(greatest, values[k]);
      size = std::max(size, std::fabs(values[k]));
    }
    if (greatest == none) return Outcome::zero;
    for (const double value : values) {
      if (!std::isfinite(value)) return Outcome::neither;
    }
    for (std::size_t m = 0; m <= degree; ++m) {
      double sum = (values[0] + (m % 2 == 0 ? values[degree] : -values[degree])) / 2;
      for (std::size_t k = 1; k < degree; ++k) sum += values[k] * nodes_at(m * k);
      c[m] = sum * (m == 0 || m == degree ? 1.0 : 2.0) / degree;
    }
    const double allowed = vanishing * (1 + std::fabs(greatest)) +
                           negligible * std::exp(std::min(500.0, peak_ - greatest));
    double last = rounding * size;
    for (std::size_t m = degree - 3; m <= degree; ++m) last = std::max(last, std::fabs(c[m]));
    return last <= allowed ? Outcome::converged : Outcome::neither;
  }

  /// cos(pi i / degree).
  double nodes_at(std::size_t i) const {
    const std::size_t turn = i % (2 * degree);
    return nodes_[turn <= degree ? turn : 2 * degree - turn];
  }

  /// Clenshaw's rule, for many points at once.
  void fill(long from, long to, const Coefficients& c) {
    const double scale = 2.0 / static_cast<double>(to - 1 - from);
    std::array<double, block> t;
    std::array<double, block> above;
    std::array<double, block> last;
    for (long start = from; start < to; start += static_cast<long>(block)) {
      const auto count = static_cast<std::size_t>(std::min(to - start, static_cast<long>(block)));
      check_work_limit(seconds_of_point * static_cast<double>(count));
      for (std::size_t i = 0; i < count; ++i) {
        t[i] = (static_cast<double>(start - from) + static_cast<double>(i)) * scale - 1;
        above[i] = 0;
        last[i] = c[degree];
      }
      for (std::size_t m = degree - 1; m > 0; --m) {
        const double coefficient = c[m];
        for (std::size_t i = 0; i < count; ++i) {
          const double next = coefficient + 2 * t[i] * last[i] - above[i];
          above[i] = last[i];
          last[i] = next;
        }
      }
      double* const out = &values_[static_cast<std::size_t>(start - first_)];
      for (std::size_t i = 0; i < count; ++i) out[i] = c[0] + t[i] * last[i] - above[i];
      rough_exp(std::span(out, count));
    }
  }

  const std::function<double(double)>& f_;
  double dx_;
  long first_;
  std::span<double> values_;
  std::array<double, degree + 1> nodes_;
  double peak_ = none;  ///< the greatest value of f so far
};

}  // namespace

std::vector<double> rough_samples(const std::function<double(double)>& f, double dx, long first,
                                  long last) {
  if (last < first) return {};
  check_memory(8 * static_cast<double>(last - first + 1));
  std::vector<double> values(static_cast<std::size_t>(last - first + 1));
  Sampler sampler(f, dx, first, values);
  // From 0 upward first: a peak there is known when small values on the left are judged.
  const long middle = std::clamp(0L, first, last);
  sampler.sample(middle, last + 1);
  sampler.sample(first, middle);
  return values;
}

}  // namespace plaudit

#include "mechanisms/bent/bent_factor.hpp"

#include <algorithm>

#include "lib/analysis/fixed_exponentials.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

/// Squarings in a row before exponentials are taken anew: each doubles the relative radius.
constexpr std::size_t octaves_in_a_row = 8;
/// Path points treated together, so that their tables stay in cache.
constexpr std::size_t chunk = 32;

/// Of the working precision, those that radii of balls grow by; and more for exponents.
constexpr long spare_bits_of_balls = 24;
constexpr long more_bits_of_exponents = 16;

/// The constants of the hyperbola w = center + A e^x + conj(A) e^-x at the nodes of one octave.
struct OctaveTable {
  ComplexBall center, half;     // half = A
  std::vector<Ball> growing;    // e^{x_i}, i < per_octave
  std::vector<Ball> shrinking;  // e^{-x_i}

  OctaveTable(const Hyperbola& hyperbola, std::size_t per_octave)
      : center(hyperbola.center()),
        half(ldexp(hyperbola.scale() * hyperbola.sine(), -1),
             ldexp(hyperbola.scale() * hyperbola.cosine(), -1)) {
    const Ball step = log(Ball(2)) / Ball(static_cast<std::uint64_t>(per_octave));
    for (std::size_t i = 0; i < per_octave; ++i) {
      growing.push_back(exp(step * Ball(static_cast<std::uint64_t>(i))));
      shrinking.push_back(Ball(1) / growing.back());
    }
  }
};

/// Adds the chunk's terms W_j e^{w_k l_j} to sums[k]: e^{w l} = e^{center l} P Q with P = e^{A l
/// e^x} and Q = e^{conj(A) l e^-x}; one octave further P is squared, one octave back Q is.
void add_chunk(const OctaveTable& table, const std::vector<ComplexBall>& logs,
               const std::vector<ComplexBall>& weights, std::vector<ComplexBall>& sums) {
  const std::size_t width = logs.size(), m = table.growing.size(), count = sums.size();
  const std::size_t octaves = (count + m - 1) / m;
  std::vector<ComplexBall> rising(width), falling(width), base(width);
  for (std::size_t j = 0; j < width; ++j) {
    rising[j] = logs[j] * table.half;
    falling[j] = logs[j] * conjugate(table.half);
    base[j] = weights[j] * exp(logs[j] * table.center);
  }
  std::vector<ComplexBall> q(octaves * m * width), p(m * width), term(width);
  for (std::size_t o = octaves; o-- > 0;) {
    const bool anew = o + 1 == octaves || o % octaves_in_a_row == octaves_in_a_row - 1;
    for (std::size_t i = 0; i < m; ++i) {
      const Ball scale = ldexp(table.shrinking[i], -static_cast<long>(o));
      for (std::size_t j = 0; j < width; ++j) {
        ComplexBall& target = q[(o * m + i) * width + j];
        if (anew) {
          target = exp(falling[j] * ComplexBall(scale));
        } else {
          const ComplexBall& source = q[((o + 1) * m + i) * width + j];
          target.set_product(source, source);
        }
      }
    }
  }
  for (std::size_t o = 0; o < octaves; ++o) {
    const bool anew = o % octaves_in_a_row == 0;
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t k = o * m + i;
      if (k >= count) break;
      const Ball scale = ldexp(table.growing[i], static_cast<long>(o));
      for (std::size_t j = 0; j < width; ++j) {
        ComplexBall& target = p[i * width + j];
        if (anew) {
          target = exp(rising[j] * ComplexBall(scale));
        } else {
          target.set_product(target, target);
        }
        term[j].set_product(q[k * width + j], base[j]);
      }
      sums[k] += dot(&p[i * width], term.data(), width);
    }
  }
}

}  // namespace

BentFactor::BentFactor(const GaussianMixture& mixture, const BentShape& shape, const BentGrid& grid,
                       const BoxWidths& widths)
    : path_(mixture, shape),
      grid_(grid),
      widths_(widths),
      center_(path_, 0, grid.left, grid.right, widths),
      above_(path_, shape.half_width, grid.left, grid.right, widths),
      below_(path_, -shape.half_width, grid.left, grid.right, widths) {}

std::optional<BentFactor> BentFactor::with_points(const BentShape& shape, const BentGrid& grid,
                                                  const BoxWidths& widths) const {
  const bool same = path_.shape() == shape && grid_.left == grid.left &&
                    grid_.right == grid.right && widths_ == widths;
  if (!same) return std::nullopt;
  BentFactor result = *this;
  result.grid_ = grid;
  return result;
}

// Proof: docs/proofs/bent_contour.md#quadrature-in-y
Ball BentFactor::quadrature_error(const HyperbolaArc& arc) const {
  const Ball above =
      PLAUDIT_BOUND("bent_factor.upper_edge", above_.integral(arc).minus_one, Ball(0));
  const Ball below =
      PLAUDIT_BOUND("bent_factor.lower_edge", below_.integral(arc).minus_one, Ball(0));
  return strip_trapezoid_error(above, below, Ball(path_.shape().half_width), Ball(grid_.step))
      .upper();
}

Ball BentFactor::omitted_tails(const HyperbolaArc& arc) const {
  const Ball step(grid_.step);
  return center_.omitted(arc, step, step * Ball(grid_.first), step * Ball(grid_.last));
}

// Proof: docs/proofs/bent_contour.md#values
std::vector<ComplexBall> BentFactor::minus_one(const Hyperbola& hyperbola, std::size_t per_octave,
                                               std::size_t count) const {
  if (auto sums = minus_one_in_fixed_point(hyperbola, per_octave, count)) return std::move(*sums);
  const MixtureInV in_v(path_.mixture());
  const OctaveTable table(hyperbola, per_octave);
  const Ball constant = Ball(grid_.step) * in_v.sigma / sqrt(ldexp(pi(), 1));
  std::vector<ComplexBall> sums(count);
  ComplexBall ones;  // the same rule for the constant 1
  for (long from = grid_.first; from <= grid_.last; from += static_cast<long>(chunk)) {
    check_work_limit();
    const long to = std::min(grid_.last, from + static_cast<long>(chunk) - 1);
    std::vector<ComplexBall> logs, weights;
    for (long j = from; j <= to; ++j) {
      const PathPoint point = path_point(in_v, j);
      weights.push_back(point.derivative * exp(point.log_density) * ComplexBall(constant));
      logs.push_back(point.log_ratio);
      ones += weights.back();
    }
    add_chunk(table, logs, weights, sums);
  }
  for (ComplexBall& sum : sums) sum -= ones;
  return sums;
}

BentFactor::PathPoint BentFactor::path_point(const MixtureInV& in_v, long j) const {
  PathPoint result;
  const ComplexBall v = path_.point(ComplexBall(Ball(grid_.step) * Ball(j)), &result.derivative);
  const ComplexBall y = ComplexBall(in_v.origin) + v * ComplexBall(in_v.sigma);
  result.log_density = ldexp(-square(y), -1);
  result.log_ratio = path_.log_ratio(in_v, v);
  return result;
}

std::size_t BentFactor::limbs(long bits, std::size_t points) {
  return limbs_of_exponentials(bits - spare_bits_of_balls, points);
}

// Weights as e^m, the constant 1 as w = 0.
// Proof: docs/proofs/bent_contour.md#values
std::optional<std::vector<ComplexBall>> BentFactor::minus_one_in_fixed_point(
    const Hyperbola& hyperbola, std::size_t per_octave, std::size_t count) const {
  const long bits = working_precision();
  if (limbs(bits, points()) == 0) return std::nullopt;
  const PrecisionScope scope(bits + more_bits_of_exponents);
  const MixtureInV in_v(path_.mixture());
  const Ball log_constant = log(Ball(grid_.step) * in_v.sigma / sqrt(ldexp(pi(), 1)));
  std::vector<ComplexBall> w, logs, log_weights;
  const Ball step = log(Ball(2)) / Ball(static_cast<std::uint64_t>(per_octave));
  for (std::size_t k = 0; k < count; ++k) {
    w.push_back(hyperbola.point(step * Ball(static_cast<std::uint64_t>(k))));
  }
  w.emplace_back();
  for (long j = grid_.first; j <= grid_.last; ++j) {
    const PathPoint point = path_point(in_v, j);
    log_weights.push_back(log(point.derivative) + point.log_density + ComplexBall(log_constant));
    logs.push_back(point.log_ratio);
  }
  auto sums = fixed_exponential_sums(w, logs, log_weights, bits - spare_bits_of_balls);
  if (!sums) return std::nullopt;
  const ComplexBall ones = sums->back();
  sums->pop_back();
  for (ComplexBall& sum : *sums) sum -= ones;
  return sums;
}

}  // namespace plaudit

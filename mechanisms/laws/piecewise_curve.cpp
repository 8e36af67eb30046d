#include "mechanisms/laws/piecewise_curve.hpp"

#include <algorithm>

#include "lib/balls/decided_sign.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/finite_loss.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr long corner_bits = 512;  ///< at which corners are told from points of a straight piece,
constexpr long most_corner_bits = 1 << 15;  ///< and more where the bounds are far apart: up to this
constexpr unsigned least_bound = 300;       ///< no bound needs to be below 10^-this
constexpr int digits_of_ends = 29;          ///< of an upper end that becomes a bound
constexpr long most_places = 1L << 22;      ///< of a lattice

/// The losses as multiples of the greatest common divisor; nothing where that is too fine.
std::optional<FiniteLoss::Lattice> lattice_of(const std::vector<Rational>& losses) {
  Integer whole = 1;
  for (const Rational& loss : losses) {
    whole = lcm(whole, denominator(loss));
    if (msb(whole) > 4096) return std::nullopt;
  }
  Integer step = 0;
  for (const Rational& loss : losses) step = gcd(step, numerator(Rational(loss * whole)));
  if (step == 0) return std::nullopt;
  FiniteLoss::Lattice lattice{Rational(step, whole), 0, {}};
  for (const Rational& loss : losses) {
    const Rational place = loss / lattice.mesh;
    if (abs(place) > most_places) return std::nullopt;
    lattice.places.push_back(numerator(place).to<long>());
  }
  return lattice;
}

/// Those that are below all before them: the others say nothing, for the curve falls.
std::vector<CurveBound> falling(const std::vector<CurveBound>& bounds) {
  std::vector<CurveBound> kept;
  for (const CurveBound& bound : bounds) {
    if (bound.value < (kept.empty() ? Rational(1) : kept.back().value)) kept.push_back(bound);
  }
  return kept;
}

/// Enough for the numbers x and values that may differ, unless bounds were made to be nearly on a
/// straight line.
long bits_of_corners(const std::vector<CurveBound>& bounds) {
  long digits = 0;
  for (const CurveBound& bound : bounds) digits = std::max(digits, bit_size(bound.value));
  const Rational far = std::max(abs(bounds.front().loss), abs(bounds.back().loss));
  const Rational wanted = 6 * far + 2 * digits + corner_bits;  // e^far has under 1.5 far bits
  return floor_of(std::min(wanted, Rational(most_corner_bits))).to<long>();
}

}  // namespace

// Bounds that do not lie below the line between their neighbours are no corners, and neither are
// those of which that is not certain: without them the curve is no lower.
// Proof: docs/proofs/curves.md#bounds
PiecewiseCurve::PiecewiseCurve(const std::vector<CurveBound>& bounds, bool symmetric, bool stated)
    : corners_(falling(bounds)),
      symmetric_(symmetric),
      bits_(stated ? bits_of_corners(corners_) : corner_bits) {
  const PrecisionScope scope(bits_);
  const std::vector<Point> all = points();
  const auto slope = [&](std::size_t i, std::size_t j) {  // 0 stands for (0, 1)
    const Point first = i == 0 ? Point{Ball(0), Ball(1)} : all[i - 1];
    return (all[j - 1].value - first.value) / (all[j - 1].x - first.x);
  };
  std::vector<std::size_t> hull{0};
  for (std::size_t next = 1; next <= all.size(); ++next) {
    if ((next & 255) == 0) check_work_limit();
    while (hull.size() > 1) {
      const Ball before = slope(hull[hull.size() - 2], hull.back());
      const Ball after = slope(hull.back(), next);
      if (certainly_less(before, after)) break;
      exact_ = exact_ && certainly_less_equal(after, before);
      hull.pop_back();
    }
    hull.push_back(next);
  }
  std::vector<CurveBound> kept;
  const std::size_t count = corners_.size();
  const std::size_t mirrored = all.size() - count;  // points below the first bound
  for (std::size_t i = 0; i < count; ++i) {
    const auto is_corner = [&](std::size_t place) {
      return std::binary_search(hull.begin(), hull.end(), place + 1);
    };
    // point `mirrored` + i is bound i, and its mirror image stands as far from the other end
    const bool own = is_corner(mirrored + i);
    const bool image = !symmetric || is_corner(count - 1 - i);
    exact_ = exact_ && own == image;
    if (own && image) kept.push_back(corners_[i]);
  }
  if (kept.empty()) {
    kept.push_back(corners_.back());
    exact_ = false;
  }
  corners_ = std::move(kept);
}

std::vector<PiecewiseCurve::Point> PiecewiseCurve::points() const {
  std::vector<Point> result;
  const bool from_zero = corners_.front().loss == 0;
  for (std::size_t i = corners_.size(); symmetric_ && i-- > (from_zero ? 1 : 0);) {
    const Ball x = exp(-Ball(corners_[i].loss));
    result.push_back({x, Ball(1) - x * Ball(Rational(1 - corners_[i].value))});
  }
  for (const CurveBound& each : corners_) {
    result.push_back({exp(Ball(each.loss)), Ball(each.value)});
  }
  return result;
}

std::vector<Rational> PiecewiseCurve::losses() const {
  std::vector<Rational> result;
  for (std::size_t i = corners_.size(); symmetric_ && i-- > 0;) {
    if (corners_[i].loss != 0) result.push_back(-corners_[i].loss);
  }
  for (const CurveBound& each : corners_) result.push_back(each.loss);
  return result;
}

// At a corner the slope jumps by the Q-mass. Proof: docs/proofs/curves.md#pairs
FiniteLaw law_of_corners(const std::vector<CurveCorner>& corners, const Ball& q_mass,
                         const Rational& infinite) {
  FiniteLaw law;
  law.q_mass = q_mass;
  Ball slope = (corners.front().value - Ball(1)) / corners.front().x;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const CurveCorner& here = corners[i];
    Ball next(0);
    if (i + 1 < corners.size()) {
      next = (corners[i + 1].value - here.value) / (corners[i + 1].x - here.x);
    }
    const Ball q = clipped_nonnegative(next - slope);
    law.atoms.push_back({here.loss, q * here.x, q});
    slope = next;
  }
  law.infinite = PLAUDIT_BOUND("piecewise.infinite", Ball(infinite), Ball(0));
  return law;
}

FiniteLaw PiecewiseCurve::law() const {
  const PrecisionScope scope(working_precision() + bits_);
  const std::vector<Rational> at = losses();
  std::vector<CurveCorner> corners;
  for (const Point& point : points()) {
    corners.push_back({point.x, point.value, Ball(at[corners.size()])});
  }
  const CurveCorner& first = corners.front();
  const Ball q_mass =
      symmetric_ ? Ball(Rational(1 - infinite())) : (Ball(1) - first.value) / first.x;
  return law_of_corners(corners, q_mass, infinite());
}

PiecewiseLaw piecewise_loss(std::string description, std::vector<CurveBound> bounds, bool symmetric,
                            bool stated, CurveBounds behind) {
  const bool says_something = std::any_of(bounds.begin(), bounds.end(),
                                          [](const CurveBound& bound) { return bound.value < 1; });
  if (!says_something) {
    throw SpecError(description +
                    ": its bound says nothing, for rounded up delta is 1 at every epsilon");
  }
  const auto curve = std::make_shared<const PiecewiseCurve>(bounds, symmetric, stated);
  FiniteLoss::Exact exact;
  exact.infinite = curve->infinite();
  if (!stated) {
    if (behind.corners.empty()) behind.corners = curve->corners();
    exact.bounds = std::make_shared<const CurveBounds>(std::move(behind));
  }
  std::vector<Rational> losses = curve->losses();
  exact.greatest = losses.back();
  auto lattice = lattice_of(losses);
  if (!lattice) exact.losses = std::move(losses);
  auto loss = std::make_shared<FiniteLoss>(
      std::move(description), [curve] { return curve->law(); }, std::move(lattice),
      std::move(exact));
  return {std::move(loss), curve->exact()};
}

Rational rounded_up(const Ball& value) {
  const Ball end = value.upper();
  if (!end.is_finite()) return 1;
  static const Rational least(Integer(1), Integer(pow(Integer(10), least_bound)));
  if (certainly_less(end, Ball(least))) return least;  // it may be far too small for a fraction
  const Rational rounded = parse_rational(decimal_above(exact_rational(end), digits_of_ends));
  return PLAUDIT_BOUND("piecewise.rounded", std::min(Rational(1), rounded),
                       std::min(Rational(1), rounded) * Rational(999, 1000));
}

}  // namespace plaudit

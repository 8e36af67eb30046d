// Notation: x = Re xi, nu = shift, nu+ = max(nu, 0), nu- = max(-nu, 0), tau = slope, S = bend
// log(1 + e^{(xi - knee)/bend}), v = xi + i (rise + tau S), l = log(f / p_0)(v),
// y = origin + sigma v. Steps are those of the proof page, cited at each function.
#include "mechanisms/bent/bent_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/analysis/upper_exponential.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

constexpr long box_bits = 64;
constexpr long sum_bits = 48;

// Boxes: what |phi| e^{growth Re l} may vary within one (its log), more for each nat that it lies
// below its peak; and widths by themselves.
constexpr double variation = 1.0;
constexpr double more_variation = 0.25;
constexpr double growth_matters_from = -3;
constexpr double widest_box = 1;
constexpr double wider_to_the_right = 0.16;
constexpr double part_joined = 0.2;  ///< of a width: no narrower box is left at the end
constexpr double most_spread = 0.06;
constexpr double spread_unseen = 0.01;  ///< where D(l) <= 0 is not seen
constexpr double spread_unseen_beside = 0.035;
constexpr double least_spread = 2e-3;
constexpr double aimed_spread = 0.8;       ///< of what is allowed: few boxes are made in vain
constexpr double high_power = 4;           ///< its log
constexpr double greatest_blur = 0.3;      ///< of an exponent
constexpr double weight_of_modulus = 0.1;  ///< in the spread: arg l matters more than |l|
constexpr double narrowest_box = 1e-4;
constexpr std::size_t most_boxes = 20000;

ComplexBall hull(const ComplexBall& a, const ComplexBall& b) {
  return {plaudit::hull(a.real(), b.real()), plaudit::hull(a.imaginary(), b.imaginary())};
}

}  // namespace

DoubleArc::DoubleArc(const HyperbolaArc& arc)
    : sine(arc.sine.upper_double()),
      cosine_low(arc.cosine.lower_double()),
      coefficient_low(arc.coefficient.lower_double()),
      coefficient_high(arc.coefficient.upper_double()),
      growth_from(std::max(arc.growth_from.lower_double(), 0.0)),
      growth_to(arc.infinite ? infinity : arc.growth_to.upper_double()),
      sine_low(arc.sine.lower_double()),
      cosine(arc.cosine.upper_double()) {}

BentBoxes::BentBoxes(const BentPath& path, double shift, double left, double right,
                     const BoxWidths& widths)
    : path_(path), shift_(shift) {
  if (!(std::fabs(shift) <= path.shape().half_width) || !(left < right)) {
    throw std::domain_error("bent path: shift or range");
  }
  const PrecisionScope scope(box_bits);
  const MixtureInV in_v(path.mixture());
  make_left(in_v, left);
  make_right(in_v, right);
  make_boxes(in_v, left, right, widths);
}

// Re S and Im S are monotone in x for |Im s| <= pi/2, so the hull of V at the two ends of a box
// contains V of the box; |V'| <= 1 + tau / |1 + e^-s| and |1 + e^-s|^2 >= 1 + e^{-2 Re s}.
// Proof: docs/proofs/bent_contour.md#boxes
BentBoxes::Box BentBoxes::make_box(const MixtureInV& in_v, double from, double to,
                                   const ComplexBall& v) const {
  const BentShape& shape = path_.shape();
  const Ball re = in_v.origin + in_v.sigma * v.real();
  const Ball im = in_v.sigma * v.imaginary();
  // |phi(y)| = e^{(Im y)^2/2 - (Re y)^2/2} / sqrt(2 pi)
  const Ball near = PLAUDIT_BOUND("bent_boxes.nearest_to_peak",
                                  clipped_nonnegative(abs(re)).lower(), abs(re).upper());
  const Ball most =
      PLAUDIT_BOUND("bent_boxes.highest_above_axis", abs(im).upper(), abs(im).lower());
  const Ball exponent = ldexp(square(most) - square(near), -1);
  const Ball steepest(PLAUDIT_BOUND("bent_boxes.steepest_at_end", to, from));
  const Ball steepness = exp(ldexp((Ball(shape.knee) - steepest) / Ball(shape.bend), 1));
  const Ball derivative =
      Ball(1) + PLAUDIT_BOUND("bent_boxes.slope_of_path", Ball(shape.slope), Ball(0)) /
                    sqrt(Ball(1) + steepness);
  const ComplexBall log_l = path_.log_log_ratio(in_v, v);
  Box box{};
  box.from = from;
  box.to = to;
  const Ball length = in_v.sigma * derivative * (Ball(to) - Ball(from));
  box.log_mass = (exponent + log(length / sqrt(ldexp(pi(), 1)))).upper_double();
  const Ball real = cos(log_l.imaginary()), imaginary = sin(log_l.imaginary());
  box.real_low =
      PLAUDIT_BOUND("bent_boxes.least_real_part", real.lower_double(), real.upper_double());
  box.real_high =
      PLAUDIT_BOUND("bent_boxes.greatest_real_part", real.upper_double(), real.lower_double());
  box.imaginary_low = PLAUDIT_BOUND("bent_boxes.least_imaginary_part", imaginary.lower_double(),
                                    imaginary.upper_double());
  box.imaginary_high = PLAUDIT_BOUND("bent_boxes.greatest_imaginary_part", imaginary.upper_double(),
                                     imaginary.lower_double());
  box.least = std::max(
      exp(PLAUDIT_BOUND("bent_boxes.least_modulus", log_l.real().lower(), log_l.real().upper()))
          .lower_double(),
      0.0);
  box.most =
      exp(PLAUDIT_BOUND("bent_boxes.greatest_modulus", log_l.real().upper(), log_l.real().lower()))
          .upper_double();
  const bool finite = std::isfinite(box.log_mass) && log_l.is_finite();
  box.spread = finite ? log_l.imaginary().radius().estimate() +
                            weight_of_modulus * log_l.real().radius().estimate()
                      : infinity;
  return box;
}

// Widths: |phi| e^{growth Re l} may vary by about e^0.7 within a box, by more where it is small,
// and log l by little; halved where it does not.
void BentBoxes::make_boxes(const MixtureInV& in_v, double left, double right,
                           const BoxWidths& widths) {
  const double sigma = in_v.sigma.estimate();
  const double origin = in_v.origin.estimate();
  const double sine = std::sin(widths.angle), cosine = std::cos(widths.angle);
  // the theorem asks it of the path in the middle alone; on the others growth costs points
  const double unseen = shift_ == 0 ? spread_unseen : spread_unseen_beside;
  double x = left, widest = infinity;
  ComplexBall here = path_.point(ComplexBall(Ball(x), Ball(shift_)), nullptr);
  while (x < right) {
    const double y = std::fabs(origin + sigma * x);
    const double height = sigma * here.imaginary().estimate();
    const double depth = std::max(
        (y * y - height * height) / 2 - std::max(widths.growth * x, 0.0) - widths.log_count, 0.0);
    const double steepness = sigma * (1 + y) + (x > growth_matters_from ? widths.growth : 0.0);
    // what is raised to a high power is to be known better where it matters
    const double matters = widths.growth * std::max(x, 0.0) * std::exp(-depth);
    const double spread = widths.log_count > high_power && matters > 0
                              ? std::clamp(greatest_blur / matters, least_spread, most_spread)
                              : most_spread;
    double width = std::min({(variation + more_variation * depth) / steepness, widest,
                             widest_box + wider_to_the_right * std::max(x, 0.0)});
    while (true) {
      const double next = x + width > right - part_joined * width ? right : x + width;
      ComplexBall there = path_.point(ComplexBall(Ball(next), Ball(shift_)), nullptr);
      Box box = make_box(in_v, x, next,
                         PLAUDIT_BOUND("bent_boxes.both_ends_of_box", hull(here, there), here));
      const bool seen = sine * box.real_high <= cosine * box.imaginary_low;
      if (box.spread < (seen ? spread : std::min(spread, unseen))) {
        widest = (next - x) * std::min(2.0, aimed_spread * spread / box.spread);
        x = next;
        here = std::move(there);
        boxes_.push_back(box);
        break;
      }
      width /= 2;
      if (width < narrowest_box) throw std::domain_error("bent path: passes too near a zero");
    }
    if (boxes_.size() > most_boxes) throw std::domain_error("bent path: too many boxes");
  }
}

// Proof: docs/proofs/bent_contour.md#left-end
void BentBoxes::make_left(const MixtureInV& in_v, double left) {
  const BentShape& shape = path_.shape();
  const Ball nu(shift_), tau(shape.slope);
  const Ball nu_minus(std::max(-shift_, 0.0));
  const Ball top = Ball(left) + PLAUDIT_BOUND("bent_boxes.left_end_shifted", tau * nu_minus,
                                              Ball(0));  // Re v <= top - (left - x)
  const Ball end = in_v.origin + in_v.sigma * top;
  const Ball excess = in_v.excess(ComplexBall(top)).real().upper();
  if (!certainly_negative(end) || !certainly_less(excess, ldexp(Ball(1), -2))) {
    throw std::domain_error("bent path: left end too near");
  }
  // Step 1: l = u (1 + e), |u| <= excess, |e| <= (excess / 2) / (1 - excess), |arg(1 + e)| <=
  // pi/2 |e|
  const Ball relative = ldexp(excess, -1) / (Ball(1) - excess);
  const Ball swing = ldexp(pi(), -1) * relative;
  const Ball lift =
      tau * Ball(shape.bend) * log1p(exp((Ball(left) - Ball(shape.knee)) / Ball(shape.bend)));
  const Ball highest = Ball(shape.rise) + nu + PLAUDIT_BOUND("bent_boxes.left_lift", lift, Ball(0));
  left_.at = Ball(left);
  left_.log_bound =
      (excess / PLAUDIT_BOUND("bent_boxes.left_log", Ball(1) - excess, Ball(1))).upper();
  left_.least_argument = PLAUDIT_BOUND("bent_boxes.left_least_rate", in_v.least_rate, Ball(1)) *
                             (Ball(shape.rise) + nu) -
                         PLAUDIT_BOUND("bent_boxes.left_swing_down", swing, Ball(0));
  left_.largest_argument = highest + PLAUDIT_BOUND("bent_boxes.left_swing_up", swing, Ball(0));
  // Step 2: |phi y'| <= sigma (1 + tau) e^{(sigma highest)^2 / 2} phi(origin + sigma Re v)
  const Ball factor =
      (Ball(1) + PLAUDIT_BOUND("bent_boxes.left_slope_of_path", tau, Ball(0))) *
      exp(ldexp(square(PLAUDIT_BOUND("bent_boxes.left_height", in_v.sigma * highest, Ball(0))),
                -1));
  left_.mass = (factor * normal_cdf(end)).upper();
  left_.density = (factor * in_v.sigma * normal_density(end)).upper();
}

// Proof: docs/proofs/bent_contour.md#right-end
void BentBoxes::make_right(const MixtureInV& in_v, double right) {
  const BentShape& shape = path_.shape();
  const Ball nu(shift_), tau(shape.slope), x(right);
  const Ball plus(std::max(shift_, 0.0)), minus(std::max(-shift_, 0.0));
  const Ball arm = x - Ball(shape.knee);
  // Step 1: x - tau nu+ <= Re v <= x + tau nu-;  arm <= Re S <= arm + excess of the softplus
  const Ball softplus = Ball(shape.bend) * log1p(exp(-arm / Ball(shape.bend)));
  right_.at = x;
  right_.real_low = x - PLAUDIT_BOUND("bent_boxes.right_end_shifted_up", tau * plus, Ball(0));
  right_.real_high = x + PLAUDIT_BOUND("bent_boxes.right_end_shifted_down", tau * minus, Ball(0));
  right_.imaginary_low = Ball(shape.rise) + nu + tau * arm;
  const Ball imaginary_high =
      right_.imaginary_low + PLAUDIT_BOUND("bent_boxes.right_softplus", tau * softplus, Ball(0));
  // Step 2: |l - v| = |log(1 + q)| <= |q| / (1 - |q|)
  const Ball q = in_v.remainder(ComplexBall(right_.real_low)).real().upper();
  const Ball re = in_v.origin + in_v.sigma * right_.real_low;
  if (!certainly_less(q, ldexp(Ball(1), -1)) || !certainly_positive(re) ||
      !certainly_positive(right_.imaginary_low) || !certainly_positive(right_.real_low)) {
    throw std::domain_error("bent path: right end too near");
  }
  right_.correction =
      PLAUDIT_BOUND("bent_boxes.right_correction", (q / (Ball(1) - q)).upper(), Ball(0));
  // Step 3: log|phi| and its derivative at the end; concave in x as tau < 1
  const Ball im = in_v.sigma * imaginary_high;
  right_.exponent =
      ldexp(PLAUDIT_BOUND("bent_boxes.right_height", square(im), Ball(0)) - square(re), -1);
  right_.slope =
      in_v.sigma * (PLAUDIT_BOUND("bent_boxes.right_rise_of_path", tau * im, Ball(0)) - re);
  right_.constant =
      (in_v.sigma * (Ball(1) + PLAUDIT_BOUND("bent_boxes.right_slope_of_path", tau, Ball(0))) /
       sqrt(ldexp(pi(), 1)))
          .upper();
}

// D(l) <= 0 and Im l >= 0 mean arg l in [g, pi].
bool BentBoxes::left_decays(const Ball& sine, const Ball& cosine) const {
  return certainly_greater_equal(
             PLAUDIT_BOUND("bent_boxes.left_decay", left_.least_argument, left_.largest_argument),
             atan2(sine, cosine)) &&
         certainly_less_equal(left_.largest_argument,
                              PLAUDIT_BOUND("bent_boxes.left_below_pi", pi(), ldexp(pi(), 1)));
}

// Im l >= Im v - correction, Re l <= Re v + correction; both linear in x, and tau >= tan g.
bool BentBoxes::right_decays(const Ball& sine, const Ball& cosine) const {
  const Ball height = right_.imaginary_low - right_.correction;
  return certainly_greater_equal(
             height * cosine,
             PLAUDIT_BOUND("bent_boxes.right_decay", sine * (right_.real_high + right_.correction),
                           Ball(0))) &&
         PLAUDIT_BOUND("bent_boxes.right_decay_onward",
                       certainly_greater_equal(Ball(path_.shape().slope) * cosine, sine), true) &&
         certainly_positive(height);
}

// Re(w l) <= |c| |l|: a sinh(x) D <= 0, and l is small.
// Proof: docs/proofs/bent_contour.md#left-end
BentBound BentBoxes::left_end(const HyperbolaArc& arc, const Ball& step) const {
  if (!left_decays(arc.sine, arc.cosine)) return {positive_infinity(), positive_infinity()};
  const Ball mass =
      left_.mass + PLAUDIT_BOUND("bent_boxes.left_one_more_point", step * left_.density, Ball(0));
  const Ball growth = PLAUDIT_BOUND("bent_boxes.left_growth",
                                    exp((abs(arc.coefficient) * left_.log_bound).upper()), Ball(1));
  Ball difference = Ball(1) + growth;
  if (!arc.infinite)
    difference = min(difference, PLAUDIT_BOUND("bent_boxes.left_modulus", arc.modulus, Ball(1)) *
                                     left_.log_bound * growth);
  return {(mass * growth).upper(), (mass * difference).upper()};
}

// Re(w l) <= c+ Re l <= c+ (Re v + correction); the exponent is concave in x, so its tangent at
// the end bounds it, and sum <= value * (step + 1 / |slope|).
// Proof: docs/proofs/bent_contour.md#right-end
BentBound BentBoxes::right_end(const HyperbolaArc& arc, const Ball& step) const {
  if (!right_decays(arc.sine, arc.cosine)) return {positive_infinity(), positive_infinity()};
  const Ball c =
      PLAUDIT_BOUND("bent_boxes.right_coefficient", clipped_nonnegative(arc.coefficient).upper(),
                    clipped_nonnegative(arc.coefficient).lower());
  const Ball slope = right_.slope + c;
  if (PLAUDIT_BOUND("bent_boxes.right_end_falls", !certainly_negative(slope),
                    slope.is_exact_zero()))
    return {positive_infinity(), positive_infinity()};
  const Ball value =
      right_.constant * exp((right_.exponent + c * (right_.real_high + right_.correction)).upper());
  const Ball plain = (value * (PLAUDIT_BOUND("bent_boxes.right_one_more_point", step, Ball(0)) -
                               PLAUDIT_BOUND("bent_boxes.right_end", Ball(1) / slope, Ball(0))))
                         .upper();
  return {plain, ldexp(plain, PLAUDIT_BOUND("bent_boxes.right_difference", 1, 0))};
}

namespace {

/// At least the next double above x, so at least the exact result that x was rounded to.
double up(double x) {
  return PLAUDIT_BOUND("bent_boxes.rounded_up", x + (std::fabs(x) * 0x1p-52 + 0x1p-1022), x);
}

/// Upper bound of a b over a in [a1, a2] (a2 >= a1) and b in [b1, b2].
double product_up(double a1, double a2, double b1, double b2) {
  return up(PLAUDIT_BOUND("bent_boxes.all_four_products",
                          std::max(std::max(a1 * b1, a1 * b2), std::max(a2 * b1, a2 * b2)),
                          a2 * b2));
}

}  // namespace

// Upper bound of Re(w l) over the arc and the box; every operation is rounded to nearest and then
// raised by one step, so the result is on the safe side.
// binary64 bound: docs/proofs/bent_contour.md#hyperbola
double BentBoxes::exponent_in(const Box& box, const DoubleArc& arc) {
  // D(l) / |l| <= sin(g) Re - cos(g) Im
  const double d =
      up(product_up(arc.sine_low, arc.sine, box.real_low, box.real_high) +
         product_up(-arc.cosine, -arc.cosine_low, box.imaginary_low, box.imaginary_high));
  if (d > 0 && arc.growth_to == infinity) return infinity;
  const double growth = d > PLAUDIT_BOUND("bent_boxes.grows_along_arc", 0, infinity)
                            ? arc.growth_to
                            : arc.growth_from;
  const double unit =
      up(product_up(arc.coefficient_low, arc.coefficient_high, box.real_low, box.real_high) +
         up(growth * d));
  return up(unit * (unit > PLAUDIT_BOUND("bent_boxes.larger_end_of_modulus", 0, infinity)
                        ? box.most
                        : box.least));
}

// |e^u - 1| <= min(1 + e^{Re u}, |u| max(1, e^{Re u})) = max(1, e^{Re u}) min(1 + e^{-|Re u|},
// |u|). The sums are taken in units of the greatest term e^top, which may be far outside binary64.
// binary64 bound: docs/proofs/bent_contour.md#sums
BentBound BentBoxes::sum(const HyperbolaArc& arc, const Ball* step, double first,
                         double last) const {
  const DoubleArc bounds(arc);
  const double modulus = arc.infinite ? infinity : arc.modulus.upper_double();
  const double distance = step == nullptr ? 0 : step->upper_double();
  std::vector<double> exponents(boxes_.size());
  double top = -infinity;
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    exponents[i] = exponent_in(boxes_[i], bounds);
    if (!(exponents[i] < infinity)) return {positive_infinity(), positive_infinity()};
    top = std::max(top, boxes_[i].log_mass + std::max(exponents[i], 0.0));
  }
  double plain = 0, minus_one = 0;
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const Box& box = boxes_[i];
    if (step != nullptr && box.from > first &&
        PLAUDIT_BOUND("bent_boxes.box_across_last_point", box.to, box.from) < last)
      continue;
    const double exponent = exponents[i];
    const double larger =
        PLAUDIT_BOUND("bent_boxes.growth_of_difference", std::max(exponent, 0.0), 0.0);
    const double growing = upper_exponential(up(up(box.log_mass + larger) - top));
    const double small = upper_exponential(-std::fabs(exponent));
    double whole = exponent > 0 ? growing : up(growing * small);
    const double one_and_small = up(PLAUDIT_BOUND("bent_boxes.one_beside_growth", 1, 0) + small);
    double less_one = up(growing * std::min(one_and_small, up(modulus * box.most)));
    if (step != nullptr) {  // a box of width b holds at most b / step + 1 points
      const double width = (box.to - box.from) * (1 - 0x1p-52);
      const double points =
          up(1 + PLAUDIT_BOUND("bent_boxes.one_more_point_in_box", up(distance / width), 0));
      whole = up(whole * points);
      less_one = up(less_one * points);
    }
    plain = up(plain + whole);
    minus_one = up(minus_one + less_one);
  }
  const Ball unit = exp(Ball(top));
  return {unit * Ball(plain), unit * Ball(minus_one)};
}

BentBound BentBoxes::integral(const HyperbolaArc& arc) const {
  const PrecisionScope scope(sum_bits);
  BentBound total = sum(arc, nullptr, 0, 0);
  const BentBound left =
      PLAUDIT_BOUND("bent_boxes.left_end_of_integral", left_end(arc, Ball(0)), BentBound());
  const BentBound right =
      PLAUDIT_BOUND("bent_boxes.right_end_of_integral", right_end(arc, Ball(0)), BentBound());
  total.plain += left.plain + right.plain;
  total.minus_one += left.minus_one + right.minus_one;
  return {total.plain.upper(), total.minus_one.upper()};
}

// Proof: docs/proofs/bent_contour.md#omitted-points
Ball BentBoxes::omitted(const HyperbolaArc& arc, const Ball& step, const Ball& first,
                        const Ball& last) const {
  const PrecisionScope scope(sum_bits);
  if (PLAUDIT_BOUND(
          "bent_boxes.points_inside_boxes",
          !certainly_less_equal(left_.at, first) || !certainly_less_equal(last, right_.at),
          false)) {
    return positive_infinity();
  }
  const BentBound total = sum(arc, &step, first.upper_double(), last.lower_double());
  const BentBound left =
      PLAUDIT_BOUND("bent_boxes.left_end_of_sum", left_end(arc, step), BentBound());
  const BentBound right =
      PLAUDIT_BOUND("bent_boxes.right_end_of_sum", right_end(arc, step), BentBound());
  return (total.minus_one + left.minus_one + right.minus_one).upper();
}

// Proof: docs/proofs/bent_contour.md#decay
bool BentBoxes::decays(const Hyperbola& hyperbola) const {
  const PrecisionScope scope(box_bits);
  if (!left_decays(hyperbola.sine(), hyperbola.cosine()) ||
      !right_decays(hyperbola.sine(), hyperbola.cosine())) {
    return false;
  }
  return std::all_of(boxes_.begin(), boxes_.end(), [&](const Box& box) {
    const double low =
        PLAUDIT_BOUND("bent_boxes.decay_in_box", box.imaginary_low, box.imaginary_high);
    return box.imaginary_low >= 0 && certainly_less_equal(hyperbola.sine() * Ball(box.real_high),
                                                          hyperbola.cosine() * Ball(low));
  });
}

}  // namespace plaudit

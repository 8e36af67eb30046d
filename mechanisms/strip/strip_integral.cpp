#include "mechanisms/strip/strip_integral.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/analysis/fixed/fixed_power_sums.hpp"
#include "lib/analysis/power_sums.hpp"
#include "lib/analysis/rough_power_sums.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double most_points = 4e5;              ///< where more are needed, an exception
constexpr double price_of_complex_points = 1.3;  ///< one point on the axis costs 1
constexpr double greatest_beyond = 12;           ///< half-width for bounds beyond a height, at most
constexpr double coarse_nats = 20;               ///< of I(r) where it only scales an error
constexpr double enough_nats = 40;  ///< with so many the bound of the error is below I(r)
constexpr double nats_again = 10;   ///< more than before, where there are not enough

// Strips that are tried: their tops eta + v, downward, and what part of the top eta is.
constexpr int tops_tried = 16;
constexpr double next_top = 0.8;
constexpr double shares_tried[] = {0.0, 0.5, 0.35, 0.2, 0.65};
constexpr double highest_top = 1.5;  ///< in roots of 2 nats: what phi allows
// The same of a strip around a line that is given.
constexpr int widths_tried = 24;
constexpr double next_width = 0.85;
constexpr double enough_worse = 0.8;  ///< of the best step, below which no narrower strip is tried

// The points reach to where the integrand has dropped so far; farther if that leaves too much.
constexpr int most_drops = 12;
constexpr double first_drop = 3;  ///< nats, more than are wanted
constexpr double next_drop = 1.15;
constexpr double next_drop_more = 6;

// line_sums() gives small values fewer bits, or makes them in doubles, on lines of so many nodes
// whose values are raised to so great a power.
constexpr std::size_t least_graded_count = 200;
constexpr double least_graded_power = 2;
constexpr std::size_t least_graded_count_of_long = 48;  ///< where many bits can be spared
constexpr long long_precision = 250;
constexpr long least_graded_bits = 64;

constexpr long least_bits = 64;
constexpr long spare_bits = 16;
constexpr long spare_bits_of_sums = 8;
constexpr std::size_t least_fixed_count = 4;  ///< of sums, for terms in fixed point
constexpr double bits_of_count = 1;           ///< for each octave of the number of nodes

Ball root_two_pi() { return sqrt(ldexp(pi(), 1)); }

ComplexBall scaled(ComplexBall z, const Ball& factor) { return std::move(z.scale(factor)); }

/// The terms g_j u_j^k at the points of a line: in fixed point, or in balls, which others are made
/// of where they are asked for.
class LineTerms {
 public:
  explicit LineTerms(FixedTerms&& fixed) : fixed_(std::move(fixed)) {}
  explicit LineTerms(std::size_t points) {
    weights_.reserve(points);
    bases_.reserve(points);
  }

  std::size_t size() const { return weights_.size(); }
  void add(ComplexBall weight, ComplexBall base) {
    weights_.push_back(std::move(weight));
    bases_.push_back(std::move(base));
  }

  /// To an accuracy relative to the first one: in fixed point where that can be.
  std::vector<ComplexBall> sums_beside_first(std::size_t count,
                                             const std::vector<long>& bits = {}) {
    if (auto sums = fixed_ ? fixed_power_sums(*fixed_, count, bits)
                           : fixed_power_sums(weights_, bases_, count, bits)) {
      return std::move(*sums);
    }
    make_balls();
    return power_sums(weights_, bases_, count, bits);
  }
  std::vector<ComplexBall> sums(std::size_t count) {
    make_balls();
    return power_sums(weights_, bases_, count);
  }
  RoughSums rough_sums(std::size_t count) {
    make_balls();
    return rough_power_sums(weights_, bases_, count);
  }

 private:
  void make_balls() {
    if (!fixed_ || !weights_.empty()) return;
    for (std::size_t j = 0; j < fixed_->weights.size(); ++j) {
      add(fixed_->weight(j), fixed_->base(j));
    }
  }

  std::optional<FixedTerms> fixed_;
  std::vector<ComplexBall> weights_;
  std::vector<ComplexBall> bases_;
};

/// sum_j g_j u_j^k for k < count. The last of them, whose powers are far below that of the first,
/// are sums in doubles where those are accurate enough: each with its own error. Those between are
/// summed with fewer bits.
std::vector<ComplexBall> line_sums(LineTerms& terms, std::size_t count,
                                   const LineAccuracy* accuracy) {
  const std::size_t least =
      working_precision() < long_precision ? least_graded_count : least_graded_count_of_long;
  if (accuracy == nullptr) return terms.sums(count);
  if (count < least || accuracy->power < least_graded_power) {
    return terms.sums_beside_first(count);
  }
  const RoughSums rough = terms.rough_sums(count);
  // of I(r) itself; a bound of it would be too rough beside the power
  const double shift = -std::log(std::abs(rough.values[0]));
  const auto enough = [&](std::size_t k) {
    const double error = std::log(rough.errors[k]) + shift;
    const double size = std::log(std::abs(rough.values[k]) + rough.errors[k]) + shift;
    return error + (accuracy->power - 1) * std::min(size, 0.0) < -accuracy->nats;
  };
  std::size_t exact = count;
  while (exact > 0 && enough(exact - 1)) --exact;
  // The others need fewer bits the smaller they are: their powers fall by so much more.
  std::vector<long> bits;
  for (std::size_t k = 0; k < exact; ++k) {
    const double size = std::log(std::abs(rough.values[k]) + rough.errors[k]) + shift;
    const double spared = (accuracy->power - 1) * std::min(size, 0.0) / log_two;
    bits.push_back(std::max(least_graded_bits,
                            working_precision() + clamped_integer(spared, -most_precision, 0)));
  }
  std::vector<ComplexBall> result = terms.sums_beside_first(exact, bits);
  result.reserve(count);
  for (std::size_t k = exact; k < count; ++k) result.push_back(rough.ball(k));
  return result;
}

}  // namespace

double nats_in_force() { return static_cast<double>(working_precision()) * log_two; }

// ---- choices

StripIntegral::Strip StripIntegral::chosen(double r, double s, double nats, bool on_axis) const {
  Strip best;
  double best_score = 0;
  const double most = std::min(greatest_height(), highest_top * std::sqrt(2 * nats) + 1);
  for (int i = 0; i < tops_tried; ++i) {
    const double top = most * std::pow(next_top, i);  // eta + v
    // Edges are looked at only where they may matter: a norm is e^(eta^2/2) at least.
    double at_top = top * top / 2;
    bool looked = false;
    for (const double share : shares_tried) {
      if (on_axis && share > 0) break;
      const double eta = short_double(share * top);
      const double v = short_double(top - eta);
      const double price = eta > 0 ? price_of_complex_points : 1.0;
      const auto score = [&](double edges) {
        return strip_step(v, nats + edges + log_two) / price;
      };
      if (!(score(at_top) > best_score)) continue;
      if (!looked) at_top = log_norm(eta + v, r, s);
      looked = true;
      if (!(score(at_top) > best_score)) continue;
      const double edges = std::max(at_top, log_norm(eta - v, r, s));
      const double d = strip_step(v, nats + edges + log_two);
      if (d / price > best_score) {
        best_score = d / price;
        best = {eta, v, short_double(d)};
      }
    }
  }
  return best;
}

/// Chooses the points so that what they leave outside is below e^-nats, where that can be had.
/// Returns the bound of what they leave.
Ball StripIntegral::choose_range(Strip& strip, const Ball& r, double nats, double log_axis) const {
  Ball rest;
  double drop = nats + first_drop;
  for (int attempt = 0; attempt < most_drops; ++attempt) {
    check_work_limit();
    const Window range = window(r.estimate(), drop, attempt);
    if (!((range.high - range.low) / strip.d < most_points)) {
      throw std::domain_error("integral needs too many points");
    }
    strip.first = checked_integer(std::floor(range.low / strip.d), "integral: the grid");
    strip.last = checked_integer(std::ceil(range.high / strip.d), "integral: the grid");
    rest = rough_outside(r, strip);
    if (rest.is_finite() && rest.upper().estimate_log() < log_axis - nats) break;
    drop = drop * next_drop + next_drop_more;
  }
  return rest;
}

/// A bound needs few bits.
Ball StripIntegral::rough_outside(const Ball& r, const Strip& strip) const {
  const PrecisionScope scope(least_bits);
  return outside(r, strip);
}

long StripIntegral::bits_for(const Strip& strip, double r, double s, double nats) const {
  // log_norm: what the shift may cost in cancellation and in the tails
  return spare_bits + precision_bits((std::max(0.0, nats) + log_norm(strip.eta, r, 0)) / log_two +
                                     std::log2(2 + std::fabs(largest_exponent(strip, r, s))) +
                                     std::log2(2 + static_cast<double>(strip.size())));
}

/// The same of sums along a line: there are no exponentials of large numbers in them.
long StripIntegral::bits_of_sums(const Strip& strip, double r, double nats,
                                 std::size_t count) const {
  return spare_bits_of_sums +
         precision_bits((std::max(0.0, nats) + log_norm(strip.eta, r, 0)) / log_two +
                        std::log2(2 + static_cast<double>(strip.size())) +
                        bits_of_count * std::log2(2.0 + static_cast<double>(count)));
}

double StripIntegral::estimate_points(double r, double s, double nats) const {
  const Window range = window(r, nats, 0);
  return (range.high - range.low) / chosen(r, s, nats, false).d;
}

// ---- values

void StripIntegral::each_point(const Strip& strip, const Sink<ComplexBall>& sink) const {
  if (strip.eta > 0) return line_points(strip, sink);
  axis_points(strip, [&](const Ball& l, const Ball& g) { sink(ComplexBall(l), ComplexBall(g)); });
}

Ball StripIntegral::norm(double e, const Ball& r, const Ball& s_max, const Ball& axis,
                         double d) const {
  Ball best = positive_infinity();
  for (const Norm& candidate : norms(e, r, s_max, d)) {
    const Ball value = candidate.at(axis);
    if (value.is_finite()) best = min(best, value).upper();
  }
  return best;
}

// Proof: docs/proofs/straight_contour.md#line-quadrature
Ball StripIntegral::on_axis(const Ball& r, double nats) const {
  if (const std::optional<Ball> value = known(r)) return *value;
  const double r_near = r.estimate();
  Strip strip = chosen(r_near, 0, nats, true);
  const Ball rest = choose_range(strip, r, nats, estimate(r_near).value);
  const PrecisionScope scope(std::max(least_bits, bits_for(strip, r_near, 0, nats)));
  if (const std::optional<Ball> value = by_points(r, strip, &rest)) return *value;
  // few nats leave a coarse grid, on which the bound of the error may not be below I(r) itself
  if (nats < enough_nats) return on_axis(r, nats + nats_again);
  throw std::domain_error("integral: no finite error bound");
}

// Proof: docs/proofs/straight_contour.md#line-quadrature
std::optional<Ball> StripIntegral::by_points(const Ball& r, const Strip& strip,
                                             const Ball* rest) const {
  if (strip.eta != 0) return std::nullopt;
  const Ball d(strip.d);
  Ball sum;
  if (const std::optional<Ball> fixed = fixed_sum(strip, r, Ball(0))) {
    sum = *fixed;
  } else {
    unsigned count = 0;
    axis_points(strip, [&](const Ball& l, const Ball& g) {
      if ((++count & 63) == 0) check_work_limit();
      sum += exp(r * l + g);
    });
  }
  sum *= d / root_two_pi();
  // |sum - I| <= factor (N(v) + N(-v)) + tails with N(v) = N(-v) <= slope I + base: solve for I.
  const Ball factor = ldexp(strip_trapezoid_factor(Ball(strip.v), d),
                            PLAUDIT_BOUND("strip_integral.both_edges_on_axis", 1, -3));
  const Ball tails = charged(*tails_, rest != nullptr ? *rest : rough_outside(r, strip));
  Ball error = positive_infinity();
  for (const Norm& norm : norms(strip.v, r, Ball(0), strip.d)) {
    const Ball slope = (norm.slope * factor).upper();
    if (!certainly_less(slope, Ball(1))) continue;
    const Ball axis = (sum + tails + norm.base * factor) / (Ball(1) - slope);
    const Ball candidate = slope * axis + norm.base * factor;
    if (candidate.is_finite()) error = min(error, candidate).upper();
  }
  if (!error.is_finite() || !tails.is_finite()) return std::nullopt;
  return clipped_nonnegative(widened(widened(sum, charged(*quadrature_, error)), tails));
}

LineValues StripIntegral::on_line(const Ball& r, const Ball& step, std::size_t count,
                                  const LineAccuracy& accuracy) const {
  const double nats = accuracy.nats;
  require_upward(step);
  const double r_near = r.estimate();
  const double s_near = (step * Ball(static_cast<long>(count > 0 ? count - 1 : 0))).estimate();
  Strip strip = chosen(r_near, s_near, nats, false);
  const Ball axis = known(r).value_or(positive_infinity());  // else bounded by above_axis()
  const Ball rest = choose_range(strip, r, nats, estimate(r_near).value);
  const PrecisionScope scope(std::max(
      least_bits, bits_for(strip, r_near, s_near, nats) +
                      precision_bits(bits_of_count * std::log2(2.0 + static_cast<double>(count)))));
  return by_points(r, step, count, strip, axis, &accuracy, &rest);
}

/// An upper bound of I(r) from its own sum on the line: that is off by no more than slope I(r) +
/// base.
// Proof: docs/proofs/straight_contour.md#line-quadrature
Ball StripIntegral::above_axis(const Ball& r, const Ball& s_max, const Strip& strip,
                               const ComplexBall& sum, const Ball& outside) const {
  const PrecisionScope scope(least_bits);
  const Ball factor = strip_trapezoid_factor(Ball(strip.v), Ball(strip.d));
  const Ball known_part = abs(sum) + outside;
  Ball best = positive_infinity();
  const std::vector<Norm> lower = norms(exact_sum(strip.eta, -strip.v), r, s_max, strip.d);
  for (const Norm& up : norms(exact_sum(strip.eta, strip.v), r, s_max, strip.d)) {
    for (const Norm& down : lower) {
      const Ball slope =
          PLAUDIT_BOUND("strip_integral.slope_of_sum", factor * (up.slope + down.slope), Ball(0));
      if (!certainly_less(slope, Ball(1))) continue;
      const Ball value = (known_part + factor * (up.base + down.base)) / (Ball(1) - slope);
      if (value.is_finite()) best = min(best, value).upper();
    }
  }
  return best.is_finite() ? best : on_axis(r, coarse_nats).upper();
}

// Proof: docs/proofs/straight_contour.md#line-quadrature
LineValues StripIntegral::by_points(const Ball& r, const Ball& step, std::size_t count,
                                    const Strip& strip, const Ball& axis,
                                    const LineAccuracy* accuracy, const Ball* rest) const {
  const Ball s_max = step * Ball(static_cast<long>(count > 0 ? count - 1 : 0));
  const Ball d(strip.d);
  const Ball scale = d / root_two_pi();
  LineValues result;
  result.points = strip.size();
  // values[k] = scale sum_j w_j u_j^k with w = e^{r l + g} and u = e^{i step l} at the points
  long bits = working_precision();
  if (accuracy != nullptr) {
    bits = std::min(bits, bits_of_sums(strip, r.estimate(), accuracy->nats, count));
  }
  std::optional<FixedTerms> fixed;
  if (accuracy != nullptr && count >= least_fixed_count) {
    fixed = fixed_points(strip, r, step, bits);
  }
  LineTerms terms = fixed ? LineTerms(std::move(*fixed)) : LineTerms(strip.size());
  if (!fixed) {
    each_point(strip, [&](const ComplexBall& l, const ComplexBall& g) {
      if ((terms.size() & 63) == 0) check_work_limit();
      terms.add(exp(scaled(l, r) + g), exp(ComplexBall(-(l.imaginary() * step), l.real() * step)));
    });
  }
  {
    const PrecisionScope of_sums(bits);
    result.values = line_sums(terms, count, accuracy);
    for (std::size_t k = 0; k < count; ++k) {
      check_work_limit_in_turn(k, count);
      result.values[k].scale(scale);
    }
  }
  const Ball outside = rest != nullptr ? *rest : rough_outside(r, strip);
  const Ball whole =
      axis.is_finite() ? axis : above_axis(r, s_max, strip, result.values[0], outside);
  const Ball above = norm(exact_sum(strip.eta, strip.v), r, s_max, whole, strip.d);
  const Ball below = norm(exact_sum(strip.eta, -strip.v), r, s_max, whole, strip.d);
  const Ball quadrature =
      charged(*quadrature_,
              strip_trapezoid_error(PLAUDIT_BOUND("strip_integral.upper_edge", above, Ball(0)),
                                    PLAUDIT_BOUND("strip_integral.lower_edge", below, Ball(0)),
                                    Ball(strip.v), d));
  result.quadrature = (quadrature + charged(*tails_, outside)).upper();
  for (std::size_t k = 0; k < count; ++k) {
    check_work_limit_in_turn(k, count);
    result.values[k] = widened(result.values[k], result.quadrature);
  }
  return result;
}

ComplexBall StripIntegral::at(const ComplexBall& w, double nats) const {
  return by_reflection(w, [&](const ComplexBall& above) {
    const Ball s = above.imaginary();
    if (s.is_exact_zero()) return ComplexBall(on_axis(above.real(), nats));
    return on_line(above.real(), s, 2, nats).values[1];
  });
}

// ---- beyond a height

// Proof: docs/proofs/straight_contour.md#truncation
Ball StripIntegral::bound_beyond(const Ball& r, const Ball& s, double nats,
                                 const Known& known) const {
  const Ball* known_above = known.known_above;
  const auto whole = [&] {
    return known_above != nullptr ? *known_above : on_axis(r, nats).upper();
  };
  const double r_near = r.estimate();
  const double s_near = s.estimate();
  Strip strip;
  if (known.eta > 0 && known.eta < greatest_height()) {
    strip.eta = known.eta;
  } else {
    estimate_log_decay(r_near, s_near, &strip.eta);
  }
  strip.eta = short_double(strip.eta);
  if (!(strip.eta > 0) || !certainly_nonnegative(s)) return whole();
  // H(x), the holomorphic function that equals |F(x + i eta)| on the real line, in a strip of
  // half-width v around it.
  const double room = std::min(greatest_height() - strip.eta, greatest_beyond);
  for (int i = 0; i < widths_tried; ++i) {
    const double v = short_double(room * std::pow(next_width, i));
    if (!(v > 0)) break;
    const double turned = turns_steadily(strip.eta + v) ? 0 : s_near;
    const double edges =
        (log_norm(strip.eta + v, r_near, turned) + log_norm(strip.eta - v, r_near, turned)) / 2;
    const double d = short_double(strip_step(v, nats + edges + log_two));
    if (d > strip.d) {
      strip.d = d;
      strip.v = v;
    } else if (d < enough_worse * strip.d) {
      break;
    }
  }
  if (!(strip.d > 0)) return whole();
  const Ball coarse =
      known_above != nullptr ? *known_above : on_axis(r, std::min(nats, coarse_nats));
  const Ball axis = coarse.upper();
  const Ball rest = choose_range(strip, r, nats, axis.estimate_log());
  const PrecisionScope scope(std::max(least_bits, bits_for(strip, r_near, s_near, nats)));
  Ball result = shifted(r, s, strip, axis, &rest);
  if (certainly_less(result, coarse)) return result;
  return result.is_finite() ? min(result, whole()).upper() : whole();
}

// Proof: docs/proofs/straight_contour.md#truncation
Ball StripIntegral::shifted(const Ball& r, const Ball& s, const Strip& strip, const Ball& axis,
                            const Ball* rest) const {
  const Ball d(strip.d);
  Ball sum;
  if (const std::optional<Ball> fixed = fixed_sum(strip, r, s)) {
    sum = *fixed;
  } else {
    unsigned count = 0;
    each_point(strip, [&](const ComplexBall& l, const ComplexBall& g) {
      if ((++count & 63) == 0) check_work_limit();
      sum += exp(r * l.real() - s * l.imaginary() + g.real());
    });
  }
  sum *= d / root_two_pi();
  // Proof: docs/proofs/straight_contour.md#steady-turn
  const double top = exact_sum(strip.eta, strip.v);
  const Ball turned = turns_steadily(top) ? Ball(0) : s;
  const Ball above = norm(top, r, turned, axis, strip.d);
  const Ball below = norm(exact_sum(strip.eta, -strip.v), r, turned, axis, strip.d);
  const Ball quadrature = charged(
      *quadrature_, ldexp(sqrt(above * below), 1) * strip_trapezoid_factor(Ball(strip.v), d));
  const Ball tails = charged(*tails_, rest != nullptr ? *rest : rough_outside(r, strip));
  return (sum + PLAUDIT_BOUND("strip_integral.beyond_quadrature", quadrature, Ball(0)) +
          PLAUDIT_BOUND("strip_integral.beyond_tails", tails, Ball(0)))
      .upper();
}

}  // namespace plaudit

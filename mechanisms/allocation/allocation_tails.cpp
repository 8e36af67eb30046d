#include "mechanisms/allocation/allocation_tails.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "lib/analysis/log_sums.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm right_alias_term{"allocation.tail_right_alias",
                                     "docs/proofs/random_allocation.md#tails"};
constexpr ErrorTerm left_alias_term{"allocation.tail_left_alias",
                                    "docs/proofs/random_allocation.md#tails"};
constexpr ErrorTerm truncation_term{"allocation.tail_nodes_left_out",
                                    "docs/proofs/random_allocation.md#tails"};

// Lines: r = 1/2, and r = 1 + 4^k / 2 and -4^k / 2, so that the poles 0 and 1 are far from each.
constexpr double middle = 0.5;
constexpr double first_distance = 0.5;
constexpr double next_distance = 4;
constexpr int most_lines_each_side = 12;
constexpr double spare_nats_of_tails = 10;
constexpr long spare_bits_of_tails = 32;
constexpr double moment_nats = 12;           ///< of the moments that scale bounds
constexpr double most_nodes_of_tails = 2e5;  ///< fewer than needed make the bound of the rest large
constexpr double next_period = 1.25;
constexpr int most_periods = 80;
// Orders of the bounds of aliases: |order - r| as multiples of sqrt(2 nats) / deviation, the best
// one for a normal V.
constexpr double least_gap = 1.0 / 4096;
constexpr double greatest_gap = 32;
constexpr double next_gap = 1.5;

}  // namespace

/// Values of A at r - i k h, and the orders of the bounds of its aliases.
struct AllocationTails::Line {
  long bits = 0;
  Ball r, h;
  std::size_t count = 0;
  Ball axis;                          ///< upper bound of A(r)
  std::vector<ComplexBall> terms[2];  ///< A(r + i k h) / z, the first one halved, by tilt
  Ball right, left;                   ///< orders on either side of r: right >= 1, left <= 0
  Ball right_moment, left_moment;
  Ball truncation;  ///< of the sums, but for e^(-t x)
};

AllocationTails::AllocationTails(const Law& law) : law_(law) {}

double AllocationTails::place(int index) {
  if (index == 0) return middle;
  const double away = first_distance * std::pow(next_distance, std::abs(index) - 1);
  return index > 0 ? 1 + away : -away;
}

/// Of the lines, that with the least A(r) e^(-r x). log A is convex, so a line is the best one for
/// the x between the slopes of the chords to its two neighbours.
AllocationTails::Class AllocationTails::class_of(double x) const {
  const auto value = [&](int index) {
    const auto known = cumulants_.find(index);
    if (known != cumulants_.end()) return known->second;
    const double made = law_.estimate(place(index)).value;  // or a limit is met
    return cumulants_.emplace(index, made).first->second;
  };
  const auto slope = [&](int index) {  // to the next one
    return (value(index + 1) - value(index)) / (place(index + 1) - place(index));
  };
  int index = 0;
  while (index < most_lines_each_side && x > slope(index)) ++index;
  while (index > -most_lines_each_side && x < slope(index - 1)) --index;
  return {place(index), slope(index - 1), slope(index)};
}

std::shared_ptr<const AllocationTails::Line> AllocationTails::line_for(double x) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Class chosen = class_of(x);
  const long bits = working_precision();
  auto& line = lines_[{bits, chosen.r}];
  if (!line) {
    const PrecisionScope scope(bits + spare_bits_of_tails);
    const Choice choice = choose(chosen, bits);
    const bool is_line = choice.step > 0 && std::isfinite(choice.step) && choice.left < choice.r &&
                         choice.r < choice.right;
    if (!is_line) return nullptr;  // estimates of the law fail
    line = std::make_shared<Line>(make(choice));
  }
  return line;
}

AllocationTails::Choice AllocationTails::choose(const Class& chosen, long bits) const {
  const double r = chosen.r;
  Choice choice;
  choice.r = r;
  choice.nats = static_cast<double>(bits) * log_two + spare_nats_of_tails;
  const CumulantEstimate here = law_.estimate(r);
  const double decay = law_.decay().estimate();
  // The variance is at least 2 g, by |A(r + is)| <= A(r) e^(-g s^2) near s = 0; where doubles
  // cancel its estimate may be less.
  const double deviation = std::sqrt(std::max(here.variance, 2 * decay));
  // log of what an alias may be, relative to A(r) e^(-r x); the tail is about that / (|r|
  // deviation)
  const double small = -choice.nats - std::log(2 + std::fabs(r) * deviation);
  const auto log_right = [&](double gap, double x, double period) {
    const double order = std::max(1.0, r + gap);
    return law_.estimate(order).value - here.value - (order - r) * x -
           log_expm1((order - r) * period);
  };
  const auto log_left = [&](double gap, double x, double period) {
    const double order = std::min(0.0, r - gap);
    return law_.estimate(order).value - here.value + (r - order) * x -
           log_expm1((r - order) * period);
  };
  double period = std::sqrt(2 * choice.nats) * deviation;
  double right_gap = 1;
  double left_gap = 1;
  for (int i = 0; i < most_periods; ++i, period *= next_period) {
    const double scale = std::sqrt(2 * choice.nats) / deviation;
    // the smallest order that suffices: moments of high orders are costly
    const auto best = [&](const auto& f, double x, double& gap) {
      double least = infinity;
      for (double factor = least_gap; factor < greatest_gap; factor *= next_gap) {
        const double value = f(scale * factor, x, period);
        if (value < least) {
          least = value;
          gap = scale * factor;
        }
        if (least < small) break;
      }
      return least;
    };
    const double right = best(log_right, chosen.least, right_gap);
    const double left = best(log_left, chosen.greatest, left_gap);
    if (right < small && left < small) break;
  }
  const double height = std::sqrt((choice.nats + std::log(2 + std::fabs(r) * deviation)) / decay);
  const double nodes = std::ceil(height * period / (2 * std::numbers::pi));
  choice.count = static_cast<std::size_t>(
                     clamped_integer(std::min(nodes, most_nodes_of_tails), 2, most_index)) +
                 1;
  choice.step = short_double(2 * std::numbers::pi / period);
  // of r itself nothing may be rounded off: gaps are shorter than 16 bits of it
  choice.right = std::max(1.0, r + short_double(right_gap));
  choice.left = std::min(0.0, r - short_double(left_gap));
  return choice;
}

// Proof: docs/proofs/random_allocation.md#tails
AllocationTails::Line AllocationTails::make(const Choice& choice) const {
  Line line;
  line.bits = working_precision();
  line.r = Ball(choice.r);
  line.h = Ball(choice.step);
  line.right = Ball(choice.right);
  line.left = Ball(choice.left);
  line.count = choice.count;
  if (!certainly_less(line.left, line.r) || !certainly_less(line.r, line.right) ||
      !certainly_greater_equal(line.right, Ball(1)) || !certainly_less_equal(line.left, Ball(0)) ||
      !certainly_positive(line.h) || !line.h.is_finite() || line.count == 0 || choice.r == 0 ||
      choice.r == 1) {
    throw std::domain_error("random allocation: no such line of tails");
  }
  const std::vector<ComplexBall> values = law_.on_line(line.r, line.h, line.count, choice.nats);
  if (values.size() != line.count) {
    throw std::logic_error("random allocation: a line of tails lacks nodes");
  }
  for (int tilt = 0; tilt < 2; ++tilt) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      const ComplexBall z(line.r - Ball(tilt), line.h * Ball(static_cast<std::uint64_t>(k)));
      line.terms[tilt].push_back(conjugate(values[k]) / z);
    }
    line.terms[tilt][0].scale(ldexp(Ball(1), -1));
  }
  line.axis = law_.moment(line.r, moment_nats).upper();
  line.right_moment = law_.moment(line.right, moment_nats).upper();
  line.left_moment = law_.moment(line.left, moment_nats).upper();
  // (h / 2 pi) 2 sum_(k >= count) A(r) e^(-g (kh)^2) / (kh)
  const Ball g = law_.decay();
  const Ball first = line.h * Ball(static_cast<std::uint64_t>(line.count));
  line.truncation =
      (line.axis / pi() * exp(-(g * square(first))) /
       (Ball(static_cast<std::uint64_t>(line.count)) * -expm1(-(ldexp(g * line.h * first, 1)))))
          .upper();
  return line;
}

// Proof: docs/proofs/random_allocation.md#tails
AllocationTails::Masses AllocationTails::on(const Line& line, const Ball& x, int tilt) const {
  const Ball t = line.r - Ball(tilt);
  const Ball period = ldexp(pi(), 1) / line.h;
  // (h / 2 pi) sum over all k of e^(-z x) A(tilt + z) / z, z = t + i k h: twice the real part
  const Ball angle = -(line.h * x);
  const std::vector<ComplexBall> turns = powers(ComplexBall(cos(angle), sin(angle)), line.count);
  const Ball front = exp(-(t * x));
  const Ball sum = dot(line.terms[tilt], turns).real() * front * line.h / pi();

  const Ball right =
      charged(right_alias_term, line.right_moment * exp(-((line.right - Ball(tilt)) * x)) /
                                    expm1(PLAUDIT_BOUND("allocation.tail_right_gap",
                                                        line.right - line.r, line.right * Ball(8)) *
                                          period));
  const Ball left = charged(left_alias_term,
                            line.left_moment * exp(-((line.left - Ball(tilt)) * x)) /
                                expm1(PLAUDIT_BOUND("allocation.tail_left_gap", line.r - line.left,
                                                    Ball(8) - line.left * Ball(8)) *
                                      period));
  const Ball truncation = charged(
      truncation_term, PLAUDIT_BOUND("allocation.tail_nodes", line.truncation, Ball(0)) * front);
  // sum - 1 / (e^(tP) - 1) = P(V > x) + A_+ - B, 0 <= A_+ <= right, 0 <= B <= left
  const Ball low = (right + truncation).upper();
  const Ball high = (left + truncation).upper();
  Masses result;
  const auto placed = [&](const Ball& value, const Ball& down, const Ball& up) {
    const Ball lower = max(Ball(0), (value - down).lower());
    const Ball upper = min(Ball(1), (value + up).upper());
    if (!lower.is_finite() || !upper.is_finite()) return ldexp(widened(Ball(1), Ball(1)), -1);
    return hull(lower, upper);
  };
  if (certainly_positive(t)) {
    result.above = placed(sum - Ball(1) / expm1(t * period), low, high);
    result.below = Ball(1) - result.above;
  } else {
    // 1 - P(V > x) = -sum - e^(tP) / (1 - e^(tP)) + A_+ - B
    result.below = placed(-sum - Ball(1) / expm1(-(t * period)), high, low);
    result.above = Ball(1) - result.below;
  }
  return result;
}

AllocationTails::Both AllocationTails::at_point(const Ball& x) const {
  const auto line = line_for(x.estimate());
  if (!line) return anything();
  const PrecisionScope scope(line->bits);
  return on(*line, x);
}

/// What is known of masses where there is no line: that they lie in [0, 1].
AllocationTails::Both AllocationTails::anything() {
  const Ball mass = ldexp(widened(Ball(1), Ball(1)), -1);
  return {{mass, mass}, {mass, mass}};
}

AllocationTails::Both AllocationTails::at(const Ball& x, const Choice& choice) const {
  return on(make(choice), x);
}

AllocationTails::Both AllocationTails::at(const Ball& x) const {
  if (!x.is_finite()) return anything();
  if (x.is_exact()) return at_point(x);
  const Both low = at_point(x.lower());
  const Both high = at_point(x.upper());
  const auto between = [](const Masses& a, const Masses& b) {
    return Masses{hull(a.below, b.below), hull(a.above, b.above)};
  };
  return {between(low.plain, high.plain), between(low.tilted, high.tilted)};
}

}  // namespace plaudit

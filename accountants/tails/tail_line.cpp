#include "accountants/tails/tail_line.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

/// Nats by which the accuracy of a sum exceeds what is wanted of the tail.
constexpr double spare_nats_of_tail = 3;
/// Digits by which the tail varies less over the width w than is wanted of it. Too little of either
/// makes a band wider than wanted, for which another line is tried; too much costs nodes.
constexpr double spare_digits_of_width = 0.7;

}  // namespace

std::unique_ptr<TailLine> TailLine::near(const ComposedLoss& loss, const Rational& x, double digits,
                                         double most_seconds) {
  if (loss.without_moments() != nullptr) return nullptr;
  auto table = std::make_unique<CumulantTable>(loss);
  const double at = Ball(x).estimate();
  const double order = table->saddle(at);
  const CumulantEstimate tilted = table->at(order);
  const double log_delta = std::min(0.0, table->log_delta(at, order));
  if (!std::isfinite(order) || !std::isfinite(log_delta)) return nullptr;
  // log of the tail changes by about the order, or what the deviation says, times the width
  const double slope = std::max({order, 1.0, 1 / std::sqrt(std::max(tilted.variance, 1e-300))});
  const double log_width = -(digits + spare_digits_of_width) * log_ten - std::log(slope);
  const long exponent = checked_integer(std::floor(log_width / log_two), "the width of an average");
  const Rational width = exact_rational(ldexp(Ball(1), exponent));
  const double nats = digits * log_ten + spare_nats_of_tail;
  const double further = log_two * static_cast<double>(1 - exponent);
  StraightChoice choice = choose_straight(loss, *table, at, nats, log_delta, further);
  const StraightChoice other = choose_one_sided(loss, *table, at, nats, log_delta, further);
  if (other.seconds < choice.seconds) choice = other;
  if (!(choice.seconds <= most_seconds)) return nullptr;
  return std::make_unique<TailLine>(loss, std::move(table), at, choice, width);
}

TailLine::TailLine(const ComposedLoss& loss, std::unique_ptr<CumulantTable> table, double x,
                   const StraightChoice& choice, const Rational& width)
    : loss_(loss), table_(std::move(table)), contour_(loss, *table_, x, choice), width_(width) {
  if (!choice.both_residues && !(choice.t > 0)) {
    throw std::invalid_argument("tails: a line with one residue lies to the right of 0");
  }
  if (contour_.sweep() != nullptr)
    throw std::invalid_argument("tails: no bound of nodes far out is known");
  p_nodes_ = with_kernel(false);
  q_nodes_ = with_kernel(true);
}

std::vector<ComplexBall> TailLine::with_kernel(bool of_q) const {
  const PrecisionScope scope(contour_.bits());
  const StraightChoice& choice = contour_.choice();
  std::vector<ComplexBall> result;
  result.reserve(contour_.nodes().size());
  for (std::size_t k = 0; k < contour_.nodes().size(); ++k) {
    if ((k & 63) == 63) check_work_limit();
    const ComplexBall z(Ball(choice.t), Ball(choice.h) * Ball(std::uint64_t{k}));
    const ComplexBall next = z + ComplexBall(1);
    const ComplexBall& pole = of_q ? next : z;
    ComplexBall step = pole;
    step.scale(-width_);
    // M / (z (1 + z)) times (1 + z) (1 - e^{-zw}) / (zw), and z and 1 + z exchanged for Q
    ComplexBall node = contour_.nodes()[k] * (of_q ? z : next) * expm1(step) / step;
    result.push_back(std::move(node));
  }
  return result;
}

// Proof: docs/proofs/tails.md#line
Span TailLine::average(const Ball& x, bool of_q) {
  const StraightChoice& choice = contour_.choice();
  const Ball t(choice.t);
  const Ball h(choice.h);
  const Ball p = ldexp(pi(), 1) / h;
  const Ball order = of_q ? t + Ball(1) : t;
  const std::vector<ComplexBall>& nodes = of_q ? q_nodes_ : p_nodes_;
  const Ball angle = h * x;
  const Ball front = exp(-order * x) * h / pi();
  Ball sum = front * dot(nodes, powers(ComplexBall(cos(angle), -sin(angle)), nodes.size())).real();
  const bool corrected = !of_q || choice.both_residues;
  if (corrected) {
    const Ball mass = of_q ? PLAUDIT_BOUND("tail_line.residue_of_q", loss_.q_mass(), Ball(1.01))
                           : PLAUDIT_BOUND("tail_line.residue_of_p", loss_.finite_mass(), Ball(1));
    sum -= mass / expm1(order * p);
  }
  // |1 - e^{-zw}| <= 1 + e^{-order w}; sum_{k > N} 1 / k^2 < 1 / (N + 1/2)
  const Ball kernel = (Ball(1) + exp(-order * width_)) / width_;
  const Ball beyond = PLAUDIT_BOUND("tail_line.truncation",
                                    exp(contour_.log_decay() - order * x) * kernel /
                                        (pi() * h * Ball(static_cast<double>(choice.nodes) + 0.5)),
                                    Ball(0));
  const Ball left = contour_.aliases().left_of_tail(x, width_, p, of_q);
  const Ball below = corrected ? Ball(0) : left;
  const Ball above = corrected ? left : Ball(0);
  const Ball right = contour_.aliases().right_of_tail(x, p, of_q, sum + above + beyond);
  return {(sum - right - below - beyond).lower(), (sum + above + beyond).upper()};
}

TailLine::Masses TailLine::at(const Rational& x) {
  const PrecisionScope scope(contour_.bits());
  const Ball here(x);
  const auto bounds = [&](bool of_q) {
    const Ball low = average(here, of_q).lower;
    const Ball high =
        average(PLAUDIT_BOUND("tail_line.left_average", here - width_, here), of_q).upper;
    return std::pair{low.is_finite() ? max(low, Ball(0)) : Ball(0),
                     high.is_finite() ? min(high, Ball(1)) : Ball(1)};
  };
  const auto [p_low, p_high] = bounds(false);
  const auto [q_low, q_high] = bounds(true);
  const Ball infinite = loss_.mass_at_infinity();
  return {(p_low + infinite).lower(), min(p_high + infinite, Ball(1)).upper(), q_low.lower(),
          q_high.upper()};
}

}  // namespace plaudit

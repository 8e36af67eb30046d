#include "mechanisms/allocation/allocation_moments.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "lib/analysis/power_sums.hpp"
#include "lib/balls/error_term.hpp"
#include "lib/balls/gamma.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/allocation/allocation_nodes.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm alias_term{"allocation.aliases", "docs/proofs/random_allocation.md#mellin"};
constexpr ErrorTerm left_term{"allocation.nodes_on_the_left",
                              "docs/proofs/random_allocation.md#mellin"};
constexpr ErrorTerm right_term{"allocation.nodes_on_the_right",
                               "docs/proofs/random_allocation.md#mellin"};

constexpr double coarse_nats = 12;       ///< of A(r) where it only scales an error
constexpr double bits_of_count = 1.5;    ///< for each octave of the number of values
constexpr std::size_t most_tables = 48;  ///< of either kind; the oldest is dropped
// What a line is given beyond what is asked, so that it serves the next one, too.
constexpr double more_height = 1.1;
constexpr double more_nats = 2;

/// A bound of the aliases over A(r) Gamma(c) / |Gamma(c + iy)|: the bracket of (i), at the angles
/// alpha and beta for which it is about least.
/// Proof: docs/proofs/random_allocation.md#mellin
Ball alias_factor(const Ball& c, const Ball& y, const Ball& theta, const Ball& omega) {
  const double near_c = c.estimate();
  const double near_y = y.estimate();
  const double near_omega = omega.estimate();
  const auto term = [&](double angle, const Ball& gap, const Ball& log_size) {
    // 1 / (e^(omega gap) - 1) cos(angle)^-c e^(log_size)
    if (!certainly_positive(gap)) return positive_infinity();
    return exp(log_size - c * log(cos(Ball(angle)))) / expm1(omega * gap);
  };
  const double above = std::atan((near_y + near_omega) / near_c);
  const double below = std::atan((near_omega - near_y) / near_c);
  return PLAUDIT_BOUND("allocation.alias_above",
                       term(above, Ball(above) - theta, -(Ball(above) * y)), Ball(0)) +
         PLAUDIT_BOUND("allocation.alias_below", term(below, Ball(below) + theta, Ball(below) * y),
                       Ball(0));
}

}  // namespace

AllocationMoments::AllocationMoments(const Rational& squared_rate, std::uint64_t steps)
    : squared_rate_(squared_rate),
      steps_(steps),
      bounds_(squared_rate, steps),
      lines_(squared_rate, steps) {}

// ---- tables

std::shared_ptr<const AllocationMoments::Table> AllocationMoments::kept_table(
    double r, const Heights& heights, double nats) const {
  std::vector<std::shared_ptr<const Table>> kept;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    kept = heights.high > 0 ? turned_tables_ : tables_;
  }
  std::shared_ptr<const Table> best;
  for (const auto& table : kept) {
    if ((!best || table->line.size() < best->line.size()) &&
        lines_.serves(table->line, r, heights, nats)) {
      best = table;
    }
  }
  return best;
}

/// @param bits to compute with beyond those of the line
std::shared_ptr<const AllocationMoments::Table> AllocationMoments::table_for(double r,
                                                                             const Heights& heights,
                                                                             double nats,
                                                                             double bits) const {
  if (auto kept = kept_table(r, heights, nats)) return kept;
  const Line line =
      lines_.choose(r, {heights.low / more_height, heights.high * more_height}, nats + more_nats);
  const PrecisionScope scope(
      std::max(working_precision(),
               AllocationLines::bits_for(line, nats + more_nats) + precision_bits(bits)));
  auto table =
      std::make_shared<const Table>(Table{line, allocation_nodes(line, squared_rate_, steps_)});
  const std::lock_guard<std::mutex> lock(mutex_);
  auto& kept = heights.high > 0 ? turned_tables_ : tables_;
  if (kept.size() == most_tables) kept.erase(kept.begin());
  kept.push_back(table);
  return table;
}

// ---- values

Ball AllocationMoments::on_axis(const Ball& r, double nats) const {
  if (r.is_exact_zero() || (r - Ball(1)).is_exact_zero()) return Ball(1);
  if (steps_ == 1) return exp(ldexp(Ball(squared_rate_) * r * (r - Ball(1)), -1));
  if (!r.is_finite()) return positive_infinity();
  if (AllocationLines::is_of_high_order(r.estimate())) return bounds_.between_integers(r);
  const auto table = table_for(r.estimate(), {0, 0}, nats, 0);
  const PrecisionScope scope(
      std::max(working_precision(), AllocationLines::bits_for(table->line, nats)));
  if (const std::optional<Ball> value = by_table(r, *table)) return *value;
  // few nats make so coarse a line that the bound of its aliases is not below A(r)
  return nats < 2 * coarse_nats ? on_axis(r, nats + coarse_nats) : positive_infinity();
}

// Proof: docs/proofs/random_allocation.md#real-moments
std::optional<Ball> AllocationMoments::by_nodes(const Ball& r, const Line& line) const {
  return by_table(r, {line, allocation_nodes(line, squared_rate_, steps_)});
}

std::optional<Ball> AllocationMoments::by_table(const Ball& r, const Table& table) const {
  const Line& line = table.line;
  const Ball c = Ball(line.order) - r;
  if (!certainly_positive(c) || line.theta != 0) return std::nullopt;
  const Ball step(line.step);
  const std::vector<ComplexBall>& psi = table.psi;
  Ball sum;
  for (long j = line.first; j <= line.last; ++j) {
    sum += psi[static_cast<std::size_t>(j - line.first)].real() * exp(c * step * Ball(j));
  }
  const Ball front = reciprocal_gamma(ComplexBall(c)).real() * step;
  sum *= front;
  const Ball omega = ldexp(pi(), 1) / step;
  const Ball rho = charged(alias_term, alias_factor(c, Ball(0), Ball(0), omega));
  const Ball rest = charged(left_term, front * left_rest(line, c)) +
                    charged(right_term, front * right_rest(line, c, r));
  if (!certainly_less(rho, Ball(1)) || !rest.is_finite()) return std::nullopt;
  const Ball lower = (sum / (Ball(1) + rho)).lower();
  const Ball upper = ((sum + rest) / (Ball(1) - rho)).upper();
  return clipped_nonnegative(hull(lower, upper));
}

// Proof: docs/proofs/random_allocation.md#mellin
Ball AllocationMoments::left_rest(const Line& line, const Ball& c) const {
  const Ball step(line.step);
  return PLAUDIT_BOUND("allocation.left_nodes", bounds_.integer_moment(line.order), Ball(0)) *
         exp(c * step * Ball(line.first - 1)) / -expm1(-(c * step));
}

// Proof: docs/proofs/random_allocation.md#mellin
Ball AllocationMoments::right_rest(const Line& line, const Ball& c, const Ball& r) const {
  const Ball step(line.step);
  const Ball from = step * Ball(line.last + 1);
  const Ball q(lines_.best_right_order(c.estimate(), r.estimate(), line.theta, from.estimate()));
  const Ball power_of = c + q;
  const Ball base = log(power_of) - Ball(1) - log(cos(Ball(line.theta)));
  return PLAUDIT_BOUND("allocation.right_nodes", exp(power_of * base - q * from), Ball(0)) *
         bounds_.elementary_bound(r - q) / -expm1(-(q * step));
}

LineValues AllocationMoments::on_line(const Ball& r, const Ball& step, std::size_t count,
                                      double nats) const {
  LineValues result;
  if (count == 0) return result;
  if (steps_ == 1) {
    const Ball half = ldexp(Ball(squared_rate_), -1);
    for (std::size_t k = 0; k < count; ++k) {
      if ((k & 63) == 0) check_work_limit();
      const ComplexBall w(r, -(step * Ball(static_cast<std::uint64_t>(k))));
      result.values.push_back(exp(ComplexBall(half) * w * (w - ComplexBall(1))));
    }
    return result;
  }
  const Ball axis = on_axis(r, std::min(nats, coarse_nats)).upper();
  const double near_step = step.estimate();
  std::vector<double> ends =
      AllocationLines::cuts(r.estimate(), near_step * static_cast<double>(count - 1), nats);
  ends.back() = infinity;
  std::size_t from = 0;
  for (std::size_t i = 1; i < ends.size() && from < count; ++i) {
    std::size_t to = from;
    while (to < count && static_cast<double>(to) * near_step <= ends[i]) ++to;
    if (to == from) continue;
    LineValues part = on_part(r, step, {from, to}, nats, axis);
    result.points += part.points;
    result.quadrature = max(result.quadrature, part.quadrature).upper();
    std::move(part.values.begin(), part.values.end(), std::back_inserter(result.values));
    from = to;
  }
  return result;
}

LineValues AllocationMoments::on_part(const Ball& r, const Ball& step, const Part& part,
                                      double nats, const Ball& axis) const {
  const double bits_of_powers =
      bits_of_count * std::log2(2.0 + static_cast<double>(part.to - part.from));
  const double near_step = step.estimate();
  const auto table = table_for(
      r.estimate(),
      {near_step * static_cast<double>(part.from), near_step * static_cast<double>(part.to - 1)},
      nats, bits_of_powers);
  const PrecisionScope scope(
      std::max(working_precision(),
               AllocationLines::bits_for(table->line, nats) + precision_bits(bits_of_powers)));
  return by_table(r, step, part, *table, axis);
}

// Proof: docs/proofs/random_allocation.md#mellin
LineValues AllocationMoments::by_nodes(const Ball& r, const Ball& step, std::size_t count,
                                       const Line& line, const Ball& axis) const {
  return by_table(r, step, {0, count}, {line, allocation_nodes(line, squared_rate_, steps_)}, axis);
}

LineValues AllocationMoments::by_table(const Ball& r, const Ball& step, const Part& part,
                                       const Table& table, const Ball& axis) const {
  const Line& line = table.line;
  const Ball c = Ball(line.order) - r;
  if (!certainly_positive(c) || !certainly_nonnegative(step)) {
    throw std::domain_error("random allocation: no such line");
  }
  const Ball node_step(line.step);
  const Ball theta(line.theta);
  LineValues result;
  result.points = line.size();
  // A(m - v_k) Gamma(v_k) = h sum_j e^(v_k (u_j + i theta)) Psi_j, v_k = c + i k step
  std::vector<ComplexBall> weights = table.psi;
  std::vector<ComplexBall> bases;
  bases.reserve(weights.size());
  const Ball turned = -(step * theta);
  const Ball lowest = step * Ball(static_cast<std::uint64_t>(part.from));
  for (long j = line.first; j <= line.last; ++j) {
    if ((j & 63) == 0) check_work_limit();
    const Ball u = node_step * Ball(j);
    weights[static_cast<std::size_t>(j - line.first)] *=
        exp(ComplexBall(c * u - lowest * theta, c * theta + lowest * u));
    bases.push_back(exp(ComplexBall(turned, step * u)));
  }
  const std::size_t count = part.to - part.from;
  result.values = power_sums(weights, bases, count);
  const Ball omega = ldexp(pi(), 1) / node_step;
  const Ball gamma = Ball(1) / reciprocal_gamma(ComplexBall(c)).real();
  const Ball left = left_rest(line, c);
  const Ball right = right_rest(line, c, r);
  for (std::size_t k = 0; k < count; ++k) {
    if ((k & 15) == 0) check_work_limit();
    const Ball y = step * Ball(static_cast<std::uint64_t>(part.from + k));
    const ComplexBall over_gamma = reciprocal_gamma(ComplexBall(c, y));
    result.values[k] *= over_gamma;
    result.values[k].scale(node_step);
    const Ball size = abs(over_gamma).upper();
    const Ball aliases =
        charged(alias_term, axis * gamma.upper() * size * alias_factor(c, y, theta, omega));
    const Ball front = size * node_step * exp(-(theta * y));
    const Ball rest = charged(left_term, front * left) + charged(right_term, front * right);
    const Ball error = (aliases + rest).upper();
    result.quadrature = max(result.quadrature, error).upper();
    result.values[k] = widened(result.values[k], error);
  }
  return result;
}

ComplexBall AllocationMoments::at(const ComplexBall& w, double nats) const {
  return by_reflection(w, [&](const ComplexBall& above) {
    const Ball& r = above.real();
    const Ball y = above.imaginary();
    if (y.is_exact_zero()) return ComplexBall(on_axis(r, nats));
    if (steps_ == 1) return conjugate(on_line(r, y, 2, nats).values[1]);
    const Ball axis = on_axis(r, std::min(nats, coarse_nats)).upper();
    return conjugate(on_part(r, y, {1, 2}, nats, axis).values[0]);
  });
}

}  // namespace plaudit

#include "accountants/straight_contour.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "accountants/order_search.hpp"
#include "accountants/straight_choice.hpp"
#include "lib/precision.hpp"
#include "lib/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm right_alias_term{"contour.right.aliasing", "Theorem 1 (right aliases, Chernoff)"};
constexpr ErrorTerm left_alias_term{"contour.left.aliasing", "Theorem 1 (left aliases, Chernoff)"};
constexpr ErrorTerm truncation_term{"contour.truncation", "Theorem 2 (constant shift)"};
constexpr ErrorTerm quadrature_term{"contour.quadrature",
                                    "Theorem 3 (values at the nodes; part of the radius)"};
constexpr ErrorTerm rounding_term{"contour.rounding",
                                  "ball arithmetic (radius of the sum, quadrature included)"};
constexpr double log_two = 0.69314718055994530942;
constexpr double unusable = std::numeric_limits<double>::infinity();

/// c(w) = w^w / (1 + w)^(1 + w) in balls, w >= 0 exact.
Ball log_chernoff_factor(const Ball& w) {
  if (w.is_exact_zero()) return Ball(0);
  return w * log(w) - (w + Ball(1)) * log1p(w);
}

Ball total_delta(const ComposedLoss& loss, const Ball& finite) {
  const Ball infinite = loss.mass_at_infinity();
  return infinite.is_exact_zero() ? finite : finite + infinite;
}

}  // namespace

StraightContour::StraightContour(const ComposedLoss& loss, CumulantTable& table, double epsilon,
                                 const StraightChoice& choice)
    : loss_(loss), table_(table), epsilon_(epsilon), choice_(choice) {
  const double t_near = choice.t;
  const double height = static_cast<double>(choice.nodes + 1) * choice.h;
  const CumulantEstimate k = table.at(t_near);
  const double scale = 20 + height * (std::fabs(epsilon) + std::fabs(k.mean)) + std::fabs(k.value) +
                       t_near * std::fabs(epsilon);
  bits_ = static_cast<long>((choice.nats + choice.cancellation + std::log(loss.steps())) / log_two +
                            std::log2(scale) + 2 * std::log2(2.0 + static_cast<double>(choice.nodes))) +
          24;
  const PrecisionScope scope(bits_);
  const Ball t(choice.t);
  const Ball h(choice.h);

  std::vector<ComplexBall> logs(choice.nodes + 1);
  std::vector<ComplexBall> fallback;  // direct powers where a ball meets 0
  node_quadrature_ = Ball(0);
  std::vector<Ball> relative(choice.nodes + 1);
  std::vector<bool> lost(choice.nodes + 1, false);
  for (const ComposedLoss::Term& term : loss.terms()) {
    const double nats =
        choice.nats + std::max(0.0, k.value - t_near * epsilon - choice.log_delta) +
        std::log(static_cast<double>(term.count) * static_cast<double>(loss.terms().size())) + 2;
    const LineValues line = term.loss->mgf_on_line(t, h, choice.nodes + 1, nats);
    const Ball count(term.count);
    for (std::size_t j = 0; j <= choice.nodes; ++j) {
      const ComplexBall& value = line.values[j];
      const Ball size = abs(value);
      if (value.may_be_zero()) {
        // only the size is known: the disk of radius |M|^n
        const Ball bound = count * log(size.upper());
        if (!lost[j]) logs[j] = ComplexBall(logs[j].real());
        lost[j] = true;
        logs[j] += ComplexBall(bound);
        continue;
      }
      ComplexBall scaled = log(value);
      acb_mul_arb(scaled.raw(), scaled.raw(), count.raw(), bits_);
      logs[j] += scaled;
      if (!line.quadrature.is_exact_zero()) relative[j] += count * line.quadrature / size;
    }
  }
  nodes_.reserve(choice.nodes + 1);
  for (std::size_t j = 0; j <= choice.nodes; ++j) {
    if ((j & 63) == 63) check_work_limit();
    const ComplexBall z(t, h * Ball(static_cast<long>(j)));
    const ComplexBall denominator = z * (z + ComplexBall(1));
    ComplexBall node = lost[j] ? disk(exp(logs[j].real()).upper()) : exp(logs[j]);
    node /= denominator;
    if (j == 0) node = ComplexBall(ldexp(node.real(), -1));  // M(t) is real
    node_quadrature_ += abs(node) * relative[j];
    nodes_.push_back(std::move(node));
  }
  const Ball last = h * Ball(static_cast<long>(choice.nodes + 1));
  for (const ComposedLoss::Term& term : loss.terms()) {
    const Ball bound =
        term.loss->mgf_bound_beyond(t, last.lower(), loss.factor_nats(term));
    log_decay_ += Ball(term.count) * log(bound);
  }
  log_decay_ = log_decay_.upper();
}

const Ball& StraightContour::log_mgf_upper(double t) {
  const auto found = log_mgf_.find(t);
  if (found != log_mgf_.end()) return found->second;
  const PrecisionScope scope(64 + static_cast<long>(std::log2(1 + loss_.steps())));
  Ball sum;
  try {
    for (const ComposedLoss::Term& term : loss_.terms()) {
      sum += Ball(term.count) * log(term.loss->mgf_upper(Ball(t), loss_.factor_nats(term)));
    }
  } catch (const std::domain_error&) {  // too large an order to integrate: no bound from it
    sum = Ball(unusable);
  }
  return log_mgf_.emplace(t, sum.upper()).first->second;
}

namespace {

/// A double with 5 significant bits near x, so that nearby requests share one bound.
double coarse(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::round(mantissa * 32) / 32, exponent);
}

}  // namespace

// Proof: docs/proofs/straight_contour.md#periodisation
Ball StraightContour::right_alias(const Ball& epsilon) {
  const Ball p = ldexp(pi(), 1) / Ball(choice_.h);
  // delta(eps + j P) is 0 for all j >= 1 where eps + P is beyond the support
  if (certainly_greater_equal(epsilon + p, loss_.greatest_loss())) return Ball(0);
  const double period = 2 * std::numbers::pi / choice_.h;
  const double gap = best_right_gap(table_, choice_.t, epsilon.estimate(), period);
  const double other = coarse(choice_.t + gap) > choice_.t ? coarse(choice_.t + gap)
                                                            : choice_.t + gap;
  const Ball t(choice_.t);
  const Ball t_other(other);
  if (!certainly_greater(t_other, t) || !certainly_nonnegative(t_other)) return Ball(unusable);
  return exp(log_chernoff_factor(t_other) + log_mgf_upper(other) - t_other * epsilon) /
         expm1((t_other - t) * p);
}

// Proof: docs/proofs/straight_contour.md#periodisation
Ball StraightContour::left_alias(const Ball& epsilon) {
  const Ball p = ldexp(pi(), 1) / Ball(choice_.h);
  const Ball t(choice_.t);
  if (!choice_.both_residues) {  // Proof: docs/proofs/straight_contour.md#one-residue
    const double order = std::min(1.0, coarse(best_left_order(
                                           table_, choice_.t, epsilon.estimate(),
                                           2 * std::numbers::pi / choice_.h)));
    const Ball u(order);
    if (!certainly_positive(u) || !certainly_less_equal(u, Ball(1))) return Ball(unusable);
    return exp(log_mgf_upper(-order) + u * epsilon) / expm1((t + u) * p);
  }
  // psi(eps - j P) is 0 for all j >= 1 where eps - P is below the support
  if (certainly_less_equal(epsilon - p, loss_.least_loss())) return Ball(0);
  const double period = 2 * std::numbers::pi / choice_.h;
  const double other = 1 + coarse(best_left_excess(table_, choice_.t, epsilon.estimate(), period));
  const Ball u(other);
  if (!certainly_greater_equal(u, Ball(1)) || !certainly_greater(u, -t)) return Ball(unusable);
  return exp(log_chernoff_factor(u - Ball(1)) + log_mgf_upper(-other) + u * epsilon) /
         expm1((t + u) * p);
}

Ball StraightContour::chernoff(const Ball& epsilon) {
  const CumulantFunction cumulant = [this](double x) { return table_.at(x); };
  const double other = coarse(chernoff_order_at_epsilon(cumulant, epsilon.estimate(), choice_.t));
  const Ball order(other);
  if (!certainly_positive(order)) return Ball(1);
  const Ball bound = exp(log_chernoff_factor(order) + log_mgf_upper(other) - order * epsilon);
  return bound.is_finite() ? bound : Ball(1);
}

// Proof: docs/proofs/straight_contour.md#periodisation
Enclosure StraightContour::delta(const Ball& epsilon) {
  const PrecisionScope scope(bits_);
  const Ball t(choice_.t);
  const Ball h(choice_.h);
  const Ball p = ldexp(pi(), 1) / h;
  const Ball front = exp(-t * epsilon) * h / pi();

  const Ball angle = h * epsilon;
  const std::vector<ComplexBall> turns = powers(ComplexBall(cos(angle), -sin(angle)), nodes_.size());
  const Ball sum = front * dot(nodes_, turns).real();
  Ball corrected = sum - loss_.finite_mass() / expm1(t * p);
  if (choice_.both_residues) {
    corrected += loss_.q_mass() * exp(epsilon) / expm1((t + Ball(1)) * p);
  }

  Enclosure result;
  result.accountant = "contour";
  Ledger& ledger = result.ledger;
  const Ball right = ledger.add(right_alias_term, right_alias(epsilon));
  const Ball left = ledger.add(left_alias_term, left_alias(epsilon));
  // sum_{k > N} 1 / k^2 < 1 / (N + 1/2), as 1 / k^2 < 1 / (k - 1/2) - 1 / (k + 1/2)
  const Ball truncation = ledger.add(
      truncation_term, exp(log_decay_ - t * epsilon) /
                           (pi() * h * Ball(static_cast<double>(choice_.nodes) + 0.5)));
  ledger.note(quadrature_term, front * node_quadrature_);
  ledger.note(rounding_term, corrected.radius());
  // Theorem 1: corrected - delta is A+ + A- with both residues, A+ - B with one (all >= 0).
  const Ball above = choice_.both_residues ? right + left : right;
  const Ball below = choice_.both_residues ? Ball(0) : left;
  const Ball finite_lower = (corrected - above - truncation).lower();
  const Ball finite_upper = (corrected + below + truncation).upper();
  if (!finite_upper.is_finite()) {
    result.lower = Ball(0);
    result.upper = Ball(1);
    result.remark = "bounds are not finite here";
    return result;
  }
  // delta lies in [max(m_inf, 1 - e^eps), 1] in any case.
  const Ball floor = max(loss_.mass_at_infinity(), -expm1(epsilon)).lower();
  result.lower = max(floor, Ball(0)).lower();
  if (finite_lower.is_finite()) {  // without a bound of the aliases D is still an upper bound
    result.lower = max(total_delta(loss_, finite_lower), result.lower).lower();
  }
  Ball upper = min(total_delta(loss_, finite_upper).upper(), Ball(1)).upper();
  if (!certainly_less(upper, ldexp(result.lower, 1))) {
    // far from the epsilon this line was made for: Lemma 1 is better than the aliases' bound
    upper = min(upper, total_delta(loss_, chernoff(epsilon)).upper()).upper();
  }
  if (certainly_less(upper, result.lower)) {
    throw std::logic_error("straight contour: contradictory bounds");
  }
  result.upper = upper;
  result.method = "straight contour, t = " + std::to_string(choice_.t) + ", " +
                  std::to_string(choice_.nodes) + " nodes, " + std::to_string(bits_) + " bits";
  return result;
}

}  // namespace plaudit

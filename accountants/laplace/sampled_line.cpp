#include "accountants/laplace/sampled_line.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/analysis/power_series.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm sampled_right_term{"sampled_laplace.right.aliasing",
                                       "docs/proofs/straight_contour.md#periodisation (right)"};
constexpr ErrorTerm sampled_left_term{"sampled_laplace.left.aliasing",
                                      "docs/proofs/straight_contour.md#periodisation (left)"};
constexpr ErrorTerm sampled_truncation_term{"sampled_laplace.truncation",
                                            "docs/proofs/laplace.md#sampled-left-out"};
constexpr ErrorTerm by_parts_term{"sampled_laplace.by_parts",
                                  "docs/proofs/laplace.md#sampled-parts"};
constexpr ErrorTerm sampled_expansion_term{"sampled_laplace.expansion",
                                           "docs/proofs/laplace.md#sampled-expansion"};
constexpr ErrorTerm sampled_rounding_term{"sampled_laplace.rounding",
                                          "ball arithmetic (radius of the sum)"};

constexpr std::size_t parts_of_bound = 8;  ///< that are tried where |c| is bounded
constexpr long bits_beside_sums = 32;

std::size_t derivatives_of(const SampledChoice& choice) {
  return std::max(choice.parts, parts_of_bound);
}

ComplexBall atoms_at(const SampledDensity& density, const ComplexBall& node) {
  return ComplexBall(density.top_mass) * exp(node * ComplexBall(density.top)) +
         ComplexBall(density.bottom_mass) * exp(node * ComplexBall(density.bottom));
}

}  // namespace

// Proof: docs/proofs/laplace.md#sampled
SampledLine::SampledLine(const ComposedLoss& loss, const SampledLaplacePower& power,
                         CumulantTable& table, const SampledChoice& choice)
    : power_(power),
      choice_(choice),
      aliases_(loss, table,
               {choice.t,
                (loss.greatest_loss() - loss.least_loss()).estimate() /
                    static_cast<double>(power.steps) * static_cast<double>(choice.classes),
                choice.both_residues}) {
  require_folded_line(choice_.t, choice_.classes, choice_.direct);
  if (choice_.parts > 0 && choice_.orders == 0) {
    throw std::domain_error("sampled line: integrations by parts, and no powers of 1/j");
  }
  if (choice_.nodes > (choice_.classes - 1) / 2) {
    throw std::domain_error("sampled line: more nodes than classes");
  }
  bits_of_sums_ = choice_.bits + bits_beside_sums +
                  static_cast<long>(choice_.orders + 2) *
                      (2 + std::ilogb(1.0 + static_cast<double>(choice_.direct)));
  {
    const PrecisionScope scope(bits_of_sums_);
    density_ = sampled_density(power_.law, derivatives_of(choice_));
    sums_ = FoldedSums(choice_.direct, choice_.orders);
  }
  const PrecisionScope scope(choice_.bits);
  t_ = Ball(choice_.t);
  r_ = power_.law.direction == Direction::remove ? t_ + Ball(1) : -t_;
  turn_ = ldexp(pi(), 1) / density_.width;
  h_ = turn_ / Ball(choice_.classes);
  radius_ = (Ball(1) / (Ball(choice_.kappa) * turn_ * Ball(choice_.direct + 1))).middle();
  check_memory_of_balls(2 * static_cast<double>(choice_.nodes) *
                        static_cast<double>(choice_.orders + 2 * choice_.direct));
  const SampledValues curve =
      sampled_values(power_.law, density_, {r_, h_, choice_.nodes, choice_.direct}, choice_.rule);
  quadrature_ = curve.quadrature;
  set_curve_bounds(curve.values[0][choice_.direct].real());
  by_parts_ = Ball(0);
  expansion_ = Ball(0);
  classes_.reserve(choice_.nodes + 1);
  for (std::uint64_t k = 0; k <= choice_.nodes; ++k) {
    check_work_limit();
    add_class(k, curve.values[k]);
  }
  omitted_ = omitted_classes();
}

/// The moduli of what integration by parts gives, on the whole line. @param at_zero c(r).
// Proof: docs/proofs/laplace.md#sampled-parts (steps 1 and 2)
void SampledLine::set_curve_bounds(const Ball& at_zero) {
  const Ball high = exp(r_ * density_.top);
  const Ball low = exp(r_ * density_.bottom);
  Ball rest = at_zero;
  rest_beyond_.push_back(rest.upper());
  for (std::size_t i = 0; i < derivatives_of(choice_); ++i) {
    const Ball top = density_.at_top[i] * high;
    const Ball bottom = density_.at_bottom[i] * low;
    ends_beyond_.push_back((top + bottom).upper());
    rest = bottom - top + r_ * rest;
    rest_beyond_.push_back(rest.upper());
  }
}

/// Upper bound of |c(W)| on the line for all |W| >= size.
// Proof: docs/proofs/laplace.md#sampled-parts (step 3)
Ball SampledLine::curve_beyond(const Ball& size) const {
  Ball least = rest_beyond_[0];
  Ball sum(0);
  Ball scale(1);
  for (std::size_t i = 0; i < parts_of_bound; ++i) {
    scale /= size;
    sum += ends_beyond_[i] * scale;
    least = min(least, (sum + rest_beyond_[i + 1] * scale).upper());
  }
  return PLAUDIT_BOUND("sampled_line.curve_beyond", least, ldexp(least, -6)).upper();
}

/// The nodes of the class of W = r + i k h, without e^{-z eps}.
void SampledLine::add_class(std::uint64_t k, const std::vector<ComplexBall>& curve) {
  const ComplexBall node(r_, h_ * Ball(k));
  const ComplexBall atoms = atoms_at(density_, node);
  const ComplexBall one(1);
  Class result;
  const auto last = static_cast<long>(choice_.direct);
  for (long j = -last; j <= last; ++j) {
    const ComplexBall at = node + ComplexBall(Ball(0), turn_ * Ball(j));
    const ComplexBall value = atoms + curve[static_cast<std::size_t>(last + j)];
    result.direct.push_back(large_power(value, power_.steps) / (at * (at - one)));
  }
  const std::vector<ComplexBall> terms = ends(node);
  add_errors(node, atoms, terms);
  result.orders = expansion(node, atoms, terms);
  classes_.push_back(std::move(result));
}

/// The terms b_i of c(W) at the nodes of a class, i < parts: those of W^{-i-1}.
// Proof: docs/proofs/laplace.md#sampled-parts (step 1)
std::vector<ComplexBall> SampledLine::ends(const ComplexBall& node) const {
  const ComplexBall high = exp(node * ComplexBall(density_.top));
  const ComplexBall low = exp(node * ComplexBall(density_.bottom));
  std::vector<ComplexBall> terms;
  for (std::size_t i = 0; i < choice_.parts; ++i) {
    terms.push_back(ComplexBall(density_.at_top[i]) * high -
                    ComplexBall(density_.at_bottom[i]) * low);
  }
  return terms;
}

/// Bounds what is left out of the nodes |j| > J of a class.
// Proof: docs/proofs/laplace.md#sampled-expansion
void SampledLine::add_errors(const ComplexBall& node, const ComplexBall& atoms,
                             const std::vector<ComplexBall>& terms) {
  const Ball direct(choice_.direct);
  const Ball least = turn_ * (direct + Ball(0.5));  // |W| at these nodes
  const Ball kernel = Ball(2) / (square(turn_) * direct);
  if (terms.empty()) {
    const Ball greatest = abs(atoms) + curve_beyond(least);
    const Ball bound = power(greatest.upper(), power_.steps) * kernel;
    by_parts_ += PLAUDIT_BOUND("sampled_line.nodes_bounded", bound, Ball(0)).upper();
    return;
  }
  const Ball rest = rest_beyond_[terms.size()] / power(least, terms.size());
  const Ball room = Ball(1) - radius_ * abs(node);
  const Ball other = Ball(1) - radius_ * abs(node - ComplexBall(1));
  const Ball kappa = Ball(1) / (radius_ * turn_ * (direct + Ball(1)));
  if (!certainly_positive(room) || !certainly_positive(other) || !certainly_less(kappa, Ball(1))) {
    expansion_ = positive_infinity();
    return;
  }
  const Ball on_circle = radius_ / room;  // v
  Ball at_node = abs(atoms) + rest;       // Y
  Ball at_circle = abs(atoms);
  Ball node_power(1);
  Ball circle_power(1);
  for (const ComplexBall& term : terms) {
    node_power /= least;
    circle_power *= on_circle;
    at_node += abs(term) * node_power;
    at_circle += abs(term) * circle_power;
  }
  const Ball of_rest =
      Ball(power_.steps) * rest * power(at_node.upper(), power_.steps - 1) * kernel;
  by_parts_ += PLAUDIT_BOUND("sampled_line.parts_left_out", of_rest, ldexp(of_rest, -30)).upper();
  const Ball growth = power(at_circle.upper(), power_.steps) / (room * other);
  expansion_ += (ldexp(growth, 1) / (square(turn_) * (direct + Ball(0.5))) *
                 power(kappa, PLAUDIT_BOUND("sampled_line.orders_left_out", choice_.orders,
                                            2 * choice_.orders)) /
                 (Ball(1) - kappa))
                    .upper();
}

/// The nodes |j| > J of a class: the coefficients of the powers of y = 1 / (j w), in units of R.
// Proof: docs/proofs/laplace.md#sampled-expansion
std::vector<ComplexBall> SampledLine::expansion(const ComplexBall& node, const ComplexBall& atoms,
                                                const std::vector<ComplexBall>& terms) const {
  if (terms.empty()) return {};
  // u = 1 / W = R eta / (1 + W_k R eta) with eta = y / R; B(u) by Horner's rule
  const ComplexBall slope = node * ComplexBall(radius_);
  std::vector<ComplexBall> sum(choice_.orders);
  for (std::size_t i = terms.size(); i-- > 0;) {
    sum[0] += terms[i];  // then times u
    for (std::size_t m = choice_.orders; --m > 0;) {
      sum[m] = std::move(sum[m - 1]);
      sum[m].scale(radius_);
    }
    sum[0] = ComplexBall(0);
    sum = series_quotient(sum, slope, choice_.orders);
  }
  sum[0] += atoms;
  const std::vector<ComplexBall> series = series_power(sum, power_.steps, choice_.orders);
  return series_quotient(series_quotient(series, slope, choice_.orders),
                         slope - ComplexBall(radius_), choice_.orders);
}

/// Bounds the classes beyond the nodes, without e^{-t eps}.
// Proof: docs/proofs/laplace.md#sampled-left-out
Ball SampledLine::omitted_classes() const {
  if (PLAUDIT_BOUND("sampled_line.classes_left_out", 2 * choice_.nodes + 1, choice_.classes) >=
      choice_.classes)
    return Ball(0);
  const ComplexBall node(r_, h_ * Ball(choice_.nodes + 1));
  const Ball bound = min(abs(atoms_at(density_, node)) + curve_beyond(abs(node).lower()),
                         abs(atoms_at(density_, ComplexBall(r_))) + rest_beyond_[0]);
  return (exp(Ball(power_.steps) * log(bound.upper())) /
          (pi() * h_ * (Ball(choice_.nodes) + Ball(0.5))))
      .upper();
}

/// T(eps) without e^{-t eps} h / pi.
Ball SampledLine::total(const Ball& epsilon) const {
  Ball beta;
  std::vector<ComplexBall> sums;
  {
    const PrecisionScope scope(bits_of_sums_);
    const Ball place = power_.law.direction == Direction::remove ? epsilon : -epsilon;
    beta = near_zero_modulo_one((Ball(power_.steps) * density_.bottom - place) / density_.width);
    sums = sums_.at(beta, turn_, radius_);
  }
  const std::vector<ComplexBall> turns = sums_.phases(beta);
  const Ball angle = power_.law.direction == Direction::remove ? h_ * epsilon : -h_ * epsilon;
  const std::vector<ComplexBall> phases =
      powers(ComplexBall(cos(angle), -sin(angle)), classes_.size());
  Ball sum;
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    if ((k & 15) == 0) check_work_limit();
    ComplexBall value = dot(classes_[k].direct, turns);
    if (!classes_[k].orders.empty()) value += dot(classes_[k].orders, sums);
    const Ball part = (phases[k] * value).real();
    sum += k == 0 ? ldexp(part, -1) : part;
  }
  return sum;
}

// Proof: docs/proofs/laplace.md#sampled
Enclosure SampledLine::delta(const Ball& epsilon) {
  const PrecisionScope scope(choice_.bits);
  const Ball decay = exp(-t_ * epsilon);
  const Ball p = density_.width * Ball(choice_.classes);
  const Ball front = decay * h_ / pi();
  Ball corrected = front * total(epsilon) - Ball(1) / expm1(t_ * p);
  if (choice_.both_residues) corrected += exp(epsilon) / expm1((t_ + Ball(1)) * p);

  Ledger ledger;
  const Ball right = ledger.add(sampled_right_term, aliases_.right(epsilon, p));
  const Ball left = ledger.add(sampled_left_term, aliases_.left(epsilon, p));
  const Ball truncation = ledger.add(sampled_truncation_term, decay * omitted_);
  const Ball by_parts = ledger.add(by_parts_term, front * by_parts_);
  const Ball expansion = ledger.add(sampled_expansion_term, front * expansion_);
  ledger.note(sampled_quadrature_term, quadrature_);
  ledger.note(sampled_rounding_term, corrected.radius());
  Enclosure result = aliases_.band(corrected, right, left, truncation + by_parts + expansion,
                                   epsilon, std::move(ledger));
  result.accountant = "sampled_laplace";
  result.method =
      std::to_string(choice_.nodes + 1) + " of " + std::to_string((choice_.classes + 1) / 2) +
      " classes of nodes, " + std::to_string(2 * choice_.direct + 1) + " nodes each one by one, " +
      std::to_string(choice_.parts) + " integrations by parts, " + std::to_string(choice_.orders) +
      " orders, " + std::to_string(choice_.rule.points) + " points, " +
      std::to_string(choice_.bits) + " bits";
  return result;
}

}  // namespace plaudit

#include "accountants/contour/straight_contour.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "accountants/contour/straight_choice.hpp"
#include "accountants/cumulants/order_search.hpp"
#include "lib/analysis/fixed/complex_powers.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm right_alias_term{"contour.right.aliasing",
                                     "docs/proofs/straight_contour.md#periodisation (right)"};
constexpr ErrorTerm left_alias_term{"contour.left.aliasing",
                                    "docs/proofs/straight_contour.md#periodisation (left)"};
constexpr ErrorTerm truncation_term{"contour.truncation",
                                    "docs/proofs/straight_contour.md#truncation"};
constexpr ErrorTerm rounding_term{"contour.rounding",
                                  "ball arithmetic (radius of the sum, quadrature included)"};

constexpr long bits_of_rough = 64;

/// 1 / (z (z + 1)) at z = t + i s, with a single division.
ComplexBall inverse_kernel(const Ball& t, const Ball& s) {
  const Ball real = t * (t + Ball(1)) - square(s);
  const Ball imaginary = s * (ldexp(t, 1) + Ball(1));
  const Ball inverse = Ball(1) / (square(real) + square(imaginary));
  return {real * inverse, -(imaginary * inverse)};
}

}  // namespace

StraightContour::StraightContour(const ComposedLoss& loss, CumulantTable& table, double epsilon,
                                 const StraightChoice& choice)
    : loss_(loss),
      choice_(choice),
      aliases_(
          loss, table,
          {choice.t, 2 * std::numbers::pi / choice.h, choice.both_residues, choice.no_residue}) {
  const double t_near = choice.t;
  const double height = static_cast<double>(choice.nodes + 1) * choice.h;
  const CumulantEstimate k = table.at(t_near);
  const double scale = 20 + height * (std::fabs(epsilon) + std::fabs(k.mean)) + std::fabs(k.value) +
                       std::fabs(t_near * epsilon);
  bits_ = precision_bits((choice.nats + choice.cancellation + std::log(loss.steps())) / log_two +
                         std::log2(scale) + std::log2(2.0 + static_cast<double>(choice.nodes))) +
          12;
  const PrecisionScope scope(bits_);
  const Ball t(choice.t);
  const Ball h(choice.h);

  // before the values, which are in vain where it throws
  if (choice.sweep_height > 0) sweep_beyond(t, h);
  check_memory_of_balls(5 * static_cast<double>(choice.nodes));
  nodes_.assign(choice.nodes + 1, ComplexBall(1));
  node_quadrature_ = Ball(0);
  std::vector<Ball> relative(choice.nodes + 1);
  const double nats = choice.nats + std::max(0.0, k.value - t_near * epsilon - choice.log_delta);
  for (const ComposedLoss::Term& term : loss.terms()) multiply_by(term, nats, relative);
  for (std::size_t j = 0; j <= choice.nodes; ++j) {
    if ((j & 63) == 63) check_work_limit();
    ComplexBall& node = nodes_[j];
    node *= inverse_kernel(t, h * Ball(static_cast<long>(j)));
    if (j == 0) node = ComplexBall(ldexp(node.real(), -1));  // M(t) is real
    if (!relative[j].is_exact_zero()) node_quadrature_ += rough_abs(node) * relative[j];
  }
  if (choice.sweep_height > 0) return;
  for (std::size_t i = 0; i < loss.terms().size(); ++i) fall_beyond(loss.terms()[i], mgf_above_[i]);
}

/// Each node by the term's values, and the bound of each node's relative quadrature error.
/// @param nats to which the product is wanted.
void StraightContour::multiply_by(const ComposedLoss::Term& term, double nats,
                                  std::vector<Ball>& relative) {
  const double steps = static_cast<double>(term.count) * static_cast<double>(loss_.terms().size());
  const LineValues line =
      term.loss->mgf_on_line(Ball(choice_.t), Ball(choice_.h), choice_.nodes + 1,
                             {nats + std::log(steps) + 2, static_cast<double>(term.count)});
  mgf_above_.push_back(abs(line.values[0]).upper());
  const Ball quadrature = Ball(term.count) * line.quadrature;
  const std::vector<ComplexBall> powers = complex_powers(line.values, term.count);
  for (std::size_t j = 0; j <= choice_.nodes; ++j) {
    check_work_limit_in_turn(j, choice_.nodes + 1);
    const ComplexBall& value = line.values[j];
    if (value.may_be_zero()) {
      // only the size is known: the disk of radius |M|^n
      const Ball size = abs(value).upper();
      nodes_[j] *=
          disk(power(PLAUDIT_BOUND("straight.disk_of_node", size, ldexp(size, -60)), term.count));
      continue;
    }
    nodes_[j] *= powers[j];
    if (!quadrature.is_exact_zero()) relative[j] += quadrature / rough_abs(value);
  }
}

/// Adds the log of the term's bound beyond the nodes.
void StraightContour::fall_beyond(const ComposedLoss::Term& term, const Ball& mgf_above) {
  const Ball last = Ball(choice_.h) * Ball(static_cast<long>(choice_.nodes + 1));
  const Ball beyond = PLAUDIT_BOUND("straight.truncation_height", last, ldexp(last, 2)).lower();
  // a bound that suffices: the nodes are small enough where the steps of this term alone fall so
  const double fall = (choice_.nats + choice_.further_nats + choice_.cancellation) /
                      static_cast<double>(term.count);
  const Ball bound = term.loss->mgf_bound_beyond_below(Ball(choice_.t), beyond,
                                                       loss_.factor_nats(term) + fall, mgf_above);
  log_decay_ +=
      PLAUDIT_BOUND("straight.truncation_of_all_steps", Ball(term.count), Ball(term.count + 1)) *
      log(bound);
  log_decay_ = log_decay_.upper();
}

// The nodes of the longer composition are products, and so is its bound beyond them.
// Proof: docs/proofs/straight_contour.md#periodisation, docs/proofs/straight_contour.md#truncation
StraightContour::StraightContour(const StraightContour& other, const ComposedLoss& loss,
                                 CumulantTable& table, const std::vector<ComposedLoss::Term>& more)
    : loss_(loss),
      choice_(other.choice_),
      bits_(other.bits_),
      nodes_(other.nodes_),
      node_quadrature_(other.node_quadrature_),
      log_decay_(other.log_decay_),
      aliases_(other.aliases_, loss, table, more) {
  if (other.sweep_) throw std::logic_error("a line with nodes far up takes no more terms");
  const PrecisionScope scope(bits_);
  std::vector<Ball> relative(nodes_.size());
  for (const ComposedLoss::Term& term : more) {
    multiply_by(term, choice_.nats + choice_.cancellation, relative);
    const Ball& most = mgf_above_.back();
    // part of the nodes' radii already: for the ledger
    node_quadrature_ = (node_quadrature_ * power(most, term.count)).upper();
    fall_beyond(term, most);
  }
  for (std::size_t j = 0; j < nodes_.size(); ++j) {
    if (!relative[j].is_exact_zero()) node_quadrature_ += rough_abs(nodes_[j]) * relative[j];
  }
}

// Proof: docs/proofs/pinch.md#sweep
void StraightContour::sweep_beyond(const Ball& t, const Ball& h) {
  sweep_ = std::make_shared<LineSweep>(loss_, choice_.t, choice_.h,
                                       static_cast<long>(choice_.nodes) + 1, choice_.sweep_height,
                                       choice_.sweep_nats, bits_, choice_.sweep_limits);
  const Ball log_whole = loss_.log_mgf(t);
  // e^-nats k/first up to the last one, whose sum over 1/k^2 is at most log(last/nodes)/first
  const Ball spared = log(Ball(sweep_->last()) / Ball(static_cast<long>(choice_.nodes)));
  log_decay_ = (log_whole - Ball(choice_.sweep_nats) + log1p(spared)).upper();
  const std::vector<long> summed = sweep_->summed();
  const std::vector<ComplexBall> log_ratios = sweep_->log_ratios(summed);
  for (std::size_t i = 0; i < summed.size(); ++i) {
    check_work_limit();
    const ComplexBall z(t, h * Ball(summed[i]));
    const ComplexBall log_value = ComplexBall(log_whole) + log_ratios[i];
    const ComplexBall value = log_value.is_finite() ? exp(log_value) : disk(exp(log_whole).upper());
    far_nodes_.push_back({summed[i], value / (z * (z + ComplexBall(1)))});
  }
}

// Proof: docs/proofs/pinch.md#sweep
StraightContour::StraightContour(const StraightContour& other, const ComposedLoss& loss,
                                 CumulantTable& table, const Rational& mean)
    : loss_(loss),
      choice_(other.choice_),
      bits_(other.bits_),
      nodes_(other.nodes_),
      far_nodes_(other.far_nodes_),
      aliases_(loss, table, {choice_.t, 2 * std::numbers::pi / choice_.h, choice_.both_residues}) {
  const PrecisionScope scope(bits_);
  const ComplexBall factor{Ball(mean)};
  const auto times_gaussian = [&](ComplexBall& value, long k) {
    const ComplexBall z(Ball(choice_.t), Ball(choice_.h) * Ball(k));
    value *= exp(factor * z * (z + ComplexBall(1)));
  };
  for (std::size_t k = 0; k < nodes_.size(); ++k) times_gaussian(nodes_[k], static_cast<long>(k));
  for (FarNode& node : far_nodes_) times_gaussian(node.value, node.index);
  // |e^{mean z (z+1)}| is greatest on the axis
  const Ball greatest = Ball(mean) * Ball(choice_.t) * (Ball(choice_.t) + Ball(1));
  node_quadrature_ = (other.node_quadrature_ * exp(greatest)).upper();
  log_decay_ = (other.log_decay_ + greatest).upper();
}

/// The sum over the nodes, less the residues.
Ball StraightContour::corrected_sum(const Ball& epsilon) const {
  const Ball t(choice_.t);
  const Ball h(choice_.h);
  const Ball p = ldexp(pi(), 1) / h;
  const Ball front = exp(-t * epsilon) * h / pi();

  const Ball angle = h * epsilon;
  // sum_k nodes[k] turn^k in blocks, each turned once: powers by halving, for each turn of a
  // rectangle makes it wider
  std::size_t block = 1;
  while (block * block < nodes_.size()) ++block;
  const std::size_t blocks = (nodes_.size() + block - 1) / block;
  const ComplexBall once(cos(angle), -sin(angle));
  const std::vector<ComplexBall> turns = powers(once, block + 1);
  const std::vector<ComplexBall> turns_of_blocks = powers(turns[block], blocks);
  Ball sum;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t first = b * block;
    sum += (turns_of_blocks[b] *
            dot(&nodes_[first], turns.data(), std::min(block, nodes_.size() - first)))
               .real();
  }
  Ball corrected = front * sum;
  // Far nodes come in runs of neighbours: the turn of one is that of the one before times `once`, a
  // few times, for each product makes the ball wider.
  constexpr int most_turns = 8;
  int turns_made = 0;
  ComplexBall turn;
  Ball far_sum;
  for (std::size_t i = 0; i < far_nodes_.size(); ++i) {
    const FarNode& node = far_nodes_[i];
    if (i > 0 && node.index == far_nodes_[i - 1].index + 1 && turns_made < most_turns) {
      turn *= once;
      ++turns_made;
    } else {
      turns_made = 0;
      const Ball far_angle = angle * Ball(node.index);
      turn = ComplexBall(cos(far_angle), -sin(far_angle));
    }
    far_sum += (node.value * turn).real();
  }
  corrected += front * far_sum;
  if (!choice_.no_residue) {
    corrected -=
        PLAUDIT_BOUND("straight.residue_of_p", aliases_.finite_mass(), Ball(1)) / expm1(t * p);
  }
  if (!choice_.no_residue && choice_.both_residues) {
    corrected += PLAUDIT_BOUND("straight.residue_of_q", aliases_.q_mass(), Ball(1)) * exp(epsilon) /
                 expm1((t + Ball(1)) * p);
  }
  return corrected;
}

Ball StraightContour::middle(const Ball& epsilon) const {
  const PrecisionScope scope(bits_);
  return (corrected_sum(epsilon) + aliases_.mass_at_infinity()).middle();
}

std::optional<RoughLine> StraightContour::rough() const {
  if (!far_nodes_.empty()) return std::nullopt;
  const PrecisionScope scope(bits_of_rough);
  return RoughLine(choice_, nodes_, aliases_.finite_mass().estimate(), aliases_.q_mass().estimate(),
                   aliases_.mass_at_infinity().estimate());
}

// Proof: docs/proofs/straight_contour.md#periodisation
Enclosure StraightContour::delta(const Ball& epsilon) {
  const PrecisionScope scope(bits_);
  const Ball t(choice_.t);
  const Ball h(choice_.h);
  const Ball p = ldexp(pi(), 1) / h;
  const Ball corrected = corrected_sum(epsilon);
  // sum_{k > N} 1 / k^2 < 1 / (N + 1/2), as 1 / k^2 < 1 / (k - 1/2) - 1 / (k + 1/2)
  const Ball beyond =
      exp(log_decay_ - t * epsilon) / (pi() * h * Ball(static_cast<double>(choice_.nodes) + 0.5));
  Ledger ledger;
  Ball right = certainly_negative(t) && choice_.one_sided
                   ? aliases_.of_one_sided(epsilon, p, corrected + beyond)
                   : aliases_.right(epsilon, p);
  Ball left = certainly_positive(t) && choice_.one_sided
                  ? aliases_.of_one_sided(epsilon, p, corrected + beyond)
              : choice_.no_residue ? aliases_.left_without_residue(epsilon, p)
                                   : aliases_.left(epsilon, p, right);
  right = ledger.add(right_alias_term, right);
  left = ledger.add(left_alias_term, left);
  const Ball truncation = ledger.add(truncation_term, beyond);
  ledger.note(line_quadrature_term, exp(-t * epsilon) * h / pi() * node_quadrature_);
  ledger.note(rounding_term, corrected.radius());
  Enclosure result = aliases_.band(corrected, right, left, truncation, epsilon, std::move(ledger));
  result.accountant = "contour";
  result.method = "straight contour, t = " + fixed_text(choice_.t) + ", " +
                  std::to_string(choice_.nodes + far_nodes_.size()) + " nodes, " +
                  std::to_string(bits_) + " bits";
  return result;
}

}  // namespace plaudit

// The part of the bent contour that does not depend on epsilon: verification of the hypotheses,
// norms on the edges of the strip, and the integrand at the nodes with its error bounds.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/bent/bent_arcs.hpp"
#include "accountants/bent/bent_contour.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr long node_bits = 64;
constexpr std::size_t edge_arcs = 24;  // arcs of each edge of the strip
constexpr double node_arc = 0.25;      // length of arcs of the contour, for errors of nodes

// Arcs beyond the nodes, until the closed form takes over.
constexpr double crude_log = 0.7;  // log of the crudest bound of a factor, its lift aside
constexpr double nats_beyond = 40;
constexpr std::size_t most_edges = 100;
constexpr std::size_t short_edges = 20;
constexpr double short_arc = 0.25;
constexpr double long_arc = 0.5;

/// x^n for x >= 0, by a logarithm where that works, so that n up to 10^12 costs nothing.
Ball real_power(const Ball& x, std::uint64_t n) {
  if (n == 0) return Ball(1);
  return certainly_positive(x) ? exp(Ball(n) * log(x)) : power(x, n);
}

}  // namespace

void BentContour::build_bounds() {
  const std::vector<BentFactor> former = std::move(factors_);
  factors_.clear();
  nodes_.clear();
  valued_ = false;
  blocks_.clear();
  if (plan_.nodes < 2 || plan_.per_octave < 1) throw std::domain_error("bent contour: no nodes");
  for (std::size_t i = 0; i < problem_.mixtures.size(); ++i) {
    // where the outer edge of the strip meets the real axis
    const double angle = plan_.angle + plan_.half_width;
    const double outer = plan_.center + plan_.scale * std::sin(angle);
    const BoxWidths widths(std::max(outer, 0.0),
                           std::log(static_cast<double>(problem_.mixtures[i].count)), angle);
    const BentShape& shape = plan_.shapes.at(i);
    const BentGrid& grid = plan_.grids.at(i);
    if (i < former.size()) {  // of an earlier plan, whose boxes may serve again
      if (auto again = former[i].with_points(shape, grid, widths)) {
        factors_.push_back(std::move(*again));
        continue;
      }
    }
    factors_.emplace_back(problem_.mixtures[i].mixture, shape, grid, widths);
  }
  {
    const PrecisionScope scope(node_bits);
    const Ball center(plan_.center), scale(plan_.scale), angle(plan_.angle), nu(plan_.half_width);
    const Hyperbola inner(center, scale, angle - nu), middle(center, scale, angle),
        outer(center, scale, angle + nu);
    verify(inner, outer);
    const Ball step = log(Ball(2)) / Ball(static_cast<std::uint64_t>(plan_.per_octave));
    const Ball end = step * Ball(static_cast<std::uint64_t>(plan_.nodes - 1));
    const std::vector<double> beyond = edges_beyond(end.upper_double());
    for (const Hyperbola& edge : {PLAUDIT_BOUND("bent.inner_edge", inner, outer),
                                  PLAUDIT_BOUND("bent.outer_edge", outer, inner)}) {
      const bool removes = problem_.direction == Direction::remove;
      const double gap = std::fabs(edge.crossing().estimate() - (removes ? 1 : 0));
      std::vector<double> edges = bent_arc_edges(beyond.front(), gap / plan_.scale, edge_arcs);
      edges.back() = beyond.front();
      edges.insert(edges.end(), beyond.begin() + 1, beyond.end());
      for (Block& block : make_blocks(edge, edges, Ball(0))) blocks_.push_back(std::move(block));
    }
    // nodes k >= `nodes`; an arc holds at most length / step + 1 of them
    // Proof: docs/proofs/bent_contour.md#truncation
    std::vector<double> edges = beyond;
    edges.front() = end.lower_double();
    omitted_ = make_blocks(middle, edges, step);
    make_error_bounds(middle, step);
  }
}

// Step 1: 0 < g- and g+ < pi/2 (pi/4 with a Gaussian factor). Step 2: no hyperbola of the strip
// meets or passes a pole. Step 3: every factor stays bounded on the strip. 1 is subtracted only
// where there is no Gaussian factor.
// Proof: docs/proofs/bent_contour.md#bending
void BentContour::verify(const Hyperbola& inner, const Hyperbola& outer) const {
  const Ball right_angle = ldexp(
      pi(),
      problem_.gaussian_mean == 0 ? -1 : PLAUDIT_BOUND("bent.angle_with_gaussian_factor", -2, -1));
  const bool removes = problem_.direction == Direction::remove;
  const bool geometry =
      certainly_positive(outer.scale()) && certainly_positive(Ball(plan_.half_width)) &&
      certainly_positive(PLAUDIT_BOUND("bent.inner_angle", inner, outer).angle()) &&
      certainly_less(PLAUDIT_BOUND("bent.outer_angle", outer, inner).angle(), right_angle) &&
      (removes ? certainly_greater(PLAUDIT_BOUND("bent.right_of_pole", inner, outer).crossing(),
                                   Ball(1))
               : certainly_negative(PLAUDIT_BOUND("bent.left_of_pole", outer, inner).crossing()));
  if (!geometry) throw std::domain_error("bent contour: the strip of the hyperbola is not free");
  // The bounds of Pi - 1 are those of a product without Gaussian factors.
  if (PLAUDIT_BOUND("bent.no_one_from_gaussian_factors",
                    plan_.subtract_one && problem_.gaussian_mean != 0, false)) {
    throw std::domain_error("bent contour: 1 is subtracted from Gaussian factors");
  }
  for (const BentFactor& factor : factors_) {
    if (!factor.decays(PLAUDIT_BOUND("bent.decay_at_outer_edge", outer, inner)))
      throw std::domain_error("bent contour: a factor may not decay");
  }
}

// Upper bound of |e^{mu w(w-1)} prod At_i^{n_i} - s| on the arc (s = 1 only without Gaussians).
// Proof: docs/proofs/bent_contour.md#norms
Ball BentContour::arc_bound(const Hyperbola& hyperbola, const Ball& from, const Ball* to) const {
  const HyperbolaArc arc =
      to == nullptr ? HyperbolaArc(hyperbola, from) : HyperbolaArc(hyperbola, from, *to);
  Ball product(1), growth(0);
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    const BentBound bound = factors_[i].bound(arc);
    const Ball n(problem_.mixtures[i].count);
    const Ball logarithm = n * log1p(bound.minus_one);
    growth += logarithm;
    product *= exp(min(logarithm, n * log(bound.plain)).upper());
  }
  if (plan_.subtract_one)
    return min(expm1(growth.upper()),
               product + PLAUDIT_BOUND("bent.subtracted_one", Ball(1), Ball(0)))
        .upper();
  if (problem_.gaussian_mean != 0) {
    product *=
        PLAUDIT_BOUND("bent.gaussian_factor",
                      gaussian_bound(Ball(problem_.gaussian_mean), hyperbola, from, to), Ball(1));
  }
  return product.upper();
}

// Where the closed form of the infinite arc takes over: when e^{-kappa Re w} has become so small
// that even the crudest bound of the factors does no harm.
std::vector<double> BentContour::edges_beyond(double end) const {
  double steps = 0, sigma = 0;
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    const MixtureInV in_v(problem_.mixtures[i].mixture);
    const double lift = in_v.sigma.estimate() * plan_.shapes[i].rise;
    steps += static_cast<double>(problem_.mixtures[i].count) * (crude_log + lift * lift);
    sigma = std::max(sigma, lift);
  }
  std::vector<double> edges{end};
  // on the inner edge of the strip, where it is slowest
  const double rate = 0.5 * plan_.kappa * plan_.scale * std::sin(plan_.angle - plan_.half_width);
  while (edges.size() < most_edges &&
         rate * (std::cosh(edges.back()) - std::cosh(end)) < steps + nats_beyond) {
    edges.push_back(edges.back() + (edges.size() < short_edges ? short_arc : long_arc));
  }
  return edges;
}

// Upper bounds of int |e^{mu w(w-1)} prod - s| |w'| / |w (w-1)| dx over arcs, e^{-kappa Re w} left
// out, with the least Re w; the last one is the closed form for the infinite arc.
// Proof: docs/proofs/bent_contour.md#norms
std::vector<BentContour::Block> BentContour::make_blocks(const Hyperbola& hyperbola,
                                                         const std::vector<double>& edges,
                                                         const Ball& excess) const {
  std::vector<Block> blocks;
  for (std::size_t b = 0; b + 1 < edges.size(); ++b) {
    const Ball from(edges[b]), to(edges[b + 1]);
    const Ball measure = arc_weight(hyperbola, from, to, excess);
    Ball weight = positive_infinity();
    if (measure.is_finite()) weight = (arc_bound(hyperbola, from, &to) * measure).upper();
    blocks.push_back(
        {weight, hyperbola.real(PLAUDIT_BOUND("bent.decay_at_start_of_arc", from, to))});
  }
  const Ball last(edges.back());
  blocks.push_back(
      {(arc_bound(hyperbola, last, nullptr) * infinite_arc_weight(hyperbola, last, excess)).upper(),
       hyperbola.real(last)});
  return blocks;
}

// |prod A_i^{n_i} - prod B_i^{n_i}| <= sum_i n_i e_i prod_j s_j^{n_j - [i = j]} for |A_i - B_i| <=
// e_i and |A_i|, |B_i| <= s_i.
// Proof: docs/proofs/bent_contour.md#nodes
void BentContour::make_error_bounds(const Hyperbola& hyperbola, const Ball& step) {
  const std::size_t count = plan_.nodes, factors = factors_.size();
  std::size_t arc_end = 0;
  Ball quadrature, tails;
  nodes_.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    const Ball x = step * Ball(static_cast<std::uint64_t>(k));
    if (k >= arc_end) {  // the bounds of the next arc of nodes
      check_work_limit();
      arc_end += static_cast<std::size_t>(
          clamped_integer(1 + node_arc * static_cast<double>(plan_.per_octave), 1, most_index));
      arc_end = std::min(count, arc_end);
      const HyperbolaArc arc(hyperbola, x, step * Ball(static_cast<std::uint64_t>(arc_end - 1)));
      std::vector<Ball> of_rule, of_tails, size;
      for (const BentFactor& factor : factors_) {
        of_rule.push_back(factor.quadrature_error(arc));
        of_tails.push_back(factor.omitted_tails(arc));
        const BentBound bound = factor.bound(arc);
        size.push_back(
            (min(bound.plain, Ball(1) + bound.minus_one) + of_rule.back() + of_tails.back())
                .upper());
      }
      quadrature = Ball(0);
      tails = Ball(0);
      for (std::size_t i = 0; i < factors; ++i) {
        Ball slope(problem_.mixtures[i].count);
        for (std::size_t j = 0; j < factors; ++j) {
          slope *= real_power(size[j], problem_.mixtures[j].count - (i == j ? 1 : 0));
        }
        quadrature += PLAUDIT_BOUND("bent.slope_of_product", slope, Ball(1)) * of_rule[i];
        tails += slope * of_tails[i];
      }
    }
    Node& node = nodes_[k];
    const ComplexBall w = hyperbola.point(x);
    const ComplexBall denominator = w * (w - ComplexBall(1));
    Ball outside = abs(hyperbola.derivative(x) / denominator) *
                   exp((ComplexBall(Ball(problem_.gaussian_mean)) * denominator).real());
    if (k == 0) outside = ldexp(outside, -1);  // the first node has weight 1/2
    node.real = w.real();
    node.quadrature = (outside * quadrature).upper();
    node.tails = (outside * tails).upper();
  }
}

// Proof: docs/proofs/bent_contour.md#nodes
void BentContour::build_values() {
  const PrecisionScope scope(plan_.bits);
  const Hyperbola hyperbola(Ball(plan_.center), Ball(plan_.scale), Ball(plan_.angle));
  const Ball step = log(Ball(2)) / Ball(static_cast<std::uint64_t>(plan_.per_octave));
  const std::size_t factors = factors_.size();
  std::vector<std::vector<ComplexBall>> values;
  for (const BentFactor& factor : factors_) {
    values.push_back(factor.minus_one(hyperbola, plan_.per_octave, plan_.nodes));
  }
  const Ball mean(problem_.gaussian_mean);
  for (std::size_t k = 0; k < plan_.nodes; ++k) {
    check_work_limit();
    const Ball x = step * Ball(static_cast<std::uint64_t>(k));
    Node& node = nodes_[k];
    node.w = hyperbola.point(x);
    const ComplexBall denominator = node.w * (node.w - ComplexBall(1));
    ComplexBall exponent = ComplexBall(mean) * denominator;
    Ball modulus = exp(exponent.real());
    for (std::size_t i = 0; i < factors; ++i) {
      exponent += ComplexBall(Ball(problem_.mixtures[i].count)) * log1p(values[i][k]);
    }
    ComplexBall product;
    if (exponent.is_finite()) {
      if (plan_.subtract_one) {
        product = expm1(exponent);
      } else {
        product = exp(exponent);
      }
    } else {  // some At_i may be 0: a disk
      for (std::size_t i = 0; i < factors; ++i) {
        modulus *=
            real_power(abs(values[i][k] + ComplexBall(1)).upper(), problem_.mixtures[i].count);
      }
      product = disk(modulus);
      if (plan_.subtract_one) product -= ComplexBall(1);
    }
    node.value = product * hyperbola.derivative(x) / denominator;
  }
  valued_ = true;
}

}  // namespace plaudit

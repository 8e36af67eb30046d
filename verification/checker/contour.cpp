#include "verification/checker/contour.hpp"

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/lines/ranges.hpp"

namespace plaudit::proof {

namespace {

struct Contour {
  Rational exact_t;
  Rational exact_h;
  Interval t;
  Interval h;
  long nodes;
  std::optional<Ranges> ranges;
  bool both_residues;  ///< Theorem 1 of docs/certificates/straight.md, else Theorem 1'
  std::optional<Rational>
      right_order;  ///< none: no aliases, for the period reaches the support's end, or t < -1
  std::optional<Rational> left_order;
  Interval period;

  /// The last node that is summed or bounded in a range.
  long last() const { return ranges ? ranges->last() : nodes; }
};

std::optional<Rational> read_order(Fields& choices, const std::string& name,
                                   const Rational& least) {
  if (!choices.has(name)) return std::nullopt;
  const Rational order = choices.dyadic(name);
  require(order > least, name + " is too small");
  return order;
}

Contour read_contour(Fields& choices) {
  const Rational t = choices.dyadic("t");
  const Rational h = choices.dyadic("h");
  require((t > 0 || t < -1) && h > 0, "t must be positive or below -1, and h positive");
  const long nodes = choices.integer("nodes", 1, most_nodes);
  std::optional<Ranges> ranges;
  if (choices.has("ranges")) ranges = read_ranges(choices, nodes, most_nodes);
  const bool both = choices.integer("residues", 1, 2) == 2;
  require(both || t > 0, "a line on the left has both residues");
  std::optional<Rational> right;
  if (t > 0) right = read_order(choices, "right_order", t);
  auto left =
      read_order(choices, "left_order", both ? std::max(Rational(1), Rational(-t)) : Rational(0));
  require(both || (left && *left <= 1), "the left order must lie in (0, 1]");
  const Interval step(h);
  return {t,    h,     Interval(t),     step,           nodes, std::move(ranges),
          both, right, std::move(left), 2 * pi() / step};
}

/// (h/pi) Re sum' e^{-z eps} M(z) / (z (1+z)) over these nodes, the one at k = 0 halved.
Interval sum_over(const Contour& c, const Nodes& which, const LineProduct& product,
                  const Interval& epsilon, Budget& budget) {
  const std::vector<LogNode>& nodes = product.logarithms(c.exact_t, c.exact_h, which, budget);
  budget.spend(60 * static_cast<double>(nodes.size()));
  Interval sum;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i % 64 == 0) budget.spend(0);
    const long k = which.first + static_cast<long>(i);
    const Interval s = k * c.h;
    // z (1+z) = x + iy
    const Interval x = c.t * (c.t + 1) - square(s);
    const Interval y = s * (2 * c.t + 1);
    const Interval squared = square(x) + square(y);
    const Interval size = exp(nodes[i].size - epsilon * c.t);
    Interval term;
    if (nodes[i].angle) {
      const Complex turn = turned(*nodes[i].angle - epsilon * s);
      term = size * (turn.re * x + turn.im * y) / squared;
    } else {
      term = spread(size / sqrt(squared));
    }
    sum += k == 0 ? scaled(term, -1) : term;
  }
  return sum * c.h / pi();
}

/// The same over all nodes that are summed.
Interval sum_over_nodes(const Contour& c, const LineProduct& product, const Interval& epsilon,
                        Budget& budget) {
  Interval sum = sum_over(c, {0, c.nodes + 1}, product, epsilon, budget);
  if (!c.ranges) return sum;
  for (const Ranges::Range& range : c.ranges->list) {
    if (range.how != Ranges::How::summed) continue;
    sum += sum_over(c, {range.first, range.last - range.first + 1}, product, epsilon, budget);
  }
  return sum;
}

/// The error `nodes`, which is printed and bounds nothing: half the width of the sum, quadrature
/// and rounding. No two arithmetics round alike: it is at least 2^-floor(bits/2) of the sum.
Interval width(const Interval& value) {
  return top(max(half_width(value), scaled(top(abs(value)), -(working_precision() / 2))));
}

/// What the nodes beyond the last one add in modulus, above and below the axis.
/// Proof: docs/proofs/straight_contour.md#truncation
Interval truncation(const Contour& c, const LineProduct& product, const Interval& epsilon,
                    Budget& budget) {
  const Interval log_decay = product.log_beyond(c.exact_t, (c.last() + 1) * c.exact_h, budget);
  return top(exp(log_decay - c.t * epsilon) / (pi() * c.h * (c.last() + scaled(Interval(1), -1))));
}

/// The sum of the ends of the supports.
Interval end_of(const LineProduct& product, std::optional<Interval> (Line::*end)() const) {
  Interval sum;
  for (const auto& [line, count, law] : product.factors) {
    const std::optional<Interval> one = (line.get()->*end)();
    require(one.has_value(), "an order is missing");
    sum += count * *one;
  }
  return sum;
}

/// A_+ of docs/proofs/straight_contour.md#periodisation; on the left of the poles by #one-sided.
/// @param above an upper bound of the finite part of delta.
Interval right_aliases(const Contour& c, const LineProduct& product, const Interval& epsilon,
                       const Interval& above, Budget& budget) {
  if (negative(c.t)) return top(max(top(above), Interval(0)) / expm1(-c.t * c.period));
  if (!c.right_order) {
    require(at_most(end_of(product, &Line::greatest), epsilon + c.period),
            "the period does not reach the end of the support");
    return 0;
  }
  const Interval order(*c.right_order);
  return top(
      exp(log_c(order) - order * epsilon + product.log_moment(*c.right_order, "right", budget)) /
      expm1((order - c.t) * c.period));
}

/// A_- of docs/proofs/straight_contour.md#periodisation, B of #one-residue.
Interval left_aliases(const Contour& c, const LineProduct& product, const Interval& epsilon,
                      Budget& budget) {
  if (!c.left_order) {
    require(at_most(epsilon - c.period, end_of(product, &Line::least)),
            "the period does not reach the end of the support");
    return 0;
  }
  const Interval u(*c.left_order);
  const Interval found = exp(u * epsilon + product.log_moment(-*c.left_order, "left", budget)) /
                         expm1((c.t + u) * c.period);
  return top(c.both_residues ? found * exp(log_c(u - 1)) : found);
}

}  // namespace

Proof prove_contour(Fields& choices, const LineProduct& product, const Rational& exact_epsilon,
                    Budget& budget) {
  const Contour c = read_contour(choices);
  choices.done();
  const Interval epsilon(exact_epsilon);
  const Interval finite = 1 - product.infinite() - product.moved();
  Interval value = sum_over_nodes(c, product, epsilon, budget) - finite / expm1(c.t * c.period);
  if (c.both_residues) {
    value += product.q_mass() * exp(epsilon) / expm1((c.t + 1) * c.period);
  }
  const Interval cut = truncation(c, product, epsilon, budget);
  const Interval ranges =
      c.ranges ? bounded_ranges(*c.ranges, product, c.t, c.h, epsilon, budget) : Interval(0);
  const Interval right = right_aliases(c, product, epsilon, value + cut + ranges, budget);
  const Interval left = left_aliases(c, product, epsilon, budget);
  Proof proof;
  proof.low = value - right - cut - (c.both_residues ? left : Interval(0));
  proof.high = value + cut + (c.both_residues ? Interval(0) : left);
  proof.errors = {{"right_aliasing", right},
                  {"left_aliasing", left},
                  {"truncation", cut},
                  {"nodes", width(value)}};
  if (c.ranges) {
    proof.low -= ranges;
    proof.high += ranges;
    proof.errors.emplace_back("ranges", ranges);
    // once in each end of the band, and for t < -1 about once more in the right aliases
    proof.varies += 3 * ranges;
  }
  if (product.rounds_in_many_ways()) proof.varies += width(value);
  return proof;
}

Proof prove_total(Fields& choices, const LineProduct& product, const Rational& epsilon,
                  Budget& budget) {
  Proof proof = prove_contour(choices, product, epsilon, budget);
  proof.low += product.infinite();
  proof.high += product.infinite();
  return proof;
}

}  // namespace plaudit::proof

// The kind `straight`: delta(epsilon) by the trapezoid on a vertical line Re z = t.
// docs/certificates/straight.md. Proof: docs/proofs/straight_contour.md#periodisation
// docs/proofs/straight_contour.md#one-residue
#include "verification/checker/kinds.hpp"
#include "verification/checker/moments.hpp"
#include "verification/checker/rejected.hpp"

namespace plaudit::checker {

namespace {

constexpr long most_nodes = 1'000'000;

struct Contour {
  Interval t;
  Interval h;
  long nodes;
  bool both_residues;
  Interval right_order;
  Interval left_order;
};

struct Product {
  std::vector<std::unique_ptr<Moments>> moments;
  std::vector<Interval> counts;
};

Contour read_contour(Fields& choices) {
  const Rational t = choices.dyadic("t");
  const Rational h = choices.dyadic("h");
  const long nodes = choices.integer("nodes", 1, most_nodes);
  const bool both = choices.integer("residues", 1, 2) == 2;
  const Rational right = choices.dyadic("right_order");
  const Rational left = choices.dyadic("left_order");
  require(t > 0 && h > 0, "t and h must be positive");
  require(right > t, "the right order must exceed t");
  require(both ? left > 1 : left > 0 && left <= 1,
          both ? "the left order must exceed 1" : "the left order must lie in (0, 1]");
  return {Interval(t), Interval(h), nodes, both, Interval(right), Interval(left)};
}

Product read_product(Fields& choices, const Run& run) {
  std::vector<Fields> factors = choices.objects("factors", run.factors.size());
  require(factors.size() == run.factors.size(), "factors: one entry per factor of the run");
  Product product;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    product.moments.push_back(make_moments(*run.factors[i].law, factors[i]));
    product.counts.emplace_back(Integer(run.factors[i].count));
    factors[i].done();
  }
  return product;
}

/// log of prod M_i(order)^n_i
Interval log_moment(const Product& product, const Interval& order, Order which, Budget& budget) {
  Interval sum;
  for (std::size_t i = 0; i < product.moments.size(); ++i) {
    sum += product.counts[i] * product.moments[i]->log_moment(order, which, budget);
  }
  return sum;
}

/// (h/pi) Re sum' e^{-z eps} M(z) / (z (1+z)) over the nodes, the first halved.
Interval sum_over_nodes(const Contour& c, const Product& product, const Interval& epsilon,
                        Budget& budget) {
  budget.spend(static_cast<double>(c.nodes) *
               (100 + 10 * static_cast<double>(product.counts.size())));
  std::vector<Complex> logs(static_cast<std::size_t>(c.nodes) + 1);
  for (std::size_t i = 0; i < product.moments.size(); ++i) {
    const std::vector<Complex> each = product.moments[i]->logs_on_line(c.t, c.h, c.nodes, budget);
    for (std::size_t k = 0; k < logs.size(); ++k) logs[k] += product.counts[i] * each[k];
  }
  Interval sum;
  for (std::size_t k = 0; k < logs.size(); ++k) {
    const Complex z{c.t, static_cast<long>(k) * c.h};
    const Complex term = exp(logs[k] - epsilon * z) / (z * Complex{z.re + 1, z.im});
    sum += k == 0 ? scaled(term.re, -1) : term.re;
  }
  return sum * c.h / pi();
}

/// tau: what lies beyond the last node, on both sides.
Interval truncation(const Contour& c, const Product& product, const Interval& epsilon,
                    Budget& budget) {
  const Interval last = (c.nodes + 1) * c.h;
  Interval log_decay;
  for (std::size_t i = 0; i < product.moments.size(); ++i) {
    log_decay += product.counts[i] * product.moments[i]->log_beyond(c.t, last, budget);
  }
  return top(exp(log_decay - c.t * epsilon) / (pi() * c.h * c.nodes));
}

/// Half the width of the sum: quadrature and rounding. No two arithmetics round alike, so that it
/// counts as at least 2^-floor(bits/2) of the sum.
Interval error_of_nodes(const Interval& value) {
  return max(half_width(value), scaled(top(abs(value)), -(Precision::bits() / 2)));
}

}  // namespace

Proof prove_straight(Fields& choices, const Run& run, const Rational& exact_epsilon,
                     Budget& budget) {
  const Contour c = read_contour(choices);
  const Product product = read_product(choices, run);
  const Interval epsilon(exact_epsilon);
  const Interval period = 2 * pi() / c.h;
  Interval value = sum_over_nodes(c, product, epsilon, budget) - 1 / expm1(c.t * period);

  const Interval right = top(exp(log_c(c.right_order) - c.right_order * epsilon +
                                 log_moment(product, c.right_order, Order::right, budget)) /
                             expm1((c.right_order - c.t) * period));
  const Interval& u = c.left_order;
  Interval left =
      exp(u * epsilon + log_moment(product, -u, Order::left, budget)) / expm1((c.t + u) * period);
  if (c.both_residues) {
    value += exp(epsilon) / expm1((c.t + 1) * period);
    left *= exp(log_c(u - 1));
  }
  left = top(left);
  const Interval cut = truncation(c, product, epsilon, budget);

  Proof proof;
  proof.low = value - right - cut - (c.both_residues ? left : Interval(0));
  proof.high = value + cut + (c.both_residues ? Interval(0) : left);
  proof.errors = {{"right_aliasing", right},
                  {"left_aliasing", left},
                  {"truncation", cut},
                  {"nodes", error_of_nodes(value)}};
  return proof;
}

}  // namespace plaudit::checker

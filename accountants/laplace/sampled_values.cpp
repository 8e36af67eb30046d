#include "accountants/laplace/sampled_values.hpp"

#include "lib/analysis/gauss_legendre.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr int first_arcs = 24;      ///< of half the ellipse
constexpr int most_halvings = 10;   ///< of an arc
constexpr double loose_nats = 0.5;  ///< that an arc's bound may exceed the greatest point by
constexpr long bits_of_arcs = 64;

using Matrix = std::vector<std::vector<ComplexBall>>;

/// |e^(-(l+a)/2) f(l)^W| for |Im W| <= s on the upper half of an ellipse; the lower half mirrors
/// it.
class OnEllipse {
 public:
  OnEllipse(const SampledLaplaceLaw& law, const Ball& r, const Ball& s, const Ball& rho)
      : a_(law.ratio), rate_(law.rate), left_(Rational(1 - law.rate)), r_(r), s_(s) {
    wide_ = ldexp(a_ * (rho + Ball(1) / rho), -1);
    high_ = ldexp(a_ * (rho - Ball(1) / rho), -1);
  }

  /// f is off the ray (-inf, 0] inside.
  bool analytic() const { return certainly_less(high_, pi()); }

  /// The logarithm of it, enclosed for the angles of a ball; not finite where that fails.
  Ball log_size(const Ball& angle) const {
    const ComplexBall l(wide_ * cos(angle), high_ * sin(angle));
    const ComplexBall f = ComplexBall(left_) + ComplexBall(rate_) * exp(l);
    return r_ * log(abs(f)) + s_ * abs(argument(f)) - ldexp(l.real() + a_, -1);
  }

 private:
  Ball a_, rate_, left_, r_, s_, wide_, high_;
};

/// Upper bound of log_size on the arc: it is halved until the bound is near that of single points.
Ball bound_on_arc(const OnEllipse& ellipse, const Ball& from, const Ball& to, const Ball& goal,
                  int halvings) {
  Ball bound = ellipse.log_size(hull(from, to)).upper();
  if ((bound.is_finite() && certainly_less(bound, goal)) || halvings == 0) return bound;
  const Ball middle = ldexp(from + to, -1).middle();
  const Ball first = bound_on_arc(ellipse, from, middle, goal, halvings - 1);
  const Ball second = bound_on_arc(ellipse, middle, to, goal, halvings - 1);
  return first.is_finite() && second.is_finite() ? max(first, second).upper() : positive_infinity();
}

/// Upper bound of |e^(-(l+a)/2) f(l)^W / 4| on the ellipse, for |Im W| <= s: the boundary by arcs.
// Proof: docs/proofs/laplace.md#sampled-values
Ball greatest_on_ellipse(const SampledLaplaceLaw& law, const Ball& r, const Ball& s,
                         const Ball& rho) {
  const PrecisionScope scope(bits_of_arcs);
  const OnEllipse ellipse(law, r, s, rho);
  if (!ellipse.analytic()) return positive_infinity();
  const auto angle = [](int i) { return pi() * Ball(i) / Ball(first_arcs); };
  Ball goal = ellipse.log_size(Ball(0));
  for (int i = 1; i <= first_arcs; ++i) goal = max(goal, ellipse.log_size(angle(i)));
  goal = (goal + Ball(loose_nats)).middle();
  Ball greatest = goal;
  for (int i = 0; i < first_arcs; ++i) {
    check_work_limit();
    const Ball bound = bound_on_arc(ellipse, angle(i), angle(i + 1), goal, most_halvings);
    if (!bound.is_finite()) return positive_infinity();
    greatest = max(greatest, bound).upper();
  }
  return ldexp(exp(greatest), -2).upper();
}

/// rows[k][g] = weights[g] bases[g]^k.
Matrix rows_of_powers(const std::vector<Ball>& weights, const std::vector<ComplexBall>& bases,
                      std::size_t count) {
  check_memory_of_balls(2 * static_cast<double>(count) * static_cast<double>(bases.size()));
  Matrix rows(count, std::vector<ComplexBall>(bases.size()));
  for (std::size_t g = 0; g < bases.size(); ++g) {
    if ((g & 7) == 0) check_work_limit();
    std::vector<ComplexBall> each = powers(bases[g], count);
    for (std::size_t k = 0; k < count; ++k) {
      rows[k][g] = std::move(each[k]);
      rows[k][g].scale(weights[g]);
    }
  }
  return rows;
}

ComplexBall on_circle(const Ball& angle) { return {cos(angle), sin(angle)}; }

}  // namespace

// Proof: docs/proofs/laplace.md#sampled-values
Ball sampled_rule_error(const SampledLaplaceLaw& law, const Ball& r, const Ball& s,
                        const SampledRule& rule) {
  const Ball rho(rule.ellipse);
  return Ball(law.ratio) *
         gauss_legendre_error(rule.points, rho, greatest_on_ellipse(law, r, s, rho));
}

// Proof: docs/proofs/laplace.md#sampled-values
SampledValues sampled_values(const SampledLaplaceLaw& law, const SampledDensity& density,
                             const SampledNodes& nodes, const SampledRule& rule) {
  const Ball a(law.ratio);
  const Ball rate(law.rate);
  const Ball turn = ldexp(pi(), 1) / density.width;  // |w|
  const QuadratureRule legendre = gauss_legendre(rule.points);
  std::vector<Ball> weights;
  std::vector<Ball> ones(rule.points, Ball(1));
  std::vector<ComplexBall> small;  // e^(i h x)
  std::vector<ComplexBall> large;  // e^(w (x - x_2))
  for (std::size_t g = 0; g < rule.points; ++g) {
    if ((g & 7) == 0) check_work_limit();
    const Ball l = a * legendre.nodes[g];
    const Ball x = log1p(rate * expm1(l));
    weights.push_back(ldexp(a * legendre.weights[g] * exp(nodes.r * x - ldexp(l + a, -1)), -2));
    small.push_back(on_circle(nodes.h * x));
    large.push_back(on_circle(turn * (x - density.bottom)));
  }
  const Matrix left = rows_of_powers(weights, small, nodes.nodes + 1);
  const Matrix right = rows_of_powers(ones, large, nodes.direct + 1);

  SampledValues result;
  const Ball height = (Ball(nodes.nodes) * nodes.h + Ball(nodes.direct) * turn).upper();
  result.quadrature =
      charged(sampled_quadrature_term, sampled_rule_error(law, nodes.r, height, rule));
  const std::size_t direct = nodes.direct;
  for (const std::vector<ComplexBall>& row : left) {
    check_work_limit();
    std::vector<ComplexBall> mirrored;
    mirrored.reserve(row.size());
    for (const ComplexBall& each : row) mirrored.push_back(conjugate(each));
    std::vector<ComplexBall> values(2 * direct + 1);
    for (std::size_t j = 0; j <= direct; ++j) {
      values[direct + j] = widened(dot(row, right[j]), result.quadrature);
      // the factor of -j is the conjugate one
      if (j > 0)
        values[direct - j] = widened(conjugate(dot(mirrored, right[j])), result.quadrature);
    }
    result.values.push_back(std::move(values));
  }
  return result;
}

}  // namespace plaudit

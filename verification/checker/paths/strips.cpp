#include "verification/checker/paths/strips.hpp"

#include <array>

#include "accountants/proof/arithmetic/power_sums.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

namespace {

constexpr long most_steps = 2000000;
constexpr std::array names = {"line", "axis", "decay", "right", "left", "moment"};

/// Bounds of int |F_w| along the lines Im = eta + v and eta - v over I, for heights up to s.
struct Edges {
  Interval above;
  Interval below;
};
Edges edges_of(const Path& path, const Rule& rule, const Interval& s) {
  return {path.edge(rule.eta + rule.v, s), path.edge(rule.eta - rule.v, s)};
}

/// Encloses int F_r, which is positive.
Interval along_axis(const Path& path, const Rule* rule, Budget& budget) {
  if (rule == nullptr) return hull(Interval(0), path.crude());
  require(rule->on_axis, "a rule on the axis has no shift");
  Interval sum;
  for (long j = rule->first; j <= rule->last; ++j) {
    if (((j - rule->first) & 63) == 0) budget.spend(64 * path.work());
    sum += exp(path.log_size(j * rule->d));
  }
  sum *= rule->d;
  const Interval rho = top(2 * path.edge(rule->v, Interval(0)) * rule->share());
  require(below(rho, Interval(1)), "a rule on the axis is too coarse");
  const Interval tails = path.tails(rule->first_point(), rule->last_point(), Interval(0));
  return hull(bottom(sum / (1 + rho)), top((sum + tails) / (1 - rho)));
}

std::vector<Complex> along_line(const Path& path, const Rule* rule, const Interval& axis,
                                const Interval& h, long nodes, Budget& budget) {
  const auto count = static_cast<std::size_t>(nodes) + 1;
  if (rule == nullptr) {
    const Interval wide = spread(top(axis));
    return std::vector<Complex>(count, Complex{wide, wide});
  }
  std::vector<Complex> weights;
  std::vector<Complex> bases;
  for (long j = rule->first; j <= rule->last; ++j) {
    if (((j - rule->first) & 63) == 0) budget.spend(128 * path.work());
    const PathPoint at = path.point(j * rule->d, rule->eta);
    weights.push_back(rule->d * exp(Complex{at.weight.size, at.weight.angle}));
    bases.push_back(exp(Complex{-h * at.g.angle, h * at.g.size}));
  }
  std::vector<Complex> sums = power_sums(weights, bases, count, budget);
  const Edges edges = edges_of(path, *rule, nodes * h);
  const Interval error = spread(top(axis) * (edges.above + edges.below) * rule->share() +
                                path.tails(rule->first_point(), rule->last_point(), rule->eta));
  for (Complex& sum : sums) sum += Complex{error, error};
  return sums;
}

Interval beyond_height(const Path& path, const Rule* rule, const Interval& axis, const Interval& s,
                       Budget& budget) {
  if (rule == nullptr) return top(axis);
  Interval sum;
  for (long j = rule->first; j <= rule->last; ++j) {
    if (((j - rule->first) & 63) == 0) budget.spend(128 * path.work());
    const PathPoint at = path.point(j * rule->d, rule->eta);
    sum += exp(at.weight.size - s * at.g.angle);
  }
  const Edges edges = edges_of(path, *rule, s);
  const Interval found = sum * rule->d +
                         2 * top(axis) * sqrt(edges.above * edges.below) * rule->share() +
                         path.tails(rule->first_point(), rule->last_point(), rule->eta);
  return top(min(found, top(axis)));
}

}  // namespace

Rule::Rule(Fields fields)
    : eta(fields.dyadic("eta")),
      v(fields.dyadic("v")),
      d(fields.dyadic("d")),
      first(fields.integer("first", -most_steps, most_steps)),
      last(fields.integer("last", first, most_steps)),
      on_axis(!positive(eta)) {
  require(nonnegative(eta) && positive(v) && positive(d), "a rule without strip or step");
  fields.done();
}

Interval Rule::share() const { return 1 / expm1(2 * pi() * v / d); }

Rules::Rules(Fields& fields) {
  for (const char* name : names) {
    if (fields.has(name)) rules_.emplace(name, Rule(fields.object(name)));
  }
}

const Rule* Rules::find(const std::string& name) const {
  const auto found = rules_.find(name);
  return found == rules_.end() ? nullptr : &found->second;
}

const Interval& PathIntegral::axis(const Interval& r, Budget& budget) const {
  const auto key = std::pair(lower(r), upper(r));
  const auto found = axes_.find(key);
  if (found != axes_.end()) return found->second;
  return axes_.emplace(key, along_axis(*maker_(r), rules_.find("axis"), budget)).first->second;
}

std::vector<Complex> PathIntegral::values(const Interval& r, const Interval& h, long nodes,
                                          Budget& budget) const {
  return along_line(*maker_(r), rules_.find("line"), axis(r, budget), h, nodes, budget);
}

Interval PathIntegral::beyond(const Interval& r, const Interval& s, Budget& budget) const {
  return beyond_height(*maker_(r), rules_.find("decay"), axis(r, budget), s, budget);
}

Interval PathIntegral::moment(const Interval& r, const std::string& name, Budget& budget) const {
  return top(along_axis(*maker_(r), rules_.find(name), budget));
}

}  // namespace plaudit::proof

#include "verification/checker/curves/one_step.hpp"

#include <algorithm>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "accountants/proof/kinds/threshold.hpp"

namespace plaudit::proof {

namespace {

/// delta of one step, and how much of its width terms that were left out cause.
using Value = Tail;

/// [Atoms]
Interval finite_curve(const Finite& law, const Interval& eps, Budget& budget) {
  budget.spend(40.0 * static_cast<double>(law.size()));
  const Finite::Masses masses = law.masses();
  Interval total = law.exact().infinite ? Interval(*law.exact().infinite) : masses.infinite;
  for (const Atom& atom : masses.atoms) total += atom.p * max(-expm1(eps - atom.loss), 0);
  return total;
}

/// [Discrete Gaussian] j = floor(eps v/D - D/2) + 1; either side of an undecided floor.
Value discrete_gaussian_curve(const DiscreteGaussian& law, const Interval& eps, Budget& budget) {
  const Rational d(law.sensitivity);
  const auto index = [&](const Rational& x) {
    return Integer(floor_of(Rational(x * law.variance / d - d / 2)) + 1);
  };
  const Integer first = index(lower(eps));
  const Integer last = index(upper(eps));
  require(last - first <= 1, "needs more bits to tell the outcomes apart");
  const NoiseTails tails(law.variance, budget);
  const Interval growth = exp(eps);
  const auto at = [&](const Integer& j) {
    const Tail p = tails.at(j);
    const Tail q = tails.at(Integer(j + law.sensitivity));
    return Value{p.value - growth * q.value, top(p.rest + growth * q.rest)};
  };
  Value value = at(first);
  if (last != first) {
    const Value other = at(last);
    value = {hull(value.value, other.value), max(value.rest, other.rest)};
  }
  return value;
}

/// [Labels]
Interval labelled_curve(const Labelled& law, const Interval& eps, Budget& budget) {
  budget.spend(800.0 * static_cast<double>(law.labels.size()));
  const LabelCurve<Interval> curve(Interval(law.q), eps);
  Interval total = 0;
  for (const Labelled::Label& label : law.labels) {
    total += Interval(label.weight) * curve.at(Interval(label.rate));
  }
  return total;
}

/// [Truncated Laplace]
Interval truncated_curve(const TruncatedLaplace& law, const Interval& eps) {
  const TruncatedLaplace::Shares shares = law.shares();
  const Interval a(law.ratio);
  const Interval two_points =
      max(-expm1(eps - a), 0) / (1 + exp(-a)) + max(-expm1(eps + a), 0) / (1 + exp(a));
  return shares.infinite + shares.between * curve(Range{law.ratio}, eps) + shares.ends * two_points;
}

/// [Truncated Gaussian]
Interval truncated_curve(const TruncatedGaussian& law, const Interval& eps) {
  const Interval end(law.end);
  const Interval mu(law.mu);
  const Interval deviation = law.deviation();
  const Interval at = max(-end, min(end, eps));
  const Interval beyond = normal_tail(law.bound());
  const Interval p = normal_tail((at - mu) / deviation) - beyond;
  const Interval q = normal_tail((at + mu) / deviation) - beyond;
  return (p - exp(eps) * q) / law.whole();
}

/// [Laplace threshold]
Interval threshold_curve(const LaplaceThreshold& law, const Interval& eps) {
  const Laplace inner{law.inner};
  if (!law.removes) return curve(inner, eps + law.log_unseen());
  return law.seen() + (1 - law.seen()) * curve(inner, eps - law.log_unseen());
}

/// [Samples]
Value sampled_curve(const Sampled& law, const Interval& eps, Budget& budget) {
  const auto sample = of_sampled(law.rate, law.removes, eps);
  if (!sample) return {law.removes ? -expm1(eps) : Interval(0), 0};
  const Law base = std::visit([](const auto& each) { return Law(each); }, law.base);
  const Value value = one_step_curve(base, sample->place, budget);
  return {sample->front * value.value, top(sample->front * value.rest)};
}

}  // namespace

Tail one_step_curve(const Law& law, const Interval& eps, Budget& budget) {
  if (const auto* finite = std::get_if<Finite>(&law)) {
    return {finite_curve(*finite, eps, budget), 0};
  }
  if (const auto* laplace = std::get_if<Laplace>(&law)) return {curve(*laplace, eps), 0};
  if (const auto* range = std::get_if<Range>(&law)) return {curve(*range, eps), 0};
  if (const auto* cut = std::get_if<TruncatedLaplace>(&law)) return {truncated_curve(*cut, eps), 0};
  if (const auto* noise = std::get_if<TruncatedGaussian>(&law)) {
    return {truncated_curve(*noise, eps), 0};
  }
  if (const auto* shown = std::get_if<LaplaceThreshold>(&law)) {
    return {threshold_curve(*shown, eps), 0};
  }
  if (const auto* noise = std::get_if<DiscreteGaussian>(&law)) {
    return discrete_gaussian_curve(*noise, eps, budget);
  }
  if (const auto* labelled = std::get_if<Labelled>(&law)) {
    return {labelled_curve(*labelled, eps, budget), 0};
  }
  if (const auto* gaussian = std::get_if<Gaussian>(&law)) return {curve(*gaussian, eps), 0};
  const auto* sampled = std::get_if<Sampled>(&law);
  require(sampled != nullptr, "a law without a closed form");
  return sampled_curve(*sampled, eps, budget);
}

bool has_closed_curve(const Law& law) {
  return !std::holds_alternative<Mixture>(law) && !std::holds_alternative<Mirrored>(law) &&
         !std::holds_alternative<PublicLabel>(law) && !std::holds_alternative<Allocation>(law) &&
         !std::holds_alternative<Bounded>(law);
}

}  // namespace plaudit::proof

// Kind `threshold`: one step of any law, or Gaussians only, at the optimal event.
// Theorems: docs/certificates/threshold.md.
#include <algorithm>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/ends.hpp"
#include "verification/checker/kinds.hpp"
#include "verification/checker/laws/discrete_noise.hpp"

namespace plaudit::proof {

namespace {

/// delta of one step, and what of its width is owed to terms left out.
using Value = Tail;

/// [Gaussians] mu > 0.
Interval gaussian_curve(const Rational& mu, const Interval& eps) {
  const Interval mean(mu);
  const Interval deviation = sqrt(2 * mean);
  return normal_tail((eps - mean) / deviation) - exp(eps) * normal_tail((eps + mean) / deviation);
}

/// [Bracket] P = sum p_i N(a_i, 1) against Q = sum q_i N(b_i, 1), dP/dQ increasing in u.
class IncreasingPair {
 public:
  explicit IncreasingPair(const Mixture& law) {
    const Parts mixture = parts(law.probabilities, law.rates);
    const Parts alone = {{1, 0}};
    p_ = law.removes ? mixture : alone;  // u = y, resp. u = -y
    q_ = law.removes ? alone : reflected(mixture);
  }
  explicit IncreasingPair(const Mirrored& law)
      : p_(parts(law.probabilities, law.rates)), q_(reflected(p_)) {}

  Proof between(const Rational& first, const Rational& last, const Interval& eps) const {
    require(first <= last, "the bracket is empty");
    const Interval u(first);
    const Interval v(last);
    const Interval growth = exp(eps);
    const Interval beyond = above(q_, u);
    Proof proof;
    proof.low = above(p_, u) - growth * beyond;
    Interval bracket = 1;
    if (at_most(ratio(u), growth) && at_most(growth, ratio(v))) {
      bracket = top((growth - ratio(u)) * (beyond - above(q_, v)));
      proof.high = proof.low + bracket;
    }
    proof.errors = {{"bracket", bracket}, {"tail", 0}};
    return proof;
  }

 private:
  struct Part {
    Interval weight;
    Interval rate;
  };
  using Parts = std::vector<Part>;

  static Parts parts(const std::vector<Rational>& weights, const std::vector<Rational>& rates) {
    Parts result;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      result.push_back({Interval(weights[i]), Interval(rates[i])});
    }
    return result;
  }
  static Parts reflected(Parts parts) {
    for (Part& part : parts) part.rate = -part.rate;
    return parts;
  }
  static Interval above(const Parts& parts, const Interval& u) {
    Interval total = 0;
    for (const Part& part : parts) total += part.weight * normal_tail(u - part.rate);
    return total;
  }
  static Interval density(const Parts& parts, const Interval& u) {
    Interval total = 0;
    for (const Part& part : parts) {
      total += part.weight * exp(part.rate * u - square(part.rate) / 2);
    }
    return total;
  }
  Interval ratio(const Interval& u) const { return density(p_, u) / density(q_, u); }

  Parts p_;
  Parts q_;
};

/// [Atoms]
Interval finite_curve(const Finite& law, const Interval& eps, Budget& budget) {
  budget.spend(40.0 * static_cast<double>(law.size()));
  const Finite::Masses masses = law.masses();
  Interval total = law.exact().infinite ? Interval(*law.exact().infinite) : masses.infinite;
  for (const Atom& atom : masses.atoms) total += atom.p * max(-expm1(eps - atom.loss), 0);
  return total;
}

/// [Laplace]
Interval laplace_curve(const Rational& ratio, const Interval& eps) {
  const Interval a(ratio);
  Interval inside = max(-expm1((eps - a) / 2), 0);
  if (at_most(-a, eps)) return inside;
  const Interval below_all = -expm1(eps);
  return at_most(eps, -a) ? below_all : hull(inside, below_all);
}

/// [Range] Proof: docs/proofs/selection.md#bounded-range
Interval range_curve(const Rational& epsilon, const Interval& eps) {
  const Interval e(epsilon);
  Interval inside = exp(eps) * square(max(expm1((e - eps) / 2), 0)) / expm1(e);
  if (at_most(-e, eps)) return inside;
  const Interval below_all = -expm1(eps);
  return at_most(eps, -e) ? below_all : hull(inside, below_all);
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

/// [Labels] sum of w_j H(R_j | Q_0) for eps >= 0, of w_j H(Q_0 | R_j) below.
Interval labelled_curve(const Labelled& law, const Interval& eps, Budget& budget) {
  budget.spend(800.0 * static_cast<double>(law.labels.size()));
  const bool up = nonnegative(eps);
  require(up || nonnegative(-eps), "the sign of epsilon is not decided");
  const Interval q(law.q);
  const Interval growth = exp(eps);
  const Interval place = log1p(expm1(up ? eps : -eps) / q);
  Interval total = 0;
  for (const Labelled::Label& label : law.labels) {
    const Interval a(label.rate);
    const Interval y = a / 2 + place / a;
    const Interval value =
        up ? q * normal_tail(y - a) + (1 - q - growth) * normal_tail(y)
           : normal_tail(-y) - growth * ((1 - q) * normal_tail(-y) + q * normal_tail(a - y));
    total += Interval(label.weight) * value;
  }
  return total;
}

Value base_curve(const Sampled& law, const Interval& eps, Budget& budget) {
  if (const auto* laplace = std::get_if<Laplace>(&law.base)) {
    return {laplace_curve(laplace->ratio, eps), 0};
  }
  return discrete_gaussian_curve(std::get<DiscreteGaussian>(law.base), eps, budget);
}

/// [Samples]
Value sampled_curve(const Sampled& law, const Interval& eps, Budget& budget) {
  const Interval g(law.rate);
  const Interval inner = expm1(law.removes ? eps : -eps) / g;
  if (at_most(inner, -1)) return {law.removes ? -expm1(eps) : Interval(0), 0};
  require(below(-1, inner), "needs more bits near the end of the support");
  const Interval y = law.removes ? log1p(inner) : -log1p(inner);
  const Value base = base_curve(law, y, budget);
  const Interval front = law.removes ? g : 1 - Interval(Rational(1 - law.rate)) * exp(eps);
  return {front * base.value, top(front * base.rest)};
}

Value curve(const Law& law, const Interval& eps, Budget& budget) {
  if (const auto* finite = std::get_if<Finite>(&law)) {
    return {finite_curve(*finite, eps, budget), 0};
  }
  if (const auto* laplace = std::get_if<Laplace>(&law)) {
    return {laplace_curve(laplace->ratio, eps), 0};
  }
  if (const auto* range = std::get_if<Range>(&law)) return {range_curve(range->epsilon, eps), 0};
  if (const auto* noise = std::get_if<DiscreteGaussian>(&law)) {
    return discrete_gaussian_curve(*noise, eps, budget);
  }
  if (const auto* labelled = std::get_if<Labelled>(&law)) {
    return {labelled_curve(*labelled, eps, budget), 0};
  }
  const auto* sampled = std::get_if<Sampled>(&law);
  require(sampled != nullptr, "a law without a closed form");
  return sampled_curve(*sampled, eps, budget);
}

/// The mean of the loss of a composition of Gaussians; 0 where there are others.
Rational gaussian_mean(const Run& run) {
  Rational mu = 0;
  for (const Factor& factor : run.factors) {
    const auto* gaussian = std::get_if<Gaussian>(factor.law.get());
    if (gaussian == nullptr) return 0;
    mu += gaussian->mu * Integer(factor.count);
  }
  return mu;
}

/// One step of a law that takes its choices.
Proof one_step(const Law& law, Fields& choices, const Interval& eps, Budget& budget) {
  Proof proof;
  proof.errors = {{"bracket", 0}, {"tail", 0}};
  if (const auto* capped = std::get_if<Capped>(&law)) {  // [Capped]
    Fields under_choices = choices.object("under");
    Fields reached_choices = choices.object("reached");
    choices.done();
    const Proof under = one_step(*capped->laws->under, under_choices, eps, budget);
    const Proof reached = one_step(*capped->laws->reached, reached_choices, eps, budget);
    const Interval share = probability_of_reaching(*capped);
    proof.low = (1 - share) * under.low + share * reached.low;
    proof.high = (1 - share) * under.high + share * reached.high;
    for (std::size_t i = 0; i < proof.errors.size(); ++i) {
      proof.errors[i].second =
          top((1 - share) * under.errors[i].second + share * reached.errors[i].second);
    }
    return proof;
  }
  const auto* mixture = std::get_if<Mixture>(&law);
  const auto* mirrored = std::get_if<Mirrored>(&law);
  if (mixture == nullptr && mirrored == nullptr) {
    choices.done();
    const Value value = curve(law, eps, budget);
    proof.low = proof.high = value.value;
    proof.errors[1].second = value.rest;
    return proof;
  }
  if (!choices.has("below") && !choices.has("above")) {  // [Beyond the losses]
    choices.done();
    const std::optional<Known> last = end_of(law, false);
    const std::optional<Known> first = end_of(law, true);
    const bool above_all = last && at_most(last->value, eps);
    require(above_all || (first && at_most(eps, first->value)),
            "no bracket, and losses around epsilon");
    proof.low = proof.high = above_all ? Interval(0) : -expm1(eps);
    return proof;
  }
  const Rational first = choices.exact("below");
  const Rational last = choices.exact("above");
  choices.done();
  budget.spend(1600.0 *
               static_cast<double>(mixture ? mixture->rates.size() : mirrored->rates.size()));
  const IncreasingPair pair = mixture ? IncreasingPair(*mixture) : IncreasingPair(*mirrored);
  return pair.between(first, last, eps);
}

}  // namespace

Proof prove_threshold(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget) {
  const Interval eps(epsilon);
  Proof proof;
  proof.errors = {{"bracket", 0}, {"tail", 0}};
  const Rational mu = gaussian_mean(run);
  if (mu > 0) {
    choices.done();
    budget.spend(400);
    proof.low = proof.high = gaussian_curve(mu, eps);
    return proof;
  }
  require(run.factors.size() == 1 && run.factors[0].count == 1, "more than one step");
  return one_step(*run.factors[0].law, choices, eps, budget);
}

}  // namespace plaudit::proof

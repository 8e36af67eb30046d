#include "accountants/proof/kinds/threshold.hpp"

#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/mutant.hpp"

namespace plaudit::proof {

namespace {

/// P = sum p_i N(a_i, 1) against Q = sum q_i N(a_i, 1), dP/dQ increasing in u.
template <class Real>
class IncreasingPair {
 public:
  explicit IncreasingPair(const Mixture& law) {  // u = y, resp. u = -y
    const bool at_zero = law.rates.front() == 0;
    const Rational same = at_zero ? law.probabilities.front() : Rational(0);
    require(law.radicand > 0, "a mixture has a radicand above 0");
    const Real unit = sqrt(Real(law.radicand));
    add(0, law.removes ? same : Rational(1), law.removes ? Rational(1) : same);
    for (std::size_t i = at_zero ? 1 : 0; i < law.rates.size(); ++i) {
      require(law.rates[i] >= 0, "a mixture has rates of at least 0");
      const Real rate(law.rates[i]);
      add_one_sided(PLAUDIT_BOUND("threshold.root", law.radicand == 1 ? rate : rate * unit, rate),
                    law.probabilities[i], law.removes);
    }
  }
  explicit IncreasingPair(const Mirrored& law) {
    for (std::size_t i = 0; i < law.rates.size(); ++i) {
      const Rational& p = law.probabilities[i];
      if (law.rates[i] == 0) {
        add(0, p, p);
      } else {
        require(law.rates[i] > 0, "a mixture has rates of at least 0");
        add_one_sided(Real(law.rates[i]), p, true);
        add_one_sided(Real(law.rates[i]), p, false);
      }
    }
  }

  // Proof: docs/certificates/threshold.md, "Bracket"
  ProofOf<Real> between(const Bracket& bracket, const Real& epsilon) const {
    require(bracket.below <= bracket.above, "the bracket is empty");
    const Real u(bracket.below);
    const Real v(bracket.above);
    const Real growth = exp(epsilon);
    Real low = 0;
    Real inside = 0;  // Q(u < y <= v)
    for (const Part& part : parts_) {
      const Real start = u - part.rate;
      const Real tail = normal_tail(start);
      low += (part.p - growth * part.q) * tail;
      if (part.in_q) inside += part.q * normal_between(start, v - part.rate, tail);
    }
    const Real ratio_before = ratio(u);
    ProofOf<Real> proof;
    proof.low = low;
    Real width = 1;
    if (at_most(ratio_before, growth) && at_most(growth, ratio(v))) {
      width = charged(bracket_term, (growth - ratio_before) * inside);
      proof.high = proof.low + width;
    }
    proof.errors.push_back({&bracket_term, width});
    return proof;
  }

 private:
  struct Part {
    Real rate;
    Real p;
    Real q;
    bool in_q;
  };

  void add(const Real& rate, const Rational& p, const Rational& q) {
    parts_.push_back({rate, Real(p), Real(q), q > 0});
  }
  void add_one_sided(const Real& rate, const Rational& weight, bool in_p) {
    require(weight >= 0, "a mixture has probabilities of at least 0");
    if (in_p) {
      add(rate, weight, 0);
    } else {
      add(-rate, 0, weight);
    }
  }

  Real ratio(const Real& u) const {
    Real p = 0;
    Real q = 0;
    for (const Part& part : parts_) {  // densities, in units of that of N(0, 1)
      const Real density = exp(part.rate * u - half(square(part.rate)));
      p += part.p * density;
      q += part.q * density;
    }
    return p / q;
  }

  std::vector<Part> parts_;
};

template <class Real>
ProofOf<Real> exactly(const Real& value) {
  return {.low = value, .high = value, .errors = {{&bracket_term, 0}}};
}

/// Interval operations for each component.
constexpr int work_of_component = 1600;

}  // namespace

template <class Real>
std::optional<Real> end_of(const Mixture& law, bool least) {
  if (law.rates.front() != 0 || law.removes != least) return std::nullopt;
  const Real end = log(Real(law.probabilities.front()));
  return least ? end : -end;
}

template <class Real>
ProofOf<Real> threshold(const Mixture& law, const Real& epsilon, const ThresholdChoices& choices,
                        Budget& budget) {
  if (choices.bracket) {
    budget.spend(work_of_component * static_cast<double>(law.rates.size()));
    return IncreasingPair<Real>(law).between(*choices.bracket, epsilon);
  }
  const std::optional<Real> last = end_of<Real>(law, false);
  const std::optional<Real> first = end_of<Real>(law, true);
  const bool above_all = last && at_most(*last, epsilon);
  require(above_all || (first && at_most(epsilon, *first)),
          "no bracket, and losses around epsilon");
  return exactly<Real>(above_all ? Real(0) : -expm1(epsilon));
}

template <class Real>
ProofOf<Real> threshold(const Mirrored& law, const Real& epsilon, const ThresholdChoices& choices,
                        Budget& budget) {
  require(choices.bracket.has_value(), "no bracket, and losses around epsilon");
  budget.spend(work_of_component * static_cast<double>(law.rates.size()));
  return IncreasingPair<Real>(law).between(*choices.bracket, epsilon);
}

// Proof: docs/proofs/hockey_stick.md#gaussian
template <class Real>
Real curve(const Gaussian& law, const Real& epsilon) {
  require(law.mu > 0, "a Gaussian without a distance");
  const Real mean(law.mu);
  const Real deviation = sqrt(scaled(mean, 1));
  return normal_tail((epsilon - mean) / deviation) -
         exp(epsilon) * normal_tail((epsilon + mean) / deviation);
}

// Proof: docs/proofs/hockey_stick.md#laplace
template <class Real>
Real curve(const Laplace& law, const Real& epsilon) {
  const Real a(law.ratio);
  Real inside = max(-expm1(half(epsilon - a)), Real(0));
  if (at_most(-a, epsilon)) return inside;
  const Real below_all = -expm1(epsilon);
  return at_most(epsilon, -a) ? below_all : hull(inside, below_all);
}

// Proof: docs/proofs/selection.md#bounded-range
template <class Real>
Real curve(const Range& law, const Real& epsilon) {
  const Real e(law.epsilon);
  const Real front = PLAUDIT_BOUND("range.envelope", exp(epsilon), Real(1));
  Real inside = front * square(max(expm1(half(e - epsilon)), Real(0))) / expm1(e);
  if (at_most(-e, epsilon)) return inside;
  const Real below_all = -expm1(epsilon);
  return at_most(epsilon, -e) ? below_all : hull(inside, below_all);
}

// Proof: docs/proofs/discrete.md#sampled
template <class Real>
std::optional<OfSampled<Real>> of_sampled(const Rational& rate, bool removes, const Real& epsilon) {
  // NOLINTNEXTLINE(misc-redundant-expression): taken for two comparisons of one template
  require(rate > 0 && rate < 1, "the rate of a sample must lie between 0 and 1");
  const Real g(rate);
  const Real inner = expm1(removes ? epsilon : -epsilon) / g;
  if (at_most(inner, Real(-1))) return std::nullopt;
  require(below(Real(-1), inner), "needs more bits near the end of the support");
  const Real place = log1p(inner);
  if (removes) return OfSampled<Real>{g, place};
  return OfSampled<Real>{g * exp(epsilon) * (1 + inner), -place};  // 1 - (1 - g) e^eps
}

template <class Real>
LabelCurve<Real>::LabelCurve(const Real& q, const Real& epsilon)
    : q_(q), growth_(exp(epsilon)), up_(nonnegative(epsilon)) {
  require(up_ || nonnegative(-epsilon), "the sign of epsilon is not decided");
  place_ = log1p(expm1(up_ ? epsilon : -epsilon) / q_);
}

// Proof: docs/proofs/sampling.md#replacement
template <class Real>
Real LabelCurve<Real>::at(const Real& a) const {
  const Real y = half(a) + place_ / a;
  if (up_) return q_ * normal_tail(y - a) + (1 - q_ - growth_) * normal_tail(y);
  return normal_tail(-y) - growth_ * ((1 - q_) * normal_tail(-y) + q_ * normal_tail(a - y));
}

template class LabelCurve<Ball>;
template class LabelCurve<Interval>;

template ProofOf<Ball> threshold(const Mixture&, const Ball&, const ThresholdChoices&, Budget&);
template ProofOf<Ball> threshold(const Mirrored&, const Ball&, const ThresholdChoices&, Budget&);
template Ball curve(const Gaussian&, const Ball&);
template Ball curve(const Laplace&, const Ball&);
template Ball curve(const Range&, const Ball&);
template std::optional<OfSampled<Ball>> of_sampled(const Rational&, bool, const Ball&);
template std::optional<Ball> end_of(const Mixture&, bool);

template ProofOf<Interval> threshold(const Mixture&, const Interval&, const ThresholdChoices&,
                                     Budget&);
template ProofOf<Interval> threshold(const Mirrored&, const Interval&, const ThresholdChoices&,
                                     Budget&);
template Interval curve(const Gaussian&, const Interval&);
template Interval curve(const Laplace&, const Interval&);
template Interval curve(const Range&, const Interval&);
template std::optional<OfSampled<Interval>> of_sampled(const Rational&, bool, const Interval&);
template std::optional<Interval> end_of(const Mixture&, bool);

}  // namespace plaudit::proof

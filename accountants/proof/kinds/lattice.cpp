#include "accountants/proof/kinds/lattice.hpp"

#include <cmath>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/mutant.hpp"

namespace plaudit::proof {

void check_choices(const LatticeChoices& choices) {
  require(0 < choices.tilt && choices.tilt < choices.right_order && 0 < choices.left_order &&
              choices.left_order <= 1,
          "the orders are not in order");
  require(1 <= choices.period, "the period is out of range");
  long first = 0;
  for (const LatticeRange& range : choices.ranges) {
    require(first <= range.last, "the segments are not in order");
    first = range.last + 1;
  }
  require(first == choices.period / 2 + 1, "the segments do not cover the period");
}

template <class Real>
LatticeContour<Real>::LatticeContour(Factors factors, const PeriodLine<Real>& line,
                                     Number<Real> step, LatticeChoices choices, Budget& budget)
    : factors_(std::move(factors)),
      line_(line),
      step_(std::move(step)),
      choices_(std::move(choices)),
      budget_(budget),
      finite_(1),
      infinite_(0),
      damp_near_(exp(-line.tilt * line.step)),
      damp_far_(exp(-(line.tilt + 1) * line.step)),
      bounded_near_(0),
      bounded_far_(0) {
  check_choices(choices_);
  require(positive(line.step), "the mesh of a lattice must be positive");
  add_masses();
  double cost = 60;
  for (const auto& factor : factors_) {
    cost += factor->cost() + 8 * std::log2(static_cast<double>(factor->count) + 1);
  }
  double evaluations = 0;
  long first = 0;
  for (const LatticeRange& range : choices_.ranges) {
    evaluations += range.summed ? static_cast<double>(range.last - first) + 1 : 3;
    first = range.last + 1;
  }
  budget.spend(cost * evaluations);
  first = 0;
  for (const LatticeRange& range : choices_.ranges) {
    for (long k = first; range.summed && k <= range.last; ++k) add_node(k);
    if (!range.summed) add_bounded(first, range.last);
    first = range.last + 1;
  }
}

template <class Real>
void LatticeContour<Real>::add_masses() {
  offset_ = {Real(0), Rational(0)};
  last_ = 0;
  Real log_finite(0);
  Real log_ratio(0);
  for (const auto& factor : factors_) {
    const Integer n(factor->count);
    const Real count = Made<Real>::from(n);
    if (offset_.exact && factor->offset.exact) {
      offset_.exact = Rational(*offset_.exact + *factor->offset.exact * n);
    } else {
      offset_.exact.reset();
    }
    offset_.value += factor->offset.value * count;
    if (last_ && factor->greatest) {
      *last_ += *factor->greatest * n;
    } else {
      last_.reset();
    }
    log_finite += count * log(factor->finite);
    log_ratio += count * log1p(factor->infinite / factor->finite);
  }
  if (offset_.exact) offset_.value = Real(*offset_.exact);
  finite_ = exp(log_finite);
  infinite_ = finite_ * expm1(log_ratio);
}

/// prod F^n: powers as exp(n log), by any logarithm, or the square around a disk where an F may
/// be 0.
template <class Real>
ComplexOf<Real> LatticeContour<Real>::product(long k) const {
  ComplexOf<Real> logarithm{0, 0};
  bool lost = false;
  for (const auto& factor : factors_) {
    const ComplexOf<Real> value = factor->at(k);
    const Real count = Made<Real>::from(Integer(factor->count));
    if (may_be_zero(value)) {
      lost = true;
      logarithm += ComplexOf<Real>{count * log(top(abs(value))), 0};
      continue;
    }
    // near the negative axis: away from the cut of the logarithm, (-1)^n by parity
    const bool turned = negative(real_part(value));
    logarithm += count * log(turned ? -value : value);
    if (turned && factor->count % 2 == 1) logarithm += ComplexOf<Real>{0, Made<Real>::pi()};
  }
  if (!lost) return exp(logarithm);
  const Real most = top(exp(real_part(logarithm)));
  const Real around = hull(-most, most);
  return {around, around};
}

template <class Real>
void LatticeContour<Real>::add_node(long k) {
  if ((k & 255) == 0) budget_.spend(0);
  const ComplexOf<Real> one{1, 0};
  const ComplexOf<Real> back = conjugate(line_.roots(2 * static_cast<std::uint64_t>(k)));
  ComplexOf<Real> value = product(k);
  if (k != 0 && 2 * k != choices_.period) value = Real(2) * value;
  indices_.push_back(k);
  weights_.push_back({value / (one - damp_near_ * back), value / (one - damp_far_ * back)});
}

// Proof: docs/certificates/lattice.md#ranges-that-are-bounded
template <class Real>
void LatticeContour<Real>::add_bounded(long first, long last) {
  Real size(2 * (last - first + 1));
  for (const auto& factor : factors_) {
    size *= power(factor->bound(first, last), static_cast<unsigned long>(factor->count));
  }
  // |1 - d e^{-ix}|^2 = (1-d)^2 + 4 d sin(x/2)^2 increases along the half period
  const Real sine = square(imaginary_part(line_.roots(static_cast<std::uint64_t>(first))));
  const auto least = [&](const Real& damp) {
    return sqrt(square(1 - damp) + scaled(damp * sine, 2));
  };
  bounded_near_ +=
      size / PLAUDIT_BOUND("lattice.least_denominator", least(damp_near_), Real(1000000));
  bounded_far_ += size / least(damp_far_);
}

template <class Real>
const typename LatticeContour<Real>::Turned& LatticeContour<Real>::turned_to(const Integer& index) {
  if (turned_ && turned_->index == index) return *turned_;
  const auto period = static_cast<std::uint64_t>(choices_.period);
  Integer turn = -index % choices_.period;
  if (turn < 0) turn += choices_.period;
  const auto turns = static_cast<std::uint64_t>(to_long(turn));
  Turned sums{index, Real(0), Real(0)};
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if ((i & 1023) == 1023) budget_.spend(0);
    const ComplexOf<Real> phase =
        line_.roots(2 * (turns * static_cast<std::uint64_t>(indices_[i]) % period));
    sums.near += real_part(weights_[i].near * phase);
    sums.far += real_part(weights_[i].far * phase);
  }
  return turned_.emplace(std::move(sums));
}

/// With l0 = b + a index.
// Proof: docs/proofs/lattice.md#folding
template <class Real>
typename LatticeContour<Real>::Sum LatticeContour<Real>::from(const Integer& index,
                                                              const Real& epsilon) {
  const Turned& sums = turned_to(index);
  const Real away = line_.step * Made<Real>::from(index);
  const Real gap = exp(epsilon - away - offset_.value);
  const Real front = exp(-line_.tilt * away) / Real(choices_.period);
  return {front * (sums.near - gap * sums.far), top(front * (bounded_near_ + gap * bounded_far_))};
}

template <class Real>
bool LatticeContour<Real>::ends_before(const Number<Real>& epsilon) const {
  if (!last_) return false;
  const Integer beyond = *last_ - choices_.period;
  if (offset_.exact && step_.exact && epsilon.exact) {
    return *offset_.exact + *step_.exact * beyond <= *epsilon.exact;
  }
  return at_most(offset_.value + line_.step * Made<Real>::from(beyond), epsilon.value);
}

template <class Real>
const Real& LatticeContour<Real>::log_moment(const Rational& order) {
  for (const auto& known : log_moments_) {
    if (known.first == order) return known.second;
  }
  Real total(0);
  for (const auto& factor : factors_) {
    total += Made<Real>::from(Integer(factor->count)) * factor->log_moment(order);
  }
  return log_moments_.emplace_back(order, total).second;
}

// Proof: docs/proofs/lattice.md#folding
template <class Real>
Real LatticeContour<Real>::right_alias(const Real& epsilon, const Rational& order) {
  require(choices_.tilt < order, "the orders are not in order");
  const Real other(order);
  return exp(log_c(other) + log_moment(order) - other * epsilon) /
         expm1((other - line_.tilt) * width());
}

// Proof: docs/proofs/lattice.md#folding
template <class Real>
Real LatticeContour<Real>::left_alias(const Real& epsilon, const Rational& order) {
  require(0 < order && order <= 1, "the orders are not in order");
  const Real u(order);
  return exp(log_moment(Rational(-order)) + u * epsilon) / expm1((line_.tilt + u) * width());
}

// Proof: docs/proofs/lattice.md#folding
template <class Real>
ProofOf<Real> LatticeContour<Real>::at(const Number<Real>& epsilon) {
  std::pair<Integer, Integer> below;
  if (offset_.exact && step_.exact && epsilon.exact) {
    below.first = floor_of(Rational((*epsilon.exact - *offset_.exact) / *step_.exact));
    below.second = below.first;
  } else {
    below = floors_of((epsilon.value - offset_.value) / line_.step);
  }
  require(below.second - below.first <= 1, "needs more bits to tell the lattice's points apart");
  Sum sum = from(below.first + 1, epsilon.value);
  if (below.second != below.first) {
    const Sum other = from(below.second + 1, epsilon.value);
    sum = {PLAUDIT_BOUND("lattice.both_neighbours", hull(sum.value, other.value), other.value),
           max(sum.bounded, other.bounded)};
  }
  const Real folded = sum.value - finite_ / expm1(line_.tilt * width());
  const bool ends = PLAUDIT_BOUND("lattice.end_of_support", ends_before(epsilon), true);
  const Real right = ends ? Real(0) : right_alias(epsilon.value, choices_.right_order);
  return bounded(folded + infinite_, right, left_alias(epsilon.value, choices_.left_order),
                 sum.bounded);
}

template <class Real>
ProofOf<Real> LatticeContour<Real>::bounded(const Real& value, const Real& right_bound,
                                            const Real& left_bound, const Real& unseen) const {
  const Real right = charged(right_alias_term, right_bound);
  const Real left = charged(left_alias_term, left_bound);
  const Real rest = charged(spectrum_term, unseen);
  ProofOf<Real> proof;
  proof.low = value - right - rest;
  proof.high = value + left + rest;
  proof.errors = {{&right_alias_term, right}, {&left_alias_term, left}, {&spectrum_term, rest}};
  return proof;
}

template <class Real>
void LatticeContour<Real>::set_orders(const Rational& right, const Rational& left) {
  choices_.right_order = right;
  choices_.left_order = left;
  check_choices(choices_);
}

template class LatticeContour<Ball>;
template class LatticeContour<Interval>;

}  // namespace plaudit::proof

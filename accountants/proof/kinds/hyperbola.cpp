#include "accountants/proof/kinds/hyperbola.hpp"

#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"

namespace plaudit::proof {

namespace {

/// Bounds of moduli need no more, whatever the sum needs.
constexpr long bits_of_bounds = 64;
/// Bits that w, l and the logarithms of the weights have beyond those of the sums: they stand in
/// exponents, where they are multiplied by each other.
constexpr long more_bits_of_exponents = 16;

template <class Complex>
Complex powered(Complex z, unsigned long n, Complex result) {
  for (; n > 0; n >>= 1) {
    if ((n & 1) != 0) result = result * z;
    z = z * z;
  }
  return result;
}

}  // namespace

template <class Real>
HyperbolaSum<Real>::HyperbolaSum(const HyperbolaLaw& law, const HyperbolaChoices& choices,
                                 Budget& budget)
    : law_(law), choices_(choices), budget_(&budget), plain_(law.mean > 0) {
  require(
      choices.scale > 0 && choices.strip > 0 && choices.strip < choices.angle && choices.step > 0,
      "bent: no strip of hyperbolas");
  require(law.mixtures.size() == choices.paths.size() && law.mean >= 0,
          "bent: not for these factors");
  require(choices.per_arc > 0 && choices.arcs > 0 && choices.arcs_beyond >= 0, "bent: no nodes");
  {
    const PrecisionScope scope(bits_of_bounds);
    for (std::size_t i = 0; i < law.mixtures.size(); ++i) {
      paths_.emplace_back(law.mixtures[i], choices.paths[i], budget);
    }
    for (const Rational& shift : {Rational(-choices.strip), Rational(0), choices.strip}) {
      hyperbolas_.emplace_back(Real(choices.center), Real(choices.scale),
                               Real(Rational(choices.angle + shift)));
    }
  }
  loss_ = Real(0);
  for (const MixturePath<Real>& path : paths_) loss_ -= Real(path.count()) * path.log_base();
}

template <class Real>
std::size_t HyperbolaSum<Real>::pieces() const {
  std::size_t sum = 0;
  for (const MixturePath<Real>& path : paths_) sum += path.pieces();
  return sum;
}

// [Bending]
// Proof: docs/certificates/bent.md#bending
template <class Real>
void HyperbolaSum<Real>::check_strip() const {
  const Hyperbola<Real>&inner = hyperbolas_.front(), &outer = hyperbolas_.back();
  require(below(Real(plain_ ? PLAUDIT_BOUND("hyperbola.angle_with_gaussian_factor", 4, 2) : 2) *
                    outer.angle,
                Made<Real>::pi()),
          "bent: the hyperbola is too flat");
  require(law_.removes
              ? below(Real(1), PLAUDIT_BOUND("hyperbola.right_of_pole", inner, outer).crossing())
              : negative(PLAUDIT_BOUND("hyperbola.left_of_pole", outer, inner).crossing()),
          "bent: a pole lies on the strip of hyperbolas");
  for (const MixturePath<Real>& path : paths_) path.check_right_end(outer);
}

template <class Real>
void HyperbolaSum<Real>::prepare() {
  {
    const PrecisionScope scope(bits_of_bounds);
    check_strip();
    growth_ = Real(0);
    for (const MixturePath<Real>& path : paths_) {
      growth_ += Real(path.count()) * path.growth_rate(hyperbolas_.front(), hyperbolas_.back());
    }
    inner_ = on_edge(hyperbolas_.front(), 0);
    outer_ = on_edge(hyperbolas_.back(), 0);
    omitted_ = on_edge(hyperbolas_[1], choices_.arcs);
  }
  make_nodes();
}

// Of |F| integrated over arc i, and of h times the sum of |F| over its nodes but the first.
// Proof: docs/certificates/bent.md#arc-integrals
template <class Real>
typename HyperbolaSum<Real>::Bound HyperbolaSum<Real>::on_arc(const Hyperbola<Real>& hyperbola,
                                                              long i) const {
  const Real x1 = edge(i), x2 = edge(i + 1);
  Real sums(0), products(0);
  for (const MixturePath<Real>& path : paths_) {
    const Norms<Real> norms = path.norms(hyperbola.arc(x1, x2));
    const Real count(path.count()), from_one = log1p(norms.minus_one);
    sums += count * from_one;
    products += count * min(from_one, log(norms.plain));
  }
  const Real size =
      plain_ ? exp(products) * PLAUDIT_BOUND("hyperbola.gaussian_factor",
                                             hyperbola.gaussian_bound(Real(law_.mean), x1, &x2),
                                             Real(1))
             : min(expm1(sums),
                   PLAUDIT_BOUND("hyperbola.subtracted_one", Real(1), Real(0)) + exp(products));
  return {top(size * hyperbola.measure(x1, x2)),
          real_part(hyperbola.at(PLAUDIT_BOUND("hyperbola.start_of_arc", x1, x2)))};
}

// Proof: docs/certificates/bent.md#arc-integrals
template <class Real>
typename HyperbolaSum<Real>::Beyond HyperbolaSum<Real>::beyond(
    const Hyperbola<Real>& hyperbola) const {
  const Real x = edge(choices_.arcs + choices_.arcs_beyond);
  Beyond result{Real(0), plain_ ? hyperbola.gaussian_bound(Real(law_.mean), x, nullptr) : Real(1),
                hyperbola.center, hyperbola.scale * hyperbola.sine * cosh(x),
                hyperbola.scale * square(hyperbola.cosine) * sinh(x)};
  for (const MixturePath<Real>& path : paths_) {
    result.products += Real(path.count()) * log(path.plain_beyond(hyperbola, x));
  }
  return result;
}

template <class Real>
typename HyperbolaSum<Real>::Edge HyperbolaSum<Real>::on_edge(const Hyperbola<Real>& hyperbola,
                                                              long first) const {
  Edge result{{}, beyond(hyperbola)};
  for (long i = first; i < choices_.arcs + choices_.arcs_beyond; ++i) {
    result.arcs.push_back(on_arc(hyperbola, i));
  }
  return result;
}

// Of |F| over all arcs of the edge and beyond them; `rate` is what the factors leave of kappa.
// Proof: docs/certificates/bent.md#arc-integrals
template <class Real>
Real HyperbolaSum<Real>::integral(const Edge& edge, const Real& kappa, const Real& rate) const {
  const Beyond& last = edge.beyond;
  Real size = exp(last.products - kappa * last.center - rate * last.rise) * last.gaussian;
  if (!plain_) size += exp(-(kappa * (last.center + last.rise)));
  Real sum = PLAUDIT_BOUND("hyperbola.beyond_arcs", size / last.divisor, Real(0));
  for (const Bound& arc : edge.arcs) sum += arc.weight * exp(-(kappa * arc.real));
  return sum;
}

// Proof: docs/certificates/bent.md#assembly
template <class Real>
void HyperbolaSum<Real>::make_nodes() {
  nodes_.clear();
  std::vector<std::vector<Complex>> values;
  std::vector<Real> strip_errors, tails;
  const Complex one{Real(1), Real(0)};
  {
    const PrecisionScope scope(bits_of_bounds);
    const Arc<Real> whole = hyperbolas_[1].arc(Real(0), edge(choices_.arcs));
    for (const MixturePath<Real>& path : paths_) {
      strip_errors.push_back(path.strip_error(whole));
      tails.push_back(path.tails(whole));
    }
  }
  {
    const PrecisionScope scope(working_precision() + more_bits_of_exponents);
    const Hyperbola<Real> middle(Real(choices_.center), Real(choices_.scale), Real(choices_.angle));
    std::vector<Complex> w;
    for (long k = 0; k < nodes(); ++k) {
      const Real x = place(k);
      const Complex here = middle.at(x);
      w.push_back(here);
      const Complex quadratic = here * (here - one);
      const Real step(Rational(k == 0 ? choices_.step / 2 : choices_.step));
      Complex outside = step * (middle.derivative(x) / quadratic);
      if (plain_) outside = outside * exp(Real(law_.mean) * quadratic);
      nodes_.push_back({here, outside, real_part(here), Real(0), Real(0)});
    }
    for (const MixturePath<Real>& path : paths_) {
      const ExponentialRule<Real> rule = path.rule();
      const PrecisionScope sums(working_precision() - more_bits_of_exponents);
      values.push_back(exponential_sums(rule, w, *budget_));
    }
  }
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    if (k % 16 == 0) budget_->spend(0);
    Node& node = nodes_[k];
    Complex product = one;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      product = powered(values[i][k], paths_[i].count(), product);
    }
    const Complex outside_product = node.value;
    node.value = outside_product * (plain_ ? product : product - one);
    const PrecisionScope scope(bits_of_bounds);
    std::vector<Real> sizes;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      sizes.push_back(top(abs(values[i][k])) + strip_errors[i] + tails[i]);
    }
    const Real outside = top(abs(outside_product));
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      Real slope = outside * Real(paths_[i].count());
      for (std::size_t j = 0; j < paths_.size(); ++j) {
        slope *= PLAUDIT_BOUND("hyperbola.slope_of_product",
                               power(sizes[j], paths_[j].count() - (i == j ? 1 : 0)), Real(1));
      }
      node.quadrature += slope * strip_errors[i];
      node.tails += slope * tails[i];
    }
  }
}

// Proof: docs/certificates/bent.md#assembly
template <class Real>
ProofOf<Real> HyperbolaSum<Real>::at(const Real& epsilon) const {
  const Real kappa = this->kappa(epsilon);
  require(positive(kappa), "bent: kappa is not positive");
  Real value(0);
  for (const Node& node : nodes_) value += imaginary_part(exp(-kappa * node.w) * node.value);
  const Real front = (law_.removes ? exp(epsilon) : Real(1)) / Made<Real>::pi();
  value *= front;
  if (!plain_ && !law_.removes) {
    value -= PLAUDIT_BOUND("hyperbola.poles_of_subtracted_one", expm1(-kappa), Real(0));
  }
  ProofOf<Real> proof;
  const Real error = add_errors(kappa, front, proof);
  require(bounded(value) && bounded(error), "bent: a bound is not finite");
  proof.low = value - error;
  proof.high = value + error;
  return proof;
}

// Proof: docs/certificates/bent.md#assembly
template <class Real>
Real HyperbolaSum<Real>::add_errors(const Real& kappa, const Real& front,
                                    ProofOf<Real>& proof) const {
  const PrecisionScope scope(bits_of_bounds);
  const Real rate = bottom(PLAUDIT_BOUND("hyperbola.rate_of_decay", kappa - growth_, kappa));
  require(positive(rate), "bent: the integrand may not decay");
  const Real edges = PLAUDIT_BOUND("hyperbola.inner_edge", integral(inner_, kappa, rate), Real(0)) +
                     PLAUDIT_BOUND("hyperbola.outer_edge", integral(outer_, kappa, rate), Real(0));
  const Real ratio(Rational(choices_.strip / choices_.step));
  Real quadrature(0), tails(0);
  for (const Node& node : nodes_) {
    const Real decay = exp(-(kappa * node.real));
    quadrature += decay * node.quadrature;
    tails += decay * node.tails;
  }
  Real error(0);
  const auto charge = [&](const ErrorTerm& term, const Real& size) {
    proof.errors.push_back({&term, charged(term, top(size))});
    error += proof.errors.back().size;
  };
  charge(hyperbola_quadrature_term, front * edges / expm1(scaled(Made<Real>::pi(), 1) * ratio));
  charge(hyperbola_truncation_term, front * integral(omitted_, kappa, rate));
  charge(hyperbola_path_term, front * quadrature);
  charge(hyperbola_tails_term, front * tails);
  return error;
}

template class HyperbolaSum<Ball>;
template class HyperbolaSum<Interval>;

}  // namespace plaudit::proof

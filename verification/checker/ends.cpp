// Kind `ends`: what the mass at infinity and the ends of the support say without any sum.
// Theorems: docs/certificates/ends.md.
#include "verification/checker/ends.hpp"

#include <map>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "accountants/proof/kinds/threshold.hpp"
#include "verification/checker/kinds.hpp"

namespace plaudit::proof {

namespace {

constexpr double most_exact_bits = 1 << 16;  ///< of a mass at infinity formed as a fraction
constexpr std::uint64_t most_exact_steps = 200;
constexpr std::size_t most_exact_points = 2000;

Known known(const Rational& q) { return {Interval(q), q}; }

std::optional<Known> finite_end(const Finite& law, bool first) {
  const Finite::Exact& exact = law.exact();
  const ExactAtom& atom = first ? exact.atoms.front() : exact.atoms.back();
  if (atom.loss) return known(*atom.loss);
  const Finite::Masses masses = law.masses();
  return Known{first ? masses.atoms.front().loss : masses.atoms.back().loss};
}

/// P(L = inf).
Known infinite_of(const Law& law) {
  if (const auto* noise = std::get_if<TruncatedGaussian>(&law)) return {noise->infinite()};
  if (const auto* cut = std::get_if<TruncatedLaplace>(&law)) return {cut->shares().infinite};
  if (const auto* shown = std::get_if<LaplaceThreshold>(&law)) {
    return shown->removes ? Known{shown->seen()} : known(0);
  }
  const auto* finite = std::get_if<Finite>(&law);
  if (finite == nullptr) return known(0);
  const std::optional<Rational>& mass = finite->exact().infinite;
  return mass ? known(*mass) : Known{finite->masses().infinite};
}

/// Q(dP/dQ > 0).
Known q_mass_of(const Law& law) {
  if (const auto* noise = std::get_if<TruncatedGaussian>(&law)) return {1 - noise->infinite()};
  if (const auto* cut = std::get_if<TruncatedLaplace>(&law)) return {1 - cut->shares().infinite};
  if (const auto* shown = std::get_if<LaplaceThreshold>(&law)) {
    return shown->removes ? known(1) : Known{1 - shown->seen()};
  }
  const auto* finite = std::get_if<Finite>(&law);
  if (finite == nullptr) return known(1);
  const std::optional<Rational>& mass = finite->exact().q_mass;
  return mass ? known(*mass) : Known{min(finite->masses().q_mass, 1)};
}

/// log(1 - g + g e^l) at the upper or lower end l of Laplace noise; at l = -inf for discrete
/// Gaussian noise, of which only the end that this belongs to is asked for.
Interval sampled_end(const Sampled& law, bool upper) {
  const Laplace* base = std::get_if<Laplace>(&law.base);
  const Interval below =
      base ? exp(Interval(upper ? base->ratio : Rational(-base->ratio))) : Interval(0);
  return log(Interval(Rational(1 - law.rate)) + Interval(law.rate) * below);
}

}  // namespace

std::optional<Known> end_of(const Law& law, bool first) {
  if (const auto* mixture = std::get_if<Mixture>(&law)) {
    const std::optional<Interval> end = end_of<Interval>(*mixture, first);
    return end ? std::optional(Known{*end}) : std::nullopt;
  }
  if (const auto* laplace = std::get_if<Laplace>(&law)) {
    return known(first ? Rational(-laplace->ratio) : laplace->ratio);
  }
  if (const auto* range = std::get_if<Range>(&law)) {
    return known(first ? Rational(-range->epsilon) : range->epsilon);
  }
  if (const auto* cut = std::get_if<TruncatedLaplace>(&law)) {
    return known(first ? Rational(-cut->ratio) : cut->ratio);
  }
  if (const auto* noise = std::get_if<TruncatedGaussian>(&law)) {
    return known(first ? Rational(-noise->end) : noise->end);
  }
  if (const auto* shown = std::get_if<LaplaceThreshold>(&law)) {
    const Interval end(first ? Rational(-shown->inner) : shown->inner);
    return Known{shown->removes ? end + shown->log_unseen() : end - shown->log_unseen()};
  }
  if (const auto* label = std::get_if<PublicLabel>(&law)) {
    std::optional<Known> found = end_of(*label->laws->each.front(), first);
    for (const auto& each : label->laws->each) {
      const std::optional<Known> one = end_of(*each, first);
      if (!one || !found) return std::nullopt;
      found = Known{first ? min(found->value, one->value) : max(found->value, one->value)};
    }
    return found;
  }
  if (const auto* finite = std::get_if<Finite>(&law)) return finite_end(*finite, first);
  if (const auto* sample = std::get_if<Sampled>(&law)) {
    const bool bounded = std::holds_alternative<Laplace>(sample->base);
    if (sample->removes != first && !bounded) return std::nullopt;
    // add: L' = -log(1 - g + g e^{-l}), and -l has the support of l
    const Interval end = sampled_end(*sample, sample->removes != first);
    return Known{sample->removes ? end : -end};
  }
  return std::nullopt;
}

namespace {

std::optional<Known> composed_end(const Run& run, bool first) {
  Known total = known(0);
  for (const Factor& factor : run.factors) {
    const std::optional<Known> end = end_of(*factor.law, first);
    if (!end) return std::nullopt;
    const Integer count(factor.count);
    total.value += end->value * Interval(count);
    if (total.exact && end->exact) {
      total.exact = Rational(*total.exact + *end->exact * count);
    } else {
      total.exact.reset();
    }
  }
  if (total.exact) total.value = Interval(*total.exact);
  return total;
}

/// The greatest loss of one law where it is an atom that is known.
std::optional<Atom> greatest_atom(const Law& law) {
  if (const auto* finite = std::get_if<Finite>(&law)) return finite->masses().atoms.back();
  if (const auto* cut = std::get_if<TruncatedLaplace>(&law)) {
    const Interval mass = cut->shares().ends;
    const Interval a(cut->ratio);
    return Atom{a, mass / (1 + exp(-a)), mass / (1 + exp(a))};
  }
  if (const auto* shown = std::get_if<LaplaceThreshold>(&law)) {
    const Interval unseen = 1 - shown->seen();
    const Interval p = half(shown->removes ? unseen : Interval(1));
    const Interval q = half(shown->removes ? Interval(1) : unseen);
    return Atom{end_of(law, false)->value, p, q * exp(-Interval(shown->inner))};
  }
  const auto* sample = std::get_if<Sampled>(&law);
  const auto* laplace =
      sample != nullptr ? std::get_if<Laplace>(&sample->base) : std::get_if<Laplace>(&law);
  if (laplace == nullptr) return std::nullopt;
  const Interval half(Rational(1, 2));
  const Atom top{Interval(laplace->ratio), half, half * exp(Interval(Rational(-laplace->ratio)))};
  if (sample == nullptr) return top;
  return sampled_atom(top, sample->rate, sample->removes ? Direction::remove : Direction::add);
}

std::optional<Atom> greatest_atom(const Run& run) {
  Atom all{0, 1, 1};
  for (const Factor& factor : run.factors) {
    const std::optional<Atom> one = greatest_atom(*factor.law);
    if (!one) return std::nullopt;
    const auto count = static_cast<unsigned long>(factor.count);
    all.loss += one->loss * Interval(Integer(factor.count));
    all.p *= power(max(one->p, 0), count);
    all.q *= power(max(one->q, 0), count);
  }
  return all;
}

/// q0 = prod Q_i(dP_i/dQ_i > 0)^n_i, which is 1 for laws without a mass at infinity.
Interval composed_q(const Run& run) {
  Interval total = 1;
  for (const Factor& factor : run.factors) {
    const Known mass = q_mass_of(*factor.law);
    if (mass.exact && *mass.exact == 1) continue;
    total *= power(mass.value, static_cast<unsigned long>(factor.count));
  }
  return total;
}

/// sum of (p - q)_+ over the combinations of atoms, exactly; nothing where masses are no known
/// rationals or there are too many. Combinations of one ratio p/q are taken together.
std::optional<Rational> rational_curve_at_zero(const Run& run, Budget& budget) {
  std::map<Rational, Rational> sums = {{1, 1}};  // P-mass by ratio
  std::uint64_t steps = 0;
  for (const Factor& factor : run.factors) {
    const auto* finite = std::get_if<Finite>(factor.law.get());
    if (finite == nullptr) return std::nullopt;
    for (const ExactAtom& atom : finite->exact().atoms) {
      if (!atom.p || !atom.q) return std::nullopt;
    }
    steps += factor.count;
    if (steps > most_exact_steps) return std::nullopt;
    for (std::uint64_t i = 0; i < factor.count; ++i) {
      const std::vector<ExactAtom>& atoms = finite->exact().atoms;
      budget.spend(20.0 * static_cast<double>(sums.size() * atoms.size()));
      std::map<Rational, Rational> next;
      for (const auto& [ratio, mass] : sums) {
        for (const ExactAtom& atom : atoms) {
          if (*atom.p > 0) next[Rational(ratio * *atom.p / *atom.q)] += mass * *atom.p;
        }
      }
      if (next.size() > most_exact_points) return std::nullopt;
      sums = std::move(next);
    }
  }
  Rational total = 0;
  for (const auto& [ratio, mass] : sums) {
    if (ratio > 1) total += mass - mass / ratio;
  }
  return total;
}

/// Whether every law's greatest loss certainly has positive probability, or is only approached.
bool attained(const Run& run) {
  for (const Factor& factor : run.factors) {
    const auto* finite = std::get_if<Finite>(factor.law.get());
    if (finite != nullptr && !positive(finite->masses().atoms.back().p)) return false;
  }
  return true;
}

}  // namespace

ComposedMasses composed_masses(const Run& run) {
  struct Mass {
    Known value;
    std::uint64_t count;
  };
  std::vector<Mass> masses;
  bool exact = true;
  double size = 0;
  for (const Factor& factor : run.factors) {
    const Known mass = infinite_of(*factor.law);
    if (mass.exact && *mass.exact == 0) continue;
    masses.push_back({mass, factor.count});
    if (mass.exact) {
      size += static_cast<double>(msb(denominator(*mass.exact)) + 1) *
              static_cast<double>(factor.count);
    }
    exact = exact && mass.exact && size <= most_exact_bits;
  }
  if (masses.empty()) return {known(1), known(0)};
  if (exact) {
    Rational finite = 1;
    for (const Mass& mass : masses) {
      const Rational rest = 1 - *mass.value.exact;
      const auto count = static_cast<unsigned>(mass.count);
      finite *= Rational(pow(numerator(rest), count), pow(denominator(rest), count));
    }
    return {known(finite), known(1 - finite)};
  }
  Interval logarithm = 0;
  for (const Mass& mass : masses) {
    if (!below(mass.value.value, 1)) return {Known{hull(0, 1)}, Known{hull(0, 1)}};
    logarithm += Interval(Integer(mass.count)) * log1p(-mass.value.value);
  }
  return {Known{exp(logarithm)}, Known{-expm1(logarithm)}};
}

std::optional<Known> least_loss(const Run& run) { return composed_end(run, true); }
std::optional<Known> greatest_loss(const Run& run) { return composed_end(run, false); }

Proof prove_ends(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget) {
  choices.done();
  budget.spend(200.0 * static_cast<double>(run.factors.size()));
  const ComposedMasses masses = composed_masses(run);
  const Support<Interval> support{masses.finite.value, masses.infinite.value, composed_q(run),
                                  least_loss(run),     greatest_loss(run),    greatest_atom(run)};
  const std::optional<Rational>& infinite = masses.infinite.exact;
  Proof proof;
  // without an end, all that is needed is a finite part
  const bool endless = !support.last && !(infinite && *infinite == 1);
  if (endless || (support.last && support.last->not_below(epsilon) && attained(run))) {
    proof.before = support.infinite;
    proof.exactly_before = infinite;
  }
  const bool above_all = support.last && support.last->not_above(epsilon);
  if (above_all) proof.exactly = infinite;
  if (!above_all && epsilon == 0 && infinite) {
    const std::optional<Rational> value = rational_curve_at_zero(run, budget);
    if (value) {
      proof.exactly = Rational(*infinite + *value);
      proof.low = proof.high = Interval(*proof.exactly);
      return proof;
    }
  }
  const ProofOf<Interval> found = ends(support, epsilon);
  proof.low = found.low;
  proof.high = found.high;
  return proof;
}

Proof prove_ends_at_infinity(Fields& choices, const Run& run, Budget& budget) {
  choices.done();
  budget.spend(200.0 * static_cast<double>(run.factors.size()));
  Proof proof;
  const ComposedMasses masses = composed_masses(run);
  proof.low = masses.infinite.value;
  proof.exactly = masses.infinite.exact;  // of the limit
  return proof;
}

}  // namespace plaudit::proof

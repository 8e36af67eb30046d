#include "verification/forms/closed_forms.hpp"

#include <algorithm>
#include <functional>

#include "verification/forms/finite_laws.hpp"
#include "verification/forms/spec_call.hpp"

namespace plaudit {

namespace pairs {
template <>
Directed number_of(const Rational& value) {
  return Directed(value);
}
template <>
Directed from_zero_to(const Directed& x) {
  return hull(Directed(0), x);
}
}  // namespace pairs

namespace {

using namespace pairs;
using Atoms = AtomList<Directed>;
using Value = std::optional<Directed>;

constexpr std::uint64_t most_boxes = 24;
constexpr std::uint64_t most_of_cap = 2000;

double digits_left_out() { return 0.3 * static_cast<double>(Directed::precision()); }

Directed falling(const std::function<Directed(const Directed&)>& curve, const Directed& x) {
  return hull(curve(x.high_end()).low_end(), curve(x.low_end()).high_end());
}

// --- one step, x = e^eps --------------------------------------------------------------------

Value curve(const Law& law, const Directed& x);

Directed density(const Line& line, const Weights& weights, const Directed& y) {
  const Rational variance = line.sigma * line.sigma;
  Directed sum(0);
  for (const auto& [centre, weight] : weights) {
    sum = sum + Directed(weight) * exp(Directed(Rational(centre / variance)) *
                                       (y - Directed(Rational(centre / 2))));
  }
  return sum;
}
Directed ratio(const Line& line, const Directed& y) {
  return density(line, line.p, y) / density(line, line.q, y);
}

/// Points a <= y0 <= b, ratio(y0) = level, as near as the precision lets them be.
std::optional<std::pair<Directed, Directed>> bracket(const Line& line, const Directed& level) {
  Directed a(-line.sigma);
  Directed b(line.sigma);
  for (int i = 0; !ratio(line, a).certainly_less(level); ++i, a = a * Directed(2)) {
    if (i == 60) return std::nullopt;
  }
  for (int i = 0; !level.certainly_less(ratio(line, b)); ++i, b = b * Directed(2)) {
    if (i == 60) return std::nullopt;
  }
  a = a.low_end();
  b = b.high_end();
  for (long i = 0; i < 2 * Directed::precision(); ++i) {
    check_work_limit();
    bool moved = false;
    for (const int quarter : {2, 1, 3}) {  // the root may be one of these points
      const Directed y =
          ((a * Directed(4 - quarter) + b * Directed(quarter)) / Directed(4)).low_end();
      const Directed value = ratio(line, y);
      const bool below = value.certainly_less(level);
      const bool above = level.certainly_less(value);
      if (below && a.certainly_less(y)) a = y;
      if (above && y.certainly_less(b)) b = y;
      moved = moved || below || above;
      if (quarter == 2 && moved) break;
    }
    if (!moved) break;
  }
  return std::make_pair(a, b);
}

// Proof: docs/proofs/closed_forms.md#mixture
Value mixture(const Line& line, const Directed& x) {
  const bool remove = !line.swapped;
  const Directed level = remove ? x : Directed(1) / x;
  const auto& [first, p_weight] = *line.p.begin();
  const auto& [q_first, q_weight] = *line.q.begin();
  if (first == q_first) {  // the ratio never falls to that of the weights
    const Directed least(Rational(p_weight / q_weight));
    if (level.certainly_less(least)) return remove ? Directed(1) - x : Directed(0);
    if (!least.certainly_less(level)) return std::nullopt;
  }
  const auto root = bracket(line, level);
  if (!root) return std::nullopt;
  const auto& [a, b] = *root;
  // Probability of outputs beyond y: above it for remove, below it for add.
  const auto beyond = [&](const Weights& weights, const Directed& y) {
    Directed sum(0);
    for (const auto& [centre, weight] : weights) {
      const Directed distance = (Directed(centre) - y) / Directed(line.sigma);
      sum = sum + Directed(weight) * normal_below(remove ? distance : -distance);
    }
    return sum;
  };
  const Weights& p = remove ? line.p : line.q;
  const Weights& q = remove ? line.q : line.p;
  // Any half line gives a lower bound; one that is too large for P, too small for Q an upper one.
  const Directed& outer = remove ? a : b;
  const Directed& inner = remove ? b : a;
  const Directed low = beyond(p, a) - x * beyond(q, a);
  const Directed high = beyond(p, outer) - x * beyond(q, inner);
  return hull(low.low_end(), high.high_end());
}

/// H of the sample by that of the mechanism: amplification. Proof:
/// docs/proofs/closed_forms.md#sample
Value sample(const Sampled& law, const Directed& x) {
  const Directed rate(law.rate);
  const Directed rest(Rational(1 - law.rate));
  const Directed part = law.removed ? x - rest : Directed(1) - rest * x;
  if ((-part).certainly_positive()) return law.removed ? Directed(1) - x : Directed(0);
  if (!part.certainly_positive()) return std::nullopt;
  const Value inner = curve(*law.inner, law.removed ? part / rate : rate * x / part);
  if (!inner) return std::nullopt;
  return (law.removed ? rate : part) * *inner;
}

/// P(K >= cap), K binomial.
Value binomial_tail(const Capped& law) {
  if (law.cap > most_of_cap) return std::nullopt;
  Directed mass = power(Directed(Rational(1 - law.rate)), law.others);
  Directed below(0);
  const Directed odds(Rational(law.rate / (1 - law.rate)));
  for (std::uint64_t k = 0; k < law.cap; ++k) {
    below = below + mass;
    mass = mass * odds * Directed(static_cast<long>(law.others - k)) /
           Directed(static_cast<long>(k + 1));
  }
  return Directed(1) - below;
}

// --- n steps of Laplace noise or of bounded range
// -------------------------------------------------

/// Of t^m e^(rate t) from t = low to high.
Directed box_integral(unsigned long m, const Rational& rate, const Directed& low,
                      const Directed& high) {
  const auto at = [&](const Directed& t) {
    Directed sum(0);
    Directed factor = Directed(1) / Directed(rate);
    std::vector<Directed> powers{Directed(1)};
    for (unsigned long i = 0; i < m; ++i) powers.push_back(powers.back() * t);
    for (unsigned long r = 0; r <= m; ++r) {
      sum = sum + factor * powers[m - r];
      factor = -factor * Directed(static_cast<long>(m - r)) / Directed(rate);
    }
    return sum * exp(Directed(rate) * t);
  };
  return at(high) - at(low);
}

/// Of (e^(l/2) - e^(eps - l/2)) over l > eps, times the density of a sum of j uniform weights on
/// [-a, a], of mass 2a each, moved by `shift`.
Directed folded(unsigned long j, const Rational& a, const Rational& shift,
                const Directed& epsilon) {
  const Directed half = Directed(Rational(1, 2));
  if (j == 0) {
    const Directed at(shift);
    return max(exp(half * at) - exp(epsilon - half * at), Directed(0));
  }
  const Rational top = shift + a * Rational(j);
  if (Directed(top).certainly_less(epsilon)) return Directed(0);
  Directed sum(0);
  for (unsigned long k = 0; k < j; ++k) {
    const Rational knot = top - 2 * a * Rational(j - k);
    const Directed from = max(epsilon - Directed(knot), Directed(0));
    const Directed to(Rational(top - knot));
    const Directed middle = half * Directed(knot);
    const Directed part = exp(middle) * box_integral(j - 1, Rational(1, 2), from, to) -
                          exp(epsilon - middle) * box_integral(j - 1, Rational(-1, 2), from, to);
    sum = sum + Directed(k % 2 == 0 ? 1 : -1) * choose(j, k) * part;
  }
  Integer factorial;
  mpz_fac_ui(factorial.data(), j - 1);
  return sum / Directed(Rational(factorial));
}

// Proof: docs/proofs/closed_forms.md#boxes
Directed boxes(const Box& law, unsigned long n, const Directed& x) {
  const Rational& a = law.width;
  const Directed tail = exp(Directed(Rational(-a / 2)));
  const Directed atom = tail / Directed(2);
  const Directed even =
      law.atoms ? tail / Directed(4) : Directed(1) / (Directed(2) * (Directed(1) / tail - tail));
  const auto at = [&](const Directed& level) {
    const Directed epsilon = log(level);
    Directed sum(0);
    for (unsigned long j = law.atoms ? 0 : n; j <= n; ++j) {
      check_work_limit();
      const unsigned long at_ends = n - j;
      Directed part(0);
      for (unsigned long i = 0; i <= at_ends; ++i) {
        const Rational shift = a * (2 * Rational(i) - Rational(at_ends));
        part = part + choose(at_ends, i) * folded(j, a, shift, epsilon);
      }
      sum = sum + choose(n, j) * power(even, j) * power(atom, at_ends) * part;
    }
    return sum;
  };
  return falling(at, x);
}

Value label(const Labels& law, const Directed& x) {
  Directed sum(0);
  for (const auto& [weight, inner] : law.of) {
    const Value one = curve(*inner, x);
    if (!one) return std::nullopt;
    sum = sum + Directed(weight) * *one;
  }
  return sum;
}

Directed over(const Atoms& law, const std::function<Directed(const Directed&)>& block,
              const Directed& x) {
  Directed sum = law.infinite;
  for (const auto& [name, atom] : law.atoms) {
    check_work_limit();
    sum = sum + atom.mass * block(x * exp(-atom.loss));
  }
  return sum + hull(-law.left_out, law.left_out);
}

Value together(const Both& law, const Directed& x);

Value curve(const Law& law, const Directed& x) {
  if (const auto* one = std::get_if<Gaussian>(&law)) return gaussian_curve(one->mean, x);
  if (const auto* one = std::get_if<Line>(&law)) return mixture(*one, x);
  if (const auto* one = std::get_if<Box>(&law)) return boxes(*one, 1, x);
  if (const auto* one = std::get_if<Labels>(&law)) return label(*one, x);
  if (const auto* one = std::get_if<Sampled>(&law)) return sample(*one, x);
  if (const auto* one = std::get_if<Curve>(&law)) return one->at(x);
  if (const auto* one = std::get_if<Greatest>(&law)) {
    const Value first = curve(*one->first, x);
    const Value second = curve(*one->second, x);
    return first && second ? Value(max(*first, *second)) : std::nullopt;
  }
  if (const auto* one = std::get_if<Sides>(&law)) {
    if (x.certainly_less(Directed(1))) return curve(*one->below, x);
    if (Directed(1).certainly_less(x)) return curve(*one->above, x);
    const Value above = curve(*one->above, x);
    const Value below = curve(*one->below, x);
    return above && below ? Value(hull(*above, *below)) : std::nullopt;
  }
  if (const auto* one = std::get_if<Capped>(&law)) {
    const Value tail = binomial_tail(*one);
    const Value below = curve(*one->below, x);
    const Value reached = curve(*one->reached, x);
    if (!tail || !below || !reached) return std::nullopt;
    return (Directed(1) - *tail) * *below + *tail * *reached;
  }
  if (const auto atoms = finite_law<Directed>(law, digits_left_out())) {
    return over(*atoms, trivial_curve, x);
  }
  const auto* both = std::get_if<Both>(&law);
  return both == nullptr ? std::nullopt : together(*both, x);
}

// --- compositions -------------------------------------------------------------------------------

/// A composition as one law of finitely many losses, Gaussians, and all others.
struct Parts {
  std::vector<Step> atoms;
  Rational mean = 0;
  std::vector<Step> others;
};

bool has_atoms(const Law& law) {
  if (std::holds_alternative<Finite>(law) || std::holds_alternative<DiscreteGaussian>(law)) {
    return true;
  }
  if (const auto* sampled = std::get_if<Sampled>(&law)) return has_atoms(*sampled->inner);
  const auto* both = std::get_if<Both>(&law);
  return both != nullptr && has_atoms(*both->first) && has_atoms(*both->second);
}

Parts parts_of(const std::vector<Step>& steps) {
  Parts parts;
  for (const Step& step : steps) {
    if (const auto* one = std::get_if<Gaussian>(step.law.get())) {
      parts.mean += one->mean * Rational(Integer(step.count));
    } else if (has_atoms(*step.law)) {
      parts.atoms.push_back(step);
    } else {
      const auto* box = std::get_if<Box>(step.law.get());
      Step* former = parts.others.empty() ? nullptr : &parts.others.back();
      const auto* before = former == nullptr ? nullptr : std::get_if<Box>(former->law.get());
      const bool same = box != nullptr && before != nullptr && box->width == before->width &&
                        box->atoms == before->atoms;
      if (same) {
        former->count += step.count;
      } else {
        parts.others.push_back(step);
      }
    }
  }
  return parts;
}

Value composed(const Parts& parts, const Directed& x) {
  Atoms atoms = only_zero<Directed>();
  for (const Step& step : parts.atoms) {
    const auto one = finite_law<Directed>(*step.law, digits_left_out());
    const auto all = one ? power(*one, step.count) : one;
    auto next = all ? product(atoms, *all) : all;
    if (!next) return std::nullopt;
    atoms = std::move(*next);
  }
  if (parts.others.empty()) {
    return over(
        atoms, [&](const Directed& level) { return gaussian_curve(parts.mean, level); }, x);
  }
  const Step& block = parts.others[0];
  bool known = true;
  const auto at = [&](const Directed& level) {
    const auto* box = std::get_if<Box>(block.law.get());
    if (box != nullptr) return boxes(*box, block.count, level);
    const Value value = curve(*block.law, level);
    known = known && value.has_value();
    return value.value_or(Directed(0));
  };
  const Directed sum = over(atoms, at, x);
  return known ? Value(sum) : std::nullopt;
}

Value together(const Both& law, const Directed& x) {
  const Parts parts = parts_of({{law.first, 1}, {law.second, 1}});
  return parts.others.empty() ? composed(parts, x) : std::nullopt;
}

}  // namespace

Directed gaussian_curve(const Rational& mu, const Directed& x) {
  if (mu == 0) return trivial_curve(x);
  const Directed deviation = sqrt(Directed(Rational(2 * mu)));
  const auto at = [&](const Directed& level) {
    const Directed epsilon = log(level);
    return normal_below((Directed(mu) - epsilon) / deviation) -
           level * normal_below((-Directed(mu) - epsilon) / deviation);
  };
  return falling(at, x);
}

Shape shape_of(const std::vector<Step>& steps) {
  const Parts parts = parts_of(steps);
  const std::size_t blocks = parts.others.size() + (parts.mean > 0 ? 1 : 0);
  if (blocks > 1 || steps.empty()) return Shape::none;
  if (!parts.others.empty()) {
    const Step& block = parts.others[0];
    const bool box = std::holds_alternative<Box>(*block.law);
    if (block.count > (box ? most_boxes : 1)) return Shape::none;
    if (std::holds_alternative<Allocation>(*block.law) ||
        std::holds_alternative<Moments>(*block.law)) {
      return Shape::none;
    }
  }
  if (!parts.atoms.empty()) return blocks == 0 ? Shape::atoms : Shape::atoms_and_one;
  if (parts.others.empty()) return Shape::gaussians;
  const Law& law = *parts.others[0].law;
  if (std::holds_alternative<Box>(law)) return Shape::boxes;
  if (std::holds_alternative<Line>(law)) return Shape::mixture;
  return std::holds_alternative<Sampled>(law) ? Shape::sample : Shape::label;
}

std::optional<Directed> closed_delta(const std::vector<Step>& steps, const Rational& epsilon) {
  if (shape_of(steps) == Shape::none) return std::nullopt;
  const Parts parts = parts_of(steps);
  const Step* only = parts.atoms.empty() && !parts.others.empty() ? &parts.others[0] : nullptr;
  const auto* box = only == nullptr ? nullptr : std::get_if<Box>(only->law.get());
  if (box != nullptr && epsilon >= box->width * Rational(Integer(only->count))) return Directed(0);
  return refined([&] { return composed(parts, exp(Directed(epsilon))); });
}

std::optional<Directed> closed_form_delta(const std::string& spec, Direction direction,
                                          const Rational& epsilon) {
  const auto steps = steps_of(spec, direction);
  if (!steps) return std::nullopt;
  if (auto value = binomial_delta(*steps, epsilon)) return value;
  return closed_delta(*steps, epsilon);
}

}  // namespace plaudit

#include "verification/checker/laws/laws.hpp"

#include <map>
#include <utility>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/laws/law_text.hpp"

namespace plaudit::proof {

namespace {

constexpr long most_index = 4'000'000;
constexpr unsigned most_denominator_bits = 4096;

// Proof: docs/proofs/reference_methods.md#two-points
Finite::Masses two_point_masses(const Rational& value, bool odds, const Rational& delta) {
  const Interval finite(Rational(1 - delta));
  Finite::Masses result{{}, Interval(delta), finite};
  if (odds) {
    const Interval loss = log(Interval(value));
    const Interval high = Interval(Rational(value / (1 + value))) * finite;
    const Interval low = Interval(Rational(1 / (1 + value))) * finite;
    result.atoms = {{-loss, low, high}, {loss, high, low}};
    return result;
  }
  const Interval loss(value);
  const Interval high = finite / (1 + exp(-loss));
  const Interval low = finite / (1 + exp(loss));
  result.atoms = {{-loss, low, high}, {loss, high, low}};
  return result;
}

std::optional<Rational> mixed(const std::optional<Rational>& a, const std::optional<Rational>& b,
                              const Rational& share_of_b) {
  if (!a || !b) return std::nullopt;
  return Rational((1 - share_of_b) * *a + share_of_b * *b);
}

ExactAtom sampled_exact(const ExactAtom& atom, const Rational& rate, Direction direction) {
  std::optional<Rational> loss;
  if (atom.loss && *atom.loss == 0) loss = 0;
  if (direction == Direction::remove) return {loss, mixed(atom.q, atom.p, rate), atom.q};
  return {loss, atom.p, mixed(atom.p, atom.q, rate)};
}

Interval nonnegative_part(const Interval& x) { return max(x, Interval(0)); }

Integer words(const Rational& x) {
  return Integer(1 + (msb(numerator(x)) + msb(denominator(x)) + 2) / 64);
}

}  // namespace

// Proof: docs/proofs/discrete.md#sampled
Atom sampled_atom(const Atom& atom, const Rational& rate, Direction direction) {
  const Interval taken(rate);
  const Interval left(Rational(1 - rate));
  if (direction == Direction::remove) {
    return {log1p(taken * expm1(atom.loss)), left * atom.q + taken * atom.p, atom.q};
  }
  return {-log1p(taken * expm1(-atom.loss)), atom.p, left * atom.p + taken * atom.q};
}

// Proof: docs/proofs/truncated.md#laplace
TruncatedLaplace::Shares TruncatedLaplace::shares() const {
  const Interval whole = -2 * expm1(-Interval(Rational(ratio + beyond)));
  const Interval fall = exp(-Interval(ratio));
  const Interval inside = -expm1(-Interval(ratio)) / whole;
  return {inside, (1 + fall) * -expm1(-Interval(beyond)) / whole, exp(-Interval(beyond)) * inside};
}

Interval TruncatedGaussian::deviation() const { return sqrt(Interval(Rational(2 * mu))); }
Interval TruncatedGaussian::bound() const {
  return Interval(end) / deviation() + half(deviation());
}
Interval TruncatedGaussian::whole() const { return 1 - 2 * normal_tail(bound()); }
// Proof: docs/proofs/truncated.md#gaussian
Interval TruncatedGaussian::infinite() const {
  return (normal_tail(bound() - deviation()) - normal_tail(bound())) / whole();
}

Gaussian gaussian_at(const Rational& distance) { return {distance * distance / 2}; }

Integer values_of(const Law& law) {
  Integer sum = 0;
  if (const auto* finite = std::get_if<Finite>(&law)) return Integer(finite->size());
  if (const auto* labelled = std::get_if<Labelled>(&law)) {
    for (const Labelled::Label& label : labelled->labels) sum += words(label.weight);
    return sum;
  }
  if (const auto* label = std::get_if<PublicLabel>(&law)) {
    for (const auto& each : label->laws->each) sum += values_of(*each);
    return sum;
  }
  const auto* mixture = std::get_if<Mixture>(&law);
  const auto* mirrored = std::get_if<Mirrored>(&law);
  if (mixture == nullptr && mirrored == nullptr) return 1;
  for (const Rational& p : mixture ? mixture->probabilities : mirrored->probabilities) {
    sum += words(p);
  }
  return sum;
}

Finite two_points(const Rational& value, bool odds, const Rational& delta) {
  const std::string text = law_text("TwoPoints", {{odds ? "odds" : "epsilon", number_text(value)},
                                                  {"delta", number_text(delta)}});
  Finite::Exact exact;
  exact.infinite = delta;
  exact.q_mass = 1 - delta;
  if (value == (odds ? 1 : 0)) {
    const Rational finite = 1 - delta;
    exact.atoms = {{Rational(0), finite, finite}};
    exact.lattice = Lattice{0, 1, {0}};
    return Finite(
        text,
        [delta, finite] {
          const Interval mass(finite);
          return Finite::Masses{{{Interval(0), mass, mass}}, Interval(delta), mass};
        },
        std::move(exact));
  }
  exact.two_points = Finite::Exact::TwoPoints{value, odds};
  if (odds) {
    const Rational high = (1 - delta) * value / (1 + value);
    const Rational low = (1 - delta) / (1 + value);
    exact.atoms = {{std::nullopt, low, high}, {std::nullopt, high, low}};
  } else {
    exact.atoms = {{Rational(-value), std::nullopt, std::nullopt},
                   {value, std::nullopt, std::nullopt}};
    exact.lattice = Lattice{-value, 2 * value, {0, 1}};
  }
  return Finite(
      text, [value, odds, delta] { return two_point_masses(value, odds, delta); },
      std::move(exact));
}

std::optional<Lattice> common_lattice(const std::vector<Rational>& losses) {
  Integer whole = 1;
  for (const Rational& loss : losses) {
    whole = lcm(whole, denominator(loss));
    if (msb(whole) > most_denominator_bits) return std::nullopt;
  }
  Integer step = 0;
  for (const Rational& loss : losses) {
    step = gcd(step, numerator(Rational((loss - losses.front()) * whole)));
  }
  if (step == 0) step = whole;
  Lattice lattice{losses.front(), Rational(step, whole), {}};
  for (const Rational& loss : losses) {
    const Rational index = (loss - losses.front()) / lattice.mesh;
    if (index > most_index) return std::nullopt;
    lattice.indices.push_back(to_long(numerator(index)));
  }
  return lattice;
}

Finite joined(const Finite& first, const Finite& second) {
  struct Places {  // of the atoms whose losses have this sum
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
  };
  std::map<Rational, Places> sums;
  for (std::size_t i = 0; i < first.size(); ++i) {
    for (std::size_t j = 0; j < second.size(); ++j) {
      const Rational sum = *first.exact().atoms[i].loss + *second.exact().atoms[j].loss;
      sums[sum].pairs.emplace_back(i, j);
    }
  }
  Finite::Exact exact;
  const Rational& a = *first.exact().infinite;
  const Rational& b = *second.exact().infinite;
  exact.infinite = a + b - a * b;
  exact.q_mass = *first.exact().q_mass * *second.exact().q_mass;
  std::vector<Rational> losses;
  for (const auto& [loss, places] : sums) {
    losses.push_back(loss);
    exact.atoms.push_back({loss, std::nullopt, std::nullopt});
  }
  exact.lattice = common_lattice(losses);
  const auto masses = [first, second, sums, exact] {
    const Finite::Masses one = first.masses();
    const Finite::Masses other = second.masses();
    Finite::Masses result{{}, Interval(*exact.infinite), Interval(*exact.q_mass)};
    for (const auto& [loss, places] : sums) {
      Atom atom{Interval(loss), 0, 0};
      for (const auto& [i, j] : places.pairs) {
        atom.p += one.atoms[i].p * other.atoms[j].p;
        atom.q += one.atoms[i].q * other.atoms[j].q;
      }
      result.atoms.push_back(std::move(atom));
    }
    return result;
  };
  return Finite(law_text("Joint", {{"first", first.text()}, {"second", second.text()}}), masses,
                std::move(exact));
}

// Proof: docs/proofs/selection.md#randomized-response
Finite answers(const Rational& value, bool odds, const Integer& categories) {
  const Rational neither(Integer(categories - 2));
  Finite::Exact exact;
  exact.infinite = 0;
  exact.q_mass = 1;
  if (odds) {
    const Rational whole = value + neither + 1;
    exact.atoms = {{std::nullopt, Rational(1 / whole), Rational(value / whole)},
                   {Rational(0), Rational(neither / whole), Rational(neither / whole)},
                   {std::nullopt, Rational(value / whole), Rational(1 / whole)}};
  } else {
    exact.lattice = Lattice{-value, value, {0, 1, 2}};
    for (const Rational& loss : {Rational(-value), Rational(0), value}) {
      exact.atoms.push_back({loss, std::nullopt, std::nullopt});
    }
  }
  const auto masses = [value, odds, neither] {
    const Interval epsilon = odds ? log(Interval(value)) : Interval(value);
    const Interval ratio = odds ? Interval(value) : exp(Interval(value));
    const Interval whole = ratio + Interval(Rational(neither + 1));
    const Interval middle = Interval(neither) / whole;
    return Finite::Masses{{{-epsilon, 1 / whole, ratio / whole},
                           {0, middle, middle},
                           {epsilon, ratio / whole, 1 / whole}},
                          0,
                          1};
  };
  return Finite(law_text("Answers", {{odds ? "odds" : "epsilon", number_text(value)},
                                     {"categories", categories.str()}}),
                masses, std::move(exact));
}

// Proof: docs/proofs/discrete.md#discrete-laplace
Finite discrete_laplace(const Rational& scale, long sensitivity) {
  Finite::Exact exact;
  exact.infinite = 0;
  exact.q_mass = 1;
  exact.lattice = Lattice{-sensitivity / scale, 2 / scale, {}};
  exact.discrete_laplace = Finite::Exact::DiscreteLaplace{scale, sensitivity, 1};
  for (long j = 0; j <= sensitivity; ++j) {
    exact.lattice->indices.push_back(j);
    exact.atoms.push_back({Rational((2 * j - sensitivity) / scale), std::nullopt, std::nullopt});
  }
  const auto masses = [scale, sensitivity] {
    const Interval rate(Rational(1 / scale));
    const Interval end = 1 / (1 + exp(-rate));
    const Interval inside = -expm1(-rate) * end;
    Finite::Masses result{{}, 0, 1};
    for (long j = 0; j <= sensitivity; ++j) {
      const Interval& front = j == 0 || j == sensitivity ? end : inside;
      result.atoms.push_back({Interval(Rational((2 * j - sensitivity) / scale)),
                              front * exp(-rate * (sensitivity - j)), front * exp(-rate * j)});
    }
    return result;
  };
  return Finite(law_text("DiscreteLaplace",
                         {{"scale", number_text(scale)}, {"D", std::to_string(sensitivity)}}),
                masses, std::move(exact));
}

// Proof: docs/proofs/truncated.md#discrete-laplace
Finite truncated_discrete_laplace(const Rational& scale, const Rational& bound, long sensitivity) {
  const auto loss = [=](long j) { return Rational((2 * j - sensitivity) / scale); };
  Finite::Exact exact;
  exact.lattice = Lattice{loss(0), 2 / scale, {}};
  for (long j = 0; j <= sensitivity; ++j) {
    exact.lattice->indices.push_back(j);
    exact.atoms.push_back({loss(j), std::nullopt, std::nullopt});
  }
  const auto masses = [=] {
    const Interval rate(Rational(1 / scale));
    const Interval room(Rational((bound - sensitivity + 1) / scale));
    const Interval step = -expm1(-rate);
    const Interval whole = -2 * expm1(-Interval(Rational((bound + 1) / scale))) - step;
    const Interval end = -expm1(-room) / whole;
    const Interval infinite = exp(-room) * -expm1(-rate * sensitivity) / whole;
    Finite::Masses result{{}, infinite, 1 - infinite};
    for (long j = 0; j <= sensitivity; ++j) {
      const Interval front = j == 0 || j == sensitivity ? end : step / whole;
      result.atoms.push_back(
          {Interval(loss(j)), front * exp(-rate * (sensitivity - j)), front * exp(-rate * j)});
    }
    return result;
  };
  return Finite(law_text("TruncatedDiscreteLaplace", {{"scale", number_text(scale)},
                                                      {"A", number_text(bound)},
                                                      {"D", std::to_string(sensitivity)}}),
                masses, std::move(exact));
}

// Proof: docs/proofs/staircase.md#law
Finite staircase(const Rational& epsilon, const Rational& gamma) {
  Finite::Exact exact;
  exact.infinite = 0;
  exact.q_mass = 1;
  exact.lattice = Lattice{-epsilon, epsilon, {0, 1, 2}};
  for (const Rational& loss : {Rational(-epsilon), Rational(0), epsilon}) {
    exact.atoms.push_back({loss, std::nullopt, std::nullopt});
  }
  const auto masses = [epsilon, gamma] {
    const bool narrow = 2 * gamma < 1;
    const Rational first = narrow ? Rational(2 * gamma) : Rational(1);
    const Rational rest = narrow ? Rational(1 - 2 * gamma) : Rational(2 * gamma - 1);
    const Interval fall = exp(-Interval(epsilon));
    const Interval whole = 2 * (Interval(gamma) + Interval(Rational(1 - gamma)) * fall);
    const Interval high = (Interval(first) + Interval(Rational(1 - first)) * fall) / whole;
    const Interval low = high * fall;
    const Interval step = -expm1(-Interval(epsilon)) * Interval(rest) / whole;
    const Interval middle = narrow ? step * fall : step;
    return Finite::Masses{{{Interval(Rational(-epsilon)), low, high},
                           {0, middle, middle},
                           {Interval(epsilon), high, low}},
                          0,
                          1};
  };
  return Finite(
      law_text("Staircase", {{"epsilon", number_text(epsilon)}, {"gamma", number_text(gamma)}}),
      masses, std::move(exact));
}

Finite sampled(const Finite& base, const Rational& rate, Direction direction) {
  // NOLINTNEXTLINE(misc-redundant-expression): taken for two comparisons of one template
  require(rate > 0 && rate < 1, "a rate of a sample lies in (0, 1)");
  const bool removes = direction == Direction::remove;
  const Rational left = 1 - rate;
  Finite::Exact exact;
  if (base.exact().discrete_laplace && base.exact().discrete_laplace->rate == 1) {
    exact.discrete_laplace = base.exact().discrete_laplace;
    exact.discrete_laplace->rate = rate;
  }
  exact.cost = base.exact().cost;
  for (const ExactAtom& atom : base.exact().atoms) {
    exact.atoms.push_back(sampled_exact(atom, rate, direction));
  }
  // one more value of the loss: Q-mass that P does not have (remove), P-mass that Q does not (add)
  const std::optional<Rational>& infinite = base.exact().infinite;
  const std::optional<Rational>& seen = base.exact().q_mass;
  const bool extra = removes ? !(seen && *seen == 1) : !(infinite && *infinite == 0);
  if (extra && removes) {
    ExactAtom atom;
    if (seen) atom = {std::nullopt, Rational(left * (1 - *seen)), Rational(1 - *seen)};
    exact.atoms.insert(exact.atoms.begin(), atom);
  } else if (extra) {
    ExactAtom atom;
    if (infinite) atom = {std::nullopt, *infinite, Rational(left * *infinite)};
    exact.atoms.push_back(atom);
  }
  exact.infinite = removes ? mixed(Rational(0), infinite, rate) : Rational(0);
  exact.q_mass = removes ? Rational(1) : mixed(Rational(1), seen, rate);
  const auto masses = [base, rate, direction, extra, removes] {
    const Finite::Masses plain = base.masses();
    const Interval others(Rational(1 - rate));
    const Interval end = log1p(-Interval(rate));
    Finite::Masses result;
    if (extra && removes) {
      const Interval unseen = nonnegative_part(1 - plain.q_mass);
      result.atoms.push_back({end, others * unseen, unseen});
    }
    for (const Atom& atom : plain.atoms) {
      result.atoms.push_back(sampled_atom(atom, rate, direction));
    }
    if (extra && !removes) {
      result.atoms.push_back({-end, plain.infinite, others * plain.infinite});
    }
    result.infinite = removes ? Interval(rate) * plain.infinite : Interval(0);
    result.q_mass = removes ? Interval(1) : others + Interval(rate) * plain.q_mass;
    return result;
  };
  return Finite(law_text("Sampled", {{"base", base.text()}, {"g", number_text(rate)}}), masses,
                std::move(exact));
}

}  // namespace plaudit::proof

// Closed forms that are sums: over numbers and subsets of two-point losses, and over the steps of a
// Renyi divergence.
#include "verification/forms/closed_forms.hpp"
#include "verification/forms/finite_laws.hpp"

namespace plaudit {

namespace {

using namespace pairs;
using Value = std::optional<Directed>;

constexpr std::uint64_t most_terms = 200'000;
constexpr std::uint64_t most_subsets = 20'000;
constexpr long most_order = 200;

/// Of losses +-epsilon of randomized response, epsilon a rational.
std::optional<Rational> rational_two_points(const Law& law) {
  const auto two = two_points_of(law);
  return two && two->odds == 1 ? std::optional(two->loss) : std::nullopt;
}

// Proof: docs/proofs/closed_forms.md#binomial
Directed binomial(const Directed& loss, std::uint64_t n, const Directed& finite,
                  const Rational& epsilon) {
  const Directed odds = exp(loss);
  Directed mass = power(odds / (Directed(1) + odds), n);  // of i draws at -e0, the others at +e0
  Directed sum(0);
  for (std::uint64_t i = 0; i <= n; ++i) {
    check_work_limit();
    const long net = static_cast<long>(n) - 2 * static_cast<long>(i);
    const Directed excess = Directed(epsilon) - Directed(net) * loss;  // eps - L
    const Directed part = Directed(1) - exp(excess);
    if (part.certainly_less(Directed(0))) break;  // L decreases with i
    sum = sum + mass * max(part, Directed(0));
    mass = mass * Directed(static_cast<long>(n - i)) / (Directed(static_cast<long>(i + 1)) * odds);
  }
  return (Directed(1) - finite) + finite * sum;
}

struct Subsets {
  struct Group {
    Rational epsilon;
    std::uint64_t count;
  };
  std::vector<Group> groups;
  const Rational& epsilon;
  Directed sum = Directed(0);

  /// Adds what all choices in the groups from i on make of `ways` subsets with the sum `chosen`.
  void add(std::size_t i, const Directed& ways, const Rational& all, const Rational& chosen) {
    if (i == groups.size()) {
      check_work_limit();
      const Directed more = exp(Directed(chosen)) - exp(Directed(Rational(epsilon + all - chosen)));
      sum = sum + ways * max(more, Directed(0));
      return;
    }
    for (std::uint64_t k = 0; k <= groups[i].count; ++k) {
      add(i + 1, ways * choose(groups[i].count, k), all,
          chosen + groups[i].epsilon * Rational(Integer(k)));
    }
  }
};

/// E_P e^(tL) of one step, or nothing.
Value moment(const Law& law, const Rational& t) {
  if (const auto* one = std::get_if<Gaussian>(&law)) {
    return exp(Directed(Rational(one->mean * t * (t + 1))));
  }
  if (const auto* one = std::get_if<Box>(&law)) {
    const Rational v = t + Rational(1, 2);
    const Directed grown = exp(Directed(Rational(v * one->width)));
    const Directed cosh2 = grown + Directed(1) / grown;
    const Directed sinh2 = grown - Directed(1) / grown;
    const Directed half = exp(Directed(Rational(one->width / 2)));
    if (!one->atoms) return sinh2 / (Directed(Rational(2 * v)) * (half - Directed(1) / half));
    return (cosh2 / Directed(2) + sinh2 / Directed(Rational(4 * v))) / half;
  }
  if (const auto* one = std::get_if<Line>(&law)) {
    // E_Q (sum w_i e^(c_i (y - c_i / 2) / sigma^2))^n: by pairs of draws that are not the same one
    if (one->swapped || one->q != Weights{{0, 1}} || t > most_order || t != Rational(floor_of(t)) ||
        one->p.size() != 2) {
      return std::nullopt;
    }
    const auto n = static_cast<long>(mpz_get_si(floor_of(t).data())) + 1;
    const auto& [c, w] = *one->p.begin();
    const auto& [d, v] = *one->p.rbegin();
    Directed sum(0);
    for (long k = 0; k <= n; ++k) {
      const Rational centre = (n - k) * c + k * d;
      const Rational squares = (n - k) * c * c + k * d * d;
      const Rational variance = one->sigma * one->sigma;
      const auto others = static_cast<unsigned long>(n - k);
      const auto draws = static_cast<unsigned long>(k);
      sum = sum + choose(others + draws, draws) * power(Directed(w), others) *
                      power(Directed(v), draws) *
                      exp(Directed(Rational((centre * centre - squares) / (2 * variance))));
    }
    return sum;
  }
  if (std::holds_alternative<Finite>(law)) {
    const auto atoms = atoms_of<Directed>(std::get<Finite>(law));
    if (std::get<Finite>(law).infinite != 0 || !std::get<Finite>(law).outside.empty()) {
      return std::nullopt;
    }
    Directed sum(0);
    for (const auto& [name, atom] : atoms.atoms) {
      sum = sum + atom.mass * exp(Directed(t) * atom.loss);
    }
    return sum;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Directed> binomial_delta(const std::vector<Step>& steps, const Rational& epsilon) {
  const auto law = steps.empty() ? std::nullopt : two_points_of(*steps[0].law);
  std::uint64_t n = 0;
  for (const Step& step : steps) {
    if (!law || two_points_of(*step.law) != law || step.count > most_terms) return std::nullopt;
    n += step.count;
  }
  if (n == 0 || n > most_terms) return std::nullopt;
  return refined([&] {
    Directed finite(1);
    for (const Step& step : steps) {
      const Rational infinite = std::get<Finite>(*step.law).infinite;
      if (infinite >= 1) return Value(Directed(1));
      finite = finite * power(Directed(Rational(1 - infinite)), step.count);
    }
    return Value(binomial(Directed(law->loss) + log(Directed(law->odds)), n, finite, epsilon));
  });
}

std::optional<Directed> subsets_delta(const std::vector<Step>& steps, const Rational& epsilon) {
  std::vector<Subsets::Group> groups;
  std::uint64_t subsets = 1;
  for (const Step& step : steps) {
    const auto two = rational_two_points(*step.law);
    if (!two || step.count > most_subsets) return std::nullopt;
    subsets *= step.count + 1;
    if (subsets > most_subsets) return std::nullopt;
    groups.push_back({*two, step.count});
  }
  return refined([&] {
    Rational all = 0;
    Directed whole(1);
    Directed finite(1);
    for (const Step& step : steps) {
      const Rational one = *rational_two_points(*step.law);
      all += one * Rational(Integer(step.count));
      whole = whole * power(Directed(1) + exp(Directed(one)), step.count);
      const Rational infinite = std::get<Finite>(*step.law).infinite;
      if (infinite >= 1) return Value(Directed(1));
      finite = finite * power(Directed(Rational(1 - infinite)), step.count);
    }
    Subsets sum{groups, epsilon};
    sum.add(0, Directed(1), all, 0);
    return Value(Directed(1) - finite * (Directed(1) - sum.sum / whole));
  });
}

std::optional<Directed> closed_renyi(const std::vector<Step>& steps, const Rational& order) {
  return refined([&]() -> Value {
    Directed sum(0);
    for (const Step& step : steps) {
      const Value one = moment(*step.law, order - 1);
      if (!one || !one->certainly_positive()) return std::nullopt;
      sum = sum + Directed(Rational(Integer(step.count))) * log(*one);
    }
    return sum / Directed(Rational(order - 1));
  });
}

}  // namespace plaudit

#include "accountants/atoms/exact_product.hpp"

#include <tuple>
#include <utility>
#include <vector>

#include "lib/balls/decided_sign.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/exact_law.hpp"

namespace plaudit {

namespace {

/// Thrown where an exact law would take more work than is worth while.
struct TooMuchWork {};

class Budget {
 public:
  explicit Budget(double work) : left_(work) {}

  void spend(double work) {
    left_ -= work;
    if (!(left_ >= 0)) throw TooMuchWork{};
    if ((++calls_ & 63) == 0) check_work_limit();
  }
  /// For a product of two sums.
  void spend(const ExponentialSum& a, const ExponentialSum& b) {
    spend(static_cast<double>(a.size()) * static_cast<double>(b.size()) *
          (1 + limbs(a) * limbs(b) / 1000));
  }

  static double limbs(const ExponentialSum& x) {
    if (x.is_zero()) return 0;
    const Integer front = abs(numerator(x.terms().begin()->second));
    return 1 + static_cast<double>(msb(front)) / 64;
  }

 private:
  double left_;
  unsigned calls_ = 0;
};

ExponentialSum product(const ExponentialSum& a, const ExponentialSum& b, Budget& budget) {
  budget.spend(a, b);
  return a * b;
}

ExponentialSum power(ExponentialSum base, std::uint64_t n, Budget& budget) {
  budget.spend(1 + static_cast<double>(n) * (Budget::limbs(base) - 1) / 20);
  ExponentialSum result(1);
  for (; n > 0; n >>= 1) {
    if ((n & 1) != 0) result = product(result, base, budget);
    if (n > 1) base = product(base, base, budget);
  }
  return result;
}

/// The likelihood ratio of an outcome: odds * e^loss * the ratios of the atoms that are no such
/// monomial, by their numbers, each with its exponent. Outcomes with equal ratios are one.
struct Ratio {
  Rational odds = 1;
  Rational loss = 0;
  std::vector<std::pair<std::size_t, std::uint64_t>> others;

  bool operator<(const Ratio& other) const {
    return std::tie(odds, loss, others) < std::tie(other.odds, other.loss, other.others);
  }
  Ratio operator*(const Ratio& other) const {
    Ratio result{odds * other.odds, loss + other.loss, others};
    for (const auto& [number, exponent] : other.others) {
      auto place = result.others.begin();
      while (place != result.others.end() && place->first < number) ++place;
      if (place != result.others.end() && place->first == number) {
        place->second += exponent;
      } else {
        result.others.insert(place, {number, exponent});
      }
    }
    return result;
  }
};

using Outcomes = std::map<Ratio, ExactAtom>;

void add(Outcomes& outcomes, const Ratio& ratio, const ExactAtom& atom) {
  const auto [place, fresh] = outcomes.try_emplace(ratio, atom);
  if (fresh) return;
  place->second.p += atom.p;
  place->second.q += atom.q;
}

Outcomes product(const Outcomes& a, const Outcomes& b, Budget& budget) {
  Outcomes result;
  for (const auto& [x, one] : a) {
    for (const auto& [y, other] : b) {
      add(result, x * y, {product(one.p, other.p, budget), product(one.q, other.q, budget)});
    }
  }
  return result;
}

Outcomes unit() { return {{Ratio{}, ExactAtom{Rational(1), Rational(1)}}}; }

Outcomes power(Outcomes base, std::uint64_t n, Budget& budget);

/// Powers of a single outcome with their ratios, x^0 to x^n.
std::vector<std::pair<Ratio, ExactAtom>> powers(const Outcomes::value_type& x, std::uint64_t n,
                                                Budget& budget) {
  std::vector<std::pair<Ratio, ExactAtom>> result{{Ratio{}, {Rational(1), Rational(1)}}};
  for (std::uint64_t k = 1; k <= n; ++k) {
    const auto& [ratio, atom] = result.back();
    result.push_back({ratio * x.first,
                      {product(atom.p, x.second.p, budget), product(atom.q, x.second.q, budget)}});
  }
  return result;
}

/// (a + b)^n by the binomial theorem.
Outcomes binomial_power(const Outcomes& base, std::uint64_t n, Budget& budget) {
  const double size = static_cast<double>(n);
  budget.spend(6 * size * (1 + size / 64 * size / 64 / 1000));  // hopeless ones end here
  const auto first = powers(*base.begin(), n, budget);
  const auto second = powers(*base.rbegin(), n, budget);
  Outcomes result;
  Integer chosen = 1;
  for (std::uint64_t k = 0; k <= n; ++k) {
    const auto& [x, a] = first[k];
    const auto& [y, b] = second[n - k];
    const ExponentialSum front((Rational(chosen)));
    add(result, x * y,
        {product(product(a.p, b.p, budget), front, budget),
         product(product(a.q, b.q, budget), front, budget)});
    chosen = chosen * (n - k) / (k + 1);
  }
  return result;
}

Outcomes power(Outcomes base, std::uint64_t n, Budget& budget) {
  if (n > 1 && base.size() == 2) return binomial_power(base, n, budget);
  if (base.size() > 1) budget.spend(static_cast<double>(n));  // as many outcomes at least
  Outcomes result = unit();
  for (; n > 0; n >>= 1) {
    if ((n & 1) != 0) result = product(result, base, budget);
    if (n > 1) base = product(base, base, budget);
  }
  return result;
}

/// The common denominator of all coefficients of a law.
Integer denominator_of(const ExactLaw& law, Budget& budget) {
  Integer common = 1;
  const auto take = [&](const ExponentialSum& x) {
    for (const auto& term : x.terms()) {
      common = lcm(common, denominator(term.second));
      budget.spend(1 + static_cast<double>(msb(common)) / 64);
    }
  };
  for (const ExactAtom& atom : law.atoms) {
    take(atom.p);
    take(atom.q);
  }
  return common;
}

}  // namespace

struct ExactProduct::State {
  Outcomes outcomes = unit();
  ExponentialSum scale = Rational(1);
  std::vector<ExactAtom> others;  ///< by their numbers in Ratio
  /// The factors that are not known exactly.
  std::vector<ComposedLoss::Term> rest;
  Rational rest_finite = 1;  ///< their finite P-mass
  Rational rest_q = 1;       ///< and the Q-mass that goes with it

  void take(const ExactLaw& law, std::uint64_t count, Budget& budget) {
    const Rational whole = denominator_of(law, budget);
    Outcomes one;
    for (const ExactAtom& atom : law.atoms) {
      Ratio ratio;
      if (const auto quotient = monomial_quotient(atom.p, atom.q)) {
        ratio.odds = quotient->coefficient;
        ratio.loss = quotient->exponent;
      } else {
        ratio.others = {{others.size(), 1}};
        others.push_back(atom);
      }
      add(one, ratio, {atom.p.times(whole, 0), atom.q.times(whole, 0)});
    }
    outcomes = product(outcomes, power(std::move(one), count, budget), budget);
    scale = product(scale, power(law.scale.times(whole, 0), count, budget), budget);
  }

  /// Bounds of the losses of the rest. False where there are none.
  bool bounds(Ball& least, Ball& greatest) const {
    const ComposedLoss others_loss(rest, Direction::remove);
    least = others_loss.least_loss();
    greatest = others_loss.greatest_loss();
    return least.is_finite() && greatest.is_finite();
  }

  /// The loss of outcomes of this ratio, less `point`.
  Ball above(const Ratio& ratio, const Rational& point) const {
    Ball x(Rational(ratio.loss - point));
    if (ratio.odds != 1) x += log(Ball(ratio.odds));
    for (const auto& [number, exponent] : ratio.others) {
      x += Ball(exponent) * log(others[number].p.enclosed() / others[number].q.enclosed());
    }
    return x;
  }

  /// On which side of epsilon the outcome is whatever the rest does: 1 for L >= epsilon, -1 for
  /// L <= epsilon, 0 where that is not so or not decided.
  int side(const Ratio& ratio, const ExactAtom& atom, const Rational& epsilon) const {
    if (rest.empty() && ratio.odds == 1 && ratio.others.empty()) {
      return ratio.loss < epsilon ? -1 : 1;
    }
    for (const long bits : {128L, 1024L, 8192L}) {
      const PrecisionScope scope(bits);
      Ball least(0);
      Ball greatest(0);
      if (!rest.empty() && !bounds(least, greatest)) return 0;
      const Ball x = above(ratio, epsilon);
      if (certainly_nonnegative(x + least)) return 1;
      if (certainly_nonnegative(-x - greatest)) return -1;
      if (certainly_negative(x + least) && certainly_positive(x + greatest)) return 0;
    }
    return rest.empty() && (atom.p - atom.q.times(1, epsilon)).is_zero() ? 1 : 0;
  }
};

ExactProduct::ExactProduct(std::unique_ptr<State> state) : state_(std::move(state)) {}
ExactProduct::~ExactProduct() = default;

std::unique_ptr<ExactProduct> ExactProduct::of(const ComposedLoss& loss, double work) {
  auto state = std::make_unique<State>();
  std::vector<std::pair<std::shared_ptr<const ExactLaw>, std::uint64_t>> laws;
  for (const ComposedLoss::Term& term : loss.terms()) {
    if (auto law = term.loss->exact_law()) {
      laws.emplace_back(std::move(law), term.count);
    } else {
      state->rest.push_back(term);
    }
  }
  Ball least;
  Ball greatest;
  if (laws.empty() || (!state->rest.empty() && !state->bounds(least, greatest))) return nullptr;
  Budget budget(work);
  try {
    for (const ComposedLoss::Term& term : state->rest) {
      const std::optional<Rational> infinite = term.loss->exact_mass_at_infinity();
      const std::optional<Rational> q = term.loss->exact_q_mass();
      if (!infinite || !q) return nullptr;
      const auto raised = [&](const Rational& x) {
        return rational_quotient(power(ExponentialSum(numerator(x)), term.count, budget),
                                 power(ExponentialSum(denominator(x)), term.count, budget));
      };
      state->rest_finite *= *raised(1 - *infinite);
      state->rest_q *= *raised(*q);
    }
    for (const auto& [law, count] : laws) state->take(*law, count, budget);
  } catch (const TooMuchWork&) {
    return nullptr;
  }
  return std::unique_ptr<ExactProduct>(new ExactProduct(std::move(state)));
}

// Proof: docs/proofs/ties.md#sides
std::optional<Rational> ExactProduct::delta(const Rational& epsilon,
                                            const Rational& infinite) const {
  ExponentialSum sum;
  std::size_t count = 0;
  for (const auto& [ratio, atom] : state_->outcomes) {
    if ((++count & 63) == 0) check_work_limit();
    const int side = state_->side(ratio, atom, epsilon);
    if (side == 0) return std::nullopt;
    if (side < 0) continue;
    sum += atom.p.times(state_->rest_finite, 0);
    sum -= atom.q.times(state_->rest_q, epsilon);
  }
  const std::optional<Rational> finite = rational_quotient(sum, state_->scale);
  if (!finite) return std::nullopt;
  return Rational(infinite + *finite);
}

std::optional<PointMasses> ExactProduct::masses_at(const Rational& x) const {
  if (!state_->rest.empty()) return std::nullopt;
  ExponentialSum p;
  ExponentialSum q;
  ExponentialSum atom;
  std::size_t count = 0;
  for (const auto& [ratio, outcome] : state_->outcomes) {
    if ((++count & 63) == 0) check_work_limit();
    const bool rational = ratio.odds == 1 && ratio.others.empty();
    const bool equal = rational ? ratio.loss == x : (outcome.p - outcome.q.times(1, x)).is_zero();
    if (equal) {
      atom += outcome.p;
      continue;
    }
    const std::optional<int> sign =
        rational ? std::optional(exact_sign(ratio.loss - x))
                 : decided_sign(bits_against(x), [&, &at = ratio] { return state_->above(at, x); });
    if (!sign) return std::nullopt;
    if (*sign < 0) continue;
    p += outcome.p;
    q += outcome.q;
  }
  const Ball scale = state_->scale.enclosed();
  return PointMasses{p.enclosed() / scale, q.enclosed() / scale, atom.enclosed() / scale};
}

std::optional<std::vector<LossAtom>> ExactProduct::atoms() const {
  if (!state_->rest.empty()) return std::nullopt;
  std::vector<ExactAtom> outcomes;
  for (const auto& [ratio, outcome] : state_->outcomes) outcomes.push_back(outcome);
  return listed_atoms(outcomes, state_->scale);
}

}  // namespace plaudit

#include "verification/meaning/exact_tests.hpp"

#include <map>

#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/exact_law.hpp"

namespace plaudit {

namespace {

constexpr std::size_t most_outcomes = 20'000;
constexpr double most_products = 1e5;  ///< of rationals, each counted as 1 + bits / bits_of_unit
constexpr double bits_of_unit = 1000;

struct Masses {
  Rational p;
  Rational q;
};
/// By likelihood ratio p / q: outcomes of one ratio are one.
using Outcomes = std::map<Rational, Masses>;

struct TooMany {};

void take(Outcomes& outcomes, const Rational& ratio, const Masses& masses) {
  Masses& there = outcomes[ratio];
  there.p += masses.p;
  there.q += masses.q;
  if (outcomes.size() > most_outcomes) throw TooMany{};
}

class Products {
 public:
  Outcomes of(const Outcomes& a, const Outcomes& b) {
    Outcomes result;
    for (const auto& [x, one] : a) {
      for (const auto& [y, other] : b) {
        spend(one.p, other.p);
        take(result, x * y, {one.p * other.p, one.q * other.q});
      }
    }
    return result;
  }

  Outcomes power(Outcomes base, std::uint64_t n) {
    Outcomes result{{Rational(1), {Rational(1), Rational(1)}}};
    for (; n > 0; n >>= 1) {
      if ((n & 1) != 0) result = of(result, base);
      if (n > 1) base = of(base, base);
    }
    return result;
  }

 private:
  void spend(const Rational& a, const Rational& b) {
    const double bits = static_cast<double>(msb(denominator(a)) + msb(denominator(b)));
    left_ -= 1 + bits / bits_of_unit;
    if (left_ < 0) throw TooMany{};
    check_work_limit();
  }

  double left_ = most_products;
};

/// Nothing where a mass is not rational.
std::optional<Outcomes> rational_outcomes(const ExactLaw& law) {
  Outcomes outcomes;
  for (const ExactAtom& atom : law.atoms) {
    const std::optional<Rational> p = rational_quotient(atom.p, law.scale);
    const std::optional<Rational> q = rational_quotient(atom.q, law.scale);
    if (!p || !q) return std::nullopt;
    take(outcomes, *p / *q, {*p, *q});
  }
  return outcomes;
}

}  // namespace

std::unique_ptr<ExactTests> ExactTests::of(const ComposedLoss& loss) {
  Outcomes all{{Rational(1), {Rational(1), Rational(1)}}};
  Products products;
  try {
    for (const ComposedLoss::Term& term : loss.terms()) {
      const std::shared_ptr<const ExactLaw> law = term.loss->exact_law();
      if (!law) return nullptr;
      const std::optional<Outcomes> one = rational_outcomes(*law);
      if (!one) return nullptr;
      all = products.of(all, products.power(*one, term.count));
    }
  } catch (const TooMany&) {
    return nullptr;
  }
  auto tests = std::make_unique<ExactTests>();
  Rational finite = 0;
  for (const auto& outcome : all) finite += outcome.second.p;
  // What P has where Q has nothing comes first: it costs no false positives.
  Corner corner{0, 1 - finite};
  tests->corners_.push_back(corner);
  for (auto outcome = all.rbegin(); outcome != all.rend(); ++outcome) {
    corner.fpr += outcome->second.q;
    corner.power += outcome->second.p;
    tests->corners_.push_back(corner);
  }
  return tests;
}

// Proof: docs/proofs/tradeoff.md#finite-laws
Rational ExactTests::power(const Rational& fpr) const {
  std::size_t right = 0;
  while (right < corners_.size() && corners_[right].fpr < fpr) ++right;
  if (right == corners_.size()) return 1;
  if (right == 0 || corners_[right].fpr == fpr) return corners_[right].power;
  const Corner& from = corners_[right - 1];
  const Corner& to = corners_[right];
  const Rational share = (fpr - from.fpr) / (to.fpr - from.fpr);
  return from.power +
         PLAUDIT_BOUND("exact_tests.share", share, Rational(1)) * (to.power - from.power);
}

}  // namespace plaudit

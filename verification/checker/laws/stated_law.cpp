#include "verification/checker/laws/stated_law.hpp"

#include <algorithm>

#include "accountants/proof/arithmetic/intervals.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/laws/costs.hpp"

namespace plaudit::proof {

namespace {

constexpr long first_bits = 128;
constexpr long most_bits = 65536;
constexpr long most_bits_of_all = 1L << 29;  ///< of all terms of a sum
constexpr std::size_t terms_a_look = 256;    ///< between two looks at the clock
constexpr std::size_t cost_of_term = 20;     ///< operations: docs/certificates/costs.md#laws

/// mass e^-loss, the loss not 0.
struct Term {
  Rational mass;
  Rational loss;
};

/// Gives `rest` to the masses from the last one on, each up to its upper end; returns what is left.
Rational filled_from_above(const std::vector<Mass>& intervals, Rational rest,
                           std::vector<Rational>& masses) {
  std::vector<Rational> rooms;
  rooms.reserve(intervals.size());
  for (const Mass& each : intervals) rooms.emplace_back(each.upper - each.lower);
  std::size_t end = rooms.size();
  // halves of what is not filled: sums of many terms at once keep the denominators small
  for (std::size_t width = end; rest > 0 && end > 0;) {
    width = std::clamp<std::size_t>(width, 1, end);
    const Rational room = sum(std::span(rooms).subspan(end - width, width));
    if (room <= rest) {
      for (std::size_t i = end - width; i < end; ++i) masses[i] = intervals[i].upper;
      rest -= room;
      end -= width;
    } else if (width == 1) {
      masses[end - 1] += rest;
      return 0;
    } else {
      width = (width + 1) / 2;
    }
  }
  return rest;
}

/// P at the losses where Q has least mass. What the lower ends leave of 1 goes to infinity first.
std::vector<Rational> masses_of_least_q(const StatedLaw& law, const std::string& where) {
  std::vector<Rational> masses;
  for (const Mass& each : law.masses) masses.push_back(each.lower);
  const Rational rest = 1 - law.infinite.lower - sum(masses);
  const Rational at_infinity = law.infinite.upper - law.infinite.lower;
  const Rational others = rest - std::min<Rational>(rest, at_infinity);
  require(rest >= 0 && filled_from_above(law.masses, others, masses) == 0,
          where + ": the masses cannot sum to 1");
  return masses;
}

Interval sum_of(const std::vector<Term>& terms, const Rational& constant, Budget& budget) {
  budget.announce(weighed(Integer(cost_of_term * terms.size()), working_precision()));
  Interval total(constant);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i % terms_a_look == 0) budget.spend(0);
    total += Interval(terms[i].mass) * exp(-Interval(terms[i].loss));
  }
  return total;
}

/// Is the mass of Q at most 1? It is never 1 where P has mass at a loss that is not 0.
bool at_most_one(const std::vector<Term>& terms, const Rational& at_zero, const std::string& where,
                 Budget& budget) {
  if (terms.empty()) return at_zero <= 1;
  const long most = std::min(most_bits, most_bits_of_all / static_cast<long>(terms.size()));
  for (long bits = first_bits;; bits = std::min(2 * bits, most)) {
    const PrecisionScope precision(bits);
    const Interval q = sum_of(terms, at_zero, budget);
    if (below(q, Interval(1))) return true;
    if (below(Interval(1), q)) return false;
    require(bits < most, where + ": the least mass of Q is too near to 1 to be told from it");
  }
}

}  // namespace

// Proof: docs/proofs/discrete.md#file
void require_possible(const StatedLaw& law, const std::string& where, Budget& budget) {
  const std::vector<Rational> masses = masses_of_least_q(law, where);
  const std::string refusal = where + ": the masses of Q exceed 1";
  Rational at_zero = 0;
  std::vector<Term> terms;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    if (masses[i] == 0) continue;
    if (law.losses[i] == 0) {
      at_zero = masses[i];
      continue;
    }
    // a mass is above 2^-b, b the bits of its denominator, and e^b is above 2^b
    const Integer bits(static_cast<unsigned long>(msb(denominator(masses[i])) + 1));
    require(law.losses[i] > Rational(Integer(-bits)), refusal);
    terms.push_back({masses[i], law.losses[i]});
  }
  require(at_most_one(terms, at_zero, where, budget), refusal);
}

}  // namespace plaudit::proof

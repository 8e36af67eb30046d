// The evaluator of sums over combinations of atoms, in balls and in intervals, against sums over
// all outcomes in floating point: whatever is kept, and however the halves are made.
#include "accountants/proof/kinds/atoms.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "support/random.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

constexpr std::size_t many = 1 << 16;

/// An outcome, or a combination of some: its masses under both hypotheses.
struct Outcome {
  double p;
  double q;
};

using Law = std::vector<std::pair<Rational, Rational>>;  ///< p and q of each atom

Law random_law_of_atoms(Random& random, bool ties) {
  Law law;
  Rational p = 0;
  Rational q = 0;
  const long size = random.integer(2, 4);
  for (long i = 0; i < size; ++i) {
    law.emplace_back(random.integer(1, 20), random.integer(1, 20));
    if (ties) law.back() = {Rational(random.integer(1, 3)), Rational(1)};
    p += law.back().first;
    q += law.back().second;
  }
  p += random.integer(0, 3);  // an infinite loss has the rest
  for (auto& [one, other] : law) {
    one /= p;
    other /= q;
  }
  return law;
}

template <class Real>
std::vector<proof::AtomOf<Real>> atoms_of(const Law& law) {
  std::vector<proof::AtomOf<Real>> atoms;
  for (const auto& [p, q] : law) atoms.push_back({log(Real(p) / Real(q)), Real(p), Real(q)});
  return atoms;
}

/// The outcomes of a share that its windows keep, one entry for each sequence of draws.
std::vector<Outcome> outcomes_of(const Law& law, const proof::AtomShare& share) {
  std::vector<Outcome> result;
  if (share.draws == 0) return {{1, 1}};
  std::uint64_t number = 1;
  for (std::uint64_t i = 0; i < share.draws; ++i) number *= law.size();
  for (std::uint64_t code = 0; code < number; ++code) {
    std::vector<std::uint64_t> counts(law.size());
    Outcome one{1, 1};
    std::uint64_t rest = code;
    for (std::uint64_t i = 0; i < share.draws; ++i, rest /= law.size()) {
      const std::size_t atom = rest % law.size();
      ++counts[atom];
      one.p *= estimate(law[atom].first);
      one.q *= estimate(law[atom].second);
    }
    bool kept = true;
    for (std::size_t i = 0; i < law.size(); ++i) {
      kept = kept && share.lows[i] <= counts[i] && counts[i] <= share.highs[i];
    }
    if (kept) result.push_back(one);
  }
  return result;
}

std::vector<Outcome> product(const std::vector<Outcome>& a, const std::vector<Outcome>& b) {
  std::vector<Outcome> result;
  for (const Outcome& x : a) {
    for (const Outcome& y : b) result.push_back({x.p * y.p, x.q * y.q});
  }
  return result;
}

proof::AtomShare whole_share(std::size_t size, std::uint64_t draws) {
  return {draws, std::vector<std::uint64_t>(size, 0), std::vector<std::uint64_t>(size, draws)};
}

proof::AtomShare random_share(Random& random, std::size_t size, std::uint64_t draws) {
  proof::AtomShare share = whole_share(size, draws);
  const auto most = static_cast<long>(draws);
  for (std::size_t i = 0; i < size; ++i) {
    if (random.one_in(3))
      share.lows[i] = static_cast<std::uint64_t>(random.integer(0, std::min(2L, most)));
    if (random.one_in(2))
      share.highs[i] = std::max(share.lows[i], static_cast<std::uint64_t>(random.integer(0, most)));
  }
  return share;
}

/// A composition, choices for it, and what they are to prove.
struct AtomicLaws {
  std::vector<Law> laws;
  proof::AtomsChoices choices;
  double infinite = 0;

  double sum(double epsilon, bool all) const {
    std::vector<Outcome> outcomes{{1, 1}};
    for (std::size_t i = 0; i < laws.size(); ++i) {
      for (const auto* half : {&choices.outer, &choices.inner}) {
        const proof::AtomShare& share = (*half)[i];
        const proof::AtomShare whole = whole_share(laws[i].size(), share.draws);
        outcomes = product(outcomes, outcomes_of(laws[i], all ? whole : share));
      }
    }
    double total = infinite;
    for (const Outcome& each : outcomes) {
      total += std::max(0.0, each.p - std::exp(epsilon) * each.q);
    }
    return total;
  }

  /// What is left out, by its moment.
  double left_out(double epsilon) const {
    const double t = estimate(choices.tilt);
    double moment = 1;
    std::vector<Outcome> kept{{1, 1}};
    for (std::size_t i = 0; i < laws.size(); ++i) {
      double one = 0;
      for (const auto& [p, q] : laws[i]) {
        one += estimate(p) * std::pow(estimate(p) / estimate(q), t);
      }
      const std::uint64_t draws = choices.outer[i].draws + choices.inner[i].draws;
      moment *= std::pow(one, static_cast<double>(draws));
      kept = product(kept, outcomes_of(laws[i], choices.outer[i]));
      kept = product(kept, outcomes_of(laws[i], choices.inner[i]));
    }
    for (const Outcome& each : kept) moment -= each.p * std::pow(each.p / each.q, t);
    const double c = t == 0 ? 1 : std::pow(t, t) / std::pow(1 + t, 1 + t);
    return c * std::exp(-t * epsilon) * std::max(moment, 0.0);
  }

  template <class Real>
  proof::AtomSum<Real> list() const {
    std::vector<std::vector<proof::AtomOf<Real>>> atoms;
    Real moment(1);
    Real finite(1);
    for (std::size_t i = 0; i < laws.size(); ++i) {
      atoms.push_back(atoms_of<Real>(laws[i]));
      Real one(0);
      Real mass(0);
      for (const auto& atom : atoms.back()) {
        one += atom.p * exp(Real(choices.tilt) * atom.loss);
        mass += atom.p;
      }
      const unsigned long draws = choices.outer[i].draws + choices.inner[i].draws;
      moment *= power(one, draws);
      finite *= power(mass, draws);
    }
    proof::Budget budget = proof::unlimited_budget();
    return {{atoms, atoms, true, 1 - finite, [&] { return moment; }}, choices, many, budget};
  }
};

AtomicLaws random_atomic_laws(Random& random, bool ties) {
  AtomicLaws result;
  double finite = 1;
  for (long factors = random.integer(1, 2); factors > 0; --factors) {
    result.laws.push_back(random_law_of_atoms(random, ties));
    const std::size_t size = result.laws.back().size();
    const auto outer = static_cast<std::uint64_t>(random.integer(0, 3));
    const auto inner = static_cast<std::uint64_t>(random.integer(0, 3));
    result.choices.outer.push_back(random_share(random, size, outer));
    result.choices.inner.push_back(random_share(random, size, inner));
    Rational mass = 0;
    for (const auto& [p, q] : result.laws.back()) mass += p;
    finite *= std::pow(estimate(mass), static_cast<double>(outer + inner));
  }
  result.infinite = 1 - finite;
  return result;
}

bool near(double a, double b) { return std::fabs(a - b) <= 1e-10 * (1 + std::fabs(b)); }

/// How many bands there were.
template <class Real>
int check(const AtomicLaws& each, double epsilon) {
  try {
    const proof::AtomSum<Real> sum = each.list<Real>();
    proof::Budget budget = proof::unlimited_budget();
    const proof::ProofOf<Real> found = sum.at(Real(exactly(epsilon)), budget);
    const Real width = found.high - found.low;
    const auto number = [](const Real& x) {
      return positive(x) ? std::exp(proof::estimate_log(x)) : 0.0;
    };
    INFO("epsilon ", epsilon, " tilt ", to_string(each.choices.tilt), " merged ",
         each.choices.merged);
    CHECK(near(number(found.low), each.sum(epsilon, false)));
    CHECK(near(number(width), each.left_out(epsilon)));
    CHECK(number(found.high) >= each.sum(epsilon, true) - 1e-10);
    CHECK(near(number(found.errors.at(0).size), each.left_out(epsilon)));
    return 1;
  } catch (const proof::Rejected&) {  // windows that hold no combination
    return 0;
  }
}

}  // namespace

TEST_CASE("what windows keep is summed, and what they leave out is bounded by its moment") {
  Random random(414);
  const PrecisionScope scope(160);
  int bands = 0;
  for (int i = 0; i < trials(80); ++i) {
    const bool ties = random.one_in(2);
    AtomicLaws each = random_atomic_laws(random, ties);
    each.choices.tilt = random.one_in(2) ? Rational(0) : Rational(random.integer(1, 6), 2);
    each.choices.merged = random.one_in(2);
    // losses of laws with ties are logs of quotients of the numbers 1, 2, 3
    const double epsilon = random.one_in(2) ? 0 : random.uniform(-1, 2);
    bands += check<Ball>(each, epsilon) + check<proof::Interval>(each, epsilon);
  }
  CHECK(bands >= 60);
}

TEST_CASE("at a loss of many combinations both sides of it are counted") {
  const PrecisionScope scope(160);
  const Law law{{Rational(3, 6), Rational(1, 6)},
                {Rational(2, 6), Rational(2, 6)},
                {Rational(1, 6), Rational(3, 6)}};
  for (const bool merged : {false, true}) {
    AtomicLaws each;
    each.laws = {law, law};
    each.choices.outer = {whole_share(3, 3), whole_share(3, 1)};
    each.choices.inner = {whole_share(3, 2), whole_share(3, 2)};
    each.choices.merged = merged;
    CHECK(check<Ball>(each, 0) == 1);  // the loss of a third of all outcomes
    CHECK(check<proof::Interval>(each, 0) == 1);
    CHECK((each.list<Ball>().undecided(Ball(0)) > 0));
    CHECK((each.list<proof::Interval>().undecided(proof::Interval(0)) > 0));
    // losses are -8 .. 8 times log 3 once those that are equal are one
    CHECK((each.list<Ball>().outer_points() == 9) == merged);
  }
}

namespace {

/// A loss between two numbers.
struct Range {
  double low;
  double high;
};

template <class Real>
proof::ProofOf<Real> of_ranges(const std::vector<Range>& losses, const proof::AtomsChoices& choices,
                               double epsilon) {
  std::vector<std::vector<proof::AtomOf<Real>>> atoms(1);
  const Real mass(Rational(1, static_cast<long>(losses.size())));
  for (const Range& each : losses) {
    const Real loss = hull(Real(exactly(each.low)), Real(exactly(each.high)));
    atoms[0].push_back({loss, mass, mass * exp(-loss)});
  }
  proof::Budget budget = proof::unlimited_budget();
  const proof::AtomSum<Real> sum({atoms, atoms, true, Real(0), {}}, choices, many, budget);
  return sum.at(Real(exactly(epsilon)), budget);
}

}  // namespace

TEST_CASE("losses that are only roughly known: every law that they may be of is in the band") {
  const PrecisionScope scope(128);
  Random random(417);
  for (int i = 0; i < trials(150); ++i) {
    std::vector<Range> losses(static_cast<std::size_t>(random.integer(2, 6)));
    for (Range& each : losses) {
      const double middle = random.uniform(-1, 1);
      const double radius = random.one_in(2) ? 0.01 : random.uniform(0, 1);
      each = {middle - radius, middle + radius};
    }
    const double epsilon = random.uniform(-1, 1);
    proof::AtomsChoices choices;
    choices.outer = {whole_share(losses.size(), 1)};
    choices.inner = choices.outer;
    for (const bool merged : {false, true}) {
      choices.merged = merged;
      const auto balls = of_ranges<Ball>(losses, choices, epsilon);
      const auto intervals = of_ranges<proof::Interval>(losses, choices, epsilon);
      for (const double place : {0.0, 1.0, random.uniform(0, 1), -1.0}) {
        std::vector<double> exactly_known;
        for (const Range& each : losses) {
          const double at = place < 0 ? random.uniform(0, 1) : place;
          exactly_known.push_back(each.low + at * (each.high - each.low));
        }
        const double mass = 1 / static_cast<double>(losses.size());
        double delta = 0;
        for (const double x : exactly_known) {
          for (const double y : exactly_known) {
            delta += mass * mass * std::max(0.0, -std::expm1(epsilon - x - y));
          }
        }
        INFO("trial ", i, " merged ", merged, " place ", place, " delta ", delta);
        CHECK(balls.low.lower_double() <= delta + 1e-12);
        CHECK(balls.high.upper_double() >= delta - 1e-12);
        const Rational near = exactly(delta);
        CHECK((proof::lower(intervals.low) <= near + Rational(1, 1000000000000)));
        CHECK((proof::upper(intervals.high) >= near - Rational(1, 1000000000000)));
      }
    }
  }
}

TEST_CASE("rare combinations are left out, and counted as such") {
  const PrecisionScope scope(128);
  Random random(415);
  for (int i = 0; i < trials(20); ++i) {
    AtomicLaws each = random_atomic_laws(random, false);
    for (std::size_t j = 0; j < each.laws.size(); ++j) {
      for (auto* half : {&each.choices.outer, &each.choices.inner}) {
        proof::AtomShare& share = (*half)[j];
        share = whole_share(each.laws[j].size(), share.draws);
        for (const auto& [p, q] : each.laws[j]) share.logs.push_back(estimate_log(p));
      }
    }
    each.choices.tilt = 1;
    for (const double least : {-infinity, -4.0, -2.0}) {
      each.choices.least = least;
      try {
        proof::Budget budget = proof::unlimited_budget();
        const proof::ProofOf<Ball> found = each.list<Ball>().at(Ball(0.25), budget);
        CHECK(found.low.estimate() <= each.sum(0.25, true) + 1e-10);
        CHECK(found.high.estimate() >= each.sum(0.25, true) - 1e-10);
        if (least == -infinity) CHECK(near(found.low.estimate(), each.sum(0.25, true)));
      } catch (const proof::Rejected&) {
        CHECK(least > -infinity);
      }
    }
  }
}

TEST_CASE("pairs of factors that are rare together are left out, and counted as such") {
  const PrecisionScope scope(128);
  const Law law{{Rational(9, 10), Rational(1, 10)}, {Rational(1, 10), Rational(9, 10)}};
  AtomicLaws each;
  each.laws = {law, law};
  const proof::AtomShare share{1, {0, 0}, {1, 1}, {std::log(0.9), std::log(0.1)}};
  each.choices.outer = {share, share};
  each.choices.inner = {whole_share(2, 0), whole_share(2, 0)};
  each.choices.least = -3;  // a mass of 1/10 is kept, one of 1/100 is not
  proof::Budget budget = proof::unlimited_budget();
  const proof::ProofOf<Ball> found = each.list<Ball>().at(Ball(-10), budget);
  CHECK(near((found.high - found.low).estimate(), 0.01));
}

TEST_CASE("atoms that the list lacks are counted as left out") {
  const PrecisionScope scope(128);
  const std::vector<std::vector<proof::AtomOf<Ball>>> atoms{
      {{log(Ball(3)), Ball(0.75), Ball(0.25)}}};  // and one of the mass 1/4
  proof::AtomsChoices choices;
  choices.outer = {whole_share(1, 1)};
  choices.inner = {whole_share(1, 1)};
  for (const bool whole : {false, true}) {
    proof::Budget budget = proof::unlimited_budget();
    const proof::AtomSum<Ball> sum({atoms, atoms, whole, Ball(0), [] { return Ball(1); }}, choices,
                                   many, budget);
    const proof::ProofOf<Ball> found = sum.at(Ball(0), budget);
    CHECK(near(found.low.estimate(), 0.5));
    CHECK(near(found.high.estimate(), whole ? 0.5 : 0.5 + 7.0 / 16));
  }
}

TEST_CASE("choices that do not fit are rejected") {
  const PrecisionScope scope(128);
  Random random(416);
  const Law law{{Rational(2, 3), Rational(1, 3)}, {Rational(1, 3), Rational(2, 3)}};
  AtomicLaws good;
  good.laws = {law};
  good.choices.outer = {whole_share(2, 2)};
  good.choices.inner = {whole_share(2, 3)};
  CHECK_NOTHROW(good.list<proof::Interval>());
  const auto rejected = [&](auto&& change) {
    AtomicLaws bad = good;
    change(bad.choices);
    CHECK_THROWS_AS(bad.list<proof::Interval>(), proof::Rejected);
    CHECK_THROWS_AS(bad.list<Ball>(), proof::Rejected);
  };
  rejected([](auto& choices) { choices.tilt = -1; });
  rejected([](auto& choices) { choices.inner.clear(); });
  rejected([](auto& choices) { choices.outer[0].lows = {0}; });
  rejected([](auto& choices) { choices.outer[0].lows = {2, 2}; });
  rejected([](auto& choices) { choices.outer[0].highs = {0, 1}; });
  rejected([](auto& choices) { choices.outer[0].highs = {2, 3}; });
  rejected([](auto& choices) {
    choices.outer[0].lows = {2, 0};
    choices.outer[0].highs = {1, 2};
  });
  rejected([](auto& choices) { choices.least = -3; });
  rejected([](auto& choices) { choices.outer[0].logs = {-1}; });
  proof::Budget budget = proof::unlimited_budget();
  const std::vector<std::vector<proof::AtomOf<Ball>>> atoms{atoms_of<Ball>(law)};
  CHECK_THROWS_AS(proof::AtomPoints<Ball>(atoms, good.choices.inner, good.choices, 3, budget),
                  proof::Rejected);
  CHECK_NOTHROW(proof::AtomPoints<Ball>(atoms, good.choices.inner, good.choices, 4, budget));
}

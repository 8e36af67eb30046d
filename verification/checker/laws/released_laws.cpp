#include "verification/checker/laws/released_laws.hpp"

#include <map>
#include <numeric>

#include "verification/checker/laws/law_text.hpp"

namespace plaudit::proof {

namespace {

/// j/m in lowest terms; they are ordered as the losses are.
std::map<Rational, std::size_t> shares_of(long users) {
  std::map<Rational, std::size_t> places;
  for (long m = 1; m <= users; ++m) {
    for (long j = 0; j <= m; ++j) places.emplace(Rational(Integer(j), Integer(m)), 0);
  }
  std::size_t next = 0;
  for (auto& [share, place] : places) place = next++;
  return places;
}

/// (e j + m-j) 1/n C(n, m) C(m, j) r^m (1 - 2r)^(n-m), r = 1/(1 + e); m - j in place of j for Q.
Finite::Masses shuffle_masses(const Rational& epsilon, long users,
                              const std::map<Rational, std::size_t>& places) {
  const Interval fall = exp(-Interval(epsilon));
  const Interval rate = fall / (1 + fall);
  const Interval odds = fall / -expm1(-Interval(epsilon));  // r / (1 - 2r)
  const Interval e = exp(Interval(epsilon));
  Finite::Masses result{std::vector<Atom>(places.size(), Atom{0, 0, 0}), 0, 1};
  for (const auto& [share, place] : places) {
    const Interval p = e * Interval(share) + Interval(Rational(1 - share));
    const Interval q = Interval(share) + e * Interval(Rational(1 - share));
    result.atoms[place].loss = share == 0   ? -Interval(epsilon)
                               : share == 1 ? Interval(epsilon)
                                            : log(p / q);
  }
  Interval front =
      power(1 - 2 * rate, static_cast<unsigned long>(users)) / Interval(Integer(users));
  for (long m = 1; m <= users; ++m) {
    front = front * odds * Interval(Rational(Integer(users - m + 1), Integer(m)));
    Integer ways = 1;  // C(m, j)
    for (long j = 0; j <= m; ++j) {
      const Interval mass = front * Interval(ways);
      Atom& atom = result.atoms[places.at(Rational(Integer(j), Integer(m)))];
      atom.p += mass * (j * e + (m - j));
      atom.q += mass * (j + (m - j) * e);
      ways = ways * (m - j) / (j + 1);
    }
  }
  return result;
}

// Proof: docs/proofs/repeats.md#pure
Interval log_factor(const Rational& epsilon, const Repeats& repeats) {
  const Interval e = exp(Interval(epsilon));
  if (repeats.kind == Repeats::Kind::poisson) return Interval(repeats.mean) * (e - 1) / (e + 1);
  if (repeats.kind == Repeats::Kind::negative_binomial) {
    const Interval gamma(repeats.gamma);
    return Interval(Rational(repeats.eta + 1)) * log((e + gamma) / (1 + gamma * e));
  }
  const Interval p(repeats.probability);
  const Interval missed = 1 + e * Interval(Rational(1 - repeats.probability));
  return Interval(Integer(repeats.trials - 1)) * log((1 + e - p) / missed);
}

std::string text_of_repeats(const Rational& epsilon, const Repeats& repeats) {
  const std::pair<std::string, std::string> first{"epsilon", number_text(epsilon)};
  if (repeats.kind == Repeats::Kind::poisson) {
    return law_text("BestOfPoisson", {first, {"mean", number_text(repeats.mean)}});
  }
  if (repeats.kind == Repeats::Kind::negative_binomial) {
    return law_text(
        "BestOfNegativeBinomial",
        {first, {"eta", number_text(repeats.eta)}, {"gamma", number_text(repeats.gamma)}});
  }
  return law_text("BestOfBinomial", {first,
                                     {"trials", number_text(Rational(repeats.trials))},
                                     {"probability", number_text(repeats.probability)}});
}

}  // namespace

Finite shuffle_law(const Rational& epsilon, long users) {
  const std::map<Rational, std::size_t> places = shares_of(users);
  Finite::Exact exact;
  exact.infinite = 0;
  exact.q_mass = 1;
  for (const auto& [share, place] : places) {
    ExactAtom atom;
    if (share == 0) atom.loss = -epsilon;
    if (share == 1) atom.loss = epsilon;
    if (2 * share == 1) atom.loss = 0;
    exact.atoms.push_back(atom);
  }
  return Finite(
      law_text("Shuffle", {{"epsilon", number_text(epsilon)}, {"n", std::to_string(users)}}),
      [epsilon, users, places] { return shuffle_masses(epsilon, users, places); },
      std::move(exact));
}

Finite best_of(const Rational& epsilon, const Repeats& repeats) {
  Finite::Exact exact;
  exact.infinite = 0;
  exact.q_mass = 1;
  exact.atoms = {{}, {}};
  return Finite(
      text_of_repeats(epsilon, repeats),
      [epsilon, repeats] {
        const Interval loss = Interval(epsilon) + log_factor(epsilon, repeats);
        const Interval high = 1 / (1 + exp(-loss));
        const Interval low = 1 / (1 + exp(loss));
        return Finite::Masses{{{-loss, low, high}, {loss, high, low}}, 0, 1};
      },
      std::move(exact));
}

}  // namespace plaudit::proof

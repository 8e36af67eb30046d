// Mechanisms whose curve of one step has a formula of its own, from the text of a spec.
#include <utility>
#include <vector>

#include "verification/forms/spec_call.hpp"

namespace plaudit::pairs {

namespace {

constexpr std::uint64_t most_users = 64;  ///< of whom the mechanism keeps all atoms

}  // namespace

/// Where both noises have mass the best event ends in their middle: 1 - (2 e^(-a/2) sqrt x - c (1 +
/// x)) / N, c = e^(-bound/scale), N = 2 (1 - c), for x between e^-a and e^a, a = sensitivity/scale.
LawPointer truncated_laplace(Call& call) {
  const Rational scale = call.number("scale");
  const Rational bound = call.number("bound");
  const Rational shift = call.number("sensitivity", 1);
  if (scale <= 0 || shift <= 0 || bound < shift) return nullptr;
  return curve_of([=](const Directed& x) -> std::optional<Directed> {
    const Directed one(1);
    const Directed edge = exp(Directed(Rational(shift / scale)));
    const Directed rest = exp(Directed(Rational(-bound / scale)));
    const Directed whole = Directed(2) * (one - rest);
    const Directed infinite = rest * (edge - one) / whole;
    const Directed middle = one - (Directed(2) * sqrt(x / edge) - rest * (one + x)) / whole;
    if (edge.certainly_less(x)) return infinite;
    if ((x * edge).certainly_less(one)) return one - x * (one - infinite);
    return max(max(middle, infinite), one - x * (one - infinite));
  });
}

/// Outcome by outcome: C of the others vote at random, and one more vote is for one side or the
/// other, with odds e.
LawPointer shuffle(Call& call) {
  const Rational epsilon = call.number("epsilon");
  const std::uint64_t users = call.count("users", 0);
  if (epsilon <= 0 || users == 0 || users > most_users) return nullptr;
  return curve_of([=](const Directed& x) -> std::optional<Directed> {
    const Directed e = exp(Directed(epsilon));
    const Directed vote = Directed(1) / (Directed(1) + e);
    const Directed other = (e - Directed(1)) * vote;
    const auto ways = [](std::uint64_t n, std::uint64_t k) {
      return k > n ? Directed(0) : choose(n, k);
    };
    Directed sum(0);
    for (std::uint64_t c = 0; c < users; ++c) {
      Directed weight = choose(users - 1, c) * vote;
      for (std::uint64_t i = 0; i < c; ++i) weight = weight * vote;
      for (std::uint64_t i = c + 1; i < users; ++i) weight = weight * other;
      for (std::uint64_t k = 0; k <= c + 1; ++k) {
        const Directed with = k == 0 ? Directed(0) : ways(c, k - 1);
        const Directed without = ways(c, k);
        sum = sum + weight * zero_or(e * with + without - x * (e * without + with));
      }
    }
    return sum;
  });
}

/// The least of all chords between two points that hold x, and of all constants before it.
LawPointer privacy_profile(Call& call) {
  const auto* epsilons = call.take<std::vector<Rational>>("epsilons");
  const auto* deltas = call.take<std::vector<Rational>>("deltas");
  if (epsilons == nullptr || deltas == nullptr || epsilons->size() > 50) return nullptr;
  return curve_of([at = *epsilons, least = *deltas](const Directed& x) -> std::optional<Directed> {
    const Directed one(1);
    std::vector<std::pair<Directed, Directed>> points{{Directed(0), one}};
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Directed place = exp(Directed(at[i]));
      points.emplace_back(place, Directed(least[i]));
      if (at[i] > 0) points.emplace_back(one / place, one - (one - Directed(least[i])) / place);
    }
    Directed result = one;
    const auto lower = [&](const Directed& value) { result = -max(-result, -value); };
    for (const auto& [first, start] : points) {
      if (x.certainly_less(first)) continue;
      lower(start);
      for (const auto& [last, end] : points) {
        if (!first.certainly_less(last) || last.certainly_less(x)) continue;
        lower(start + (end - start) * (x - first) / (last - first));
      }
    }
    return result;
  });
}

/// Of an epsilon-private base: randomized response of odds e C (docs/proofs/repeats.md#pure).
LawPointer select(Call& call) {
  const auto base = call.inner();
  const std::string kind = call.word("repeats");
  const Rational mean = call.number("mean");
  const Rational eta = call.number("eta", kind == "geometric" ? 1 : 0);
  const Rational gamma = call.number("gamma");
  if (!base || base->name != "pure" || (kind != "poisson" && gamma <= 0)) return nullptr;
  Call inner(*base, call.direction);
  const Rational epsilon = inner.number("epsilon");
  return curve_of([=](const Directed& x) -> std::optional<Directed> {
    const Directed one(1);
    const Directed e = exp(Directed(epsilon));
    const Directed log_factor = kind == "poisson"
                                    ? Directed(mean) * (e - one) / (e + one)
                                    : Directed(Rational(eta + 1)) *
                                          log((e + Directed(gamma)) / (one + Directed(gamma) * e));
    const Directed odds = e * exp(log_factor);
    return zero_or(max(one - x, (odds - x) / (one + odds)));
  });
}

}  // namespace plaudit::pairs

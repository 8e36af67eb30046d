// Pairs of finitely many losses from the text of a spec.
#include "verification/forms/spec_call.hpp"

namespace plaudit::pairs {

LawPointer two_points(const Rational& epsilon, const Rational& infinite) {
  return made(Finite{{{epsilon, 1, 1, epsilon}, {-epsilon, 1, 1, 0}}, infinite});
}

LawPointer randomized_response(Call& call) {
  const Rational others = call.number("categories", 2) - 1;
  Finite law;
  if (const Rational* epsilon = call.take<Rational>("epsilon")) {
    law.terms = {{*epsilon, 1, 1, *epsilon}, {-*epsilon, 1, 1, 0}, {0, 1, others - 1, 0}};
  } else {
    const Rational p = call.number("probability");
    if (p <= 0 || p >= 1) return nullptr;
    const Rational odds = p * others / (1 - p);
    law.terms = {{0, odds, p, 0}, {0, 1 / odds, p / odds, 0}, {0, 1, 1 - p - p / odds, 0}};
  }
  if (others == 1) law.terms.pop_back();
  return made(std::move(law));
}

LawPointer discrete_laplace(Call& call) {
  const Rational scale = call.number("scale", 1);
  const std::uint64_t shift = call.count("sensitivity", 1);
  if (shift > most_columns) return nullptr;
  Finite law;
  for (std::uint64_t j = 0; j <= shift; ++j) {
    const Rational loss = (2 * Rational(Integer(j)) - Rational(Integer(shift))) / scale;
    const Rational tilt = (Rational(Integer(j)) - Rational(Integer(shift))) / scale;
    law.terms.push_back({loss, 1, 1, tilt});
    if (j > 0 && j < shift) law.terms.push_back({loss, 1, -1, tilt - 1 / scale});
  }
  return made(std::move(law));
}

/// Outcome by outcome, masses times (1 + r - 2 r^(bound + 1)) / (1 - r), r = e^(-1/scale).
LawPointer truncated_discrete_laplace(Call& call) {
  const Rational scale = call.number("scale");
  const std::uint64_t shift = call.count("sensitivity", 1);
  const Rational bound = call.number("bound");
  if (scale <= 0 || shift > most_columns) return nullptr;
  const Rational d(Integer{shift});
  const auto below = [&](const Rational& loss, const Rational& first, const Rational& last) {
    // r^first + ... + r^last, times 1 - r
    return std::vector<Term>{{loss, 1, 1, -first / scale}, {loss, 1, -1, -(last + 1) / scale}};
  };
  Finite law;
  const auto add = [](std::vector<Term>& to, const std::vector<Term>& terms) {
    to.insert(to.end(), terms.begin(), terms.end());
  };
  add(law.terms, below(d / scale, 0, bound - d));
  add(law.terms, below(-d / scale, d, bound));
  for (Rational k = 1; k < d; k += 1) add(law.terms, below((2 * k - d) / scale, d - k, d - k));
  law.outside = below(0, bound - d + 1, bound);
  return made(std::move(law));
}

/// The noise moved by 1 against the noise, masses times 2 (gamma + (1 - gamma) e^-epsilon).
LawPointer staircase(Call& call) {
  const Rational epsilon = call.number("epsilon");
  const Rational gamma = call.number("gamma");
  if (epsilon <= 0 || gamma <= 0 || gamma >= 1) return nullptr;
  Finite law;
  if (gamma >= Rational(1, 2)) {
    const Rational middle = 2 * gamma - 1;
    law.terms = {{epsilon, 1, 1, 0}, {-epsilon, 1, 1, -epsilon}};
    if (middle > 0)
      law.terms.insert(law.terms.end(), {{0, 1, middle, 0}, {0, 1, -middle, -epsilon}});
    return made(std::move(law));
  }
  const Rational middle = 1 - 2 * gamma;
  law.terms = {{epsilon, 1, 2 * gamma, 0},         {epsilon, 1, middle, -epsilon},
               {0, 1, middle, -epsilon},           {0, 1, -middle, -2 * epsilon},
               {-epsilon, 1, 2 * gamma, -epsilon}, {-epsilon, 1, middle, -2 * epsilon}};
  return made(std::move(law));
}

}  // namespace plaudit::pairs

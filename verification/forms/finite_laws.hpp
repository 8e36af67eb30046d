// Laws of finitely many losses, composed atom by atom in any arithmetic: intervals or floating
// point. The arithmetic N has N(int), number_of<N>(Rational), exp and log.
#pragma once

#include <cmath>
#include <optional>
#include <utility>

#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/forms/pairs.hpp"

namespace plaudit::pairs {

template <class N>
N number_of(const Rational& value);
/// What contains all from 0 to x; of a floating-point number 0.
template <class N>
N from_zero_to(const N& x);

/// What a loss is the sum of: numbers by name, "" for a rational one. Equal losses of equal names
/// are one atom.
using LossName = std::map<std::string, Rational>;

template <class N>
struct AtomList {
  struct Atom {
    N loss;
    N mass;  ///< under P
  };
  std::map<LossName, Atom> atoms;
  N infinite = N(0);
  N left_out = N(0);    ///< P-mass of rare atoms, at most, or that an atom has too much
  N q_left_out = N(0);  ///< the same of Q
};

constexpr std::size_t most_products = 60'000;  ///< of atoms, in one convolution

template <class N>
AtomList<N> only_zero() {
  AtomList<N> law;
  law.atoms.emplace(LossName{}, typename AtomList<N>::Atom{N(0), N(1)});
  return law;
}

/// @return nothing where it has too many atoms.
template <class N>
std::optional<AtomList<N>> product(const AtomList<N>& a, const AtomList<N>& b) {
  if (a.atoms.size() * b.atoms.size() > most_products) return std::nullopt;
  AtomList<N> result;
  for (const auto& [first, x] : a.atoms) {
    check_work_limit();
    for (const auto& [second, y] : b.atoms) {
      LossName name = first;
      for (const auto& [part, times] : second) {
        if ((name[part] += times) == 0) name.erase(part);
      }
      const auto [place, added] = result.atoms.try_emplace(
          std::move(name), typename AtomList<N>::Atom{x.loss + y.loss, x.mass * y.mass});
      if (!added) place->second.mass = place->second.mass + x.mass * y.mass;
    }
  }
  result.infinite = N(1) - (N(1) - a.infinite) * (N(1) - b.infinite);
  result.left_out = a.left_out + b.left_out;
  result.q_left_out = a.q_left_out + b.q_left_out;
  return result;
}

template <class N>
std::optional<AtomList<N>> power(AtomList<N> square, std::uint64_t n) {
  std::optional<AtomList<N>> result = only_zero<N>();
  for (; result && n > 0; n /= 2) {
    if (n % 2 == 1) result = product(*result, square);
    if (n == 1) break;
    auto next = product(square, square);
    if (!next) return std::nullopt;
    square = std::move(*next);
  }
  return result;
}

template <class N>
AtomList<N> atoms_of(const Finite& law) {
  AtomList<N> result;
  N whole(0);
  for (const Term& term : law.terms) {
    LossName name;
    if (term.loss != 0) name[""] = term.loss;
    const bool above = term.odds > 1;
    if (term.odds != 1)
      name[to_string(above ? term.odds : Rational(1 / term.odds))] = above ? 1 : -1;
    const N loss = number_of<N>(term.loss) + log(number_of<N>(term.odds));
    const N mass = number_of<N>(term.weight) * exp(number_of<N>(term.tilt));
    whole = whole + mass;
    const auto [place, added] =
        result.atoms.try_emplace(std::move(name), typename AtomList<N>::Atom{loss, mass});
    if (!added) place->second.mass = place->second.mass + mass;
  }
  N outside(0);
  for (const Term& term : law.outside) {
    outside = outside + number_of<N>(term.weight) * exp(number_of<N>(term.tilt));
  }
  whole = whole + outside;
  for (auto& [name, atom] : result.atoms) {
    atom.mass = number_of<N>(1 - law.infinite) * atom.mass / whole;
  }
  result.infinite = number_of<N>(law.infinite) + number_of<N>(1 - law.infinite) * outside / whole;
  return result;
}

/// Of weights t^(k^2) those beyond |k| <= most are left out: in all less than 2 t^(most^2) / (1 -
/// t^(2 most)), while the whole is more than 1.
template <class N>
std::optional<AtomList<N>> atoms_of(const DiscreteGaussian& law, double digits) {
  const double deviation = std::sqrt(estimate(law.variance));
  const double reach = deviation * std::sqrt(2 * std::log(10.0) * digits) + estimate(law.shift) + 2;
  if (reach > 4000) return std::nullopt;
  const long most = checked_integer(std::floor(reach), "atoms");
  const auto weight = [&](const Rational& k) {
    return exp(number_of<N>(-k * k / (2 * law.variance)));
  };
  AtomList<N> result;
  N whole(0);
  for (long k = -most; k <= most; ++k) {
    check_work_limit();
    const Rational loss = law.shift * (law.shift + 2 * Rational(k)) / (2 * law.variance);
    const N mass = weight(Rational(k));
    whole = whole + mass;
    LossName name;
    if (loss != 0) name[""] = loss;
    result.atoms.emplace(name, typename AtomList<N>::Atom{number_of<N>(loss), mass});
  }
  // Q's noise is that of P moved by the shift.
  const auto beyond = [&](const Rational& from) {
    return N(2) * weight(from) / (N(1) - exp(number_of<N>(-from / law.variance)));
  };
  result.left_out = beyond(Rational(most));
  result.q_left_out = beyond(Rational(most) - law.shift);
  whole = whole + from_zero_to(result.left_out);
  for (auto& [name, atom] : result.atoms) atom.mass = atom.mass / whole;
  return result;
}

template <class N>
std::optional<AtomList<N>> finite_law(const Law& law, double digits);

/// Each atom keeps its place, and the mass that only Q has becomes one of loss log(1 - rate).
template <class N>
std::optional<AtomList<N>> atoms_of(const Sampled& law, double digits) {
  const auto inner = finite_law<N>(*law.inner, digits);
  if (!inner) return std::nullopt;
  const N rate = number_of<N>(law.rate);
  const N rest = number_of<N>(1 - law.rate);
  const std::string prefix = to_string(law.rate) + (law.removed ? "+" : "-");
  AtomList<N> result;
  N under_q(0);
  const auto add = [&](const std::string& name, const N& loss, const N& mass) {
    result.atoms.emplace(LossName{{prefix + name, 1}}, typename AtomList<N>::Atom{loss, mass});
  };
  for (const auto& [name, atom] : inner->atoms) {
    std::string text;
    for (const auto& [part, times] : name) text += part + "*" + to_string(times) + ",";
    const N ratio = exp(-atom.loss);  // dQ/dP
    under_q = under_q + atom.mass * ratio;
    if (law.removed) {
      add(text, log(rest + rate / ratio), atom.mass * (rate + rest * ratio));
    } else {
      add(text, -log(rest + rate * ratio), atom.mass);
    }
  }
  if (law.removed) {
    add("only Q", log(rest), rest * (N(1) - under_q));
    result.infinite = rate * inner->infinite;
    result.left_out = rate * inner->left_out + rest * inner->q_left_out;
    result.q_left_out = inner->q_left_out;
  } else {
    add("only P", -log(rest), inner->infinite);
    result.left_out = inner->left_out;
    result.q_left_out = rest * inner->left_out + rate * inner->q_left_out;
  }
  return result;
}

/// @param digits that rare atoms are left out beyond.
template <class N>
std::optional<AtomList<N>> finite_law(const Law& law, double digits) {
  if (const auto* finite = std::get_if<Finite>(&law)) return atoms_of<N>(*finite);
  if (const auto* noise = std::get_if<DiscreteGaussian>(&law)) return atoms_of<N>(*noise, digits);
  if (const auto* sampled = std::get_if<Sampled>(&law)) return atoms_of<N>(*sampled, digits);
  if (const auto* both = std::get_if<Both>(&law)) {
    const auto first = finite_law<N>(*both->first, digits);
    const auto second = finite_law<N>(*both->second, digits);
    if (first && second) return product(*first, *second);
  }
  return std::nullopt;
}

}  // namespace plaudit::pairs

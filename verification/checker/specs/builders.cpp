#include "verification/checker/specs/builders.hpp"

#include <map>

namespace plaudit::proof {

std::optional<Rational> exact_root(const Rational& square) {
  Rational root(root_of(numerator(square)), root_of(denominator(square)));
  if (root * root != square) return std::nullopt;
  return root;
}

void set_law(Mechanism& mechanism, const std::shared_ptr<const Law>& both) {
  mechanism.remove = mechanism.add = both;
  mechanism.symmetric = true;
}

Mechanism::Components merged(const Mechanism::Components& given) {
  std::map<Rational, Rational> places;
  for (std::size_t i = 0; i < given.rates.size(); ++i) {
    require(given.probabilities[i] >= 0, "a mixture has probabilities of at least 0");
    if (given.probabilities[i] > 0) places[given.rates[i]] += given.probabilities[i];
  }
  Mechanism::Components result;
  result.radicand = given.radicand;
  for (const auto& [rate, probability] : places) {
    result.rates.push_back(rate);
    result.probabilities.push_back(probability);
  }
  return result;
}

void set_mixture(Mechanism& mechanism, const Mechanism::Components& given) {
  Mechanism::Components parts = merged(given);
  require(!parts.rates.empty() && parts.rates.back() > 0, "the spec: a mixture that never moves");
  if (const auto unit = exact_root(parts.radicand)) {
    for (Rational& rate : parts.rates) rate *= *unit;
    parts.radicand = 1;
  }
  mechanism.components = parts;
  if (parts.rates.size() == 1) {
    const Rational& rate = parts.rates.front();
    return set_law(mechanism, law(Gaussian{rate * rate * parts.radicand / 2}));
  }
  mechanism.remove = law(Mixture{parts.rates, parts.probabilities, true, parts.radicand});
  mechanism.add = law(Mixture{parts.rates, parts.probabilities, false, parts.radicand});
  mechanism.symmetric = false;
}

std::string list_text(const std::vector<Rational>& numbers) {
  std::string text;
  for (const Rational& number : numbers) text += (text.empty() ? "" : ", ") + to_string(number);
  return "[" + text + "]";
}

std::string sensitivity_text(const Rational& sensitivity) {
  return sensitivity == 1 ? "" : ", sensitivity=" + to_string(sensitivity);
}

Mechanism::Components counted(const Rational& worth, CountLaw counts) {
  Mechanism::Components parts{{}, std::move(counts)};
  for (std::size_t k = 0; k < parts.probabilities.size(); ++k) parts.rates.emplace_back(worth * k);
  return parts;
}

}  // namespace plaudit::proof

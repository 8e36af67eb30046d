#include "mechanisms/composition.hpp"

#include <algorithm>
#include <unordered_map>

#include "mechanisms/spec_error.hpp"

namespace plaudit {

Composition::Composition(std::vector<Factor> factors) {
  if (factors.empty()) throw SpecError("composition: must have at least one mechanism");
  std::unordered_map<std::string, std::size_t> places;
  for (Factor& factor : factors) {
    if (factor.count < 1 || factor.count > most_steps) {
      throw SpecError("composition: the count of a mechanism must be from 1 to 10^12, not " +
                      std::to_string(factor.count));
    }
    const auto [found, is_new] = places.try_emplace(factor.mechanism->spec(), factors_.size());
    if (is_new) {
      factors_.push_back(std::move(factor));
      continue;
    }
    Factor& merged = factors_[found->second];
    if (factor.count > most_steps - merged.count) {
      throw SpecError("composition: the steps of " + abbreviated(found->first) +
                      " must add up to at most 10^12");
    }
    merged.count += factor.count;
  }
}

std::string Composition::spec() const {
  std::string text;
  for (const Factor& factor : factors_) {
    if (!text.empty()) text += " * ";
    text += factor.mechanism->spec();
    if (factor.count > 1) text += '^' + std::to_string(factor.count);
  }
  return text;
}

bool Composition::symmetric() const {
  return std::all_of(factors_.begin(), factors_.end(),
                     [](const Factor& factor) { return factor.mechanism->symmetric(); });
}

}  // namespace plaudit

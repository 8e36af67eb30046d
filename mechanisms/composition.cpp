#include "mechanisms/composition.hpp"

#include <algorithm>
#include <unordered_map>

#include "lib/mutant.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr std::size_t longest_name = 120;  ///< of a mechanism in a message

/// An attack, with the adjacency of the composition that it attacks in place of its own.
class ForAdjacency final : public Mechanism {
 public:
  ForAdjacency(MechanismPointer attack, Adjacency adjacency)
      : attack_(std::move(attack)), adjacency_(std::move(adjacency)) {}

  std::string spec() const override { return attack_->spec(); }
  std::shared_ptr<const PrivacyLoss> loss(Direction direction) const override {
    return attack_->loss(direction);
  }
  bool symmetric() const override { return attack_->symmetric(); }
  Adjacency adjacency() const override { return adjacency_; }
  Attainment attainment() const override { return {Attained::yes, by_two_data_sets}; }

 private:
  MechanismPointer attack_;
  Adjacency adjacency_;
};

std::string named(const Mechanism& mechanism) {
  const Adjacency adjacency = mechanism.adjacency();
  return abbreviated(mechanism.spec(), longest_name) +
         (adjacency.guarantee ? " is for " + to_text(adjacency) : " is no privacy guarantee");
}

/// The adjacency that all factors share. @throws SpecError naming two that share none.
Adjacency common_adjacency(const std::vector<Factor>& factors) {
  Adjacency result;
  for (const Factor& factor : factors) {
    const auto both = common(result, factor.mechanism->adjacency());
    if (both) {
      result = *both;
      continue;
    }
    // Kind and size that earlier factors share come from one of them each: that one is named.
    const auto other = std::find_if(factors.begin(), factors.end(), [&](const Factor& earlier) {
      return !common(earlier.mechanism->adjacency(), factor.mechanism->adjacency());
    });
    throw SpecError("composition: factors must be for one adjacency: " + named(*other->mechanism) +
                    ", " + named(*factor.mechanism));
  }
  return result;
}

/// @throws SpecError where a factor has a noise multiplier (of a composition under replace).
void check_noise_multipliers(const std::vector<Factor>& factors) {
  for (const Factor& factor : factors) {
    const std::optional<Rational> multiplier = factor.mechanism->noise_multiplier();
    if (multiplier) throw SpecError(two_readings("composition", *multiplier));
  }
}

/// Factors with the same text become one, at the place of the first of them.
void merge(const std::vector<Factor>& factors, std::string (Mechanism::*text)() const,
           std::vector<Factor>& merged) {
  std::unordered_map<std::string, std::size_t> places;
  for (const Factor& factor : factors) {
    const auto [found, is_new] = places.try_emplace((*factor.mechanism.*text)(), merged.size());
    if (is_new) merged.push_back({factor.mechanism, 0});
    std::uint64_t& count = merged[found->second].count;
    if (factor.count < 1 || factor.count > most_steps) {
      throw SpecError("composition: the count of a mechanism must be from 1 to 10^12, not " +
                      std::to_string(factor.count));
    }
    if (factor.count > most_steps - count) {
      throw SpecError("composition: the steps of " + abbreviated(found->first) +
                      " must add up to at most 10^12");
    }
    count += factor.count;
  }
}

/// Intersects `whole` with `other`, unless they have no number in common. @returns whether they do.
bool narrow(OtherRecords& whole, const OtherRecords& other) {
  const OtherRecords both{std::max(whole.least, other.least), std::min(whole.most, other.most)};
  if (both.least > both.most) return false;
  whole = both;
  return true;
}

}  // namespace

Composition::Composition(const std::vector<Factor>& factors) {
  if (factors.empty()) throw SpecError("composition: must have at least one mechanism");
  adjacency_ = common_adjacency(factors);
  if (adjacency_.kind == Adjacency::replace) check_noise_multipliers(factors);
  merge(factors, &Mechanism::spec, factors_);
  merge(factors, &Mechanism::stated, stated_);
}

std::string Composition::text_of(const std::vector<Factor>& factors, Text text) {
  std::string result;
  for (const Factor& factor : factors) {
    if (!result.empty()) result += " * ";
    result += (*factor.mechanism.*text)();
    if (factor.count > 1) result += '^' + std::to_string(factor.count);
  }
  return result;
}

// Proof: docs/proofs/attainment.md#composition
Attainment Composition::attainment() const {
  std::uint64_t steps = 0;  // 2 stands for any number above 1
  const Mechanism* weakest = nullptr;
  OtherRecords others;
  bool common_sizes = true;
  Attainment result;
  for (const Factor& factor : stated_) {
    steps += std::min<std::uint64_t>(factor.count, 2);
    Attainment one = factor.mechanism->attainment();
    common_sizes = common_sizes && narrow(others, one.others);
    if (weakest != nullptr && one.attained <= result.attained) continue;
    weakest = factor.mechanism.get();
    result = std::move(one);
  }
  result.attack = nullptr;
  result.others = others;
  if (result.attained == Attained::each_epsilon && steps > 1) result.attained = Attained::unknown;
  if (stated_.size() > 1) result.why = abbreviated(weakest->stated()) + ": " + result.why;
  if (!common_sizes && result.attained < Attained::unknown) {
    result.attained = Attained::unknown;
    result.why = "its factors have their pairs on data sets of different sizes";
  }
  return result;
}

std::optional<Composition> Composition::attack() const {
  std::vector<Factor> factors;
  OtherRecords others;
  for (const Factor& factor : stated_) {
    const Attainment one = factor.mechanism->attainment();
    if (one.attained == Attained::no_pair) return std::nullopt;
    if (one.attained != Attained::yes && !one.attack) continue;
    const bool fits = PLAUDIT_BOUND("attack.other_records", narrow(others, one.others), true);
    if (!fits) continue;
    if (one.attained == Attained::yes) {
      factors.push_back(factor);
    } else {
      factors.push_back({std::make_shared<ForAdjacency>(one.attack, adjacency_), factor.count});
    }
  }
  if (factors.empty()) return std::nullopt;
  try {
    return Composition(factors);
  } catch (const SpecError&) {  // attacks of one text, together more than may be composed
    return std::nullopt;
  }
}

bool Composition::symmetric() const {
  return std::all_of(factors_.begin(), factors_.end(),
                     [](const Factor& factor) { return factor.mechanism->symmetric(); });
}

void make_laws(const Composition& composition) {
  for (const Factor& each : composition.factors()) {
    each.mechanism->loss(Direction::remove);
    each.mechanism->loss(Direction::add);
  }
}

}  // namespace plaudit

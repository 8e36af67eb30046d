// What the builders of mechanisms share: the arguments of a call, and laws set in place.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "verification/checker/arithmetic/rejected.hpp"
#include "verification/checker/specs/mechanism.hpp"
#include "verification/checker/specs/sampling.hpp"

namespace plaudit::checker {

inline constexpr std::uint64_t most_records = 1'000'000'000'000;
inline constexpr std::size_t most_components = 1001;

inline Adjacency of_one_record(const char* kind) { return {kind, 1, true}; }

/// The arguments of one call by name. What is left over shows when the text is printed again.
class Arguments {
 public:
  Arguments(const Call& call, const NamedLaws& law_files) : files(law_files), call_(call) {}

  bool has(const std::string& key) const { return find(key) != nullptr; }
  Rational number(const std::string& key) const { return typed<Rational>(key); }
  Rational positive(const std::string& key) const {
    const Rational value = number(key);
    if (value <= 0) fail(key, "must be positive");
    return value;
  }
  /// 1 where it is not written.
  Rational sensitivity() const { return has("sensitivity") ? positive("sensitivity") : 1; }
  Rational rate() const {
    const Rational value = positive("rate");
    if (value > 1) fail("rate", "must be at most 1");
    return value;
  }
  std::uint64_t count(const std::string& key, std::uint64_t most) const {
    const Rational value = number(key);
    if (value < 1 || value > most || denominator(value) != 1) {
      fail(key, "must be an integer from 1 to " + std::to_string(most));
    }
    return static_cast<std::uint64_t>(to_long(numerator(value)));
  }
  template <class Type>
  const Type& typed(const std::string& key) const {
    const Value* value = find(key);
    if (value == nullptr) fail(key, "is missing");
    const Type* result = std::get_if<Type>(value);
    if (result == nullptr) fail(key, "is of another kind");
    return *result;
  }
  /// The mechanism in the first place, which has no key.
  Mechanism inner() const { return build(*typed<std::shared_ptr<const Call>>(""), files); }
  [[noreturn]] void fail(const std::string& key, const std::string& problem) const {
    throw Rejected("the spec: " + in_quotes(call_.name) + ": " +
                   (key.empty() ? "the first argument" : key) + " " + problem);
  }

  const NamedLaws& files;

 private:
  const Value* find(const std::string& key) const {
    for (const Argument& argument : call_.arguments) {
      if (argument.key == key) return &argument.value;
    }
    return nullptr;
  }
  const Call& call_;
};

template <class Type>
std::shared_ptr<const Law> law(Type&& value) {
  return std::make_shared<const Law>(std::forward<Type>(value));
}

/// Both directions alike.
void set_law(Mechanism& mechanism, const std::shared_ptr<const Law>& both);
/// Sorted, equal rates merged, what has no probability left out.
Mechanism::Components merged(const Mechanism::Components& given);
/// The mixture against its common centre; a single component is a plain Gaussian.
void set_mixture(Mechanism& mechanism, const Mechanism::Components& given);
/// k times the worth of one record with probability counts[k].
Mechanism::Components counted(const Rational& worth, CountLaw counts);

// batches.cpp
Mechanism without_replacement(const Arguments& arguments);
Mechanism with_replacement(const Arguments& arguments);
Mechanism group(const Arguments& arguments);

}  // namespace plaudit::checker

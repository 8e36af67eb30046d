// What the builders of mechanisms share: the arguments of a call, and laws set in place.
#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/specs/mechanism.hpp"
#include "verification/checker/specs/sampling.hpp"

namespace plaudit::proof {

inline constexpr std::uint64_t most_records = 1'000'000'000'000;
inline constexpr std::size_t most_components = 1001;

inline Adjacency of_one_record(const char* kind) { return {kind, 1, true}; }

/// The root of a number > 0 where it is rational.
std::optional<Rational> exact_root(const Rational& square);

/// The arguments of one call, by name or, of those without one, by their places. `done` refuses
/// what was not read.
class Arguments {
 public:
  Arguments(const Call& call, Supplied& given) : supplied(given), call_(call) {}

  bool has(const std::string& key) const { return find(key) != nullptr; }
  Rational number(const std::string& key) const { return typed<Rational>(key); }
  Rational positive(const std::string& key) const {
    Rational value = number(key);
    if (value <= 0) fail(key, "must be positive");
    return value;
  }
  /// 1 where it is not written.
  Rational sensitivity() const { return has("sensitivity") ? positive("sensitivity") : 1; }
  /// Of a noise whose sigma is no rational number: where it is one, the text of a spec has it.
  Rational variance() const {
    Rational value = positive("variance");
    if (exact_root(value)) fail("variance", "is a square: the spec has sigma");
    return value;
  }
  Rational rate() const {
    Rational value = positive("rate");
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
  bool is(const std::string& key) const {
    const Value* value = find(key);
    return value != nullptr && std::holds_alternative<Type>(*value);
  }
  template <class Type>
  const Type& typed(const std::string& key) const {
    const Value* value = find(key);
    if (value == nullptr) fail(key, "is missing");
    const Type* result = std::get_if<Type>(value);
    if (result == nullptr) fail(key, "is of another kind");
    return *result;
  }
  std::size_t places() const { return call_.arguments.size(); }
  /// The mechanism in this place, which has no key.
  Mechanism inner(std::size_t place = 0) const {
    const std::string which = place == 0   ? "the first argument"
                              : place == 1 ? "the second argument"
                                           : "a further argument";
    if (place >= call_.arguments.size()) fail(which, "is missing");
    const Argument& argument = call_.arguments[place];
    const auto* mechanism = std::get_if<std::shared_ptr<const Call>>(&argument.value);
    if (mechanism == nullptr || !argument.key.empty()) fail(which, "must be a mechanism");
    read_.insert(&argument);
    Mechanism result = build(**mechanism, supplied);
    if (result.beside) fail(which, "has no law in certificates but as a factor of the spec");
    return result;
  }
  /// Names the first argument that was not read.
  void done() const {
    for (const Argument& argument : call_.arguments) {
      if (read_.count(&argument) == 0) {
        fail(argument.key.empty() ? "an argument" : argument.key, "is none of its parameters");
      }
    }
  }
  [[noreturn]] void fail(const std::string& key, const std::string& problem) const {
    throw Rejected("the spec: " + in_quotes(call_.name) + ": " +
                   (key.empty() ? "the first argument" : key) + ' ' + problem);
  }

  Supplied& supplied;

 private:
  const Value* find(const std::string& key) const {
    const auto found = std::find_if(call_.arguments.begin(), call_.arguments.end(),
                                    [&](const Argument& argument) { return argument.key == key; });
    if (found == call_.arguments.end()) return nullptr;
    read_.insert(&*found);
    return &found->value;
  }

  const Call& call_;
  mutable std::set<const Argument*> read_;
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

/// "[1, 0.5]"
std::string list_text(const std::vector<Rational>& numbers);
/// ", sensitivity=2" unless it is 1.
std::string sensitivity_text(const Rational& sensitivity);

// batches.cpp
Mechanism without_replacement(const Arguments& arguments);
Mechanism with_replacement(const Arguments& arguments);
Mechanism truncated_poisson(const Arguments& arguments);
Mechanism random_allocation(const Arguments& arguments);
Mechanism averaged(const Arguments& arguments);
Mechanism shuffled(const Arguments& arguments);
Mechanism group(const Arguments& arguments);
// selection.cpp
Mechanism bounded_range(const Arguments& arguments);
Mechanism exponential(const Arguments& arguments);
Mechanism permute_and_flip(const Arguments& arguments);
Mechanism report_noisy_max(const Arguments& arguments);
Mechanism sparse_vector(const Arguments& arguments);
Mechanism partition_selection(const Arguments& arguments);
Mechanism laplace_threshold(const Arguments& arguments);
// noise.cpp
Mechanism skellam(const Arguments& arguments);
Mechanism truncated_gaussian(const Arguments& arguments);
Mechanism discrete_gaussian_sum(const Arguments& arguments);
// streams.cpp
Mechanism matrix(const Arguments& arguments);
Mechanism toeplitz(const Arguments& arguments);
Mechanism tree(const Arguments& arguments);
// bounded_curves.cpp
Mechanism privacy_profile(const Arguments& arguments);
Mechanism parallel(const Arguments& arguments);
// participation.cpp
Mechanism random_participation(const Arguments& arguments);
// repeats.cpp
Mechanism select(const Arguments& arguments);
// bounded_points.cpp
Mechanism gaussian_threshold(const Arguments& arguments);
Mechanism propose_test_release(const Arguments& arguments);
// shuffles.cpp
Mechanism shuffle(const Arguments& arguments);
// moments.cpp
Mechanism zcdp(const Arguments& arguments);
Mechanism pate(const Arguments& arguments);
Mechanism tcdp(const Arguments& arguments);
Mechanism renyi_profile(const Arguments& arguments);
Mechanism gaussian_sparse_vector(const Arguments& arguments);
Mechanism cdp(const Arguments& arguments);

}  // namespace plaudit::proof

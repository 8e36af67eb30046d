#include "mechanisms/language/registry.hpp"

#include <algorithm>
#include <array>
#include <mutex>

#include "lib/text.hpp"
#include "mechanisms/language/shorthand.hpp"
#include "mechanisms/spec_error.hpp"

// One line per mechanism; X_kind() is defined in the file of its name.
#define PLAUDIT_MECHANISMS(X)   \
  X(gaussian)                   \
  X(mixture)                    \
  X(poisson)                    \
  X(adaptive_clipping)          \
  X(truncated_poisson)          \
  X(joint)                      \
  X(parallel)                   \
  X(group)                      \
  X(without_replacement)        \
  X(with_replacement)           \
  X(pair)                       \
  X(shuffle)                    \
  X(random_allocation)          \
  X(shuffled)                   \
  X(random_participation)       \
  X(averaged)                   \
  X(matrix)                     \
  X(toeplitz)                   \
  X(tree)                       \
  X(laplace)                    \
  X(discrete_laplace)           \
  X(truncated_laplace)          \
  X(truncated_discrete_laplace) \
  X(discrete_gaussian)          \
  X(discrete_gaussian_sum)      \
  X(skellam)                    \
  X(truncated_gaussian)         \
  X(staircase)                  \
  X(randomized_response)        \
  X(bounded_range)              \
  X(exponential)                \
  X(permute_and_flip)           \
  X(report_noisy_max)           \
  X(partition_selection)        \
  X(laplace_threshold)          \
  X(gaussian_threshold)         \
  X(propose_test_release)       \
  X(gaussian_sparse_vector)     \
  X(sparse_vector)              \
  X(pate)                       \
  X(select)                     \
  X(pure)                       \
  X(approximate)                \
  X(zcdp)                       \
  X(tcdp)                       \
  X(cdp)                        \
  X(privacy_profile)            \
  X(renyi_profile)              \
  X(pld)

namespace plaudit {

#define PLAUDIT_DECLARE(name) MechanismKind name##_kind();
PLAUDIT_MECHANISMS(PLAUDIT_DECLARE)
#undef PLAUDIT_DECLARE

const std::vector<MechanismKind>& mechanism_kinds() {
#define PLAUDIT_LIST(name) name##_kind(),
  static const std::vector<MechanismKind> kinds{PLAUDIT_MECHANISMS(PLAUDIT_LIST)};
#undef PLAUDIT_LIST
  return kinds;
}

namespace {

constexpr std::size_t longest_list_of_names = 120;  ///< characters of the names in a message

/// Those added at run time.
struct Added {
  std::mutex mutex;
  std::vector<std::shared_ptr<const MechanismKind>> kinds;
};

Added& added() {
  static Added all;
  return all;
}

/// Capitals make no other name: specs may be written in them.
bool is_taken(std::string_view name,
              const std::vector<std::shared_ptr<const MechanismKind>>& theirs) {
  std::vector<std::string_view> names;
  for (const Shorthand& each : shorthands()) names.push_back(each.name);
  for (const MechanismKind& kind : mechanism_kinds()) names.push_back(kind.name);
  for (const auto& kind : theirs) names.push_back(kind->name);
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view taken) { return lower_case(taken) == lower_case(name); });
}

/// Names of other programs that are none here, and the message that says so.
struct Refused {
  std::string_view name;
  std::string_view reason;
};
constexpr std::array refused{
    Refused{"subsample",
            "sampling is poisson(mechanism, rate), without_replacement(...) or "
            "with_replacement(...): it says how the batch is drawn"},
    Refused{"renyi",
            "is no mechanism: zcdp(rho), tcdp(rho, omega) and renyi_profile(orders, divergences) "
            "state bounds of Renyi divergences, and `plaudit renyi` computes them"},
};

}  // namespace

std::vector<std::shared_ptr<const MechanismKind>> added_mechanism_kinds() {
  const std::lock_guard<std::mutex> lock(added().mutex);
  return added().kinds;
}

std::vector<MechanismKind> all_mechanism_kinds() {
  std::vector<MechanismKind> kinds = mechanism_kinds();
  for (const auto& kind : added_mechanism_kinds()) kinds.push_back(*kind);
  return kinds;
}

bool is_free_mechanism_name(std::string_view name) {
  return !is_taken(name, added_mechanism_kinds());
}

void add_mechanism_kind(std::shared_ptr<const MechanismKind> kind) {
  const std::lock_guard<std::mutex> lock(added().mutex);
  if (is_taken(kind->name, added().kinds)) {
    throw SpecError("mechanism " + abbreviated(std::string(kind->name)) + ": the name is taken");
  }
  added().kinds.push_back(std::move(kind));
}

MechanismPointer make_mechanism(std::string_view name, std::vector<GivenArgument> given) {
  const auto theirs = added_mechanism_kinds();
  std::vector<std::string_view> names;
  for (const MechanismKind& kind : mechanism_kinds()) names.push_back(kind.name);
  for (const auto& kind : theirs) names.push_back(kind->name);
  const std::string_view meant = same_name(name, names);
  const auto built = [&](const MechanismKind& kind) {
    return kind.build(Arguments(kind.name, kind.parameters, std::move(given)));
  };
  for (const MechanismKind& kind : mechanism_kinds()) {
    if (kind.name == meant) return built(kind);
  }
  for (const auto& kind : theirs) {
    if (kind->name == meant) return built(*kind);
  }
  for (const Refused& each : refused) {
    if (same_name(name, {each.name}) == each.name) {
      throw SpecError(std::string(each.name) + ": " + std::string(each.reason));
    }
  }
  for (const Shorthand& each : shorthands()) names.push_back(each.name);
  std::string known;
  for (const std::string_view each : names) {
    if (known.size() + each.size() > longest_list_of_names) {  // a message is one line
      known += ", ... (plaudit list mechanisms)";
      break;
    }
    known += (known.empty() ? "" : ", ") + std::string(each);
  }
  throw SpecError("spec: unknown mechanism " + abbreviated(name) + did_you_mean(name, names) +
                  ", known are " + known);
}

std::string_view theorem_for(const MechanismKind& kind, std::string_view adjacency) {
  for (const AdjacencyTheorem& each : kind.theorems_elsewhere) {
    if (each.adjacency == adjacency) return each.theorem;
  }
  return kind.theorem;
}

std::string theorems_of(const MechanismKind& kind) {
  std::string text(kind.theorem);
  for (const AdjacencyTheorem& each : kind.theorems_elsewhere) {
    text += "; " + std::string(each.adjacency) + ": " + std::string(each.theorem);
  }
  return text;
}

std::string signature(const MechanismKind& kind) {
  std::string text(kind.name);
  text += '(';
  for (const Parameter& parameter : kind.parameters) {
    if (text.back() != '(') text += ", ";
    text += parameter.name;
    if (!parameter.fallback.empty()) text += '=' + std::string(parameter.fallback);
  }
  return text + ')';
}

}  // namespace plaudit

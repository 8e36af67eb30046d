// All mechanisms by name. To add one, define its MechanismKind in a file of its own and name it in
// registry.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "mechanisms/language/arguments.hpp"

namespace plaudit {

/// Why a mechanism's pair dominates under one adjacency.
struct AdjacencyTheorem {
  std::string_view adjacency;
  std::string_view theorem;
};

/// What the spec language and `plaudit list mechanisms` know of a mechanism.
struct MechanismKind {
  std::string_view name;
  std::string_view summary;
  std::vector<Parameter> parameters;
  std::string_view adjacency;
  std::string_view theorem;  ///< why its pair is a dominating pair, with the source
  /// Theorems of those adjacencies for which `theorem` is not the reason.
  std::vector<AdjacencyTheorem> theorems_elsewhere = {};
  std::string_view example;  ///< a spec of it
  std::function<MechanismPointer(const Arguments&)> build;
  MechanismPointer (*build_example)() = nullptr;  ///< where the example names a file
};

/// Those of the library, in the order in which they are listed.
const std::vector<MechanismKind>& mechanism_kinds();

/// Those that were added at run time, in this order.
std::vector<std::shared_ptr<const MechanismKind>> added_mechanism_kinds();

/// Those of plaudit, and those that were added behind them.
std::vector<MechanismKind> all_mechanism_kinds();

/// Adds one at run time; from any thread. What its string_views refer to has to live as long.
/// @throws SpecError: the name is taken.
void add_mechanism_kind(std::shared_ptr<const MechanismKind> kind);
/// Whether no mechanism and no shorthand has this name.
bool is_free_mechanism_name(std::string_view name);

/// The mechanism `name(given...)`. @throws SpecError
MechanismPointer make_mechanism(std::string_view name, std::vector<GivenArgument> given);

/// Why the pair of such a mechanism dominates under this kind of adjacency.
std::string_view theorem_for(const MechanismKind& kind, std::string_view adjacency);
/// All theorems of the kind as one text.
std::string theorems_of(const MechanismKind& kind);

/// `gaussian(sigma, sensitivity=1)`
std::string signature(const MechanismKind& kind);

}  // namespace plaudit

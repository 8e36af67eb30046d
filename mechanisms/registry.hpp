// All mechanisms by name. Adding one: its file, which defines its MechanismKind, and one line in
// registry.cpp.
#pragma once

#include <string_view>
#include <vector>

#include "mechanisms/language/arguments.hpp"

namespace plaudit {

/// What the spec language and `plaudit list mechanisms` know of a mechanism.
struct MechanismKind {
  std::string_view name;
  std::string_view summary;
  std::vector<Parameter> parameters;
  std::string_view adjacency;
  std::string_view theorem;  ///< why its pair is a dominating pair, with the source
  std::string_view example;  ///< a spec of it
  MechanismPointer (*build)(const Arguments&);
  MechanismPointer (*build_example)() = nullptr;  ///< where the spec speaks of a file
};

/// Every mechanism, in the order in which they are listed.
const std::vector<MechanismKind>& mechanism_kinds();

/// The mechanism `name(given...)`. @throws SpecError
MechanismPointer make_mechanism(std::string_view name, std::vector<GivenArgument> given);

/// `gaussian(sigma, sensitivity=1)`
std::string signature(const MechanismKind& kind);

}  // namespace plaudit

// The spec language, in which a composition is one line. Grammar: syntax.hpp, names: registry.hpp.
//
//   poisson(gaussian(sigma=0.8), rate=0.004)^1000
//
// Composition::spec() prints the canonical form, which parses back to an equal composition:
// defaults omitted, numbers and lists with their keys, mechanisms inside positional, brackets
// multiplied out and equal mechanisms merged.
#pragma once

#include <string_view>

#include "mechanisms/composition.hpp"
#include "mechanisms/language/arguments.hpp"
#include "mechanisms/language/registry.hpp"

namespace plaudit {

/// @throws SpecError: one line that names what is wrong and what it may be.
Composition parse_spec(std::string_view text);

/// The arguments of a call with the mechanisms among them built. @throws SpecError
std::vector<GivenArgument> given_arguments(const syntax::Call& call);

/// The mechanism of its example.
MechanismPointer example_of(const MechanismKind& kind);

}  // namespace plaudit

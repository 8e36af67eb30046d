// The mechanism of a plug-in as an entry of the registry of mechanisms.
#pragma once

#include <memory>

#include "api/extend/core.hpp"

namespace plaudit::inline v0 {

/// The entry; it builds the example once to check it. @throws SpecError where a name is no word of
/// the spec language, a parameter stands twice, a default is no number, or a law is refused.
std::shared_ptr<const MechanismKind> stated_kind(
    std::shared_ptr<const extend::Mechanism> mechanism);

}  // namespace plaudit::inline v0

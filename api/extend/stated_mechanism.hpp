// The mechanism of a plug-in as one of the spec language.
#pragma once

#include <memory>

#include "api/extend/core.hpp"

namespace plaudit::inline v0 {

/// What the registry of mechanisms holds of it; its example is built once. @throws SpecError: its
/// name is none, its parameters or its laws contradict themselves.
std::shared_ptr<const MechanismKind> stated_kind(
    std::shared_ptr<const extend::Mechanism> mechanism);

}  // namespace plaudit::inline v0

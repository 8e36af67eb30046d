// The law of a plug-in on a lattice, of which it states the masses in a window and what is beyond.
#pragma once

#include <memory>

#include "api/extend/law_questions.hpp"

namespace plaudit::inline v0 {

/// @throws PluginError where the window contradicts the tails, or itself.
std::shared_ptr<const core::PrivacyLoss> loss_on_lattice(const LawQuestions& law);

}  // namespace plaudit::inline v0

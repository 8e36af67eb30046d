// The law of a plug-in that lists its atoms: all there is of it, or beside a continuous part.
#pragma once

#include <memory>

#include "api/extend/law_questions.hpp"

namespace plaudit::inline v0 {

/// @throws PluginError where the atoms contradict the tails.
std::shared_ptr<const core::PrivacyLoss> loss_of_atoms(const LawQuestions& law);

}  // namespace plaudit::inline v0

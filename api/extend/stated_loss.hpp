// The law of a plug-in as a privacy loss, which accountants ask like any other.
#pragma once

#include <memory>
#include <string>

#include "api/extend/core.hpp"

namespace plaudit::inline v0 {

/// @param name of the plug-in's mechanism and direction, for messages.
/// @throws SpecError where the law certainly contradicts itself.
std::shared_ptr<const core::PrivacyLoss> stated_loss(std::shared_ptr<const extend::Law> law,
                                                     const std::string& name);

}  // namespace plaudit::inline v0

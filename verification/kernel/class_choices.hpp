// The classes of slices of a lower end.
#pragma once

#include "verification/kernel/places.hpp"

namespace plaudit::kernel {

/// The classes, and the first place that the checker starts from.
struct ChosenClasses {
  Place first;
  std::vector<Class> classes;
};

/// @param least the place below which no class has to be. @throws std::domain_error where no class
/// has a weight.
ChosenClasses choose_classes(const Source& source, const FixedFormat& format, const Places& places,
                             long least, bool has_all_losses, const Heuristics& heuristics);

}  // namespace plaudit::kernel

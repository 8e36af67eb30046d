// Which accountants apply to a mechanism: asked of each, for one step and for many.
#pragma once

#include <string>
#include <vector>

#include "mechanisms/mechanism.hpp"

namespace plaudit {

/// Names, in the order of the registry. An accountant applies where it refuses neither direction.
struct Applicable {
  std::vector<std::string> always;      ///< to one step and to many
  std::vector<std::string> one_step;    ///< to one step only
  std::vector<std::string> many_steps;  ///< to a self-composition only
};

Applicable accountants_for(const MechanismPointer& mechanism);

}  // namespace plaudit

// The order of the moment behind a bound of the kind `moments` (docs/certificates/moments.md).
#pragma once

namespace plaudit::proof {

struct MomentChoices {
  double order = 0;
};

}  // namespace plaudit::proof

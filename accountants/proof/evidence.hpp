// What a bound of the curve rests on, as plain data: a kind of proof, its choices, and the
// precision at which they are evaluated. Certificates are made of it.
#pragma once

#include <variant>

#include "accountants/proof/kinds/atoms.hpp"
#include "accountants/proof/kinds/hyperbola.hpp"
#include "accountants/proof/kinds/laplace_sum.hpp"
#include "accountants/proof/kinds/lattice.hpp"
#include "accountants/proof/kinds/line.hpp"
#include "accountants/proof/kinds/moments.hpp"
#include "accountants/proof/kinds/threshold.hpp"

namespace plaudit::proof {

using Choices = std::variant<AtomsChoices, HyperbolaChoices, LaplaceChoices, LatticeChoices,
                             LineChoices, MomentChoices, PinchChoices, ThresholdChoices>;

/// What proved a band, and proves its ends again: the choices hold for every epsilon, tightly near
/// those that they were made for.
struct Evidence {
  Choices choices;
  long bits = 64;
};

}  // namespace plaudit::proof

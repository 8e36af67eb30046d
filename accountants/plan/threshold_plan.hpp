// Brackets for accountants/proof/kinds/threshold.hpp of the place where the likelihood ratio of a
// mixture is e^epsilon: the root that the law itself finds, to half of the digits. Nothing here
// enters a bound.
#pragma once

#include "accountants/proof/kinds/threshold.hpp"
#include "mechanisms/mixtures/mixture_loss.hpp"
#include "mechanisms/replacement/mirrored_loss.hpp"

namespace plaudit {

/// As the evaluator is told of a law.
proof::Mixture plain_law(const MixtureLoss& law);
proof::Mirrored plain_law(const MirroredLoss& law);

/// For delta to about 2^-bits of itself anywhere between two epsilons, as well as one bracket
/// allows. No bracket where an epsilon is beyond all losses, or too near to their end for the
/// working precision.
proof::ThresholdChoices plan_threshold(const MixtureLoss& law, const Ball& low, const Ball& high,
                                       long bits);
proof::ThresholdChoices plan_threshold(const MirroredLoss& law, const Ball& low, const Ball& high,
                                       long bits);

}  // namespace plaudit

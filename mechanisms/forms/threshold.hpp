// Counts of users in groups, released with noise where they exceed a threshold: which groups are
// shown is chosen by the noisy counts alone, and a group without users is never shown.
//
// A user is in some groups that others are in too, whose counts move by 1, and in some that nobody
// else is in: there, with the user, something is shown with probability 1 - w, which cannot happen
// without. Proof: docs/proofs/thresholds.md#curves
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mechanisms/mechanism.hpp"

namespace plaudit {

/// How a user's groups may be split.
struct ThresholdCase {
  std::function<Ball()> unseen;  ///< w, at the working precision; in (0, 1]
  /// Of the groups of others, the same in both directions, without mass at infinity; null where
  /// there are none.
  std::shared_ptr<const PrivacyLoss> old;
};

/// The pair above all these cases, by the curves' bounds at points.
/// @throws SpecError where a curve does not fall.
MechanismPointer threshold_mechanism(const std::string& spec,
                                     const std::vector<ThresholdCase>& cases);

}  // namespace plaudit

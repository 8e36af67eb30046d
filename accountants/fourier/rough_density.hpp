// Densities of privacy losses in doubles, for published numbers: estimates, which enter no bound.
//
// The losses of Gaussian mixtures, against their mirror images too, and of replaced records are
// inverted in doubles; other laws say their density themselves, in balls.
#pragma once

#include <functional>

#include "mechanisms/composition.hpp"

namespace plaudit {

/// The logarithm of the density of a law's continuous part as a function of the loss; -infinity
/// where it is 0 or has no formula. @param loss outlives it.
std::function<double(double)> rough_log_density(const PrivacyLoss& loss, Direction direction);

}  // namespace plaudit

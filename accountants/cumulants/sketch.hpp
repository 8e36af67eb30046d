// A composition of few laws in place of one of very many, with nearly the same K(t). It serves
// choices and guesses, which would else take longer than the bounds. Nothing of it enters a bound.
//
// Laws are sorted by their shares of K(t) at some orders t, in floating point. Neighbours in this
// order whose shares come to about a hundredth of the sum are replaced by one of them, which is
// composed as often as all of them together. A law whose share is greater stands for itself.
#pragma once

#include <optional>

#include "mechanisms/composition.hpp"

namespace plaudit {

/// Nothing where the laws are few enough, one has no moments, or no order has a finite, positive K.
std::optional<ComposedLoss> sketch_of(const ComposedLoss& loss);

}  // namespace plaudit

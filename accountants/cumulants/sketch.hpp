// Of a composition of very many different laws: one of few, whose cumulants are nearly the same. It
// serves choices and guesses, which would else take longer than the bounds. Nothing of it enters a
// bound.
//
// Laws are sorted by their shares of the cumulants at some orders, all in floating point, and each
// run of laws that has its part of the sum of shares is stood for by one of them, as often as all
// of them. A law whose share is greater stands for itself.
#pragma once

#include <optional>

#include "mechanisms/composition.hpp"

namespace plaudit {

/// Nothing where the laws are few enough, or a law has no finite cumulants at these orders.
std::optional<ComposedLoss> sketch_of(const ComposedLoss& loss);

}  // namespace plaudit

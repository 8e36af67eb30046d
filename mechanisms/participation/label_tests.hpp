// Tests of a random participation by a label that is made of its outputs alone, or of those of a
// ring below it, whose tests count as its own (docs/proofs/random_participation.md#compared): the
// events that the label is at a place or above it. P of them is known from below, Q from above.
#pragma once

#include <cstddef>
#include <vector>

#include "lib/balls/ball.hpp"
#include "mechanisms/forms/attack.hpp"

namespace plaudit {

class LabelTests {
 public:
  /// Q of the events falls with the place: the first one whose Q is at most about 1 / (1 +
  /// e^odds), or the last one.
  EventRates above(double odds) const;

 protected:
  explicit LabelTests(std::size_t places) : p_(places), q_(places) {}

  std::vector<Ball> p_;  ///< P of all labels from a place on, from below
  std::vector<Ball> q_;  ///< Q of them, from above
};

}  // namespace plaudit

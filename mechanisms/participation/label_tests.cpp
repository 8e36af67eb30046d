#include "mechanisms/participation/label_tests.hpp"

#include <algorithm>

namespace plaudit {

EventRates LabelTests::above(double odds) const {
  const Ball wanted = Ball(1) / (Ball(1) + exp(Ball(odds)));
  const auto found = std::partition_point(
      q_.begin(), q_.end(), [&](const Ball& each) { return certainly_less(wanted, each); });
  const auto k = std::min(static_cast<std::size_t>(found - q_.begin()), q_.size() - 1);
  return {p_[k], q_[k]};
}

}  // namespace plaudit

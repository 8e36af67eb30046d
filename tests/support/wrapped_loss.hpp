// A law that is another one in all that is asked: for tests that change one answer.
#pragma once

#include "mechanisms/forwarded_loss.hpp"

namespace plaudit::test {

class WrappedLoss : public ForwardedLoss {
 public:
  using ForwardedLoss::ForwardedLoss;
  std::string describe() const override { return "wrapped " + base_->describe(); }
};

}  // namespace plaudit::test

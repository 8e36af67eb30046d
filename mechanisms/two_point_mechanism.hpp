// The class behind pure, approximate and randomized_response: a spec and its two-point law.
#pragma once

#include <string>

#include "mechanisms/mechanism.hpp"
#include "mechanisms/two_point_loss.hpp"

namespace plaudit {

class TwoPointMechanism final : public Mechanism {
 public:
  TwoPointMechanism(std::string spec, std::shared_ptr<const TwoPointLoss> loss)
      : spec_(std::move(spec)), loss_(std::move(loss)) {}

  std::string spec() const override { return spec_; }
  std::shared_ptr<const PrivacyLoss> loss(Direction) const override { return loss_; }
  bool symmetric() const override { return true; }

 private:
  std::string spec_;
  std::shared_ptr<const TwoPointLoss> loss_;
};

}  // namespace plaudit

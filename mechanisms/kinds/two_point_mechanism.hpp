// The class behind pure, approximate and randomized_response: a spec and its two-point law.
#pragma once

#include <string>

#include "mechanisms/laws/two_point_loss.hpp"
#include "mechanisms/mechanism.hpp"

namespace plaudit {

class TwoPointMechanism final : public Mechanism {
 public:
  /// @param one_record the adjacency may be one record added or removed.
  TwoPointMechanism(std::string spec, std::shared_ptr<const TwoPointLoss> loss, bool one_record)
      : spec_(std::move(spec)), loss_(std::move(loss)), one_record_(one_record) {}

  std::string spec() const override { return spec_; }
  std::shared_ptr<const PrivacyLoss> loss(Direction) const override { return loss_; }
  bool symmetric() const override { return true; }
  Adjacency adjacency() const override { return {}; }
  bool one_record() const override { return one_record_; }

 private:
  std::string spec_;
  std::shared_ptr<const TwoPointLoss> loss_;
  bool one_record_;
};

}  // namespace plaudit

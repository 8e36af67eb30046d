// The class behind the mechanisms whose privacy loss has one law for both directions: those that
// add symmetric noise, and the two-point ones.
#pragma once

#include <memory>
#include <string>

#include "mechanisms/mechanism.hpp"

namespace plaudit {

class SymmetricMechanism final : public Mechanism {
 public:
  /// @param spec in canonical form.
  /// @param one_record the adjacency may be one record added or removed.
  SymmetricMechanism(std::string spec, std::shared_ptr<const PrivacyLoss> loss,
                     Attainment attainment, bool one_record = true, Adjacency adjacency = {})
      : spec_(std::move(spec)),
        loss_(std::move(loss)),
        attainment_(std::move(attainment)),
        one_record_(one_record),
        adjacency_(std::move(adjacency)) {}

  std::string spec() const override { return spec_; }
  std::shared_ptr<const PrivacyLoss> loss(Direction) const override { return loss_; }
  bool symmetric() const override { return true; }
  Adjacency adjacency() const override { return adjacency_; }
  Attainment attainment() const override { return attainment_; }
  bool one_record() const override { return one_record_; }

 private:
  std::string spec_;
  std::shared_ptr<const PrivacyLoss> loss_;
  Attainment attainment_;
  bool one_record_;
  Adjacency adjacency_;
};

}  // namespace plaudit

// The class behind mechanisms that are known by a law of the privacy loss for each direction.
#pragma once

#include <memory>
#include <string>

#include "mechanisms/mechanism.hpp"

namespace plaudit {

class DirectedMechanism final : public Mechanism {
 public:
  using Law = std::shared_ptr<const PrivacyLoss>;

  /// @param spec in canonical form.
  DirectedMechanism(std::string spec, Law remove, Law add, Adjacency adjacency,
                    Attainment attainment)
      : spec_(std::move(spec)),
        remove_(std::move(remove)),
        add_(std::move(add)),
        adjacency_(std::move(adjacency)),
        attainment_(std::move(attainment)) {}

  std::string spec() const override { return spec_; }
  Law loss(Direction direction) const override {
    return direction == Direction::remove ? remove_ : add_;
  }
  bool symmetric() const override { return remove_ == add_; }
  Adjacency adjacency() const override { return adjacency_; }
  Attainment attainment() const override { return attainment_; }

 private:
  std::string spec_;
  Law remove_;
  Law add_;
  Adjacency adjacency_;
  Attainment attainment_;
};

}  // namespace plaudit

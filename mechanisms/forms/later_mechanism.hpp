// Mechanisms whose laws are made when they are asked for: reading a spec takes no time.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "mechanisms/laws/finite_loss.hpp"
#include "mechanisms/mechanism.hpp"

namespace plaudit {

struct BothLaws {
  std::shared_ptr<const PrivacyLoss> remove;
  std::shared_ptr<const PrivacyLoss> add;
};

/// A mechanism whose laws are made when they are asked for.
class LaterMechanism final : public Mechanism {
 public:
  LaterMechanism(std::string spec, std::function<BothLaws()> make, Adjacency adjacency,
                 Attainment attainment)
      : spec_(std::move(spec)),
        make_(std::move(make)),
        adjacency_(std::move(adjacency)),
        attainment_(std::move(attainment)) {}

  std::string spec() const override { return spec_; }
  std::shared_ptr<const PrivacyLoss> loss(Direction direction) const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!laws_) laws_ = make_();
    return direction == Direction::remove ? laws_->remove : laws_->add;
  }
  bool symmetric() const override { return false; }
  Adjacency adjacency() const override { return adjacency_; }
  Attainment attainment() const override { return attainment_; }

 private:
  std::string spec_;
  std::function<BothLaws()> make_;
  mutable std::mutex mutex_;
  mutable std::optional<BothLaws> laws_;
  Adjacency adjacency_;
  Attainment attainment_;
};

/// The laws of two equal data sets.
inline BothLaws laws_that_tell_nothing() {
  const auto nothing = std::make_shared<FiniteLoss>("nothing is told", [] {
    FiniteLaw law;
    law.atoms = {{Ball(0), Ball(1), Ball(1)}};
    return law;
  });
  return {nothing, nothing};
}

}  // namespace plaudit

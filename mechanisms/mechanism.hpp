// What a user composes: a mechanism with a proven dominating pair per direction.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mechanisms/direction.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class Mechanism {
 public:
  virtual ~Mechanism() = default;

  /// Canonical text in the spec language; parses back to an equal mechanism.
  virtual std::string spec() const = 0;
  /// Privacy loss of the dominating pair in this direction.
  virtual std::shared_ptr<const PrivacyLoss> loss(Direction direction) const = 0;
  /// Both directions have the same law of L (one computation serves both).
  virtual bool symmetric() const = 0;
};

using MechanismPointer = std::shared_ptr<const Mechanism>;

}  // namespace plaudit

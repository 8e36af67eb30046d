// A mechanism, as users compose it: a dominating pair for each direction, and what is known of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mechanisms/adjacency.hpp"
#include "mechanisms/attainment.hpp"
#include "mechanisms/direction.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

class Mechanism {
 public:
  virtual ~Mechanism() = default;

  /// Canonical text in the spec language; parses back to an equal mechanism.
  virtual std::string spec() const = 0;
  /// Text that parses back to the same mechanism, attainment included: with the vectors that were
  /// given, where the canonical text has their norms.
  virtual std::string stated() const { return spec(); }
  /// Privacy loss of the dominating pair in this direction.
  virtual std::shared_ptr<const PrivacyLoss> loss(Direction direction) const = 0;
  /// Whether both directions have the same law of L, so that one computation serves both.
  virtual bool symmetric() const = 0;
  /// The neighbours for which the pair dominates.
  virtual Adjacency adjacency() const = 0;
  /// Whether two neighbouring data sets have this pair.
  virtual Attainment attainment() const = 0;
  /// The noise multiplier, where it was given in place of sigma and a sensitivity.
  virtual std::optional<Rational> noise_multiplier() const { return std::nullopt; }

  /// A mechanism for one record, and how many records the group has at most.
  struct Group {
    std::shared_ptr<const Mechanism> of_one;
    std::uint64_t size;
  };
  /// Of a mechanism for groups of records: that for one record, and the greatest group, for bounds
  /// of groups by those of one record. Nothing otherwise.
  virtual std::optional<Group> group() const { return std::nullopt; }
  /// Whether its pairs are for one record added or removed, so that poisson() may sample it.
  virtual bool one_record() const { return false; }
};

using MechanismPointer = std::shared_ptr<const Mechanism>;

}  // namespace plaudit

// What a user composes: a mechanism with a proven dominating pair per direction.
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
  /// Text that parses back to a mechanism of the same attainment too: where vectors were given, the
  /// canonical text has their norms alone.
  virtual std::string stated() const { return spec(); }
  /// Privacy loss of the dominating pair in this direction.
  virtual std::shared_ptr<const PrivacyLoss> loss(Direction direction) const = 0;
  /// Both directions have the same law of L (one computation serves both).
  virtual bool symmetric() const = 0;
  /// Between which data sets the pair dominates.
  virtual Adjacency adjacency() const = 0;
  /// Whether two neighbouring data sets have this pair.
  virtual Attainment attainment() const = 0;
  /// Where the noise was stated as a multiple of a sensitivity that was not named.
  virtual std::optional<Rational> noise_multiplier() const { return std::nullopt; }

  /// A mechanism for one record, and how many records the group has at most.
  struct Group {
    std::shared_ptr<const Mechanism> of_one;
    std::uint64_t size;
  };
  /// For a group of records whose pair is attained by data sets that differ in `size` records, each
  /// next to the following one: the mechanism for one of them. Nothing otherwise.
  virtual std::optional<Group> group() const { return std::nullopt; }
  /// Its pairs are for one record added or removed, so that the mechanism can be run on a sample.
  virtual bool one_record() const { return false; }
};

using MechanismPointer = std::shared_ptr<const Mechanism>;

}  // namespace plaudit

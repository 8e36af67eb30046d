// Reads a privacy loss distribution from a JSON file (docs/mechanisms.md, "pld").
#pragma once

#include <string>

#include "mechanisms/adjacency.hpp"
#include "mechanisms/laws/finite_loss.hpp"

namespace plaudit {

/// One direction, exactly as written.
struct WrittenLaw {
  /// A mass known to lie in [lower, upper].
  struct Mass {
    Rational lower;
    Rational upper;
  };
  std::vector<Rational> losses;  ///< strictly increasing
  std::vector<Mass> masses;      ///< one per loss
  Mass infinite;
};

struct WrittenPair {
  Adjacency adjacency;
  bool symmetric = false;  ///< one law for both directions
  WrittenLaw remove;
  WrittenLaw add;
};

/// @throws SpecError: one line that names the file, the field and what it must be.
WrittenPair read_pld_file(const std::string& path);
/// The same from the text of a file; `name` for messages.
WrittenPair parse_pld(const std::string& text, const std::string& name);

/// The privacy loss of a written law. Proof: docs/proofs/discrete.md#file
std::shared_ptr<const PrivacyLoss> loss_of(const WrittenLaw& law, std::string description);

}  // namespace plaudit

// Reads a privacy loss distribution from a JSON file (docs/mechanisms.md, "pld").
#pragma once

#include <string>

#include "mechanisms/adjacency.hpp"
#include "mechanisms/forms/written_law.hpp"
#include "mechanisms/laws/finite_loss.hpp"

namespace plaudit {

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

// From a run to a file for Coq whose theorems say that it is (epsilon, delta)-private, or that it
// is not, with an epsilon of seven decimals as near to the certified band as was asked for.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "accountants/session/answer.hpp"

namespace plaudit::kernel {

struct ProveQuestion {
  Rational delta;
  bool upper = true;
  bool lower = false;
  /// The wanted distance of the theorem's epsilon from the certified end; nothing: digits of the
  /// end.
  std::optional<Rational> width = {};
};

/// What one theorem says, and what it took.
struct TheoremFacts {
  std::string name;  ///< as Coq knows it
  Direction direction;
  bool upper;
  Rational epsilon;
  Ball certified;      ///< that end of the certified band
  bool reached;        ///< is it near enough
  long e;              ///< the lattice begins at 2^-e
  std::size_t cells;   ///< of all laws
  std::size_t places;  ///< of the longest law that the steps have
};

struct ProofFile {
  std::vector<TheoremFacts> theorems;
  std::string text;
};

/// @param tried is called before each further try of a lattice.
/// @throws std::invalid_argument: a law that no theorem covers, which it names; delta not in (0,
/// 1); more than a million steps of a law; no certified epsilon; no theorem was found.
ProofFile prove(const Composition& composition, const ProveQuestion& question,
                const AnswerOptions& options, const std::function<void()>& tried);

}  // namespace plaudit::kernel

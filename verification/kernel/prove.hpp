// From a run to a file for Coq whose theorems say that it is (epsilon, delta)-private, or that it
// is not, with an epsilon of seven decimals as near to the certified band as was asked for.
#pragma once

#include <string>
#include <vector>

#include "accountants/session/answer.hpp"
#include "verification/kernel/coq_file.hpp"

namespace plaudit::kernel {

struct ProveQuestion {
  Rational delta;
  bool upper = true;
  bool lower = false;
  /// The wanted distance of the theorem's epsilon from the certified end; nothing: digits of the
  /// end.
  std::optional<Rational> width = {};
};

struct ProofFile {
  std::vector<TheoremFacts> theorems;
  std::string text;
};

/// @throws std::invalid_argument: a law that no theorem covers, which it names; delta not in (0,
/// 1).
/// @throws std::domain_error: no theorem was found.
ProofFile prove(const Composition& composition, const ProveQuestion& question,
                const AnswerOptions& options);

}  // namespace plaudit::kernel

// The whole of a certificate: what it claims, whether its statements give the claim, and whether
// each of them is proven.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "accountants/proof/arithmetic/budget.hpp"
#include "verification/checker/kinds.hpp"
#include "verification/checker/specs/specs.hpp"

namespace plaudit::proof {

/// A number or +infinity.
struct Bound {
  Rational value;
  bool infinite = false;
};

/// The error terms of a kind by name: upper bounds, in units of delta.
using ErrorSizes = std::vector<std::pair<std::string, std::string>>;

/// What is read and understood is filled in even where the certificate is rejected afterwards.
struct Verdict {
  /// docs/certificates.md, "Verdicts".
  enum class Outcome { accepted, rejected, unread, too_dear, unfinished };

  bool accepted = false;
  std::string reason;            ///< why not
  std::string spec;              ///< canonical, as the checker prints it
  std::string adjacency;         ///< with the group size, and "no privacy guarantee" where so
  std::vector<LawSummary> laws;  ///< of the files that the spec names
  std::string claim;             ///< "epsilon at delta = ... lies in [..., ...]"
  std::vector<std::string> statements;   ///< what was proven, one line each
  std::vector<ErrorSizes> errors;        ///< of each statement, as they were found
  std::vector<std::string> assumptions;  ///< of an observation: what no computation can check
  Outcome outcome = Outcome::rejected;
};

/// Never throws for what the text contains.
Verdict check(std::string_view text, const Limits& limits);

/// Why the statements, were they true, would not give the claim; nothing where they do. It proves
/// none of them: for writers, which had each proven before.
std::string problem_before_proofs(std::string_view text);

/// What the checker finds of a statement.
struct Evaluation {
  bool valid = false;
  std::string reason;
  double operations = 0;  ///< interval operations at 128 bits that were done (Budget::spent)
  Rational low;           ///< delta >= low
  Rational high;          ///< delta <= high
  std::optional<Rational> before;
  ErrorSizes errors;
  Rational varies;  ///< Proof::varies
};

/// What the checker finds for {"direction", "epsilon", "kind", "bits", "choices"}; other fields are
/// ignored. For writers: nothing is decided here.
Evaluation evaluate(const Spec& spec, const Json& statement, const Limits& limits);

}  // namespace plaudit::proof

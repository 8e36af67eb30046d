// What the writer of certificates asks each kind of proof for, and what it gets.
#pragma once

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "accountants/session/answer.hpp"
#include "mechanisms/composition.hpp"
#include "verification/checker/specs/specs.hpp"

namespace plaudit {

/// A statement that a certificate needs, of one direction.
struct StatementQuestion {
  enum class Verb { at_most, at_least, exceeds_before };

  const Composition& composition;
  const ComposedLoss& loss;  ///< of the direction
  const proof::Spec& spec;   ///< the same composition as the checker reads it
  Direction direction;
  Rational epsilon;
  bool at_infinity = false;  ///< the limit epsilon -> inf instead
  Verb verb;
  Rational bound;  ///< delta(epsilon) <= bound, >= bound; delta(e) > bound for e < epsilon
  /// Hints: how much epsilon or log delta is claimed to be known to; infinite where that is not
  /// known.
  double epsilon_width = std::numeric_limits<double>::infinity();
  double log_delta_width = std::numeric_limits<double>::infinity();

  bool upper() const { return verb == Verb::at_most; }
  const proof::Run& run() const { return direction == Direction::remove ? spec.remove : spec.add; }
};

/// Choices of one kind, as docs/certificates/KIND.md has them. Nothing in them is trusted.
struct Proposal {
  std::string kind;
  long bits = 128;
  nlohmann::ordered_json choices;
  /// What is proven has no rounding in it: another arithmetic finds the same number. Otherwise the
  /// writer keeps 2^-floor(bits/2) of the bound to spare.
  bool exact = false;
};

/// A kind of proof as the writer knows it. Adding one: KIND.cpp and one line in kinds.cpp.
struct Proposer {
  const char* kind;
  /// What may prove the statement, in the order in which it is to be tried. @throws
  /// std::invalid_argument with the reason where there is nothing; WorkLimitReached.
  std::vector<Proposal> (*propose)(const StatementQuestion& question);
};

/// The cheapest first.
const std::vector<Proposer>& proposers();

/// x without its fraction. @throws std::invalid_argument unless |x| <= 2^53.
long whole(double x);
/// [m, e] for m 2^e. @throws std::invalid_argument where x is no number.
nlohmann::ordered_json dyadic(double x);

}  // namespace plaudit

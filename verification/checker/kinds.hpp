// The kinds of proof that a statement can rest on. Adding one: KIND.cpp with its prove function
// and one line in kinds.cpp; docs/certificates/KIND.md says what is proven, by which theorem.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accountants/proof/arithmetic/budget.hpp"
#include "verification/checker/laws/laws.hpp"
#include "verification/checker/laws/reader.hpp"

namespace plaudit::proof {

/// What a kind proves of the total delta(epsilon) of one direction, mass at infinity included.
struct Proof {
  Interval low = 0;   ///< delta >= its lower end
  Interval high = 1;  ///< delta <= its upper end
  /// Where it is known, delta(epsilon) itself, respectively what delta exceeds before epsilon:
  /// ties are decided by these.
  std::optional<Rational> exactly = std::nullopt;
  std::optional<Rational> exactly_before = std::nullopt;
  /// Upper bounds of the mathematical error terms, in units of delta; always the same names.
  std::vector<std::pair<std::string, Interval>> errors = {};
  /// The part of the errors that depends on the order of operations: another checker may find a
  /// few times as much.
  Interval varies = 0;
  /// delta(e) exceeds every number up to its lower end for every e < epsilon.
  std::optional<Interval> before = std::nullopt;
};

struct Kind {
  const char* name;
  /// @throws Rejected where a hypothesis fails. It announces its work to the budget beforehand and
  /// takes every field of the choices.
  Proof (*prove)(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget);
  /// The same for the limit epsilon -> inf, which is below delta(epsilon) for every epsilon.
  Proof (*prove_at_infinity)(Fields& choices, const Run& run, Budget& budget) = nullptr;
};

const std::vector<Kind>& kinds();
/// @throws Rejected for an unknown name.
const Kind& kind_called(const std::string& name);

}  // namespace plaudit::proof

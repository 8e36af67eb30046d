// The kinds of proof that a statement can rest on. Adding one: KIND.cpp with its prove function,
// one line in kinds.cpp, and its cost in laws/costs.cpp, without which it is rejected;
// docs/certificates/KIND.md says what is proven, by which theorem.
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
  /// delta(epsilon) itself where it is a known rational (of prove_at_infinity: the limit), and the
  /// number that delta(e) exceeds for every e < epsilon: a bound equal to them counts as proven.
  std::optional<Rational> exactly = std::nullopt;
  std::optional<Rational> exactly_before = std::nullopt;
  /// Upper bounds of the error terms that the page of the kind names, in units of delta. They are
  /// within low and high already: they are printed, and bound nothing.
  std::vector<std::pair<std::string, Interval>> errors = {};
  /// The part of the errors that depends on the order of operations: another checker may find a
  /// few times as much. Only writers read it: they keep 16 times as much to spare.
  Interval varies = 0;
  /// delta(e) exceeds every number up to its lower end for every e < epsilon.
  std::optional<Interval> before = std::nullopt;
};

struct Kind {
  const char* name;
  /// @throws Rejected where a hypothesis fails. It takes every field of the choices. Its cost by
  /// laws/costs.cpp has been announced; `atoms`, `bent` and `laplace` announce more themselves.
  Proof (*prove)(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget);
  /// The same for the limit epsilon -> inf, which is below delta(epsilon) for every epsilon.
  Proof (*prove_at_infinity)(Fields& choices, const Run& run, Budget& budget) = nullptr;
  bool proves_before = false;  ///< whether `prove` may say what delta(e) exceeds before epsilon
};

const std::vector<Kind>& kinds();
/// @throws Rejected for an unknown name.
const Kind& kind_called(const std::string& name);

}  // namespace plaudit::proof

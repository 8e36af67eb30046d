// From a composition and a query to the answer a user sees: both directions, one or all
// accountants.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accountants/accountant.hpp"
#include "accountants/query.hpp"
#include "accountants/session/asked.hpp"

namespace plaudit {

/// One direction's band.
struct DirectionAnswer {
  Direction direction;
  Enclosure band;
  AskedAccountants asked = {};  ///< by `auto`, in the last try at the question
};

/// What the attack on a composition reaches (Composition::attack): the same number of its pair.
struct AttackAnswer {
  std::string spec;
  Enclosure band;
  std::vector<DirectionAnswer> directions;
  bool reached = false;
};

/// Of what the ends of a band are bounds. One end, of epsilon and delta the upper one, bounds the
/// mechanism in any case, for its pair dominates it. The other end bounds the number of the pair,
/// and that of the mechanism where the mechanism attains it.
struct BandOf {
  Attained attained = Attained::yes;  ///< the pair of all steps, by data sets of the mechanism
  bool mechanism = true;  ///< both ends are bounds of the mechanism; false: one of the pair alone
  std::string why = {};   ///< one sentence without a full stop
  std::optional<AttackAnswer> attack = {};  ///< where one of the ends is of the pair alone
  std::optional<Ball> pair_lower = {};      ///< the pair's own lower end, where it was replaced
};

/// The band asked for: the larger of the directions, end by end.
struct Answer {
  Quantity quantity;
  Enclosure band;
  std::vector<DirectionAnswer> directions;
  bool reached = false;  ///< the digits that were wanted in the end
  double seconds = 0;
  BandOf of = {};
  int digits = 0;  ///< that were wanted in the end: fewer than at first where few suffice
};

/// Answers many queries on one composition with shared work. Each query has the limits of the
/// options; the first one shares its time with the opening of the session. Where no limit of time
/// or memory is hit, an answer depends on what was asked only, not on clocks; of a run that
/// continues one that was asked (Composition::continue_from), on what that one was asked too. Of
/// one number for whose digits nobody asked (DigitsAsked::by_nobody_of_one_number) all digits are
/// tried first, with little work; where that does not suffice, few are asked for, and what the
/// first try proved stands. `argument` is delta where epsilon is asked, epsilon where delta is
/// asked.
class Session {
 public:
  /// @throws std::invalid_argument: accountant unknown or refused (with its reason).
  Session(const Composition& composition, const AnswerOptions& options);
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  /// @throws std::invalid_argument: delta not in [0, 1], or a claim that is trusted is refuted.
  /// @throws std::logic_error: two certified bands are disjoint (an internal error).
  Answer answer(Quantity quantity, const Rational& argument);

  /// The sign of the exact number minus x, where it is decided without digits, ties among them
  /// (docs/proofs/ties.md#delta). What `answer` encloses narrowly enough need not be asked here.
  std::optional<int> compare(Quantity quantity, const Rational& argument, const Rational& x);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plaudit

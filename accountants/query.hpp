// What may be asked of a composition, and within which limits.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "api/plaudit/options.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

struct Answer;

enum class Quantity { epsilon, delta };

constexpr std::string_view name_of(DirectionChoice choice) {
  return choice == DirectionChoice::both     ? "both"
         : choice == DirectionChoice::remove ? "remove"
                                             : "add";
}

/// Nothing where it is the name of none.
constexpr std::optional<DirectionChoice> direction_choice_of(std::string_view name) {
  for (const DirectionChoice each :
       {DirectionChoice::both, DirectionChoice::remove, DirectionChoice::add}) {
    if (name_of(each) == name) return each;
  }
  return std::nullopt;
}

/// Who asked for the digits that are wanted.
enum class DigitsAsked {
  by_user,
  by_nobody,                ///< an accountant that was chosen may stop at its usual width
  by_nobody_of_one_number,  ///< the same; and few digits will do where all of them are dear
};

// Of one number for whose digits nobody asked: all of them are given where they are found by so
// much work, in nominal seconds of each thread; else so many of them suffice.
constexpr double work_for_digits_unasked = 0.1;
constexpr int digits_that_suffice = 6;

static_assert(usual_memory_bytes == default_memory_limit);

struct AnswerOptions : Options {
  /// Whether the accountants are asked one after the other; else only the one that was named is.
  bool automatic() const { return accountant == "auto"; }

  /// Where the lower end is one of the pair alone, an attack is asked for one of the mechanism.
  bool attack = false;
  /// The attack is asked for few digits first, and for all only where these do not tell it from the
  /// upper end: for who reads the answer. Who compares its lower end with a number needs all.
  bool attack_to_be_read = false;
  /// Who asked for the digits. Not what digits.stated says, which becomes true when a part of the
  /// work assigns a number of digits of its own.
  DigitsAsked digits_asked = DigitsAsked::by_user;
  /// Hears what could be answered already each time that more is proven: for whoever may end the
  /// work at any time. Never called twice at once.
  std::function<void(const Answer&)> proven = {};
};

}  // namespace plaudit

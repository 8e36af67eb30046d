// Every accountant side by side: each one's answer, and what the others make of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accountants/session/answer.hpp"

namespace plaudit {

/// The proven band of another accountant that a claim is not in.
struct Contradiction {
  std::string accountant;
  std::string direction;  ///< "remove", "add", or "both" where the directions are not told apart
  Enclosure claimed;
  Enclosure proven;
};

struct ComparedAnswer {
  std::string accountant;               ///< its name with the settings it was given
  std::optional<Answer> answer;         ///< nothing where it was refused or ran out of time
  std::string verdict;                  ///< in words
  bool failed = false;                  ///< by an error of ours
  bool broken = false;                  ///< by one of its plug-in
  std::optional<ClaimForm> claim = {};  ///< of an accountant that is not ours
  std::optional<Contradiction> contradiction = {};
  bool refused = false;  ///< it does not apply, or this question has no answer
};

/// The answer of options.accountant; whatever it throws becomes the verdict.
ComparedAnswer compared_answer(const Composition& composition, const AnswerOptions& options,
                               Quantity quantity, const Rational& argument);

/// Marks disjoint bands of ours, of which at least one is wrong. @return whether there are any.
bool mark_disjoint(std::vector<ComparedAnswer>& answers);
/// Marks the claims that a proven band contradicts, by the narrowest that does.
bool mark_refuted(std::vector<ComparedAnswer>& answers);

}  // namespace plaudit

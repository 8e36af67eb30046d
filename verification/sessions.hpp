// The sessions of one composition, one for each number of digits asked for so far, so that the
// questions of an audit share their work. Each asks the attack too, which may refute a claim.
#pragma once

#include <map>

#include "accountants/session/answer.hpp"

namespace plaudit {

class Sessions {
 public:
  Sessions(const Composition& composition, DirectionChoice direction, double timeout_seconds)
      : composition_(composition) {
    options_.direction = direction;
    options_.timeout_seconds = timeout_seconds;
    options_.attack = true;
  }

  Session& at(int digits) {
    const auto place = open_.find(digits);
    if (place != open_.end()) return place->second;
    options_.digits = digits;
    return open_.emplace(digits, Session(composition_, options_)).first->second;
  }

 private:
  Composition composition_;
  AnswerOptions options_;
  std::map<int, Session> open_;
};

}  // namespace plaudit

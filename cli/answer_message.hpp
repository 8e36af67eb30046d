// An answer as it passes between processes: its ends, and all that is printed beside them.
#pragma once

#include <string>

#include "cli/isolated_work.hpp"
#include "verification/reports/json_text.hpp"

namespace plaudit::cli {

/// With the ends exactly, which the caller compares and prints; without evidence and the attack.
Json json_of(const Answer& answer);
Answer answer_of(const Json& json);

/// A listener for AnswerOptions::proven by which a worker tells what stands if it ends now.
std::function<void(const Answer&)> telling_so_far(const Tell& tell);

/// The answer of an item that ended without one: the last that telling_so_far() told of, or else
/// `trivial`, with the reason for the end as its remark unless its digits were reached. Its seconds
/// are those of `end`.
Answer answer_so_far(const End& end, Answer trivial);

}  // namespace plaudit::cli

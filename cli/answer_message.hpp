// An answer as it passes between processes: its ends, and all that is printed beside them.
#pragma once

#include <string>

#include "cli/isolated_work.hpp"
#include "verification/reports/json_text.hpp"

namespace plaudit::cli {

/// The ends exactly: they are compared, and rounded where they are printed.
Json json_of(const Answer& answer);
Answer answer_of(const Json& json);

/// What a worker tells of an answer that is not its last one: a value for AnswerOptions::proven.
std::function<void(const Answer&)> telling_so_far(const Tell& tell);

/// What is known of an item that ended without an answer: the last one that telling_so_far() told
/// of, or else `trivial`; with the reason for the end as its remark.
Answer answer_so_far(const End& end, Answer trivial);

}  // namespace plaudit::cli

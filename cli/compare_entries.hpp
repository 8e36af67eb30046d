// The answers that `plaudit compare` shows, as messages between processes and in words.
#pragma once

#include <string>

#include "cli/output/report.hpp"
#include "verification/crosscheck/comparison.hpp"

namespace plaudit::cli {

using Entry = ComparedAnswer;

/// An entry as it passes between processes, with the ends exactly, since entries are compared.
std::string message_of(const Entry& entry);
Entry entry_of(const std::string& name, const std::string& message);

/// "liar claims epsilon <= 1.1, remove; contour proves [2.08, 2.09] at delta = 1e-5"
std::string refutation_text(const Entry& entry, const Question& question);
Json refutation_json(const Contradiction& found, int digits);

}  // namespace plaudit::cli

// Commands that print one text: computed in a worker, printed by the caller.
#pragma once

#include <functional>
#include <string>

#include "cli/isolated.hpp"

namespace plaudit::cli {

/// A text, and whether all of its bands are as narrow as wanted.
struct OneText {
  std::string text;
  bool reached;
};

/// Hands on a text before the work has ended, in place of the one before: what is printed where the
/// limits end the work.
using TellSoFar = std::function<void(const OneText& so_far)>;

/// Does the work in a process of its own. @param nothing what is missing where the limits end it
/// first, as "before any band was found".
/// @return the exit status; with it the text, empty where there is none
/// @throws UsageError where the work refuses its input.
int ask_one_text(const Backstop& limits, const std::string& nothing,
                 const std::function<OneText(const TellSoFar&)>& work, std::string& text);

/// The same, printed on standard output.
int print_one_text(const Backstop& limits, const std::string& nothing,
                   const std::function<OneText(const TellSoFar&)>& work);

}  // namespace plaudit::cli

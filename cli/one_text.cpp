#include "cli/one_text.hpp"

#include <iostream>
#include <optional>

#include "cli/output/complain.hpp"
#include "cli/output/usage_error.hpp"
#include "cli/question.hpp"

namespace plaudit::cli {

int ask_one_text(const Backstop& limits, const OneTextWork& what, std::string& text) {
  std::optional<int> status;
  const auto told = [&](std::size_t, const Tell& tell) {
    const OneText found = what.work(tell);
    tell(found.text);
    tell.status(found.refuted ? exit_refuted : found.reached ? exit_done : exit_not_reached);
  };
  const auto hear = [&](std::size_t, const std::string& message) {
    if (!what.is_progress(message)) text = message;
  };
  const auto ended = [&](std::size_t, const End& end) {
    if (status) return;
    OneText known{text, false};
    if (!end.so_far.empty()) known = what.text_so_far(end);
    const bool limit = end.how == Ending::time || end.how == Ending::memory;
    if (!known.reached && !known.refuted && (limit || end.how == Ending::beyond)) {
      complain(end.words + (end.so_far.empty() ? ' ' + what.nothing : "") +
               (limit ? "; raise --timeout or --memory" : ""));
    }
    status = known.refuted ? exit_refuted : status_after(end, known.reached);
    text = std::move(known.text);
  };
  IsolatedWork isolated{told, hear, ended};
  isolated.status = [&](std::size_t, int value) { status = value; };
  run_isolated(single_blocks(1), 1, limits, isolated);
  return status.value_or(exit_internal_error);
}

int print_one_text(const Backstop& limits, const OneTextWork& what) {
  std::string text;
  const int status = ask_one_text(limits, what, text);
  std::cout << text << std::flush;
  return status;
}

}  // namespace plaudit::cli

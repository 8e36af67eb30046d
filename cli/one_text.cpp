#include "cli/one_text.hpp"

#include <iostream>
#include <optional>

#include "cli/output/complain.hpp"
#include "cli/output/usage_error.hpp"
#include "cli/question.hpp"

namespace plaudit::cli {

int ask_one_text(const Backstop& limits, const std::string& nothing,
                 const std::function<OneText(const TellSoFar&)>& work, std::string& text) {
  std::optional<int> status;
  const auto told = [&](std::size_t, const Tell& tell) {
    const auto hand_on = [&](const OneText& found) {
      tell(std::to_string(found.reached ? exit_done : exit_not_reached) + found.text);
    };
    hand_on(work(hand_on));
  };
  const auto hear = [&](std::size_t, const std::string& message) {
    status = message[0] - '0';
    text = message.substr(1);
  };
  const auto ended = [&](std::size_t, const End& end) {
    if (end.how == Ending::time || end.how == Ending::memory) {
      complain(end.words + " " + (status ? "after what is printed here" : nothing) +
               "; raise --timeout or --memory");
    } else if (status && end.how != Ending::finished) {
      complain(end.words);
    }
    if (!status) status = status_after(end);
  };
  run_isolated(single_blocks(1), 1, limits, {told, hear, ended});
  return status.value_or(exit_internal_error);
}

int print_one_text(const Backstop& limits, const std::string& nothing,
                   const std::function<OneText(const TellSoFar&)>& work) {
  std::string text;
  const int status = ask_one_text(limits, nothing, work, text);
  std::cout << text << std::flush;
  return status;
}

}  // namespace plaudit::cli

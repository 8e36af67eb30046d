#include "cli/one_text.hpp"

#include <iostream>
#include <optional>

#include "cli/output/complain.hpp"
#include "cli/output/usage_error.hpp"
#include "cli/question.hpp"

namespace plaudit::cli {

namespace {

constexpr std::size_t longest_reason = 3000;  ///< why there is no certificate, for each kind

}  // namespace

void end_file(const OutputFile& file, const std::string& name, const std::string& told,
              const End& end) {
  std::string problem = end.words;
  if (end.how == Ending::time || end.how == Ending::memory) {
    problem = "no " + name + ": " + problem + "; raise --timeout or --memory";
  }
  if (end.how == Ending::finished && !told.empty()) {
    const std::size_t line = told.find('\n');
    problem = told.substr(0, line);
    try {
      file.write(told.substr(line + 1));
    } catch (const UsageError& error) {
      problem = error.what();
    }
  }
  if (!problem.empty()) complain(problem, longest_reason);
}

int ask_one_text(const Backstop& limits, const OneTextWork& what, std::string& text,
                 const std::vector<FileWork>& files) {
  std::optional<int> status;
  std::vector<std::string> made(files.size());
  const auto told = [&](std::size_t item, const Tell& tell) {
    if (item > 0) return tell(files[item - 1].work());
    const OneText found = what.work(tell);
    tell(found.text);
    tell.status(found.refuted ? exit_refuted : found.reached ? exit_done : exit_not_reached);
  };
  const auto hear = [&](std::size_t item, const std::string& message) {
    if (item > 0) {
      made[item - 1] = message;
    } else if (!what.is_progress(message)) {
      text = message;
    }
  };
  const auto ended = [&](std::size_t item, const End& end) {
    if (item > 0) return end_file(files[item - 1].file, files[item - 1].name, made[item - 1], end);
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
  Blocks blocks = single_blocks(1);
  for (std::size_t i = 0; i < files.size(); ++i) blocks[0].push_back(i + 1);
  run_isolated(blocks, 1, limits, isolated);
  return status.value_or(exit_internal_error);
}

int print_one_text(const Backstop& limits, const OneTextWork& what,
                   const std::vector<FileWork>& files) {
  std::string text;
  const int status = ask_one_text(limits, what, text, files);
  std::cout << text << std::flush;
  return status;
}

}  // namespace plaudit::cli

// Commands that print one text: computed in a worker, printed by the caller.
#pragma once

#include <functional>
#include <string>

#include "cli/isolated.hpp"
#include "cli/output/output_file.hpp"

namespace plaudit::cli {

/// A text, and whether all of its bands are as narrow as wanted.
struct OneText {
  std::string text;
  bool reached;
  bool refuted = false;  ///< the exit status says so, whatever else is open
};

struct OneTextWork {
  /// In a worker. It may call tell.so_far(); the text and the status are told for it.
  std::function<OneText(const Tell& tell)> work;
  /// The end of the complaint where nothing was told so far, as "before a band was found".
  std::string nothing;
  /// In the calling process: whether a message is about how far the work is, and no text.
  std::function<bool(const std::string& message)> is_progress = [](const std::string&) {
    return false;
  };
  /// In the calling process: the text to print where the work ended early, from end.so_far.
  std::function<OneText(const End& end)> text_so_far = [](const End& end) {
    return OneText{end.so_far, false};
  };
};

/// A file that is made behind the text, in the same worker and within limits of its own. What is
/// told begins with a line that remarks on it.
struct FileWork {
  OutputFile file;
  std::string name;  ///< as "certificate"
  std::function<std::string()> work = {};
};

/// Writes a file that was told. The answer stands printed: a failure gives a line on standard
/// error.
void end_file(const OutputFile& file, const std::string& name, const std::string& told,
              const End& end);

/// Does the work in a process of its own.
/// @return the exit status; with it the text, empty where there is none
/// @throws UsageError where the work refuses its input.
int ask_one_text(const Backstop& limits, const OneTextWork& what, std::string& text,
                 const std::vector<FileWork>& files = {});

/// The same, printed on standard output.
int print_one_text(const Backstop& limits, const OneTextWork& what,
                   const std::vector<FileWork>& files = {});

}  // namespace plaudit::cli

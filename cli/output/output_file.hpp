// Files that the program writes: whole or not at all, and refused before the work where they cannot
// be written.
#pragma once

#include <string>

namespace plaudit::cli {

class OutputFile {
 public:
  /// Tries whether the file could be written. @throws UsageError naming the option where not.
  OutputFile(std::string option, std::string path);

  /// Writes a file of another name beside it and renames that, so that nobody sees half of it; what
  /// is no regular file (a pipe, /dev/stdout) is written as it is. @throws UsageError
  void write(const std::string& text) const;

 private:
  [[noreturn]] void fail() const;
  /// A new empty file beside the target: its name, and its descriptor in `file`.
  std::string open_beside(int& file) const;

  std::string option_;
  std::string given_;
  std::string target_;  ///< behind symbolic links
  bool replaces_ = true;
};

}  // namespace plaudit::cli

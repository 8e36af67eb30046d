// The lines of a file or of standard input, without waiting for more of them than are there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace plaudit::cli {

constexpr std::size_t longest_line = 1'000'000;

/// A line of the file; one that is too long is not kept.
struct Line {
  std::uint64_t number = 0;
  std::string text = {};
  bool too_long = false;
};

class LineReader {
 public:
  /// @param name of a file; `-` is standard input. @throws UsageError where it cannot be read
  explicit LineReader(const std::string& name);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// Nothing at the end; where it may not wait, also where no whole line is there yet.
  std::optional<Line> next(bool may_wait);

 private:
  Line line_until(std::size_t end, std::size_t next);
  bool readable() const;
  void fill();

  std::string name_;
  int file_ = -1;
  std::string buffer_;
  std::size_t start_ = 0;
  std::size_t searched_ = 0;
  std::uint64_t number_ = 0;
  bool at_end_ = false;
  bool too_long_ = false;
};

/// Whether standard output is that very file.
bool is_standard_output(const std::string& file);

}  // namespace plaudit::cli

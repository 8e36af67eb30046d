#include "cli/line_reader.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/output/usage_error.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::cli {

LineReader::LineReader(const std::string& name) : name_(name) {
  file_ = name == "-" ? STDIN_FILENO : open(name.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat what {};
  if (file_ < 0 || fstat(file_, &what) != 0 || S_ISDIR(what.st_mode)) {
    throw UsageError("REQUESTS: cannot read " + abbreviated(name, 200));
  }
}

LineReader::~LineReader() {
  if (file_ > STDIN_FILENO) close(file_);
}

std::optional<Line> LineReader::next(bool may_wait) {
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched_);
    if (end != std::string::npos) return line_until(end, end + 1);
    searched_ = buffer_.size();
    if (buffer_.size() - start_ > longest_line) {
      too_long_ = true;
      buffer_.clear();
      start_ = searched_ = 0;
    }
    if (at_end_) {
      if (start_ == buffer_.size() && !too_long_) return std::nullopt;
      return line_until(buffer_.size(), buffer_.size());
    }
    if (!may_wait && !readable()) return std::nullopt;
    fill();
  }
}

Line LineReader::line_until(std::size_t end, std::size_t next) {
  Line line{++number_, too_long_ ? "" : buffer_.substr(start_, end - start_), too_long_};
  too_long_ = false;
  start_ = searched_ = next;
  return line;
}

bool LineReader::readable() const {
  pollfd file{file_, POLLIN, 0};
  return poll(&file, 1, 0) != 0;
}

void LineReader::fill() {
  buffer_.erase(0, start_);
  searched_ -= start_;
  start_ = 0;
  char block[1 << 16];
  ssize_t got = 0;
  do {
    got = read(file_, block, sizeof block);
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    throw UsageError("REQUESTS: cannot read " + abbreviated(name_, 200) + ": " +
                     std::strerror(errno));
  }
  at_end_ = got == 0;
  buffer_.append(block, static_cast<std::size_t>(got));
}

bool is_standard_output(const std::string& file) {
  struct stat one {};
  struct stat other {};
  return stat(file.c_str(), &one) == 0 && fstat(STDOUT_FILENO, &other) == 0 &&
         one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

}  // namespace plaudit::cli

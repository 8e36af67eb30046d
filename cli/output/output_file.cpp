#include "cli/output/output_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cli/output/usage_error.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::cli {

OutputFile::OutputFile(std::string option, std::string path)
    : option_(std::move(option)), given_(std::move(path)), target_(given_) {
  std::error_code problem;
  const std::filesystem::path behind = std::filesystem::canonical(given_, problem);
  if (!problem) target_ = behind.string();
  const auto status = std::filesystem::status(target_, problem);
  replaces_ = !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
  if (given_.empty() || std::filesystem::is_directory(status)) {
    errno = EISDIR;
    fail();
  }
  if (!replaces_) return;
  if (std::filesystem::exists(status) && access(target_.c_str(), W_OK) != 0) fail();
  int file = -1;
  const std::string name = open_beside(file);
  close(file);
  unlink(name.c_str());
}

void OutputFile::write(const std::string& text) const {
  if (!replaces_) {
    std::ofstream out(target_, std::ios::binary);
    out << text;
    out.close();
    if (!out) fail();
    return;
  }
  int file = -1;
  const std::string name = open_beside(file);
  std::size_t at = 0;
  while (at < text.size()) {
    const ssize_t written = ::write(file, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    at += static_cast<std::size_t>(written);
  }
  const bool whole = at == text.size();
  const bool closed = close(file) == 0;
  if (!whole || !closed || std::rename(name.c_str(), target_.c_str()) != 0) {
    const int problem = errno;
    unlink(name.c_str());
    errno = problem;
    fail();
  }
}

void OutputFile::fail() const {
  throw UsageError(option_ + ": cannot write " + abbreviated(given_) + ": " + std::strerror(errno));
}

std::string OutputFile::open_beside(int& file) const {
  std::string name = target_ + ".XXXXXX";
  file = mkstemp(name.data());
  if (file < 0) fail();
  struct stat existing {};
  const mode_t mask = umask(0);
  umask(mask);
  const bool exists = stat(target_.c_str(), &existing) == 0;
  fchmod(file, exists ? existing.st_mode & 0777U : 0666U & ~mask);
  return name;
}

}  // namespace plaudit::cli

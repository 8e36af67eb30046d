#include "mechanisms/language/file_access.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

FileAccess& process_wide() {
  static FileAccess access = FileAccess::any();
  return access;
}

}  // namespace

FileAccess FileAccess::within(const std::string& folder) {
  std::error_code problem;
  const std::filesystem::path real = std::filesystem::canonical(folder, problem);
  if (problem || !std::filesystem::is_directory(real, problem)) {
    throw SpecError("--allow-files must be a folder, not " + abbreviated(folder));
  }
  return FileAccess(real.string(), false);
}

std::optional<std::string> FileAccess::refusal(const std::string& path) const {
  if (unlimited_) return std::nullopt;
  if (folder_.empty()) return "is read only with --allow-files FOLDER";
  std::error_code problem;
  const std::filesystem::path real = std::filesystem::canonical(path, problem);
  const std::filesystem::path folder(folder_);
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), real.begin(), real.end());
  if (problem || end != folder.end() || rest == real.end()) {
    return "must be a file inside the folder of --allow-files";
  }
  return std::nullopt;
}

void set_file_access(FileAccess access) { process_wide() = std::move(access); }

std::string read_allowed_file(const std::string& parameter, const std::string& path,
                              std::size_t most) {
  const auto fail = [&](const std::string& must) {
    throw SpecError(parameter + " must be " + must + ", not " + abbreviated(path));
  };
  const auto refuse = [&](const std::string& why) {
    throw SpecError(parameter + " " + abbreviated(path) + " " + why);
  };
  if (const auto refusal = process_wide().refusal(path)) refuse(*refusal);
  // Type and size are those of the open file. O_NONBLOCK: a pipe must not make the program wait.
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
#ifdef __linux__
  // A link may have been exchanged since it was resolved: what counts is where the open file lies.
  const auto refusal =
      file >= 0 ? process_wide().refusal("/proc/self/fd/" + std::to_string(file)) : std::nullopt;
  if (refusal) {
    close(file);
    refuse(*refusal);
  }
#endif
  struct stat what {};
  const bool regular = file >= 0 && fstat(file, &what) == 0 && S_ISREG(what.st_mode);
  std::string text;
  bool good = regular;
  if (regular && static_cast<std::size_t>(what.st_size) <= most) {
    char block[1 << 16];
    for (ssize_t got = 1; got != 0 && text.size() <= most;) {
      got = read(file, block, sizeof block);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) {
        good = false;
        break;
      }
      text.append(block, static_cast<std::size_t>(got));
    }
  }
  if (file >= 0) close(file);
  if (!good) fail("a readable file");
  if (static_cast<std::size_t>(what.st_size) > most || text.size() > most) {
    fail("a file of at most " + std::to_string(most >> 20) + " MB");
  }
  return text;
}

}  // namespace plaudit

// Which files a spec may name: a spec from a claim, say, shall not read files of whoever checks it.
#pragma once

#include <optional>
#include <string>

namespace plaudit {

class FileAccess {
 public:
  /// Any file the process can read: the spec comes from the user.
  static FileAccess any() { return FileAccess("", true); }
  static FileAccess none() { return FileAccess("", false); }
  /// Files in this folder once symbolic links are resolved. @throws SpecError where it is none.
  static FileAccess within(const std::string& folder);

  /// Why the file may not be read; nothing where it may.
  std::optional<std::string> refusal(const std::string& path) const;

 private:
  FileAccess(std::string folder, bool unlimited)
      : folder_(std::move(folder)), unlimited_(unlimited) {}
  std::string folder_;  ///< canonical
  bool unlimited_;
};

/// For the whole process; any() until set. To be called before threads start.
void set_file_access(FileAccess access);

/// The content of a regular file of at most `most` bytes. @throws SpecError that names the
/// `parameter` ("pld: file") and the path, never the content.
std::string read_allowed_file(const std::string& parameter, const std::string& path,
                              std::size_t most);

}  // namespace plaudit

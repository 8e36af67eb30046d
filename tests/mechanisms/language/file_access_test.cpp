// Files that a spec may name, where whoever owns the folder exchanges links while they are read.
#include "mechanisms/language/file_access.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "mechanisms/spec_error.hpp"

using namespace plaudit;

TEST_CASE("a link that is exchanged between the check and the reading leads nowhere else") {
  const std::filesystem::path root =
      std::filesystem::temp_directory_path() / "plaudit_file_access_test";
  const std::filesystem::path folder = root / "folder";
  std::filesystem::remove_all(root);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "inside") << "inside";
  std::ofstream(root / "outside") << "outside";
  const std::filesystem::path link = folder / "link";
  std::filesystem::create_symlink(folder / "inside", link);
  set_file_access(FileAccess::within(folder.string()));
  std::atomic<bool> done = false;
  std::thread exchanger([&] {
    for (bool out = true; !done; out = !out) {
      std::filesystem::create_symlink(out ? root / "outside" : folder / "inside", folder / "next");
      std::filesystem::rename(folder / "next", link);
    }
  });
  int read = 0;
  for (int i = 0; i < 5000; ++i) {
    try {
      const std::string text = read_allowed_file("pld: file", link.string(), 100);
      CHECK(text == "inside");
      ++read;
    } catch (const SpecError&) {
    }
  }
  done = true;
  exchanger.join();
  CHECK(read > 0);
  CHECK(read_allowed_file("pld: file", (folder / "inside").string(), 100) == "inside");
  set_file_access(FileAccess::any());
  std::filesystem::remove_all(root);
}

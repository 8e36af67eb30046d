// Runs a harness on committed inputs, with any compiler: replay FOLDER. Besides each file as it is,
// its beginnings and copies with one byte changed, always the same ones.
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>

#include "tests/fuzz/harness.hpp"

namespace {

constexpr int changes = 16;  // of each kind
constexpr double longest_seconds = 60;

void run(const std::string& input, const std::string& name) {
  const std::clock_t start = std::clock();  // of the processor: the machine may be busy
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  plaudit::fuzz::demand(seconds < longest_seconds, name + " took too long");
}

void run_with_changes(const std::string& input, const std::string& name) {
  run(input, name);
  if (input.empty()) return;
  std::minstd_rand random(1);
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random()) % end; };
  for (int i = 0; i < changes; ++i) {
    run(input.substr(0, below(input.size())), name + ", its beginning");
    std::string changed = input;
    changed[below(input.size())] = static_cast<char>(below(256));
    run(changed, name + ", a byte changed");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || !std::filesystem::is_directory(argv[1])) {
    std::fprintf(stderr, "usage: replay FOLDER\n");
    return 2;
  }
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    if (entry.is_regular_file()) files.insert(entry.path());
  }
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string content((std::istreambuf_iterator<char>(stream)),
                              std::istreambuf_iterator<char>());
    std::fprintf(stderr, "%s\n", file.filename().c_str());  // the last one is the one that fails
    run_with_changes(content, file.filename().string());
  }
  std::printf("%zu files\n", files.size());
  return files.empty() ? 1 : 0;
}

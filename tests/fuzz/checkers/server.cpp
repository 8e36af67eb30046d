// The C++ checker for tests/fuzz/checkers/differential.py: reads certificates, each after a line
// with the number of its bytes, and writes a line with the outcome and the reason for each. Its
// arguments are the seconds and the operations that each may take.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>

#include "verification/checker/statements.hpp"

namespace {

const char* name_of(plaudit::proof::Verdict::Outcome outcome) {
  using Outcome = plaudit::proof::Verdict::Outcome;
  switch (outcome) {
    case Outcome::accepted:
      return "accepted";
    case Outcome::unread:
      return "unread";
    case Outcome::too_dear:
      return "too_dear";
    case Outcome::unfinished:
      return "unfinished";
    default:
      return "rejected";
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: fuzz_checkers SECONDS OPERATIONS\n";
    return 2;
  }
  const plaudit::proof::Limits limits{.timeout = std::atof(argv[1]),
                                      .operations = std::atof(argv[2])};
  std::string line;
  while (std::getline(std::cin, line)) {
    std::string text(static_cast<std::size_t>(std::atol(line.c_str())), ' ');
    if (!std::cin.read(text.data(), static_cast<std::streamsize>(text.size()))) return 1;
    const plaudit::proof::Verdict verdict = plaudit::proof::check(text, limits);
    std::string reason = verdict.reason.substr(0, 200);
    std::replace_if(
        reason.begin(), reason.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    std::cout << name_of(verdict.outcome) << ' ' << reason << std::endl;
  }
  return 0;
}

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  doctest::Context context;
  const char* slow = std::getenv("PLAUDIT_SLOW");
  if (slow == nullptr || slow[0] == '\0' || slow[0] == '0') {
    context.addFilter("source-file-exclude", "*_slow_test.cpp");
    context.addFilter("test-suite-exclude", "slow");
  }
  context.applyCommandLine(argc, argv);
  return context.run();
}

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "tests/support/slow.hpp"

int main(int argc, char** argv) {
  doctest::Context context;
  if (!plaudit::test::slow_tests()) {
    context.addFilter("source-file-exclude", "*_slow_test.cpp");
    context.addFilter("test-suite-exclude", "slow");
  }
  context.applyCommandLine(argc, argv);
  return context.run();
}

// What runs only where the slow tests are asked for: PLAUDIT_SLOW is set, and begins with no 0.
#pragma once

#include <cstdlib>

namespace plaudit::test {

inline bool slow_tests() {
  const char* text = std::getenv("PLAUDIT_SLOW");
  return text != nullptr && text[0] != '\0' && text[0] != '0';
}

/// How many: few in the usual run, all in the slow one.
inline int usually(int few, int all) { return slow_tests() ? all : few; }

}  // namespace plaudit::test

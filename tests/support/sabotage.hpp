// Bounds broken on purpose.
#pragma once

#include "lib/balls/error_term.hpp"

namespace plaudit::test {

/// Scales a term for its lifetime.
class Scaled {
 public:
  Scaled(const char* term, double factor) { sabotage::scale(term, factor); }
  ~Scaled() { sabotage::clear(); }
  Scaled(const Scaled&) = delete;
  Scaled& operator=(const Scaled&) = delete;
};

}  // namespace plaudit::test

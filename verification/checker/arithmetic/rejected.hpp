// The one exception of the checker: nothing is proven, with the reason.
#pragma once

#include <stdexcept>
#include <string>

namespace plaudit::checker {

class Rejected : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void require(bool holds, const std::string& reason) {
  if (!holds) throw Rejected(reason);
}
inline void require(bool holds, const char* reason) {
  if (!holds) throw Rejected(reason);
}

}  // namespace plaudit::checker

// What the writer throws where it proves nothing.
#pragma once

#include <stdexcept>

namespace plaudit {

/// No certificate could be made: the statement that nothing proved, with the reason of each kind.
class NoCertificate : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace plaudit

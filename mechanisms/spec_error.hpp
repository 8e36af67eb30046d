// The exception for errors in a spec or in the arguments of a mechanism.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace plaudit {

/// The message is one short line that names the parameter and its domain.
class SpecError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// `text` in quotes and made fit for a one-line message: what is not printable ASCII becomes '?',
/// and a long text keeps its first `most` characters and "...".
std::string abbreviated(std::string_view text, std::size_t most = 40);

}  // namespace plaudit

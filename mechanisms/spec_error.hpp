// Errors in a spec or in the arguments of a mechanism, and texts as their messages show them.
#pragma once

#include <string>
#include <string_view>

#include "api/plaudit/errors.hpp"

namespace plaudit {

/// `text` in quotes and made fit for a one-line message: what is not printable ASCII becomes '?',
/// and a long text keeps its first `most` characters and "...".
std::string abbreviated(std::string_view text, std::size_t most = 40);

}  // namespace plaudit

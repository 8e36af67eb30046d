// Text in aligned columns.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace plaudit::cli {

/// Prints the rows with columns two spaces apart, each line after `indent` spaces. The last column
/// is not padded.
void print_table(std::ostream& out, const std::vector<std::vector<std::string>>& rows,
                 std::size_t indent = 0);

}  // namespace plaudit::cli

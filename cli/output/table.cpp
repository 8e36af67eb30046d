#include "cli/output/table.hpp"

#include <algorithm>

#include "cli/output/complain.hpp"

namespace plaudit::cli {

void print_table(std::ostream& out, const std::vector<std::vector<std::string>>& rows,
                 std::size_t indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    // The last cell of a row has nothing to its right: however long, it moves no column.
    for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += printable(row[i]);
      if (i + 1 < row.size()) line += std::string(widths[i] - row[i].size() + 2, ' ');
    }
    line.resize(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

}  // namespace plaudit::cli

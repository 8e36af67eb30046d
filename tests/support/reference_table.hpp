// Reads the committed tables of tests/reference: lines of fields separated by tabs, `#` comments.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "lib/balls/ball.hpp"
#include "lib/exact/rational.hpp"

namespace plaudit::test {

inline std::vector<std::vector<std::string>> reference_table(const std::string& name) {
  std::ifstream file(std::string(PLAUDIT_SOURCE_DIR) + "/tests/reference/" + name);
  if (!file) throw std::runtime_error("no table " + name);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> row(1);
    for (const char c : line) {
      if (c == '\t') {
        row.emplace_back();
      } else {
        row.back() += c;
      }
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) throw std::runtime_error("empty table " + name);
  return rows;
}

/// The number a printed decimal stands for: all points within two units of its last digit.
inline Ball printed(const std::string& text, int digits) {
  const Ball value(parse_rational(text));
  Ball unit(2);
  for (int i = 1; i < digits; ++i) unit /= Ball(10);
  return widened(value, abs(value) * unit);
}

}  // namespace plaudit::test

// What two statements about one line have in common: what is found on it before epsilon enters.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accountants/proof/arithmetic/intervals.hpp"

namespace plaudit::proof {

/// log |M(z)|, and an angle of M(z) where it is known.
struct LogNode {
  Interval size;
  std::optional<Interval> angle;
};

/// Of the factors with one set of choices at one precision. The nodes are those of one line, so
/// that they take no more memory than a single statement.
struct LineMemory {
  std::string choices;
  std::string line;
  std::map<std::pair<long, long>, std::vector<LogNode>>
      nodes;                                ///< by the first one and their count
  std::map<std::string, Interval> numbers;  ///< logarithms of bounds
};

}  // namespace plaudit::proof

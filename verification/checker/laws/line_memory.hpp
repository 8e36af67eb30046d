// What two statements about one line have in common: what is found on it before epsilon enters.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accountants/proof/arithmetic/intervals.hpp"

namespace plaudit::proof {

/// An enclosure of log |M(z)| and of an angle of M(z); without an angle, which is not known where M
/// may be 0, an upper bound of log |M(z)|.
struct LogNode {
  Interval size;
  std::optional<Interval> angle;
};

/// What was found of the factors of a run with one set of choices, at one precision, with or
/// without a cut; LineProduct empties it where a statement has others.
struct LineMemory {
  std::string choices;  ///< with the precision, and whether there may be a cut
  std::string line;     ///< t and h of the nodes
  /// By the first one and their count; no more of them than one statement may sum.
  std::map<std::pair<long, long>, std::vector<LogNode>> nodes;
  std::map<std::string, Interval> numbers;  ///< logarithms of bounds, by their names and places
};

}  // namespace plaudit::proof

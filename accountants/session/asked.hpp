// Which accountants `auto` has asked one question, and whether they came to an end of their own: so
// that it says "no more digits" only of those that were not stopped.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/work/given_up.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

class AskedAccountants {
 public:
  /// How the latest try of an accountant at the question ended.
  enum class End { by_itself, stopped };

  /// @param used_up whether it used its share of the work up. @param cause why it gave up, if it
  /// did: also where what it would have taken was more than its share or the memory.
  static End end_of(const Deadline& deadline, bool used_up, Cause cause);
  void note(std::string_view accountant, End end);
  /// Whether it was asked, and came to an end by itself.
  bool ended(std::string_view accountant) const;
  bool all_ended() const;
  /// Says which were asked, and which of them were stopped.
  std::string words() const;
  /// In the order of the first tries.
  const std::vector<std::pair<std::string, End>>& ends() const { return ends_; }

 private:
  std::string names(End end) const;

  std::vector<std::pair<std::string, End>> ends_;
};

}  // namespace plaudit

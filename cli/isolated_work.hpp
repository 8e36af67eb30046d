// What is done in a process of its own, within which limits, and how it may end.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "lib/work/work_limit.hpp"

namespace plaudit::cli {

struct Backstop {
  double seconds = 60;                       ///< for each item
  std::size_t bytes = default_memory_limit;  ///< for each process
};

/// Beyond Backstop::seconds: what instant accountants may take after the time limit, and what it
/// takes to notice it.
constexpr double grace_seconds = 0.5;

enum class Ending {
  finished,
  refused,  ///< the work threw std::invalid_argument: what was asked cannot be answered
  time,
  memory,
  failed,  ///< a defect of plaudit or of a library
};

struct End {
  Ending how = Ending::finished;
  std::string words = {};  ///< why, in one line; empty where finished
};

using Tell = std::function<void(const std::string& message)>;

struct IsolatedWork {
  /// In a worker; messages arrive in order.
  std::function<void(std::size_t item, const Tell& tell)> work;
  /// In the calling process: one message of the item.
  std::function<void(std::size_t item, const std::string& message)> hear;
  /// In the calling process, once for each item.
  std::function<void(std::size_t item, const End& end)> ended;
  /// No more blocks are begun once this says so.
  std::function<bool()> enough = [] { return false; };
};

using Blocks = std::vector<std::vector<std::size_t>>;

}  // namespace plaudit::cli

// What is done in a process of its own, within which limits, and how it may end.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
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
  beyond,  ///< it met the bounds of a method
  failed,  ///< a defect of plaudit or of a library
};

struct End {
  Ending how = Ending::finished;
  std::string words = {};   ///< why, in one line; empty where finished
  std::string so_far = {};  ///< the last of Tell::so_far() within the item
};

/// How a worker tells of its item.
class Tell {
 public:
  using Say = std::function<void(const std::string& message)>;
  using SayStatus = std::function<void(int status)>;
  Tell(Say say, Say say_so_far, SayStatus say_status)
      : say_(std::move(say)),
        say_so_far_(std::move(say_so_far)),
        say_status_(std::move(say_status)) {}

  /// A message that is heard.
  void operator()(const std::string& message) const { say_(message); }
  /// The exit status that the item asks for.
  void status(int status) const { say_status_(status); }
  /// What stands where the item ends at this moment, whatever ends it. Each one replaces the one
  /// before; the first one is what is true without any computation.
  void so_far(const std::string& message) const {
    if (!first_) first_ = message;
    say_so_far_(message);
  }
  /// Only the first of these stands: what was computed after it contradicts itself.
  void take_back() const {
    if (first_) say_so_far_(*first_);
  }

 private:
  Say say_;
  Say say_so_far_;
  SayStatus say_status_;
  mutable std::optional<std::string> first_;
};

struct IsolatedWork {
  /// In a worker; messages arrive in order.
  std::function<void(std::size_t item, const Tell& tell)> work;
  /// In the calling process: one message of the item.
  std::function<void(std::size_t item, const std::string& message)> hear;
  /// In the calling process, once for each item.
  std::function<void(std::size_t item, const End& end)> ended;
  /// No more blocks are begun once this says so.
  std::function<bool()> enough = [] { return false; };
  /// In the calling process: the exit status that the item asks for, where it tells of one.
  std::function<void(std::size_t item, int status)> status = [](std::size_t, int) {};
};

using Blocks = std::vector<std::vector<std::size_t>>;

}  // namespace plaudit::cli

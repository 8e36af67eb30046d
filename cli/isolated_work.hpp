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

/// The limits behind the cooperative ones.
struct Backstop {
  double seconds = 60;                       ///< for each item
  std::size_t bytes = default_memory_limit;  ///< for each process
};

/// Beyond Backstop::seconds, for accountants of cost Offer::instant, which are asked after the time
/// limit, and the last look at the clock. Too short a time loses what they prove.
constexpr double grace_seconds = 0.5;

enum class Ending {
  finished,
  refused,  ///< the work threw std::invalid_argument: what was asked cannot be answered
  broken,   ///< a plug-in broke what it promises
  time,
  memory,
  beyond,  ///< no method or law gives more, with any time and memory
  failed,  ///< a defect of plaudit or of a library
};

struct End {
  Ending how = Ending::finished;
  std::string words = {};   ///< why, in one line; empty where finished
  std::string so_far = {};  ///< the last of Tell::so_far() within the item
  double seconds = 0;       ///< by the clock, since the item was begun
};

/// By which the work of an item sends messages to the calling process.
class Tell {
 public:
  using Say = std::function<void(const std::string& message)>;
  using SayStatus = std::function<void(int status)>;
  Tell(Say say, Say say_so_far, SayStatus say_status)
      : say_(std::move(say)),
        say_so_far_(std::move(say_so_far)),
        say_status_(std::move(say_status)) {}

  /// A message for IsolatedWork::hear.
  void operator()(const std::string& message) const { say_(message); }
  /// The exit status that the item asks for.
  void status(int status) const { say_status_(status); }
  /// End::so_far if the item ends now, whatever ends it. Each one replaces the one before; the
  /// first must be what is true without any computation.
  void so_far(const std::string& message) const {
    if (!first_) first_ = message;
    say_so_far_(message);
  }
  /// Makes the first of these the last one: a contradiction leaves nothing else to rely on.
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
  /// In the calling process: no more blocks are begun once this is true.
  std::function<bool()> enough = [] { return false; };
  /// In the calling process: the exit status that the item asks for, where it tells of one.
  std::function<void(std::size_t item, int status)> status = [](std::size_t, int) {};
};

/// For each block its items, in the order in which one worker does them.
using Blocks = std::vector<std::vector<std::size_t>>;

}  // namespace plaudit::cli

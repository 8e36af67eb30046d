// Work in processes of its own: the backstop behind the limits of time and memory.
//
// Cooperative limits (lib/work/work_limit.hpp) come first: computations look at them and give up in
// order, with the best band so far. Behind them stands this file, for what cannot be interrupted or
// ends the process: one long call of a library, abort() in FLINT or GMP, a stack that overflows.
//
//   calling process  reads options, opens files, prints; computes nothing that input can make large
//   worker           forked from it before any thread starts, at most `processes` at a time;
//                    computes item after item and tells about each over a pipe
//
// Items are numbers; a block is a list of items that one worker does in this order, so that they
// share what the work keeps. A worker that overruns the time of an item is killed, one that dies is
// buried; in both cases the item ends with the reason, and a new worker goes on behind it. Memory
// is bounded by the kernel (RLIMIT_DATA): an allocation beyond it fails inside the worker.
//
// Where no process can be started (`ulimit -u`), the calling process does the work itself, with the
// cooperative limits alone.
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

void run_isolated(const Blocks& blocks, int processes, const Backstop& limits,
                  const IsolatedWork& what);

/// 0, 1, ..., each in a block of its own.
Blocks single_blocks(std::size_t count);

}  // namespace plaudit::cli

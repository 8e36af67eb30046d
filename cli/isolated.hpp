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

#include "cli/isolated_work.hpp"

namespace plaudit::cli {

void run_isolated(const Blocks& blocks, int processes, const Backstop& limits,
                  const IsolatedWork& what);

/// 0, 1, ..., each in a block of its own.
Blocks single_blocks(std::size_t count);

}  // namespace plaudit::cli

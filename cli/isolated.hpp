// Work in processes of its own: the backstop behind the limits of time and memory.
//
// Cooperative limits (lib/work/work_limit.hpp) are met first: computations look at them and end
// with the best band so far. This file is for what cannot be interrupted or ends the process: one
// long call of a library, abort() in FLINT or GMP, a stack that overflows.
//
//   calling process  reads options, opens files, prints; computes nothing that input can make large
//   worker           forked from it before any thread starts, at most `processes` at a time;
//                    computes item after item and tells about each over a pipe
//
// Items are numbers; a block is a list of items that one worker does in this order, so that they
// share what the work keeps. A worker that overruns the time of an item is killed. Whether it was
// killed or died, the item ends with the reason, and a new worker goes on behind it. Memory is
// bounded by the kernel (RLIMIT_DATA): an allocation beyond it fails inside the worker.
//
// Where no process can be started (`ulimit -u`), the calling process does the work itself, with the
// cooperative limits alone.
#pragma once

#include <cstddef>

#include "cli/isolated_work.hpp"

namespace plaudit::cli {

/// Does the items of all blocks and returns when each has ended, or, where `what.enough` says so,
/// when the workers have ended their blocks: what is left of a block whose worker died is not begun
/// again.
void run_isolated(const Blocks& blocks, int processes, const Backstop& limits,
                  const IsolatedWork& what);

/// 0, 1, ..., each in a block of its own.
Blocks single_blocks(std::size_t count);

}  // namespace plaudit::cli

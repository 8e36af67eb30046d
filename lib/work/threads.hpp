// Tasks side by side, on as many threads as can be had.
#pragma once

#include <functional>
#include <vector>

namespace plaudit {

/// Runs every task: the first on the calling thread, each other on a thread of its own, or on the
/// calling one where no thread can be started (`ulimit -u`, too little memory). Limits of work are
/// settings of a thread: a task sets its own. When all have ended, the exception of the earliest
/// task that threw is thrown again.
void run_together(const std::vector<std::function<void()>>& tasks);

}  // namespace plaudit

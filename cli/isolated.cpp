#include "cli/isolated.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <new>
#include <stdexcept>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define PLAUDIT_INSTRUMENTED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PLAUDIT_INSTRUMENTED 1
#endif
#endif

namespace plaudit::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// Instrumented builds reserve terabytes of addresses and report on standard error.
#ifdef PLAUDIT_INSTRUMENTED
constexpr bool instrumented = true;
#else
constexpr bool instrumented = false;
#endif

/// Cooperative limits hold below the hard one, so that they come first.
constexpr double cooperative_share = 0.8;
constexpr std::size_t longest_words = 300;

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", seconds);
  return text;
}

std::string memory_words(const Backstop& limits) {
  return "the memory limit of " + std::to_string(limits.bytes / 1'000'000) + " MB was reached";
}

// --- what is said over a pipe ----------------------------------------------------------------

/// Begin: the item's time runs from now. The letters of the other endings: words follow.
enum class Kind : std::uint64_t { begin, message, finished, refused, time, memory, failed };

struct Frame {
  Kind kind;
  std::uint64_t item;
  std::uint64_t length;
};

bool write_all(int file, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = write(file, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

bool read_all(int file, void* data, std::size_t size) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = read(file, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

/// The work of one item; every failure becomes an end.
End attempt(const IsolatedWork& what, std::size_t item, const Tell& tell, const Backstop& limits) {
  try {
    what.work(item, tell);
    return {};
  } catch (const std::invalid_argument& error) {  // SpecError, UsageError, refusals of accountants
    return {Ending::refused, error.what()};
  } catch (const MemoryLimitReached&) {
    return {Ending::memory, memory_words(limits)};
  } catch (const std::bad_alloc&) {
    return {Ending::memory, memory_words(limits)};
  } catch (const std::length_error&) {  // a container beyond what can be addressed
    return {Ending::memory, memory_words(limits)};
  } catch (const WorkLimitReached& limit) {
    return {Ending::time, limit.what()};
  } catch (const std::exception& error) {
    return {Ending::failed, std::string("internal error: ") + error.what()};
  } catch (...) {
    return {Ending::failed, "internal error"};
  }
}

/// After these a worker is not what it was: a new one does what is left.
bool is_last(Ending how) { return how == Ending::memory || how == Ending::failed; }

// --- the worker ------------------------------------------------------------------------------

/// What the calling process asks for: items `from` and up of a block.
struct Order {
  std::uint64_t block;
  std::uint64_t from;
};

void limit_memory(std::size_t bytes) {
  set_memory_limit(static_cast<std::size_t>(cooperative_share * static_cast<double>(bytes)));
  if (instrumented) return;
#ifdef __linux__
  constexpr int resource = RLIMIT_DATA;  // writable private memory, wherever it is mapped
#else
  constexpr int resource = RLIMIT_AS;
#endif
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, bytes);
  setrlimit(resource, &limit);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

[[noreturn]] void serve(const Blocks& blocks, const Backstop& limits, const IsolatedWork& what,
                        int orders, int answers) {
  limit_memory(limits.bytes);
  const auto say = [&](Kind kind, std::size_t item, const std::string& words) {
    const Frame frame{kind, item, words.size()};
    if (!write_all(answers, &frame, sizeof frame) ||
        !write_all(answers, words.data(), words.size())) {
      _exit(1);  // nobody listens
    }
  };
  Order order{};
  while (read_all(orders, &order, sizeof order)) {
    const std::vector<std::size_t>& block = blocks[order.block];
    for (std::size_t i = order.from; i < block.size(); ++i) {
      const std::size_t item = block[i];
      say(Kind::begin, item, "");
      const Tell tell = [&](const std::string& message) { say(Kind::message, item, message); };
      const End end = attempt(what, item, tell, limits);
      const auto kind =
          static_cast<std::uint64_t>(Kind::finished) + static_cast<std::uint64_t>(end.how);
      say(static_cast<Kind>(kind), item, end.words);
      if (is_last(end.how)) _exit(0);
    }
  }
  if (instrumented) std::exit(0);  // leaks are looked for
  _exit(0);
}

// --- the calling process ---------------------------------------------------------------------

struct Worker {
  pid_t process = 0;
  int orders = -1;
  int answers = -1;
  int errors = -1;  ///< its standard error: what libraries say before they abort
  std::string heard = {};
  std::size_t block = 0;
  std::size_t next = 0;  ///< place in the block of the item that is under way
  bool busy = false;
  bool spent = false;  ///< takes no more orders
  Clock::time_point deadline = Clock::time_point::max();
};

class Pool {
 public:
  Pool(const Blocks& blocks, int processes, const Backstop& limits, const IsolatedWork& what)
      : blocks_(blocks), limits_(limits), what_(what) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (!blocks[i].empty()) waiting_.push_back({i, 0});
    }
    std::reverse(waiting_.begin(), waiting_.end());  // taken from the back
    most_ = static_cast<std::size_t>(std::max(1, processes));
    former_ = std::signal(SIGPIPE, SIG_IGN);
  }
  ~Pool() {
    for (Worker& worker : workers_) bury(worker, true);
    std::signal(SIGPIPE, former_);
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void run() {
    while (!waiting_.empty() || !workers_.empty()) {
      if (what_.enough()) waiting_.clear();
      while (!waiting_.empty() && workers_.size() < most_ && start()) {
      }
      if (workers_.empty()) {
        do_here();
      } else {
        listen();
      }
    }
  }

 private:
  bool start() {
    int orders[2];
    int answers[2];
    int errors[2];
    if (pipe(orders) != 0) return false;
    if (pipe(answers) != 0) {
      close_both(orders);
      return false;
    }
    if (pipe(errors) != 0) {
      close_both(orders);
      close_both(answers);
      return false;
    }
    std::cout.flush();
    const pid_t caller = getpid();
    const pid_t process = fork();
    if (process < 0) {
      for (int* each : {orders, answers, errors}) close_both(each);
      return false;
    }
    if (process == 0) {
#ifdef __linux__
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != caller) _exit(1);
#else
      static_cast<void>(caller);
#endif
      for (const Worker& other : workers_) {
        close(other.orders);
        close(other.answers);
        close(other.errors);
      }
      close(orders[1]);
      close(answers[0]);
      if (!instrumented) {
        fcntl(errors[1], F_SETFL, O_NONBLOCK);  // more than fits is dropped
        dup2(errors[1], STDERR_FILENO);
      }
      close(errors[0]);
      close(errors[1]);
      serve(blocks_, limits_, what_, orders[0], answers[1]);
    }
    close(orders[0]);
    close(answers[1]);
    close(errors[1]);
    fcntl(errors[0], F_SETFL, O_NONBLOCK);
    workers_.push_back({process, orders[1], answers[0], errors[0]});
    give(workers_.back());
    return true;
  }

  static void close_both(const int* ends) {
    close(ends[0]);
    close(ends[1]);
  }

  void give(Worker& worker) {
    const Order order = waiting_.back();
    waiting_.pop_back();
    worker.block = order.block;
    worker.next = order.from;
    worker.busy = true;
    worker.deadline = after(limits_.seconds + grace_seconds);
    write_all(worker.orders, &order, sizeof order);  // a dead worker is noticed by its answers
  }

  static Clock::time_point after(double seconds) {
    constexpr double longest = 1e9;
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(std::min(seconds, longest)));
  }

  void listen() {
    std::vector<pollfd> files;
    Clock::time_point first = Clock::time_point::max();
    for (const Worker& worker : workers_) {
      files.push_back({worker.answers, POLLIN, 0});
      first = std::min(first, worker.deadline);
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(first - Clock::now());
    const long long wait = std::clamp<long long>(left.count() + 1, 0, 60'000);
    if (poll(files.data(), files.size(), static_cast<int>(wait)) < 0 && errno != EINTR) {
      throw std::runtime_error(std::string("poll: ") + std::strerror(errno));
    }
    for (std::size_t i = files.size(); i-- > 0;) {
      if ((files[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0) hear(i);
    }
    for (std::size_t i = workers_.size(); i-- > 0;) {
      if (workers_[i].busy && Clock::now() >= workers_[i].deadline) {
        lose(i, true);
      }
    }
  }

  /// Reads what there is; a worker with nothing more to say has died or is not needed.
  void hear(std::size_t index) {
    Worker& worker = workers_[index];
    char block[1 << 16];
    const ssize_t got = read(worker.answers, block, sizeof block);
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) {
      lose(index, false);
      return;
    }
    worker.heard.append(block, static_cast<std::size_t>(got));
    std::size_t at = 0;
    Frame frame{};
    while (worker.heard.size() - at >= sizeof frame) {
      std::memcpy(&frame, worker.heard.data() + at, sizeof frame);
      if (worker.heard.size() - at - sizeof frame < frame.length) break;
      take(worker, frame, worker.heard.substr(at + sizeof frame, frame.length));
      at += sizeof frame + frame.length;
    }
    worker.heard.erase(0, at);
    if (worker.busy) return;
    if (!waiting_.empty() && !worker.spent) {
      give(worker);
    } else {
      bury(worker, false);
      workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(index));
    }
  }

  void take(Worker& worker, const Frame& frame, const std::string& words) {
    if (frame.kind == Kind::begin) {
      worker.deadline = after(limits_.seconds + grace_seconds);
    } else if (frame.kind == Kind::message) {
      what_.hear(frame.item, words);
    } else {
      const auto how =
          static_cast<std::uint64_t>(frame.kind) - static_cast<std::uint64_t>(Kind::finished);
      const End end{static_cast<Ending>(how), words};
      worker.busy = ++worker.next < blocks_[worker.block].size();
      if (is_last(end.how)) {
        if (worker.busy) waiting_.push_back({worker.block, worker.next});
        worker.busy = false;
        worker.spent = true;
      }
      what_.ended(frame.item, end);
    }
  }

  /// The worker ended, or is ended, within an item: the rest of its block goes to another one.
  void lose(std::size_t index, bool overran) {
    Worker worker = std::move(workers_[index]);
    workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(index));
    if (overran) kill(worker.process, SIGKILL);
    const End end = overran
                        ? End{Ending::time, "the time limit of " + seconds_text(limits_.seconds) +
                                                " s was reached"}
                        : post_mortem(worker);
    bury(worker, overran);
    if (!worker.busy) return;
    const std::size_t item = blocks_[worker.block][worker.next];
    if (worker.next + 1 < blocks_[worker.block].size()) {
      waiting_.push_back({worker.block, worker.next + 1});
    }
    what_.ended(item, end);
  }

  /// Why it died. Libraries that get no memory say so and abort.
  End post_mortem(Worker& worker) {
    int status = 0;
    rusage used{};
    wait4(worker.process, &status, 0, &used);
    worker.process = 0;
    char said[4096];
    const ssize_t got = read(worker.errors, said, sizeof said);
    std::string words(said, got > 0 ? static_cast<std::size_t>(got) : 0);
    const bool for_memory = words.find("memory") != std::string::npos ||
                            1024.0 * static_cast<double>(used.ru_maxrss) >
                                cooperative_share * static_cast<double>(limits_.bytes);
    if (for_memory) return {Ending::memory, memory_words(limits_)};
    std::string reason = "internal error: the computation ";
    reason += WIFSIGNALED(status) ? "was ended by signal " + std::to_string(WTERMSIG(status)) +
                                        " (" + strsignal(WTERMSIG(status)) + ")"
                                  : "exited with status " + std::to_string(WEXITSTATUS(status));
    words.resize(std::min(words.size(), longest_words));
    return {Ending::failed, words.empty() ? reason : reason + ": " + words};
  }

  static void bury(Worker& worker, bool by_force) {
    if (worker.process != 0 && by_force) kill(worker.process, SIGKILL);
    close(worker.orders);
    close(worker.answers);
    close(worker.errors);
    if (worker.process != 0) {
      while (waitpid(worker.process, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    worker.process = 0;
  }

  /// No process is to be had: the cooperative limits are all there is.
  void do_here() {
    set_memory_limit(limits_.bytes);
    const Order order = waiting_.back();
    waiting_.pop_back();
    const std::vector<std::size_t>& block = blocks_[order.block];
    for (std::size_t i = order.from; i < block.size(); ++i) {
      const Tell tell = [&](const std::string& message) { what_.hear(block[i], message); };
      what_.ended(block[i], attempt(what_, block[i], tell, limits_));
    }
  }

  const Blocks& blocks_;
  const Backstop& limits_;
  const IsolatedWork& what_;
  std::size_t most_ = 1;
  std::vector<Order> waiting_;
  std::vector<Worker> workers_;
  void (*former_)(int) = SIG_DFL;
};

}  // namespace

void run_isolated(const Blocks& blocks, int processes, const Backstop& limits,
                  const IsolatedWork& what) {
  Pool(blocks, processes, limits, what).run();
}

Blocks single_blocks(std::size_t count) {
  Blocks blocks;
  for (std::size_t i = 0; i < count; ++i) blocks.push_back({i});
  return blocks;
}

}  // namespace plaudit::cli

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
#include <cstdio>
#include <cstring>
#include <iostream>
#include <stdexcept>

#include "cli/worker.hpp"

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace plaudit::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_words = 300;  ///< of standard error in the reason for a death
#ifdef __APPLE__
constexpr std::size_t unit_of_resident_size = 1;  ///< bytes, of rusage::ru_maxrss
#else
constexpr std::size_t unit_of_resident_size = 1024;
#endif

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", seconds);
  return text;
}

struct Worker {
  pid_t process = 0;
  int orders = -1;
  int answers = -1;
  int errors = -1;          ///< its standard error: what libraries say before they abort
  std::string heard = {};   ///< the frame that has not come in whole
  std::string so_far = {};  ///< of the item that is under way
  std::size_t block = 0;
  std::size_t next = 0;  ///< place in the block of the item that is under way
  bool busy = false;
  bool spent = false;                      ///< takes no more orders
  Clock::time_point begun = Clock::now();  ///< of the item that is under way
  Clock::time_point deadline = Clock::time_point::max();

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begun).count(); }
};

/// The workers of one run_isolated(), and the orders that wait for them.
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
    for (Worker& worker : workers_) reap(worker, true);
    std::signal(SIGPIPE, former_);
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void run() {
    while (!waiting_.empty() || !workers_.empty()) {
      if (what_.enough()) {
        waiting_.clear();
        if (workers_.empty()) return;
      }
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
    begin(worker);
    write_all(worker.orders, &order, sizeof order);  // a dead worker is noticed by its answers
  }

  /// The clock of an item starts.
  void begin(Worker& worker) const {
    constexpr double longest = 1e9;
    const double seconds = std::min(limits_.seconds + grace_seconds, longest);
    worker.begun = Clock::now();
    worker.deadline = worker.begun + std::chrono::duration_cast<Clock::duration>(
                                         std::chrono::duration<double>(seconds));
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

  /// Takes what a worker says. One that has ended its block gets the next order or, where there is
  /// none or it is spent, is let go; the end of its answers means that it has died.
  void hear(std::size_t index) {
    Worker& worker = workers_[index];
    if (!read_some(worker)) {
      lose(index, false);
      return;
    }
    if (worker.busy) return;
    if (!waiting_.empty() && !worker.spent && !what_.enough()) {
      give(worker);
    } else {
      reap(worker, false);
      workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(index));
    }
  }

  /// Reads once, waiting if need be, and takes all whole frames; false at the end of the answers.
  bool read_some(Worker& worker) {
    char block[1 << 16];
    const ssize_t got = read(worker.answers, block, sizeof block);
    if (got < 0 && errno == EINTR) return true;
    if (got <= 0) return false;
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
    return true;
  }

  void take(Worker& worker, const Frame& frame, const std::string& words) {
    if (frame.kind == Kind::begin) {
      begin(worker);
      worker.so_far.clear();
    } else if (frame.kind == Kind::so_far) {
      worker.so_far = words;
    } else if (frame.kind == Kind::message) {
      what_.hear(frame.item, words);
    } else if (frame.kind == Kind::status) {
      what_.status(frame.item, static_cast<int>(frame.status));
    } else {
      const auto how =
          static_cast<std::uint64_t>(frame.kind) - static_cast<std::uint64_t>(Kind::finished);
      const End end{static_cast<Ending>(how), words, std::move(worker.so_far), worker.seconds()};
      worker.so_far.clear();
      worker.busy = ++worker.next < blocks_[worker.block].size();
      if (is_last(end.how)) {
        if (worker.busy) waiting_.push_back({worker.block, worker.next});
        worker.busy = false;
        worker.spent = true;
      }
      what_.ended(frame.item, end);
    }
  }

  /// A worker that died, or that is killed for its time: the item under way ends with the reason,
  /// and the rest of its block goes to another worker.
  void lose(std::size_t index, bool overran) {
    Worker worker = std::move(workers_[index]);
    workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(index));
    const std::size_t under_way = worker.next;
    End end;
    if (overran) {
      kill(worker.process, SIGKILL);
      while (worker.busy && read_some(worker)) {  // what it said before it was killed
      }
      end = {Ending::time, "the time limit of " + seconds_text(limits_.seconds) + " s was reached"};
    } else {
      end = post_mortem(worker);
    }
    reap(worker, overran);
    if (!worker.busy) return;
    if (worker.next !=
        under_way) {  // the item had ended just in time; the next one is begun by another worker
      waiting_.push_back({worker.block, worker.next});
      return;
    }
    end.so_far = std::move(worker.so_far);
    end.seconds = worker.seconds();
    const std::size_t item = blocks_[worker.block][worker.next];
    if (worker.next + 1 < blocks_[worker.block].size()) {
      waiting_.push_back({worker.block, worker.next + 1});
    }
    what_.ended(item, end);
  }

  /// Why a worker died. Libraries that get no memory say so and abort, so its last words and its
  /// greatest resident size tell a limit of memory from a defect.
  End post_mortem(Worker& worker) {
    int status = 0;
    rusage used{};
    wait4(worker.process, &status, 0, &used);
    worker.process = 0;
    char said[4096];
    const ssize_t got = read(worker.errors, said, sizeof said);
    std::string words(said, got > 0 ? static_cast<std::size_t>(got) : 0);
    const bool for_memory = words.find("memory") != std::string::npos ||
                            unit_of_resident_size * static_cast<std::size_t>(used.ru_maxrss) >
                                cooperative(limits_.bytes);
    if (for_memory) return {Ending::memory, memory_words(limits_)};
    std::string reason = "internal error: the computation ";
    reason += WIFSIGNALED(status) ? "was ended by signal " + std::to_string(WTERMSIG(status)) +
                                        " (" + strsignal(WTERMSIG(status)) + ")"
                                  : "exited with status " + std::to_string(WEXITSTATUS(status));
    words.resize(std::min(words.size(), longest_words));
    return {Ending::failed, words.empty() ? reason : reason + ": " + words};
  }

  static void reap(Worker& worker, bool by_force) {
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

  /// Does the next block in this process, where no worker can be started: with cooperative limits
  /// only, so that a crash ends the program.
  void do_here() {
    set_memory_limit(cooperative(limits_.bytes));
    const Order order = waiting_.back();
    waiting_.pop_back();
    const std::vector<std::size_t>& block = blocks_[order.block];
    for (std::size_t i = order.from; i < block.size(); ++i) {
      const Clock::time_point begun = Clock::now();
      std::string so_far;
      const Tell tell([&](const std::string& message) { what_.hear(block[i], message); },
                      [&](const std::string& message) { so_far = message; },
                      [&](int status) { what_.status(block[i], status); });
      End end = attempt(what_, block[i], tell, limits_);
      end.so_far = so_far;
      end.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
      what_.ended(block[i], end);
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

#include "cli/worker.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>

#include "api/plaudit/errors.hpp"
#include "lib/work/given_up.hpp"

namespace plaudit::cli {

namespace {

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

void limit_memory(std::size_t bytes) {
  set_memory_limit(cooperative(bytes));
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

/// The end that the exception being handled makes.
End end_by_exception(const Tell& tell, const Backstop& limits) {
  try {
    const GivenUp why = given_up();
    switch (why.cause) {
      case Cause::none:
      case Cause::time:
      case Cause::share:
        return {Ending::time, why.words};
      case Cause::memory:
        return {Ending::memory, memory_words(limits)};
      case Cause::method:
      case Cause::width:
      case Cause::enough:
      case Cause::law:
        return {Ending::beyond, why.words};
      case Cause::contradiction:
        tell.take_back();
        return {Ending::failed, why.words};
      case Cause::defect:
        break;
    }
    return {Ending::failed, why.words};
  } catch (...) {
    return {Ending::failed, "internal error"};
  }
}

}  // namespace

std::string memory_words(const Backstop& limits) {
  return "the memory limit of " + std::to_string(limits.bytes / 1'000'000) + " MB was reached";
}

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

End attempt(const IsolatedWork& what, std::size_t item, const Tell& tell, const Backstop& limits) {
  try {
    what.work(item, tell);
    return {};
  } catch (const PluginError& error) {
    return {Ending::broken, error.what()};
  } catch (const std::invalid_argument& error) {  // SpecError, UsageError, refusals of accountants
    return {Ending::refused, error.what()};
  } catch (...) {
    return end_by_exception(tell, limits);
  }
}

[[noreturn]] void serve(const Blocks& blocks, const Backstop& limits, const IsolatedWork& what,
                        int orders, int answers) {
  limit_memory(limits.bytes);
  const auto say = [&](Kind kind, std::size_t item, const std::string& words, int status = 0) {
    const Frame frame{kind, item, words.size(), status};
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
      const Tell tell([&](const std::string& message) { say(Kind::message, item, message); },
                      [&](const std::string& message) { say(Kind::so_far, item, message); },
                      [&](int status) { say(Kind::status, item, "", status); });
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

}  // namespace plaudit::cli

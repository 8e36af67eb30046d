// The protocol between the calling process and a worker, and what a worker does with its orders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "cli/isolated_work.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PLAUDIT_INSTRUMENTED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PLAUDIT_INSTRUMENTED 1
#endif
#endif

namespace plaudit::cli {

/// Instrumented builds reserve terabytes of addresses and report on standard error.
#ifdef PLAUDIT_INSTRUMENTED
inline constexpr bool instrumented = true;
#else
inline constexpr bool instrumented = false;
#endif

/// The cooperative limit of memory, 80 % of the hard one, so that it is met first. Nearer to the
/// hard one, allocations of libraries fail before it is noticed, and they abort.
inline constexpr std::size_t cooperative(std::size_t bytes) { return bytes / 5 * 4; }
/// "the memory limit of 2000 MB was reached"
std::string memory_words(const Backstop& limits);

/// What a frame says. At `begin` the time of its item starts anew. From `finished` on the values
/// are those of Ending in its order, and the words of the end follow.
enum class Kind : std::uint64_t {
  begin,
  message,
  so_far,
  status,
  finished,
  refused,
  broken,
  time,
  memory,
  beyond,
  failed
};

struct Frame {
  Kind kind;
  std::uint64_t item;
  std::uint64_t length;  ///< in bytes, of the words behind the frame
  std::int64_t status;   ///< of the kind `status`, 0 elsewhere
};

/// False where the other side of the pipe is closed.
bool write_all(int file, const void* data, std::size_t size);

/// The work of one item; every failure becomes an end.
End attempt(const IsolatedWork& what, std::size_t item, const Tell& tell, const Backstop& limits);

/// Ends after which the state of a worker cannot be trusted: a new one does what is left.
inline bool is_last(Ending how) { return how == Ending::memory || how == Ending::failed; }

/// What the calling process asks for: items `from` and up of a block.
struct Order {
  std::uint64_t block;
  std::uint64_t from;
};

/// The life of a worker: limits itself, reads orders from one pipe, answers by the other.
[[noreturn]] void serve(const Blocks& blocks, const Backstop& limits, const IsolatedWork& what,
                        int orders, int answers);

}  // namespace plaudit::cli

// Why a computation ended without its result: its exception as a cause and words.
//
// After limits of time, work and memory (lib/work/work_limit.hpp), after a std::domain_error, by
// which a method says that a question is beyond it, and after defects of libraries the caller goes
// on with what was proven before. A std::logic_error that is none of its subclasses is a
// contradiction: two things were proven of which at most one can be true.
#pragma once

#include <string>
#include <string_view>

namespace plaudit {

enum class Cause {
  none,           ///< the computation was not given up
  time,           ///< the time limit
  share,          ///< a share of counted work
  memory,         ///< the memory limit, or no memory was to be had
  method,         ///< beyond what the method can do
  width,          ///< the usual width of a band for which nobody asked for digits
  enough,         ///< few digits, where nobody asked for more and more are dear
  law,            ///< the law is known by intervals, and no precision narrows what they leave open
  defect,         ///< of plaudit or of a library
  contradiction,  ///< a defect after which nothing that was proven can be relied on
};

/// "time", "work", "memory", "method", "width", "enough", "law",
/// "defect", "contradiction"; nothing for none.
std::string_view name_of(Cause cause);

/// Whether a run with more time or memory may get further.
constexpr bool is_limit(Cause cause) { return cause == Cause::time || cause == Cause::memory; }

struct GivenUp {
  Cause cause = Cause::none;
  std::string words = {};  ///< fit to be a remark on a band
};

/// Cause and words of the exception that is being handled. To be called in `catch (...)`.
/// @throws a std::invalid_argument again: what was asked has no answer, and the asker is told.
GivenUp given_up();

/// The same. @throws a contradiction again too: for searches whose failure means nothing else.
GivenUp given_up_unless_contradiction();

}  // namespace plaudit

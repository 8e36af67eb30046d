// Why a computation ended without its result: the exceptions of computations as a type and words.
//
// Limits of time, work and memory (lib/work/work_limit.hpp), std::domain_error, by which a method
// says that a question is beyond it, and defects of libraries leave what was proven before as it
// is: whoever asked the computation goes on with that. A std::logic_error itself is a
// contradiction: two things were proven of which at most one can be true.
#pragma once

#include <string>
#include <string_view>

namespace plaudit {

enum class Cause {
  none,           ///< it did not end so
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

/// Another run, with more time or memory, may not meet it.
constexpr bool is_limit(Cause cause) { return cause == Cause::time || cause == Cause::memory; }

struct GivenUp {
  Cause cause = Cause::none;
  std::string words = {};  ///< fit to be a remark on a band
};

/// What the exception that is being handled says. To be called in `catch (...)`.
/// @throws it again where it says that something was asked that has no answer
///   (std::invalid_argument): that is for whoever asked.
GivenUp given_up();

/// The same where the exception only means that nothing was found.
/// @throws it again where it is a contradiction too.
GivenUp given_up_unless_contradiction();

}  // namespace plaudit

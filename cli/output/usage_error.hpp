// What a user of the program got wrong; exit status 2.
#pragma once

#include <stdexcept>

namespace plaudit::cli {

/// The message is one line that names the option and its domain.
class UsageError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Exit statuses of the program.
enum ExitStatus {
  exit_done = 0,
  exit_internal_error = 1,
  exit_bad_usage = 2,
  exit_refuted = 3,
  exit_not_reached = 4,
};

}  // namespace plaudit::cli

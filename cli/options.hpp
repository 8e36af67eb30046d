// The options that commands share, and how their texts become exact values.
#pragma once

#include <fstream>
#include <string>

#include "accountants/session/answer.hpp"
#include "cli/command_line.hpp"
#include "cli/isolated.hpp"
#include "lib/exact/rational.hpp"
#include "mechanisms/composition.hpp"
#include "verification/claims/importers.hpp"

namespace plaudit::cli {

/// --timeout and --memory, for commands without the options of a question.
struct LimitOptions {
  double timeout = 60;
  std::size_t memory = default_memory_limit;

  Backstop backstop() const { return {timeout, memory}; }
};

/// The options of a question. `digits_asked` holds without --digits, as answer_options() sees to.
struct Options : AnswerOptions {
  Options() { digits_asked = DigitsAsked::by_nobody; }
  Backstop backstop() const { return {timeout_seconds, memory_bytes}; }

  std::string spec = {};
  std::string delta = {};
  std::string epsilon = {};
  bool explain = false;
  bool json = false;
  std::string certificate = {};
};

/// --timeout and --memory; `what` completes "seconds ...".
void add_limit_options(Command command, LimitOptions& limits, const std::string& what);
void add_limit_options(Command command, Options& options, const std::string& what);
/// --threads.
void add_threads_option(Command command, int& threads);
/// --digits, and --direction.
void add_digits_option(Command command, Options& options);
void add_direction_option(Command command, Options& options);
/// SPEC.
void add_run_option(Command command, Options& options);
/// SPEC, --digits, --direction, --json, --threads, --timeout, --memory.
void add_common_options(Command command, Options& options);
/// --accountant, --explain, --certificate.
void add_answer_options(Command command, Options& options);

/// The file, opened. @throws UsageError with these words where it cannot be read.
std::ifstream open_file(const std::string& path, const std::string& refusal);
/// What the stream has; where that is more than `most` characters, more than `most` of them.
std::string read_stream(std::istream& stream, std::size_t most);

/// The run that SPEC, the file of "@FILE" or standard input ("-") states, as a spec or as JSON of
/// another library (verification/claims/importers.hpp). @throws SpecError, UsageError
ImportedSpec read_run(const Options& options);
/// The spec of read_run(), as text.
std::string spec_text(const Options& options);
AnswerOptions answer_options(const Options& options);

/// Exact values of options. @throws UsageError naming the option and its domain.
Rational read_delta(const std::string& option, const std::string& text);
/// A number in [0, 1]. @param name of the number, for the words of its domain.
Rational read_probability(const std::string& option, const std::string& name,
                          const std::string& text);
Rational read_epsilon(const std::string& option, const std::string& text);

}  // namespace plaudit::cli

#include "cli/options.hpp"

#include <iostream>

#include "cli/usage_error.hpp"
#include "mechanisms/spec.hpp"
#include "mechanisms/spec_error.hpp"
#include "mechanisms/syntax.hpp"

namespace plaudit::cli {

namespace {

constexpr int most_digits = 10000;
constexpr int most_threads = 1024;

/// At most one character more than a spec may have: enough for the parser to refuse it.
std::string read_standard_input() {
  std::string text(syntax::longest_spec + 1, '\0');
  std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::cin.gcount()));
  return text;
}

Rational read_number(const std::string& option, const std::string& text, const char* domain) {
  try {
    return parse_rational(text);
  } catch (const NumberError& error) {
    throw UsageError(option + " must be " + domain + "; " + abbreviated(text) + ' ' + error.what());
  }
}

}  // namespace

void add_common_options(CLI::App& command, Options& options) {
  command
      .add_option("SPEC", options.spec,
                  "what was run, e.g. 'poisson(gaussian(sigma=0.8), rate=0.004)^1000'; "
                  "- reads it from standard input")
      ->required();
  command.add_option("--digits", options.digits, "significant digits wanted in the band's width")
      ->check(CLI::Range(1, most_digits))
      ->capture_default_str();
  command.add_option("--direction", options.direction, "both, remove or add")
      ->check(CLI::IsMember({"both", "remove", "add"}))
      ->capture_default_str();
  command.add_flag("--json", options.json, "print JSON");
  command.add_option("--threads", options.threads, "threads to use")
      ->check(CLI::Range(1, most_threads))
      ->capture_default_str();
  command.add_option("--timeout", options.timeout, "seconds after which a wider band is given")
      ->check(CLI::Range(0.001, 1e7))
      ->capture_default_str();
}

void add_answer_options(CLI::App& command, Options& options) {
  command
      .add_option("--accountant", options.accountant,
                  "a name of `plaudit list accountants`, or auto")
      ->capture_default_str();
  command.add_flag("--explain", options.explain, "print every error term, its size and theorem");
  command.add_option("--certificate", options.certificate,
                     "write a certificate that `plaudit check` proves again");
}

Composition read_composition(const Options& options) {
  return parse_spec(options.spec == "-" ? read_standard_input() : options.spec);
}

AnswerOptions answer_options(const Options& options) {
  AnswerOptions result;
  result.digits = options.digits;
  result.accountant = options.accountant;
  result.direction = options.direction == "remove" ? DirectionChoice::remove
                     : options.direction == "add"  ? DirectionChoice::add
                                                   : DirectionChoice::both;
  result.timeout_seconds = options.timeout;
  result.threads = options.threads;
  return result;
}

Rational read_delta(const std::string& option, const std::string& text) {
  constexpr const char* domain = "a number with 0 <= delta <= 1";
  const Rational delta = read_number(option, text, domain);
  if (delta < 0 || delta > 1) {
    throw UsageError(option + " must be " + domain + ", not " + abbreviated(text));
  }
  return delta;
}

Rational read_epsilon(const std::string& option, const std::string& text) {
  return read_number(option, text, "a real number");
}

}  // namespace plaudit::cli

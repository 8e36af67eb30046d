#include "cli/options.hpp"

#include <filesystem>
#include <iostream>
#include <sstream>

#include "cli/output/usage_error.hpp"
#include "lib/exact/checked_integer.hpp"
#include "mechanisms/language/arguments.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/language/syntax.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::cli {

namespace {

constexpr int most_threads = 1024;

/// The most that is read of a run: a spec is shorter, JSON may be long.
constexpr std::size_t longest_run = 10'000'000;

constexpr const char* seconds_domain = "--timeout must be a number of seconds from 0.001 to 1e7";
constexpr const char* memory_domain =
    "--memory must be a number of bytes from 50M to 1000G, such as 500M or 2G";

/// Seconds of --timeout; infinity and NaN are no numbers of the spec language and are refused.
double seconds_of(const std::string& text) {
  try {
    const Rational seconds = parse_rational(text);
    if (seconds * 1000 >= 1 && seconds <= 10'000'000) return estimate(seconds);
  } catch (const NumberError&) {
  }
  throw UsageError(seconds_domain + (", not " + abbreviated(text)));
}

std::size_t bytes_of(const std::string& text) {
  constexpr std::string_view units = "KMGT";
  const std::size_t unit = text.empty() ? units.npos : units.find(text.back());
  try {
    Rational bytes = parse_rational(text.substr(0, text.size() - (unit == units.npos ? 0 : 1)));
    for (std::size_t i = 0; unit != units.npos && i <= unit; ++i) bytes *= 1000;
    if (bytes >= 50'000'000 && bytes <= 1'000'000'000'000) {
      return Integer(numerator(bytes) / denominator(bytes)).to<std::size_t>();
    }
  } catch (const NumberError&) {
  }
  throw UsageError(memory_domain + (", not " + abbreviated(text)));
}

Rational read_number(const std::string& option, const std::string& text, const char* domain) {
  try {
    return syntax::typed_number(text);
  } catch (const NumberError& error) {
    throw UsageError(option + " must be " + domain + "; " + abbreviated(text) + ' ' + error.what());
  }
}

void add_limits(Command command, double& seconds, std::size_t& bytes, const std::string& what) {
  command
      .option(
          "--timeout", [&seconds](const std::string& text) { seconds = seconds_of(text); },
          "seconds " + what)
      .shows_default(shown(checked_rational(seconds, "--timeout")));
  command
      .option(
          "--memory", [&bytes](const std::string& text) { bytes = bytes_of(text); },
          "most memory of each process, such as 500M or 2G")
      .shows_default("2G");
}

/// The words of help on what happens without --digits.
std::string where_nobody_asks(DigitsAsked unasked) {
  std::string usual = "fourier and prv stop at their usual width";
  if (unasked != DigitsAsked::by_nobody_of_one_number) return usual;
  std::ostringstream text;
  text << "12, but " << digits_that_suffice << " where 12 take more than "
       << work_for_digits_unasked << " s of work, and " << usual;
  return text.str();
}

}  // namespace

void add_threads_option(Command command, int& threads) {
  command.option("--threads", threads, "threads or processes to use")
      .within(1, most_threads)
      .shows_default();
}

void add_limit_options(Command command, LimitOptions& limits, const std::string& what) {
  add_limits(command, limits.timeout, limits.memory, what);
}

void add_limit_options(Command command, Options& options, const std::string& what) {
  add_limits(command, options.timeout_seconds, options.memory_bytes, what);
}

void add_digits_option(Command command, Options& options) {
  command
      .option("--digits", options.digits.wanted,
              "significant digits wanted in the band's width; where none are given, " +
                  where_nobody_asks(options.digits_asked))
      .within(1, most_digits_wanted)
      .tells(options.digits.stated)
      .shows_default();
}

void add_direction_option(Command command, Options& options) {
  command
      .option(
          "--direction",
          [&options](const std::string& text) { options.direction = *direction_choice_of(text); },
          "both, remove or add")
      .one_of({"both", "remove", "add"})
      .shows_default("both");
}

void add_run_option(Command command, Options& options) {
  command
      .option("SPEC", options.spec,
              "what was run, e.g. 'poisson(gaussian(sigma=0.8), rate=0.004)^1000'; @FILE reads it "
              "from a file, - from standard input: a spec, or JSON as Opacus (history, "
              "state_dict) and dp_accounting (DpEvent) write it")
      .required();
}

void add_common_options(Command command, Options& options) {
  add_run_option(command, options);
  add_digits_option(command, options);
  add_direction_option(command, options);
  command.flag("--json", options.json, "print JSON");
  add_threads_option(command, options.threads);
  add_limit_options(command, options, "after which a wider band is given");
}

void add_answer_options(Command command, Options& options) {
  command
      .option("--accountant", options.accountant, "a name of `plaudit list accountants`, or auto")
      .shows_default();
  command.flag("--explain", options.explain, "print every error term, its size and theorem");
  command.option("--certificate", options.certificate,
                 "write a certificate that `plaudit check` proves again (of a wider band where "
                 "this one takes too long to prove; standard error says so)");
}

std::ifstream open_file(const std::string& path, const std::string& refusal) {
  std::error_code problem;
  std::ifstream file(path, std::ios::binary);
  if (std::filesystem::is_directory(path, problem) || !file) throw UsageError(refusal);
  return file;
}

std::string read_stream(std::istream& stream, std::size_t most) {
  std::string text;
  std::vector<char> block(1 << 16);
  while (text.size() <= most &&
         (stream.read(block.data(), static_cast<std::streamsize>(block.size())) ||
          stream.gcount() > 0)) {
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
  }
  return text;
}

ImportedSpec read_run(const Options& options) {
  std::string text = options.spec;
  if (text == "-") {
    text = read_stream(std::cin, longest_run);
  } else if (text.rfind('@', 0) == 0) {
    const std::string path = text.substr(1);
    std::ifstream file =
        open_file(path, "SPEC @" + abbreviated(path) + " must name a readable file");
    text = read_stream(file, longest_run);
  }
  if (text.size() > longest_run) {
    throw SpecError("spec: has over " + std::to_string(longest_run) + " characters");
  }
  try {
    ImportedSpec run = spec_of_text(text);
    run.spec.resize(run.spec.find_last_not_of(" \t\r\n") + 1);  // the end of a line
    return run;
  } catch (const InputError& error) {
    throw SpecError("spec: " + std::string(error.what()));
  }
}

std::string spec_text(const Options& options) { return read_run(options).spec; }

AnswerOptions answer_options(const Options& options) {
  AnswerOptions result = options;
  if (options.digits.stated) result.digits_asked = DigitsAsked::by_user;
  return result;
}

Rational read_probability(const std::string& option, const std::string& name,
                          const std::string& text) {
  const std::string domain = "a number with 0 <= " + name + " <= 1";
  Rational value = read_number(option, text, domain.c_str());
  if (value < 0 || value > 1) {
    throw UsageError(option + " must be " + domain + ", not " + abbreviated(text));
  }
  return value;
}

Rational read_delta(const std::string& option, const std::string& text) {
  return read_probability(option, "delta", text);
}

Rational read_epsilon(const std::string& option, const std::string& text) {
  return read_number(option, text, "a real number");
}

}  // namespace plaudit::cli

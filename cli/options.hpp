// The options that commands share, and how their texts become exact values.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "accountants/answer.hpp"
#include "lib/rational.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit::cli {

struct Options {
  std::string spec;
  std::string delta;
  std::string epsilon;
  int digits = 12;
  std::string accountant = "auto";
  std::string direction = "both";
  bool explain = false;
  bool json = false;
  std::string certificate;
  int threads = 1;
  double timeout = 60;
};

/// SPEC, --digits, --direction, --json, --threads, --timeout.
void add_common_options(CLI::App& command, Options& options);
/// --accountant, --explain, --certificate.
void add_answer_options(CLI::App& command, Options& options);

/// Reads the spec, from standard input where it is "-". @throws SpecError
Composition read_composition(const Options& options);
AnswerOptions answer_options(const Options& options);

/// Exact values. @throws UsageError naming the option and its domain.
Rational read_delta(const std::string& option, const std::string& text);
Rational read_epsilon(const std::string& option, const std::string& text);

}  // namespace plaudit::cli

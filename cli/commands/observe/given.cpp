#include "cli/commands/observe/given.hpp"

#include <random>

#include "cli/output/usage_error.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::cli {

namespace {

constexpr std::size_t longest_scores = 100'000'000;

bool is_count(const std::string& text) {
  return !text.empty() && text.size() <= 10 &&
         text.find_first_not_of("0123456789") == std::string::npos;
}

std::uint64_t count_of(const std::string& option, const std::string& text) {
  if (!is_count(text)) {
    throw UsageError(option + " needs a number, or a seed, of at most ten digits, not " +
                     abbreviated(text));
  }
  return std::stoull(text);
}

/// `wanted` numbers, separated by commas. @throws UsageError that says by `what` which they are
std::vector<std::uint64_t> numbers_of(const std::string& text, std::size_t wanted,
                                      const std::string& what) {
  std::vector<std::uint64_t> numbers;
  const std::vector<std::string> parts = split_at(text, ',');
  for (const std::string& part : parts) {
    if (is_count(part)) numbers.push_back(std::stoull(part));
  }
  if (numbers.size() != wanted || parts.size() != wanted) {
    throw UsageError("--counts must be " + what + ", not " + abbreviated(text));
  }
  return numbers;
}

RunCounts counts_of(const std::string& text) {
  const auto numbers = numbers_of(
      text, 4,
      "K1,N1,K0,N0: of N1 runs with the record and of N0 without it the test said in K1 and K0 "
      "that it is there");
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

Scores read_scores(const ObserveOptions& options) {
  std::ifstream file =
      open_file(options.scores, "--scores " + abbreviated(options.scores) + " cannot be read");
  const std::string text = read_stream(file, longest_scores);
  if (text.size() > longest_scores) {
    throw UsageError("--scores: has over " + std::to_string(longest_scores) + " characters");
  }
  try {
    return text.rfind("PK\x03\x04", 0) == 0 ? scores_from_npz(text) : scores_from_csv(text);
  } catch (const InputError& error) {
    throw UsageError("--scores: " + std::string(error.what()));
  }
}

GivenRuns runs_of(Scores scores, const ObserveOptions& options, const Rational& level) {
  if (options.threshold == "all") {
    return {{}, {ObservedThreshold::Kind::all}, std::move(scores)};
  }
  const std::string split = "split:";
  if (options.threshold.rfind(split, 0) == 0) {
    const std::uint64_t seed =
        count_of("--threshold split:SEED", options.threshold.substr(split.size()));
    const SplitCounts found = split_counts(scores, seed, level);
    return {found.counts, {ObservedThreshold::Kind::split, text_of(found.threshold), seed}, {}};
  }
  try {
    return {counts_at(scores, score_of(options.threshold)), {}, {}};
  } catch (const NumberError& error) {
    throw UsageError("--threshold: " + std::string(error.what()));
  }
}

/// in:K, out:L, or both with a comma between them, in any order.
Guesses guesses_of(const Scores& scores, const std::string& text, GuessedAs& as) {
  std::optional<std::uint64_t> in;
  std::optional<std::uint64_t> out;
  for (const std::string& part : split_at(text, ',')) {
    const bool is_in = part.rfind("in:", 0) == 0;
    if ((!is_in && part.rfind("out:", 0) != 0) || (is_in ? in : out)) {
      throw UsageError(
          "--guesses must be in:K,out:L: how many of the greatest and of the least "
          "scores are guessed, not " +
          abbreviated(text));
    }
    (is_in ? in : out) = count_of("--guesses", part.substr(is_in ? 3 : 4));
  }
  as = in.value_or(0) > 0 && out.value_or(0) > 0 ? GuessedAs::both
       : in.value_or(0) > 0                      ? GuessedAs::in
                                                 : GuessedAs::out;
  return guesses_by_scores(scores, in.value_or(0), out.value_or(0));
}

GivenGuesses guesses_by_file(const ObserveOptions& options) {
  const Scores scores = read_scores(options);
  GivenGuesses given;
  if (options.design == "pairs") {
    std::optional<std::uint64_t> guessed;
    if (!options.guesses.empty()) guessed = count_of("--guesses", options.guesses);
    given.pairing = options.pairing == "random" ? std::random_device()()
                                                : count_of("--pairing SEED", options.pairing);
    given.guesses.push_back(guesses_in_pairs(scores, *given.pairing, guessed));
    return given;
  }
  std::optional<GuessedAs> as;
  for (const std::string& one : split_at(options.guesses, ';')) {
    GuessedAs here = GuessedAs::both;
    given.guesses.push_back(guesses_of(scores, one, here));
    as = as && *as != here ? GuessedAs::both : here;
  }
  given.as = *as;
  return given;
}

}  // namespace

std::vector<std::string> split_at(const std::string& text, char mark) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(mark, start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

GivenRuns read_runs(const ObserveOptions& options, const Rational& level) {
  if (options.counts.empty() == options.scores.empty()) {
    throw UsageError("needs --counts K1,N1,K0,N0, or --scores FILE with --threshold T");
  }
  if (options.scores.empty() != options.threshold.empty()) {
    throw UsageError(
        "--scores goes with --threshold T, which was fixed before the scores, with --threshold "
        "all, or with --threshold split:SEED");
  }
  if (!options.counts.empty()) return {counts_of(options.counts), {}, {}};
  return runs_of(read_scores(options), options, level);
}

GivenGuesses read_guesses(const ObserveOptions& options) {
  if (options.counts.empty() == options.scores.empty()) {
    throw UsageError("needs --counts V,R,M, or --scores FILE");
  }
  if (!options.scores.empty()) {
    if (options.design == "coins" && options.guesses.empty()) {
      throw UsageError("--scores goes with --guesses in:K,out:L, fixed before the scores");
    }
    if (options.design == "pairs" && options.pairing.empty()) {
      throw UsageError("--scores goes with --pairing SEED, drawn at random, or --pairing random");
    }
    return guesses_by_file(options);
  }
  GivenGuesses given;
  given.as = guessed_as(options.guessed);
  for (const std::string& one : split_at(options.counts, ';')) {
    const auto numbers = numbers_of(
        one, 3, "V,R,M: of M canaries R were guessed, V of them rightly; several between ;");
    given.guesses.push_back({numbers[2], numbers[1], numbers[0]});
  }
  return given;
}

GuessedSequence read_sequence(const ObserveOptions& options) {
  const auto numbers = numbers_of(options.counts, 3, "RIGHT,WRONG,ABSTAINED");
  return {numbers[0], numbers[1], numbers[2]};
}

}  // namespace plaudit::cli

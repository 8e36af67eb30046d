// The public interface: what was observed against what was claimed.
#include "api/core.hpp"

// After the inner names, see api/core.hpp.
#include "plaudit/observe.hpp"

namespace plaudit::inline v0 {

namespace {

Real end_of(const Ball& x, bool upper) {
  const core::Interval interval = enclose(x);
  return to_public(upper ? interval.upper : interval.lower);
}

ObservedRuns::Limits limits_of(const FromCounts& found) {
  ObservedRuns::Limits limits{end_of(Ball(found.fpr), true),
                              end_of(Ball(1 - found.fnr), false),
                              {},
                              end_of(found.mu, false)};
  for (const Ball& epsilon : found.epsilons) limits.epsilon_lower.push_back(end_of(epsilon, false));
  return limits;
}

ObservedRuns runs_of(const Observation& found, const ErrorCounts& counts,
                     const std::vector<RateLimits>& rates, const Rational& level,
                     const core::Composition& composition, ObservedThreshold::Kind kind) {
  std::vector<std::pair<std::string, std::string>> texts;
  texts.reserve(rates.size());
  for (const RateLimits& one : rates) texts.emplace_back(to_string(one.fpr), to_string(one.fnr));
  const Count& positives = counts.false_positives;
  const Count& negatives = counts.false_negatives;
  return {std::string(name_of(verdict_of(found.p_value, level))),
          end_of(found.p_value.lower, false),
          end_of(found.p_value.upper, true),
          limits_of(found.found),
          end_of(found.ceiling_p_value.lower, false),
          end_of(found.ceiling_p_value.upper, true),
          limits_of(found.ceiling),
          observation_assumptions(composition.adjacency(), kind),
          found.p_value.remark,
          {negatives.trials - negatives.of, negatives.trials, positives.of, positives.trials},
          kind == ObservedThreshold::Kind::all,
          std::move(texts)};
}

std::vector<Rational> exact_deltas(const std::vector<Number>& deltas) {
  std::vector<Rational> exact_ones;
  exact_ones.reserve(deltas.size());
  for (const Number& delta : deltas) exact_ones.push_back(exact(delta, "delta"));
  return exact_ones;
}

ObservedRuns of_counts(const Composition& claim, const RunCounts& counts,
                       ObservedThreshold::Kind kind, const Number& level,
                       const std::vector<Number>& deltas, const Options& options) {
  const ObserveQuestion question{errors_of(counts), exact(level, "level"), exact_deltas(deltas)};
  const core::Composition& composition = claim.data().composition;
  const Observation found = observe(composition, question, core_options(options));
  return runs_of(found, question.counts, {{found.found.fpr, found.found.fnr}}, question.level,
                 composition, kind);
}

std::vector<Score> scores_of(const std::vector<double>& given) {
  std::vector<Score> scores;
  scores.reserve(given.size());
  for (const double score : given) scores.push_back(score_of(score));
  return scores;
}

Scores scores_of(const TestScores& given) {
  return {scores_of(given.with_record), scores_of(given.without_record)};
}

ObservedGuesses::Numbers numbers_of(const OneRunNumbers& found) {
  ObservedGuesses::Numbers numbers{end_of(found.p_value, true), {}, end_of(found.mu, false)};
  for (const Ball& epsilon : found.epsilons)
    numbers.epsilon_lower.push_back(end_of(epsilon, false));
  return numbers;
}

std::vector<ObservedGuesses::Line> lines_of(const OneRunNumbers& found) {
  const std::vector<CurveLine> one{found.line};
  std::vector<ObservedGuesses::Line> lines;
  for (const CurveLine& line : found.lines.lines.empty() ? one : found.lines.lines) {
    lines.push_back({to_string(line.lambda), to_string(line.delta), to_string(line.cap)});
  }
  return lines;
}

OneRunQuestion question_of(const std::vector<GuessedCoins>& guesses, const GuessesDesign& design,
                           const Number& level, const std::vector<Number>& deltas) {
  OneRunQuestion question;
  for (const GuessedCoins& one : guesses) {
    question.guesses.push_back({one.canaries, one.guessed, one.right});
    if (one.kinds_fixed) question.of_any_kinds = false;
  }
  question.as = guessed_as(design.guessed);
  question.level = exact(level, "level");
  question.deltas = exact_deltas(deltas);
  question.independent = design.independent;
  return question;
}

GuessedCoins coins_of(const Guesses& guesses) {
  return {guesses.right, guesses.guessed, guesses.canaries};
}

}  // namespace

ObservedRuns observe_counts(const Composition& claim, const TestedRuns& runs, const Number& level,
                            const std::vector<Number>& deltas, const Options& options) {
  return of_counts(
      claim, {runs.true_positives, runs.with_record, runs.false_positives, runs.without_record},
      ObservedThreshold::Kind::fixed, level, deltas, options);
}

ObservedRuns observe_scores(const Composition& claim, const TestScores& scores,
                            const std::optional<Number>& threshold, const Number& level,
                            const std::vector<Number>& deltas, const Options& options) {
  const Scores given = scores_of(scores);
  if (threshold) {
    const Score at{0, exact(*threshold, "threshold")};
    return of_counts(claim, counts_at(given, at), ObservedThreshold::Kind::fixed, level, deltas,
                     options);
  }
  const Rational exact_level = exact(level, "level");
  const core::Composition& composition = claim.data().composition;
  const ObservationAtAll found =
      observe_all(composition, given, exact_level, exact_deltas(deltas), core_options(options));
  return runs_of(found, found.counts, found.rates, exact_level, composition,
                 ObservedThreshold::Kind::all);
}

ObservedRuns observe_split(const Composition& claim, const TestScores& scores, std::uint64_t seed,
                           const Number& level, const std::vector<Number>& deltas,
                           const Options& options) {
  const SplitCounts found = split_counts(scores_of(scores), seed, exact(level, "level"));
  return of_counts(claim, found.counts, ObservedThreshold::Kind::split, level, deltas, options);
}

GuessedCoins guess_by_scores(const TestScores& scores, std::uint64_t in, std::uint64_t out) {
  GuessedCoins coins = coins_of(guesses_by_scores(scores_of(scores), in, out));
  coins.kinds_fixed = true;
  return coins;
}

GuessedCoins guess_in_pairs(const TestScores& scores, std::uint64_t seed,
                            std::optional<std::uint64_t> guessed) {
  return coins_of(guesses_in_pairs(scores_of(scores), seed, guessed));
}

ObservedGuesses observe_guesses(const Composition& claim, const std::vector<GuessedCoins>& guesses,
                                const GuessesDesign& design, const Number& level,
                                const std::vector<Number>& deltas, const Options& options) {
  const OneRunQuestion question = question_of(guesses, design, level, deltas);
  const core::Composition& composition = claim.data().composition;
  const CoinsOf coins = design.pairs ? CoinsOf::pairs : CoinsOf::canaries;
  check_coins(composition.adjacency(), coins, question.as);
  const OneRunObservation found = observe_one_run(composition, question, core_options(options));
  return {std::string(name_of(verdict_of(found.found, question.level))),
          numbers_of(found.found),
          numbers_of(found.ceiling),
          end_of(found.none_below, false),
          lines_of(found.found),
          to_string(found.found.lines.lines.empty() ? Rational(0) : found.found.lines.least),
          one_run_assumptions(composition.adjacency(), coins, question),
          found.remark};
}

ObservationCertificate certify_observation(const Composition& claim, const TestedRuns& runs,
                                           const Number& level, const std::vector<Number>& deltas,
                                           const Options& options) {
  const ErrorCounts counts =
      errors_of({runs.true_positives, runs.with_record, runs.false_positives, runs.without_record});
  const core::Certificate made = observation_certificate(
      claim.data().composition,
      ObserveQuestion{counts, exact(level, "level"), exact_deltas(deltas)}, core_options(options));
  return {made.text, made.remark};
}

ObservationCertificate certify_observation(const Composition& claim,
                                           const std::vector<GuessedCoins>& guesses,
                                           const GuessesDesign& design, const Number& level,
                                           const std::vector<Number>& deltas,
                                           const Options& options) {
  const OneRunQuestion question = question_of(guesses, design, level, deltas);
  if (guesses.empty()) throw SpecError("guesses: there are none");
  check_coins(claim.data().composition.adjacency(),
              design.pairs ? CoinsOf::pairs : CoinsOf::canaries, question.as);
  const core::Certificate made = observation_certificate(claim.data().composition, question,
                                                         design.pairs, core_options(options));
  return {made.text, made.remark};
}

std::string observed_svg(const Composition& claim, const ObservedRuns& seen, const Number& level,
                         double width, const Options& options) {
  std::vector<RateLimits> rates;
  for (const auto& [fpr, fnr] : seen.rates) {
    rates.push_back({parse_rational(fpr), parse_rational(fnr)});
  }
  pictures::check_width(width);
  return pictures::roc_svg(
      roc_of_runs(claim.data().composition, rates, exact(level, "level"), core_options(options)),
      width);
}

}  // namespace plaudit::inline v0

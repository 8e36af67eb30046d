#include "verification/certificates/observation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "lib/analysis/least_value.hpp"
#include "lib/balls/binomial.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/checker/observation.hpp"
#include "verification/checker/statements.hpp"

namespace plaudit {

namespace {

using Json = nlohmann::ordered_json;

/// x as a multiple of 2^-bits, rounded down or up.
Rational short_below(const Rational& x, unsigned long bits) {
  const Integer whole = Integer(1) << bits;
  return {floor_of(x * Rational(whole)), whole};
}
Rational short_above(const Rational& x, unsigned long bits) { return -short_below(-x, bits); }

/// Bits after the point of short numbers, so that no number in the checker's sums has more than the
/// 2^22 bits that it takes. @param whole bits of their whole part
unsigned long bits_for(std::uint64_t trials, double whole) {
  const double most = std::floor(0x1p22 / static_cast<double>(trials) - whole - 2);
  if (most < 16) {
    throw NoCertificate("no certificate: " + std::to_string(trials) +
                        " are more than exact sums are made of; they are for some 200000");
  }
  return static_cast<unsigned long>(clamped_integer(most, 16, 48));
}

std::string shown_p_value(const Ball& p_value) { return decimal_above(p_value, 4); }

/// A certificate that grows.
class Document {
 public:
  Document(const Composition& claim, AnswerOptions options, const std::string& design,
           const Rational& level)
      : claim_(claim), options_(std::move(options)), level_(level) {
    options_.attack = false;
    options_.proven = {};
    json_ = Json::parse(
        write_certificate(claim, {Quantity::delta, 0, "0", "1"}, {}, options_.timeout_seconds)
            .text);
    for (const char* none : {"quantity", "argument", "lower", "upper", "statements"}) {
      json_.erase(none);
    }
    seen["design"] = design;
    seen["level"] = to_string(level);
  }

  /// An upper bound of delta in one direction, with its proof among the statements.
  Rational proven_delta(Direction direction, const Rational& epsilon) {
    if (claim_.symmetric() && !statements_.empty()) return proven_;
    AnswerOptions how = options_;
    how.direction = direction == Direction::remove ? DirectionChoice::remove : DirectionChoice::add;
    const Answer answer = Session(claim_, how).answer(Quantity::delta, epsilon);
    const Json part = Json::parse(
        write_certificate(
            claim_, {Quantity::delta, epsilon, "0", decimal_above(answer.band.upper, 6), true},
            answer, how.timeout_seconds)
            .text);
    for (const Json& statement : part["statements"]) statements_.push_back(statement);
    proven_ = parse_rational(part["upper"].get<std::string>());
    return proven_;
  }

  /// The refutation by this line, if it is one.
  void refute(const Ball& p_value, const Rational& epsilon, const Rational& lambda,
              const std::map<Direction, Rational>& deltas, const Json& fields) {
    if (!certainly_less_equal(p_value, Ball(level_))) {
      remark_ = "the certificate has no refutation: one line of the curve gives a p-value of " +
                shown_p_value(p_value);
      statements_ = Json::array();
      return;
    }
    Json refutation = {{"p_value", shown_p_value(p_value)}};
    // Rounding up may pass the level.
    if (parse_rational(shown_p_value(p_value)) > level_) refutation["p_value"] = to_string(level_);
    refutation["line"] = {{"epsilon", to_string(epsilon)}, {"lambda", to_string(lambda)}};
    for (const auto& [direction, delta] : deltas) {
      refutation["line"][std::string(name_of(direction))] = to_string(delta);
    }
    refutation.update(fields);
    seen["refutation"] = std::move(refutation);
  }

  Certificate written(bool independent = false) {
    if (!seen.contains("refutation") && !seen.contains("limits")) {
      throw NoCertificate("no certificate: neither a refutation nor a lower end above 0; " +
                          remark_);
    }
    seen["assumptions"] = proof::observed_assumptions(seen["design"], independent);
    json_["observation"] = std::move(seen);
    json_["statements"] = std::move(statements_);
    const std::string text = json_.dump(1) + "\n";
    const std::string problem = proof::problem_before_proofs(text);
    if (!problem.empty()) throw NoCertificate("no certificate: " + problem);
    return {text, remark_};
  }

 private:
  const Composition& claim_;
  AnswerOptions options_;
  Rational level_;
  Json json_;
  Json statements_ = Json::array();
  Rational proven_;
  std::string remark_;

 public:
  Json seen;  ///< the observation
};

/// A line of the claimed curve, and where on it the tails of both counts of errors are equal.
struct LineOfRuns {
  double value = 1e300;  ///< the logarithm of both tails
  DirectionChoice direction = DirectionChoice::remove;
  Rational epsilon;
  Rational rate;  ///< of false positives, of a test of this direction
};

/// Where the tails of both counts cross along a line, in doubles: the rate, and their logarithm.
std::pair<double, double> crossing(const ErrorCounts& counts, double lambda, double delta) {
  const auto sides = [&](double x) {
    const double other = std::clamp(1 - lambda * x - delta, 0.0, 1.0);
    return std::pair(
        at_most(counts.false_positives, checked_rational(x, "rate")).estimate_log(),
        at_most(counts.false_negatives, checked_rational(other, "rate")).estimate_log());
  };
  double low = 0;
  double high = std::max(0.0, (1 - delta) / lambda);
  for (int i = 0; i < 45; ++i) {
    const double middle = (low + high) / 2;
    const auto [left, right] = sides(middle);
    (left > right ? low : high) = middle;
  }
  const auto [left, right] = sides(high);
  return {high, std::max(left, right)};
}

LineOfRuns best_line_of_runs(const Composition& claim, const ErrorCounts& given,
                             const AnswerOptions& options) {
  LineOfRuns best;
  for (const DirectionChoice one : {DirectionChoice::remove, DirectionChoice::add}) {
    if (options.direction != DirectionChoice::both && options.direction != one) continue;
    const ErrorCounts counts = one == DirectionChoice::remove ? given : given.exchanged();
    AnswerOptions how = options;
    how.direction = one;
    how.attack = false;
    Session session(claim, how);
    const Count& errors = counts.false_positives;
    const double most =
        1 + std::log(static_cast<double>(errors.trials) / (static_cast<double>(errors.of) + 0.5));
    least_value(0, most, 24, [&](double given_epsilon) {
      const Rational epsilon(clamped_integer(given_epsilon * 1000, 0, most_index), 1000);
      const double delta = session.answer(Quantity::delta, epsilon).band.upper.upper_double();
      const auto [rate, value] = crossing(counts, std::exp(estimate(epsilon)), delta);
      if (value < best.value) {
        best = {value, one, epsilon, checked_rational(rate, "rate")};
      }
      return value;
    });
  }
  return best;
}

// Proof: docs/certificates/observation.md#runs
void refute_runs(Document& document, const Composition& claim, const ObserveQuestion& question,
                 unsigned long bits, const AnswerOptions& options) {
  const LineOfRuns line = best_line_of_runs(claim, question.counts, options);
  const bool remove = line.direction == DirectionChoice::remove;
  const Direction direction = remove ? Direction::remove : Direction::add;
  const Rational delta = document.proven_delta(direction, line.epsilon);
  const Rational lambda = short_above(upper_exponential(line.epsilon), bits);
  const Rational rate = short_above(line.rate, bits);
  const Rational other = short_below(1 - lambda * rate - delta, bits);
  if (rate <= 0 || other <= 0) return document.refute(1, line.epsilon, lambda, {}, {});
  const ErrorCounts counts = remove ? question.counts : question.counts.exchanged();
  const Ball p_value =
      2 * max(at_most(counts.false_positives, rate), at_most(counts.false_negatives, other));
  document.refute(
      p_value, line.epsilon, lambda, {{direction, delta}},
      {{"fpr", to_string(remove ? rate : other)}, {"fnr", to_string(remove ? other : rate)}});
}

void limit_runs(Document& document, const ObserveQuestion& question, unsigned long bits) {
  const FromCounts found = from_counts(question);
  const Rational fpr = short_above(found.fpr, bits);
  const Rational fnr = short_above(found.fnr, bits);
  Json ends = Json::array();
  for (const Rational& delta : question.deltas) {
    const Ball epsilon = epsilon_from(fpr, fnr, delta);
    if (!certainly_positive(epsilon)) continue;
    ends.push_back({{"delta", to_string(delta)}, {"at_least", decimal_below(epsilon, 10)}});
  }
  if (ends.empty()) return;
  document.seen["limits"] = {
      {"fpr", to_string(fpr)}, {"fnr", to_string(fnr)}, {"epsilon", std::move(ends)}};
}

/// The deltas of the line in the directions of the guesses; returns half of their sum.
Rational mean_of(Document& document, GuessedAs as, const Rational& epsilon,
                 std::map<Direction, Rational>& deltas) {
  if (as != GuessedAs::out) {
    deltas[Direction::remove] = document.proven_delta(Direction::remove, epsilon);
  }
  if (as != GuessedAs::in) {
    deltas[Direction::add] = document.proven_delta(Direction::add, epsilon);
  }
  Rational sum = 0;
  for (const auto& one : deltas) sum += one.second;
  return sum / 2;
}

// Proof: docs/certificates/observation.md#guesses
void limit_guesses(Document& document, const OneRunQuestion& question, const Guesses& guesses) {
  Json ends = Json::array();
  const Rational share =
      question.level / Rational((question.deltas.size() + 1) * question.guesses.size());
  for (const Rational& delta : question.deltas) {
    const Rational mean = question.as == GuessedAs::both ? delta : Rational(delta / 2);
    const Ball epsilon = epsilon_of_guesses(guesses, mean, share);
    const unsigned long bits = bits_for(guesses.guessed, epsilon.estimate() / std::log(2.0) + 1);
    const Rational lambda = short_below(exact_rational(exp(epsilon).lower()), bits);
    if (lambda <= 1) continue;
    ends.push_back({{"delta", to_string(delta)},
                    {"at_least", decimal_below(log(Ball(lambda)), 10)},
                    {"lambda", to_string(lambda)}});
  }
  if (!ends.empty()) document.seen["limits"] = {{"epsilon", std::move(ends)}};
}

}  // namespace

Certificate observation_certificate(const Composition& claim, const ObserveQuestion& question,
                                    const AnswerOptions& options) {
  check_levels(question.level, question.deltas);
  const PrecisionScope precision(128);
  const Count& positives = question.counts.false_positives;
  const Count& negatives = question.counts.false_negatives;
  const unsigned long bits = bits_for(std::max(positives.trials, negatives.trials), 0);
  Document document(claim, options, "runs", question.level);
  document.seen["counts"] = {{"false_positives", positives.of},
                             {"without_record", positives.trials},
                             {"false_negatives", negatives.of},
                             {"with_record", negatives.trials}};
  if (positives.of == positives.trials || negatives.of == negatives.trials) {
    throw NoCertificate("no certificate: errors in all runs of a kind say nothing");
  }
  refute_runs(document, claim, question, bits, options);
  limit_runs(document, question, bits);
  return document.written();
}

Certificate observation_certificate(const Composition& claim, const OneRunQuestion& question,
                                    bool pairs, const AnswerOptions& options) {
  check_levels(question.level, question.deltas);
  const PrecisionScope precision(128);
  GuessedCurve curve(claim, options, question.as);
  OneRunNumbers best;
  Guesses guesses = question.guesses.at(0);
  for (const Guesses& one : question.guesses) {
    check_guesses(one);
    const OneRunNumbers found = question.independent ? OneRunNumbers() : best_line(curve, one);
    if (!certainly_less(found.p_value, best.p_value)) continue;
    best = found;
    guesses = one;
  }
  Document document(claim, options, pairs ? "pairs" : "coins", question.level);
  document.seen["independent"] = question.independent;
  document.seen["counts"] = {
      {"right", guesses.right}, {"guessed", guesses.guessed}, {"canaries", guesses.canaries}};
  if (!pairs) {
    document.seen["kind"] = question.as == GuessedAs::both ? "both"
                            : question.as == GuessedAs::in ? "in"
                                                           : "out";
  }
  document.seen["tests"] = question.guesses.size();
  std::map<Direction, Rational> deltas;
  const Rational mean = mean_of(document, question.as, best.line.epsilon, deltas);
  const Rational lambda =
      short_above(best.line.lambda,
                  bits_for(guesses.guessed, estimate_log(best.line.lambda) / std::log(2.0) + 1));
  Rational advantage = mean;
  for (const auto& one : deltas) advantage = std::max(advantage, one.second);
  const Ball p_value = question.independent
                           ? binomial_tail(guesses.guessed, (1 + advantage) / 2, guesses.right)
                           : greatest_probability(guesses, lambda, Ball(mean));
  document.refute(Ball(question.guesses.size()) * p_value, best.line.epsilon, lambda, deltas,
                  Json::object());
  if (!question.independent) limit_guesses(document, question, guesses);
  return document.written(question.independent);
}

Certificate observation_certificate(const Composition& claim, const GuessedSequence& guesses,
                                    const Rational& epsilon, const Rational& stake,
                                    const Rational& level, const AnswerOptions& options) {
  const PrecisionScope precision(128);
  Document document(claim, options, "sequence", level);
  document.seen["counts"] = {
      {"right", guesses.right}, {"wrong", guesses.wrong}, {"abstained", guesses.abstained}};
  std::map<Direction, Rational> deltas;
  const Rational mean = mean_of(document, GuessedAs::both, epsilon, deltas);
  const Rational lambda = short_above(upper_exponential(epsilon), 20);
  const Rational p_value = p_value_of_bets(e_value(guesses, {lambda, mean, stake}));
  document.refute(Ball(p_value), epsilon, lambda, deltas, {{"stake", to_string(stake)}});
  return document.written();
}

}  // namespace plaudit

#include "verification/checker/observation.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "accountants/proof/kinds/counts.hpp"

namespace plaudit::proof {

namespace {

/// At most ten million, as everywhere.
long read_count(Fields& counts, const char* name, long least) {
  return counts.integer(name, least, 10'000'000);
}

Errors read_errors(Fields& counts, const char* of, const char* trials) {
  const long all = read_count(counts, trials, 1);
  return {counts.integer(of, 0, all), all};
}

/// A line of the claimed curve, delta(log lambda) <= remove and <= add.
struct Line {
  Rational epsilon;
  Rational lambda;
  std::optional<Rational> remove;
  std::optional<Rational> add;
};

void require_bound(const Line& line, Direction direction, const Rational& delta, const Spec& spec,
                   const std::vector<CurveBound>& known) {
  require(delta >= 0 && delta <= 1, "line: a delta lies in [0, 1]");
  for (const CurveBound& one : known) {
    const bool concerned = one.direction == direction || spec.symmetric;
    // delta(e) does not increase with e.
    if (concerned && one.epsilon <= line.epsilon && one.most <= delta) return;
  }
  throw Rejected(std::string("line: no statement bounds delta so in the direction ") +
                 (direction == Direction::remove ? "remove" : "add"));
}

Line read_line(Fields fields, const Spec& spec, const std::vector<CurveBound>& known) {
  Line line{fields.exact("epsilon"), fields.exact("lambda"), {}, {}};
  if (fields.has("remove")) line.remove = fields.exact("remove");
  if (fields.has("add")) line.add = fields.exact("add");
  fields.done();
  require(exponential_at_most(line.epsilon, line.lambda),
          "line: lambda is not proven to be at least e^epsilon");
  if (line.remove) require_bound(line, Direction::remove, *line.remove, spec, known);
  if (line.add) require_bound(line, Direction::add, *line.add, spec, known);
  return line;
}

Rational mean_of(const Line& line, const std::string& kind) {
  require(line.remove.has_value() == (kind != "out") && line.add.has_value() == (kind != "in"),
          "line: must have the directions of the guesses and no other");
  return mean_of_directions(line.remove.value_or(0), line.add.value_or(0));
}

Rational read_p_value(Fields& fields, const Rational& level) {
  Rational p_value = fields.exact("p_value");
  require(p_value > 0 && p_value <= level, "p_value: must be in (0, level]");
  return p_value;
}

std::string at_level(const Rational& level) { return "the level " + plaudit::to_string(level); }

std::string refuted_text(const Rational& p_value) {
  return "refute the claim: p-value <= " + plaudit::to_string(p_value);
}

/// The ends that are claimed, {delta, at_least} each, by a proof of e^at_least <= what is returned.
template <class Most>
std::string read_ends(Fields& fields, const Rational& level, const Most& most) {
  std::vector<Fields> ends = fields.objects("epsilon", 64);
  require(!ends.empty(), "limits: there are none");
  std::string text;
  for (Fields& end : ends) {
    const Rational delta = end.exact("delta");
    require(delta >= 0 && delta <= 1, end.where() + ": a delta lies in [0, 1]");
    const Rational epsilon = end.exact("at_least");
    require(exponential_at_most(epsilon, most(end, delta, ends.size())),
            end.where() + ": epsilon is not proven to be so large");
    end.done();
    text += (text.empty() ? "" : ", ") + std::string("epsilon at delta = ") +
            plaudit::to_string(delta) + " >= " + plaudit::to_string(epsilon);
  }
  fields.done();
  return "whatever was claimed, but for a probability of " + plaudit::to_string(level) + ": " +
         text;
}

// Proof: docs/certificates/observation.md#runs
std::string prove_runs(Fields& fields, const Rational& level, const Spec& spec,
                       const std::vector<CurveBound>& known, Budget& budget) {
  Fields counts = fields.object("counts");
  const Errors positives = read_errors(counts, "false_positives", "without_record");
  const Errors negatives = read_errors(counts, "false_negatives", "with_record");
  counts.done();
  const auto of = [](const Errors& errors) {
    return std::to_string(errors.of) + " of " + std::to_string(errors.trials);
  };
  std::string text = "false positives in " + of(positives) + " runs, false negatives in " +
                     of(negatives) + " runs";
  const auto require_rates = [&](Fields& of_rates, const Rational& most) {
    std::pair rates(of_rates.exact("fpr"), of_rates.exact("fnr"));
    require_errors(positives, rates.first, most, "fpr", budget);
    require_errors(negatives, rates.second, most, "fnr", budget);
    return rates;
  };
  if (fields.has("refutation")) {
    Fields refutation = fields.object("refutation");
    const Rational p_value = read_p_value(refutation, level);
    const Line line = read_line(refutation.object("line"), spec, known);
    require(line.remove.has_value() != line.add.has_value(), "line: must have one direction");
    const auto [fpr, fnr] = require_rates(refutation, p_value);
    refutation.done();
    require(line.remove ? fnr <= 1 - line.lambda * fpr - *line.remove
                        : fpr <= 1 - line.lambda * fnr - *line.add,
            "the claim has a test with less than these rates");
    text += " " + refuted_text(p_value) + ", at " + at_level(level);
  }
  if (fields.has("limits")) {
    Fields limits = fields.object("limits");
    const auto [fpr, fnr] = require_rates(limits, level);
    text += "; " + read_ends(limits, level,
                             [a = fpr, c = fnr](Fields&, const Rational& delta, std::size_t) {
                               return std::max((1 - c - delta) / a, (1 - a - delta) / c);
                             });
  }
  return text;
}

// Proof: docs/certificates/observation.md#guesses
std::string prove_guesses(Fields& fields, const std::string& design, bool independent,
                          const Rational& level, const Spec& spec,
                          const std::vector<CurveBound>& known, Budget& budget) {
  require(
      design == "coins" || spec.adjacency.kind == "replace" || spec.adjacency.kind == "as_stated",
      "pairs exchange records: the claim must be of replace");
  Fields counts = fields.object("counts");
  const long canaries = read_count(counts, "canaries", 1);
  const long guessed = counts.integer("guessed", 1, canaries);
  const GuessedRightly guesses{counts.integer("right", 0, guessed), guessed, canaries};
  counts.done();
  const std::string kind = design == "pairs" ? "both" : fields.word("kind", {"both", "in", "out"});
  const Rational tests = fields.integer("tests", 1, 1000);
  require(!independent || (tests == 1 && kind == "both"),
          "independent canaries: one test of guesses of both kinds");
  std::string text = std::to_string(guesses.right) + " right ones of " +
                     std::to_string(guesses.guessed) + " guesses about " +
                     std::to_string(canaries) + " coins";
  if (kind != "both") text += ", all of them " + kind + ",";
  if (tests > 1) text += " in one of " + plaudit::to_string(tests) + " tests";
  if (fields.has("refutation")) {
    Fields refutation = fields.object("refutation");
    const Rational p_value = read_p_value(refutation, level);
    const Line line = read_line(refutation.object("line"), spec, known);
    const Rational mean = mean_of(line, kind);
    refutation.done();
    const Rational share = p_value / tests;
    if (independent) {
      require(line.epsilon <= 0, "line: of independent canaries delta(0) counts");
      require_independent(guesses, std::max(*line.remove, *line.add), share, budget);
    } else {
      require_guesses(guesses, line.lambda, mean, share, budget);
    }
    text += " " + refuted_text(p_value) + ", at " + at_level(level);
  }
  if (fields.has("limits")) {
    require(!independent, "limits: of independent canaries none is proven");
    Fields limits = fields.object("limits");
    text += "; " +
            read_ends(limits, level, [&](Fields& end, const Rational& delta, std::size_t together) {
              Rational lambda = end.exact("lambda");
              require(lambda >= 1, end.where() + ": lambda must be at least 1");
              const Rational mean = kind == "both" ? delta : delta / 2;
              require_guesses(guesses, lambda, mean, level / (tests * Rational(together)), budget);
              return lambda;
            });
  }
  return text;
}

// Proof: docs/certificates/observation.md#bets
std::string prove_bets(Fields& fields, const Rational& level, const Spec& spec,
                       const std::vector<CurveBound>& known, Budget& budget) {
  Fields counts = fields.object("counts");
  const long right = read_count(counts, "right", 0);
  const long wrong = read_count(counts, "wrong", 0);
  const long abstained = read_count(counts, "abstained", 0);
  counts.done();
  Fields refutation = fields.object("refutation");
  const Rational p_value = read_p_value(refutation, level);
  const Line line = read_line(refutation.object("line"), spec, known);
  const Rational delta = mean_of(line, "both");
  const Rational stake = refutation.exact("stake");
  refutation.done();
  require_bets({right, wrong, abstained}, line.lambda, delta, stake, p_value, budget);
  return std::to_string(right) + " right bets, " + std::to_string(wrong) + " wrong ones and " +
         std::to_string(abstained) + " abstentions " + refuted_text(p_value) + ", at " +
         at_level(level);
}

}  // namespace

std::vector<std::string> observed_assumptions(const std::string& design, bool independent) {
  if (design == "runs") {
    return {"the runs are independent of each other; those of one kind have the same law",
            "the test, and its threshold or how other runs chose it, were fixed before the counted "
            "runs; the counts are theirs",
            "the test sees what a run releases, and nothing of its random choices",
            "runs with and without the record differ as the adjacency says"};
  }
  if (design == "sequence") {
    return {"each guess is about a fair coin of its own run, which nothing before the run knows",
            "the line and the stake were fixed before the first run; the counts are those of all "
            "bets",
            "guesses come from what the runs released, without these coins",
            "the sides of a coin differ as the adjacency says"};
  }
  std::vector<std::string> words{
      design == "coins" ? "each canary was in or out by a fair coin of its own"
                        : "the members were drawn at random among all canaries, and so were the "
                          "pairs, apart from the scores",
      "guesses come from what the run released, without these coins; how many of each kind are "
      "made, and how many tests, was fixed before; the counts are theirs",
      "the sides of a coin differ as the adjacency says"};
  if (independent) {
    words.emplace_back("what the run releases of each canary depends on its own coin alone");
  }
  return words;
}

ObservedClaim prove_observation(Fields fields, const Spec& spec,
                                const std::vector<CurveBound>& known, Budget& budget) {
  const std::string design = fields.word("design", {"runs", "coins", "pairs", "sequence"});
  const Rational level = fields.exact("level");
  require(level > 0 && level < 1, "level: must be in (0, 1)");
  const bool of_guesses = design == "coins" || design == "pairs";
  const bool independent = of_guesses && fields.boolean("independent");
  const std::vector<std::string> assumptions = observed_assumptions(design, independent);
  require(fields.raw("assumptions") == Json(assumptions),
          "assumptions are not those of the design");
  require(fields.has("refutation") || fields.has("limits"), "the observation claims nothing");
  const std::string text =
      design == "runs" ? prove_runs(fields, level, spec, known, budget)
      : of_guesses     ? prove_guesses(fields, design, independent, level, spec, known, budget)
                       : prove_bets(fields, level, spec, known, budget);
  fields.done();
  return {text, assumptions};
}

}  // namespace plaudit::proof

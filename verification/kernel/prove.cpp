#include "verification/kernel/prove.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "lib/balls/decimal.hpp"
#include "lib/exact/checked_integer.hpp"
#include "verification/kernel/theorem_search.hpp"

namespace plaudit::kernel {

namespace {

long first_e(const Composition& composition, Direction direction, const Heuristics& heuristics) {
  double least = std::numeric_limits<double>::infinity();
  const ComposedLoss loss(composition, direction);
  for (const ComposedLoss::Term& term : loss.terms()) {
    least = std::min(least, std::sqrt(term.loss->estimate_cumulant(0).variance));
  }
  const double e = std::ceil(std::log2(heuristics.first_places / least));
  return clamped_integer(e, heuristics.least_e, heuristics.most_e);
}

std::string decimal(const Rational& epsilon) { return decimal_above(epsilon, 12); }

std::string sentence(const TheoremFacts& facts, const ProveQuestion& question,
                     const Composition& composition) {
  const std::string direction(plaudit::name_of(facts.direction));
  std::string text = facts.name + ": ";
  text += "in the direction " + direction + " the steps' pairs are ";
  text += facts.upper ? "" : "not ";
  text += "(" + decimal(facts.epsilon) + ", " + to_string(question.delta) + ")-private.";
  if (composition.symmetric()) text += " The other direction has the same law.";
  return text;
}

std::string steps_text(const Task& task) {
  std::string text;
  for (const CountedLaw& each : task.laws) {
    text += "  The step of " + each.spec + " is " + each.law->step() + ", " +
            std::to_string(each.count) + (each.count == 1 ? " time.\n" : " times.\n");
  }
  return text;
}

struct Written {
  std::vector<TheoremFacts> facts;
  std::vector<std::string> theorems;
  bool on_data_sets = false;
  bool attained = false;  ///< the lower end, on data sets
  std::string words;
  std::string modules;
  long interval_bits = 200;
};

class Prover {
 public:
  Prover(const Composition& composition, const ProveQuestion& question,
         const AnswerOptions& options, const std::function<void()>& tried)
      : composition_(composition), question_(question), options_(options), tried_(tried) {
    if (question.delta <= 0 || question.delta >= 1)
      throw std::invalid_argument("prove takes delta with 0 < delta < 1");
    // A refusal comes before all work.
    for (const Direction direction : directions()) {
      for (const CountedLaw& each : step_laws(composition, direction)) {
        if (each.count > most_counted) {
          throw std::invalid_argument("prove takes at most a million steps of each law");
        }
      }
    }
    // Of both directions together, a session would narrow the band of the worse one alone.
    for (const Direction direction : directions()) {
      AnswerOptions finer = options;
      finer.digits = options.digits + digits_beyond;
      finer.timeout_seconds = share_of_bands * options.timeout_seconds;
      finer.direction =
          direction == Direction::remove ? DirectionChoice::remove : DirectionChoice::add;
      bands_[direction] =
          Session(composition, finer).answer(Quantity::epsilon, question.delta).band;
    }
  }

  ProofFile file() {
    if (question_.upper) {
      for (const Direction direction : directions()) add(direction, Mode::up);
    }
    if (question_.lower) add(worse(), Mode::down);
    return {written_.facts, coq_comment(head()) + coq_head(written_.interval_bits) +
                                written_.modules + coq_end(written_.theorems)};
  }

 private:
  std::vector<Direction> directions() const {
    if (options_.direction == DirectionChoice::add) return {Direction::add};
    if (options_.direction == DirectionChoice::remove || composition_.symmetric())
      return {Direction::remove};
    return {Direction::remove, Direction::add};
  }

  /// The direction with the greater lower end.
  Direction worse() const {
    const std::vector<Direction> all = directions();
    return all.size() == 2 && certainly_less(bands_.at(all[0]).lower, bands_.at(all[1]).lower)
               ? all[1]
               : all[0];
  }

  void add(Direction direction, Mode mode) {
    const Heuristics heuristics;
    const bool upper = mode == Mode::up;
    Task task{step_laws(composition_, direction),
              direction,
              mode,
              question_.delta,
              upper ? bands_.at(direction).upper : bands_.at(direction).lower,
              0,
              0};
    if (!task.certified.is_finite())
      throw std::invalid_argument("prove needs a certified epsilon, and there is none");
    for (const CountedLaw& each : task.laws) {
      task.steps += static_cast<double>(each.count);
    }
    const Ball digits =
        ldexp(Ball(1), 0) / power(Ball(10), static_cast<std::uint64_t>(int{options_.digits}));
    task.width =
        question_.width ? *question_.width : exact_rational((task.certified * digits).upper());
    Attempt found =
        nearest_theorem(task, first_e(composition_, direction, heuristics), heuristics, tried_);
    const Enclosure& band = bands_.at(direction);
    const Rational& epsilon = found.theorem.epsilon;
    if (upper ? epsilon < exact_rational(band.lower.lower())
              : epsilon > exact_rational(band.upper.upper()))
      throw std::logic_error("a theorem contradicts the certified band: please report this run");
    write(task, found);
  }

  void write(const Task& task, Attempt& found) {
    TheoremData& theorem = found.theorem;
    const bool upper = task.mode == Mode::up;
    theorem.module = (task.direction == Direction::remove ? "Remove" : "Add") +
                     std::string(upper ? "_upper" : "_lower");
    TheoremFacts facts{theorem.module + ".holds",
                       task.direction,
                       upper,
                       theorem.epsilon,
                       task.certified,
                       found.distance <= task.width,
                       theorem.format.e(),
                       0,
                       0};
    for (const ProvedStep& step : theorem.steps) {
      facts.cells += step.choices.cells.size() + step.choices.classes.size();
      facts.places =
          std::max({facts.places, step.choices.law.fine.size(), step.choices.law.coarse.size()});
      written_.interval_bits = std::max(written_.interval_bits, step.source.interval_bits);
    }
    written_.words += "\n" + sentence(facts, question_, composition_) + "\n" + steps_text(task);
    written_.words +=
        std::string("  The program's certified ") + (upper ? "upper" : "lower") + " end is " +
        (upper ? decimal_above(task.certified, 10) : decimal_below(task.certified, 10)) + ".\n";
    const CoqModule module = coq_module(theorem);
    written_.modules += "\n" + module.text;
    written_.theorems.insert(written_.theorems.end(), module.theorems.begin(),
                             module.theorems.end());
    const std::string& last = module.theorems.back();
    if (last == theorem.module + ".on_data_sets") written_.on_data_sets = true;
    if (last == theorem.module + ".attained_on_data_sets") written_.attained = true;
    written_.facts.push_back(std::move(facts));
  }

  std::string head() const {
    const Adjacency& adjacency = composition_.adjacency();
    return "A theorem for the kernel of Coq about this run:\n\n  " + composition_.spec() +
           "\n  adjacency " + to_text(adjacency) + "\n" + written_.words + "\n" +
           (adjacency.guarantee ? dominating_words : pair_words) +
           (written_.on_data_sets ? data_sets_words : "") + (question_.lower ? lower_words() : "") +
           reading_words;
  }

  /// Of what the lower end is a bound.
  std::string lower_words() const {
    const Attainment attainment = composition_.attainment();
    if (attainment.attained == Attained::yes)
      return written_.attained ? attained_words : attained_on_paper_words;
    const std::string text =
        written_.attained
            ? attained_words + std::string("Whether those of the spec do is not known: ")
            : "The lower end is one of these pairs; whether any data sets have them is not known: ";
    return text + attainment.why + ".\n";
  }

  static constexpr const char* dominating_words =
      "The steps are defined in Laws.v. That their pairs of densities dominate the mechanisms of "
      "the "
      "spec\non any two neighbouring data sets is proved on paper (docs/mechanisms.md).\n";
  static constexpr const char* data_sets_words =
      "The theorems on_data_sets prove it here, for the queries that they name and data sets of "
      "which one\nhas one record more.\n";
  static constexpr const char* attained_words =
      "The theorem attained_on_data_sets proves that data sets of which one has one record more, "
      "and queries\nas it names them, attain the lower end.\n";
  static constexpr const char* attained_on_paper_words =
      "Two neighbouring data sets have these pairs (docs/mechanisms.md, on paper): the "
      "lower end is one of the\nmechanism.\n";
  static constexpr const char* pair_words = "The steps are defined in Laws.v.\n";
  static constexpr const char* reading_words =
      "Private is defined in Privacy.v: n adaptive steps, whose outputs no test, randomised or "
      "not,\nwhose integrals exist, accepts on the one\ndata set with more than exp(epsilon) times "
      "its probability on the "
      "other, plus delta.\n"
      "Nothing in this file has to be believed: a wrong number makes Coq refuse it. Check it by\n\n"
      "  ./dev prove THIS_FILE.v\n\nWritten by plaudit prove.";
  static constexpr std::uint64_t most_counted = 1'000'000;
  static constexpr int digits_beyond = 3;  ///< of the band, so that its width does not matter
  /// Of the time, for each direction's band; where it does not reach these digits, the theorem is
  /// held against a wider one.
  static constexpr double share_of_bands = 0.25;

  const Composition& composition_;
  const ProveQuestion& question_;
  const AnswerOptions& options_;
  const std::function<void()>& tried_;
  std::map<Direction, Enclosure> bands_;
  Written written_;
};

}  // namespace

ProofFile prove(const Composition& composition, const ProveQuestion& question,
                const AnswerOptions& options, const std::function<void()>& tried) {
  return Prover(composition, question, options, tried).file();
}

}  // namespace plaudit::kernel

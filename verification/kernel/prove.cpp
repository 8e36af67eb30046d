#include "verification/kernel/prove.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <stdexcept>

#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/kernel/coq_file.hpp"
#include "verification/kernel/normal_pairs.hpp"

namespace plaudit::kernel {

namespace {

/// Digits after the point of a theorem's epsilon, and its greatest value.
constexpr long decimal_unit = 10'000'000;
constexpr long greatest_epsilon = 1'000;

/// What is asked of one theorem, and what is known before it.
struct Task {
  std::vector<CountedPair> pairs;
  Direction direction;
  Mode mode;
  Rational delta;
  Ball certified;
  Rational width;
  double steps = 0;
};

struct Attempt {
  TheoremData theorem;
  Rational distance;  ///< from the certified end
};

long rounded_up(double x, long unit) {
  return checked_integer(std::ceil(x / static_cast<double>(unit)), "a number of bits") * unit;
}

Grid grid_of(const NormalPair& pair, double tail, double points_per_sigma,
             const Heuristics& heuristics) {
  const double sigma = estimate(pair.sigma);
  const double points = std::max(1.0, std::ceil(points_per_sigma / sigma));
  double least = 0;
  double greatest = 0;
  double least_of_p = std::numeric_limits<double>::infinity();
  double greatest_of_p = -least_of_p;
  for (const Component& each : pair.p) {
    least_of_p = std::min(least_of_p, static_cast<double>(each.centre));
    greatest_of_p = std::max(greatest_of_p, static_cast<double>(each.centre));
  }
  for (const Component& each : pair.q) {
    least = std::min(least, static_cast<double>(each.centre));
    greatest = std::max(greatest, static_cast<double>(each.centre));
  }
  // Every centre is inside.
  const double first =
      std::min(std::floor((least_of_p - tail * sigma) * points), least * points - 1);
  const double last =
      std::max(std::ceil((greatest_of_p + tail * sigma) * points), greatest * points + 1);
  if (last - first > heuristics.most_cells) {
    throw std::domain_error("a grid that has every centre needs too many cells");
  }
  return {checked_integer(points, "points"), checked_integer(first, "a grid"),
          checked_integer(last - first, "a grid")};
}

/// Bits of the least probability that a cell has under q.
double mass_bits(const NormalPair& pair, const Grid& grid) {
  double distance = 0;
  const double end =
      static_cast<double>(grid.first + grid.cells) / static_cast<double>(grid.points);
  for (const Component& each : pair.q)
    distance = std::max(distance, end - static_cast<double>(each.centre));
  const double deviations = distance / estimate(pair.sigma);
  return deviations * deviations / 2 / log_two;
}

/// The sizes of numbers: of weights, of powers of rho, of probabilities.
struct Sizes {
  long B;
  long D = 80;
  long T = 128;
};

Sizes sizes_of(const Task& task, const std::vector<Grid>& grids, const Heuristics& heuristics) {
  Sizes sizes;
  sizes.B = rounded_up(heuristics.weight_bits + std::log2(heuristics.places_for_bits * task.steps) -
                           estimate_log(task.delta) / log_two,
                       4);
  for (std::size_t i = 0; i < grids.size(); ++i) {
    const NormalPair& pair = task.pairs[i].pair;
    const TiltBits tilts = tilt_bits(pair, grids[i]);
    sizes.T = std::max({sizes.T, rounded_up(mass_bits(pair, grids[i]) + heuristics.mass_bits, 64),
                        rounded_up(heuristics.tilt_bits - tilts.least, 64)});
    sizes.D = std::max(sizes.D, rounded_up(tilts.greatest + heuristics.power_bits, 16));
  }
  sizes.T = std::max(sizes.T, rounded_up(static_cast<double>(sizes.B + 40), 64));
  return sizes;
}

/// The integer that stands for exp(epsilon) rho^offset 2^D, rounded to the safe side by more than a
/// unit.
Integer place_of(const FixedFormat& format, const Rational& epsilon, long offset) {
  const PrecisionScope scope(format.D() + 220);
  const Ball rho = Ball(1) - ldexp(Ball(1), -format.e());
  const Ball size = power(rho, static_cast<std::uint64_t>(std::labs(offset)));
  const Ball y = ldexp(exp(Ball(epsilon)) * (offset < 0 ? Ball(1) / size : size), format.D());
  if (format.mode() == Mode::up) return floor_of(exact_rational(y.lower())) - 1;
  return floor_of(exact_rational(y.upper())) + 2;
}

/// The decimal epsilon of the theorem: the least for which delta is low enough, or the greatest for
/// which it is not.
class EpsilonSearch {
 public:
  explicit EpsilonSearch(TheoremData& theorem) : theorem_(theorem) {}

  void search() {
    const bool up = theorem_.format.mode() == Mode::up;
    if (!up && !exceeds(0)) throw std::domain_error("no lower end above 0 was found");
    long low = -1;  // exceeds, or less than 0
    long high = decimal_unit;
    while (exceeds(high)) {
      low = high;
      high *= 2;
      if (high > greatest_epsilon * decimal_unit)
        throw std::domain_error("the bound of delta is above it everywhere");
    }
    while (high - low > 1) {
      const long middle = low + (high - low) / 2;
      (exceeds(middle) ? low : high) = middle;
    }
    take(up ? high : low);
  }

 private:
  void take(long k) {
    theorem_.epsilon = Rational(k, decimal_unit);
    theorem_.place = place_of(theorem_.format, theorem_.epsilon, theorem_.program.result.offset);
    theorem_.place_coarse =
        place_of(theorem_.format, theorem_.epsilon, theorem_.program.result.offset_coarse);
  }
  /// Whether the value at k 10^-7 is above delta.
  bool exceeds(long k) {
    take(k);
    const FixedFormat& format = theorem_.format;
    const Integer value =
        format.delta(theorem_.place, theorem_.place_coarse, theorem_.program.result);
    return value * denominator(theorem_.delta) >
           numerator(theorem_.delta) << static_cast<unsigned long>(format.B() + format.D());
  }

  TheoremData& theorem_;
};

Attempt attempt(const Task& task, long e, double points_per_sigma, const Heuristics& heuristics) {
  const double tail =
      std::sqrt(2 * (std::log(task.steps / heuristics.outside_share) - estimate_log(task.delta)));
  std::vector<Grid> grids;
  for (const CountedPair& each : task.pairs) {
    grids.push_back(grid_of(each.pair, tail, points_per_sigma, heuristics));
  }
  const Sizes sizes = sizes_of(task, grids, heuristics);
  Attempt result{{{},
                  FixedFormat(task.mode, e, sizes.B, sizes.D),
                  sizes.T,
                  heuristics.share_bits,
                  {},
                  {},
                  {},
                  task.delta,
                  {},
                  {}},
                 {}};
  TheoremData& theorem = result.theorem;
  std::vector<LatticeBound> laws;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < grids.size(); ++i) {
    GaussianSource source = gaussian_source(task.pairs[i].pair, grids[i], sizes.T, sizes.B);
    LawChoices choices = choose_law(source, theorem.format, task.steps, heuristics);
    laws.push_back(choices.law);
    counts.push_back(task.pairs[i].count);
    theorem.steps.push_back({std::move(source), std::move(choices), task.pairs[i].count});
  }
  theorem.program = composed(theorem.format, laws, counts, task.delta, heuristics);
  EpsilonSearch(theorem).search();
  const Rational end = exact_rational(task.certified.middle());
  result.distance = task.mode == Mode::up ? theorem.epsilon - end : end - theorem.epsilon;
  return result;
}

long first_e(const Composition& composition, Direction direction, const Heuristics& heuristics) {
  double least = std::numeric_limits<double>::infinity();
  const ComposedLoss loss(composition, direction);
  for (const ComposedLoss::Term& term : loss.terms()) {
    least = std::min(least, std::sqrt(term.loss->estimate_cumulant(0).variance));
  }
  const double e = std::ceil(std::log2(heuristics.first_places / least));
  return clamped_integer(e, heuristics.least_e, heuristics.most_e);
}

/// Finer and finer lattices and grids until the theorem is near enough to the certified end.
Attempt nearest(const Task& task, long e, const Heuristics& heuristics, double seconds) {
  const auto begin = std::chrono::steady_clock::now();
  double points = heuristics.points_per_sigma;
  std::optional<Attempt> best;
  std::string why;
  for (int tries = 0; tries < heuristics.most_tries && e <= heuristics.most_e; ++tries) {
    std::optional<Attempt> next;
    try {
      next = attempt(task, e, points, heuristics);
    } catch (const std::domain_error& error) {
      why = error.what();
    }
    const bool useful = !best || (next && estimate(next->distance) <
                                              heuristics.useful_step * estimate(best->distance));
    if (next && (!best || next->distance < best->distance)) best = std::move(next);
    if (best && best->distance <= task.width) break;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    if (best && spent.count() > seconds) break;
    check_work_limit();
    if (!useful) points *= 2;
    ++e;
  }
  if (!best) throw std::invalid_argument("prove found no theorem: " + why);
  return std::move(*best);
}

std::string decimal(const Rational& epsilon) { return decimal_above(epsilon, 12); }

std::string sentence(const TheoremFacts& facts, const ProveQuestion& question,
                     const Composition& composition) {
  const std::string direction(plaudit::name_of(facts.direction));
  std::string text = facts.name + ": ";
  text += composition.symmetric()
              ? "in both directions, which have the same law, the steps' pairs are "
              : "in the direction " + direction + " the steps' pairs are ";
  text += facts.upper ? "" : "not ";
  text += "(" + decimal(facts.epsilon) + ", " + to_string(question.delta) +
          ")-private against every test.";
  return text;
}

std::string pairs_text(const Task& task) {
  std::string text;
  for (std::size_t i = 0; i < task.pairs.size(); ++i) {
    const CountedPair& each = task.pairs[i];
    text += "  law" + std::to_string(i) + "_step is " + each.spec + ", " +
            std::to_string(each.count) + " times";
    if (each.unit != 1) text += ", its outcomes in units of " + to_string(each.unit);
    text += ".\n";
  }
  if (task.direction == Direction::add) {
    text +=
        "  Direction add: p is the run without the record. Outcomes are mirrored, so that q's "
        "centres are at or to\n"
        "  the left of 0.\n";
  }
  return text;
}

struct Written {
  std::vector<TheoremFacts> facts;
  std::string words;
  std::string modules;
  long interval_bits = 200;
};

class Prover {
 public:
  Prover(const Composition& composition, const ProveQuestion& question,
         const AnswerOptions& options)
      : composition_(composition), question_(question), options_(options) {
    if (question.delta <= 0 || question.delta >= 1)
      throw std::invalid_argument("prove takes delta with 0 < delta < 1");
    // A refusal comes before all work.
    for (const Direction direction : directions()) {
      for (const CountedPair& each : normal_pairs(composition, direction)) {
        if (each.count > most_counted) {
          throw std::invalid_argument("prove takes at most a million steps of each law");
        }
      }
    }
    // Of both directions together, a session would narrow the band of the worse one alone.
    for (const Direction direction : directions()) {
      AnswerOptions finer = options;
      finer.digits = options.digits + digits_beyond;
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
    return {written_.facts,
            coq_comment(head()) + coq_head(written_.interval_bits) + written_.modules};
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
    Task task{normal_pairs(composition_, direction),
              direction,
              mode,
              question_.delta,
              upper ? bands_.at(direction).upper : bands_.at(direction).lower,
              0,
              0};
    if (!task.certified.is_finite())
      throw std::invalid_argument("prove needs a certified epsilon, and there is none");
    for (const CountedPair& each : task.pairs) {
      task.steps += static_cast<double>(each.count);
    }
    const Ball digits =
        ldexp(Ball(1), 0) / power(Ball(10), static_cast<std::uint64_t>(int{options_.digits}));
    task.width =
        question_.width ? *question_.width : exact_rational((task.certified * digits).upper());
    Attempt found = nearest(task, first_e(composition_, direction, heuristics), heuristics,
                            options_.timeout_seconds / 8);
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
    written_.interval_bits =
        std::max(written_.interval_bits, static_cast<long>(msb(theorem.place + 1)) + 120);
    written_.words += "\n" + sentence(facts, question_, composition_) + "\n" + pairs_text(task);
    written_.words +=
        std::string("  The program's certified ") + (upper ? "upper" : "lower") + " end is " +
        (upper ? decimal_above(task.certified, 10) : decimal_below(task.certified, 10)) + ".\n";
    written_.modules += "\n" + coq_module(theorem);
    written_.facts.push_back(std::move(facts));
  }

  std::string head() const {
    const Adjacency& adjacency = composition_.adjacency();
    return "A theorem for the kernel of Coq about this run:\n\n  " + composition_.spec() +
           "\n  adjacency " + to_text(adjacency) + "\n" + written_.words + "\n" +
           (adjacency.guarantee ? dominating_words : pair_words) + reading_words;
  }

  static constexpr const char* dominating_words =
      "The pair of each step is two mixtures of normal densities (Gaussian.v, the_step). That it "
      "dominates the step\non any two neighbouring data sets is proved on paper "
      "(docs/mechanisms.md), not here.\n";
  static constexpr const char* pair_words =
      "The pair of each step is two mixtures of normal densities (Gaussian.v, the_step).\n";
  static constexpr const char* reading_words =
      "Private is defined in Privacy.v: n adaptive steps, whose outputs no test, randomised or "
      "not, accepts on the one\ndata set with more than exp(epsilon) times its probability on the "
      "other, plus delta.\n"
      "Nothing in this file has to be believed: a wrong number makes Coq refuse it. Check it by\n\n"
      "  ./dev prove THIS_FILE.v\n\nWritten by plaudit prove.";
  static constexpr std::uint64_t most_counted = 1'000'000;
  static constexpr int digits_beyond = 4;  ///< of the band, so that its width does not matter

  const Composition& composition_;
  const ProveQuestion& question_;
  const AnswerOptions& options_;
  std::map<Direction, Enclosure> bands_;
  Written written_;
};

}  // namespace

ProofFile prove(const Composition& composition, const ProveQuestion& question,
                const AnswerOptions& options) {
  return Prover(composition, question, options).file();
}

}  // namespace plaudit::kernel

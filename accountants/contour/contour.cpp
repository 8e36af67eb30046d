#include "accountants/contour/contour.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "accountants/bent/bent_contour.hpp"
#include "accountants/contour/cut_contour.hpp"
#include "accountants/contour/frequent_composition.hpp"
#include "accountants/contour/pinched_contour.hpp"
#include "accountants/contour/straight_contour.hpp"
#include "accountants/inversion.hpp"
#include "accountants/narrowing_curve.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr int most_attempts = 5;
constexpr int most_looks = 10;
constexpr double slack_nats = 3;
/// Per distinct factor: a straight contour this cheap is taken without a look at the alternatives;
/// the bent one is considered where the others are costly.
constexpr double cheap_seconds = 0.01;
constexpr double costly_seconds = 0.05;
/// Components are left out of mixtures where that costs less than e^-rare_slack of the wanted
/// width.
constexpr double rare_slack = 8;
/// What log delta is taken for until there is a better guess.
constexpr double first_log_delta = -30;
/// Search and verification of the bent contour beside its nodes, which are what it predicts.
constexpr double bent_overhead = 10;
/// Each value between two compositions sums two lines again, and none has more than some digits.
constexpr double pinch_overhead = 20;

constexpr ErrorTerm complement_term{
    "contour.complement", "docs/proofs/straight_contour.md#one-residue, step 2 (delta near 1)"};

// Guesses where rare draws rule.
constexpr double log_rare = -1;           ///< of all draws that are set aside for the usual run
constexpr double small_order = 1e-3;      ///< where the moments are those of the law itself
constexpr double room_for_others = 1.03;  ///< by which other draws add to the one
constexpr long bits_of_one_draw = 192;

constexpr double far_too_long = 1e4;  ///< seconds, predicted
/// Nats of delta between a guess of epsilon and the truth: what nodes near it, and what nodes that
/// end at it can bear.
constexpr double most_off = 2;
constexpr double least_off = 1e-2;
constexpr double share_of_pinch = 0.2;  ///< of the work left, for one attempt

enum class Way { straight, one_sided, cut, bent, pinch };

/// A set of nodes, made for one epsilon, that answers rigorously everywhere.
struct Engine {
  Way way;
  double epsilon;
  double nats;
  long bits;
  std::function<Enclosure(const Ball&)> delta;
  /// Accurate for all smaller epsilons (-1), for all greater ones (1), or near its own.
  double covers = 0;
};

/// Guesses of an epsilon, and by how many nats delta is off there: it falls with epsilon.
struct Bracket {
  double low = 0;
  double high = infinity;
  double off_at_low = 0;
  double off_at_high = 0;
  int looks = 0;

  void take(double guess, double off) {
    if (off > 0 && guess > low) {
      low = guess;
      off_at_low = off;
    }
    if (!(off > 0) && guess < high) {
      high = guess;
      off_at_high = off;
    }
  }

  /// A little too far, to the side from which on one-sided nodes cover the rest. @param power of
  /// epsilon, of which delta is nearly a multiple near the guess.
  template <class Power>
  double next(double guess, double off, Power&& power) const {
    if (low > 0 && std::isfinite(high) && std::isfinite(off_at_high)) {
      const double share = std::clamp(off_at_low / (off_at_low - off_at_high), 0.05, 0.95);
      return std::clamp(low * std::pow(high / low, share) * (off > 0 ? 1.01 : 0.99), low, high);
    }
    const double p = power();
    const double step = p < 0 ? -off / p : off;
    const double moved =
        guess * std::exp(std::clamp(1.1 * step + (off > 0 ? 0.02 : -0.02), -3.0, 1.0));
    if (moved > low && moved < high) return moved;
    return std::isfinite(high) ? (low + high) / 2 : 2 * guess;
  }
};

/// log(upper - lower)
double log_width(const Enclosure& band) {
  const PrecisionScope scope(128);
  const Ball width = (band.upper - band.lower).upper();
  return width.is_exact_zero() ? -infinity : width.estimate_log();
}

/// log(upper / (upper - lower)): the relative accuracy of a band in nats.
double accuracy_nats(const Enclosure& band) { return band.upper.estimate_log() - log_width(band); }

class ContourCurve final : public NarrowingCurve {
 public:
  ContourCurve(const ComposedLoss& loss, const Goal& goal)
      : NarrowingCurve(loss, "contour"), digits_(goal.digits) {}

  void narrow_delta(Enclosure& band, const Rational& epsilon) override {
    const double nats = digits_ * log_ten + slack_nats;
    const PrecisionScope scope(exact_bits());
    const Ball at(epsilon);
    if (beyond_support(at, band)) return;
    useless_.clear();
    const double near = estimate(epsilon);
    if (!ground_) settle(first_log_delta - nats - rare_slack);
    near_one(at, near, band);
    if (reached(band, digits_)) return;
    if (Engine* engine = nearest(near)) take(band, engine->delta(at));
    double wanted = nats + (engines_.empty() ? 0 : slack_nats);
    for (int attempt = 0; attempt < most_attempts && !reached(band, digits_); ++attempt) {
      const double expected = expected_log_delta(near, band);
      const Engine* engine = make(near, wanted, expected);
      if (engine == nullptr) break;
      take(band, engine->delta(at));
      // Parameters made for another delta explain a miss; otherwise ask for more.
      if (std::fabs(expected_log_delta(near, band) - expected) < 1) {
        wanted += std::max(2.0, nats - accuracy_nats(band) + 1);
      }
    }
  }

  void narrow_epsilon(Enclosure& band, const Rational& delta) override {
    if (delta <= 0 || delta >= 1) return invert_without_search(band, delta);
    const double lost = digits_ * log_ten + slack_nats + rare_slack;
    settle(estimate_log(delta) - lost);
    search(band, delta);
  }

 private:
  long exact_bits() const { return 4096 + static_cast<long>(8 * digits_); }

  /// Epsilon beyond the ends of the support of L: delta is m_inf, resp. 1 - Q(.) e^eps, exactly.
  bool beyond_support(const Ball& epsilon, Enclosure& band) const {
    const PrecisionScope scope(128 + static_cast<long>(8 * digits_));
    Ball value;
    if (certainly_greater_equal(epsilon, loss_.greatest_loss())) {
      value = loss_.mass_at_infinity();
    } else if (certainly_less_equal(epsilon, loss_.least_loss())) {
      value =
          Ball(1) - PLAUDIT_BOUND("contour.below_support", loss_.q_mass(), Ball(1)) * exp(epsilon);
    } else {
      return false;
    }
    narrow(band, clipped_nonnegative(value));
    band.method = "epsilon beyond the support of the privacy loss";
    return true;
  }

  /// Where delta is nearly m0: delta = m0 - chi with chi <= M(-u) e^{u eps}, 0 < u <= 1, plus
  /// m_inf. Proof: docs/proofs/straight_contour.md#one-residue
  void near_one(const Ball& epsilon, double near, Enclosure& band) {
    double best = -digits_ * log_ten;  // else of no use
    double order = 0;
    for (int k = 0; k <= 120; ++k) {
      const double u = std::exp2(-0.25 * k);
      const double size = table().between_poles(u) + u * near;
      if (size < best) {
        best = size;
        order = u;
      }
    }
    if (order == 0) return;
    const PrecisionScope scope(128 + static_cast<long>(8 * digits_));
    const Ball u(order);
    Ball exponent = u * epsilon;
    const ComposedLoss& loss = ground_->loss;
    for (const ComposedLoss::Term& term : loss.terms()) {
      exponent += Ball(term.count) * log(term.loss->mgf_upper(-u, loss.factor_nats(term)));
    }
    Enclosure found;
    const Ball chi = found.ledger.add(
        complement_term, ldexp(exp(exponent), PLAUDIT_BOUND("contour.complement", 0, -1)));
    const Ball infinite = loss.mass_at_infinity();
    const Ball below = loss.finite_mass() - chi;
    found.lower = (infinite.is_exact_zero() ? below : below + infinite).lower();
    found.upper = Ball(1);
    if (ground_->changed()) widen_for_rare_components(found, ground_->change(0), epsilon);
    narrow(band, found.lower, found.upper);
    band.ledger = std::move(found.ledger);
    band.method =
        "delta is 1 but for less than e^" + std::to_string(clamped_integer(best, -most_index, 0));
  }

  void invert_without_search(Enclosure& band, const Rational& delta) const {
    const PrecisionScope scope(64 + 4 * static_cast<long>(digits_));
    const auto found = inversion_without_search(loss_, widened(Ball(0), Ball(1)), delta);
    if (found) narrow(band, found->lower, found->upper);
    band.method = "end of the curve";
  }

  void search(Enclosure& band, const Rational& delta) {
    useless_.clear();  // at another delta it may be of use
    const double log_target = estimate_log(delta);
    double guess = std::max(guess_epsilon(log_target), 1e-12);
    double shortfall = 0;
    bool blind = false;
    Bracket bracket;
    const long bits = bits_of_digits(digits_);
    for (int attempt = 0; attempt < most_attempts && !reached(band, digits_);) {
      // relative accuracy w of delta moves epsilon by about w / t
      const double slope = table().saddle(guess);
      const double wanted =
          std::max(10.0, digits_ * log_ten + slack_nats - std::log(guess * slope + 1e-300));
      const double nats = wanted + shortfall;
      Engine* engine = attempt == 0 ? nearest_accurate(guess, nats) : nullptr;
      if (engine == nullptr) engine = make(guess, nats, log_target);
      if (engine == nullptr) break;
      const PrecisionScope scope(engine->bits);
      if (bracket.looks < most_looks && engine->way != Way::pinch) {
        ++bracket.looks;
        const Enclosure here = engine->delta(Ball(guess));
        const double log_here = here.upper.estimate_log();
        const double off = log_here - log_target;
        const double lacking = wanted - std::max(log_target, log_here) + log_width(here);
        if (off > 0 && !certainly_positive(here.lower)) {
          // Nothing is known: more is asked for once, then another way.
          if (blind) useless_.push_back(engine->way);
          shortfall = blind ? 0 : wanted;
          blind = !blind;
          ++attempt;
          continue;
        }
        const double side = off < 0 ? -1 : 1;
        bracket.take(guess, off);
        if (std::fabs(off) > (engine->covers == 0 ? most_off : least_off) &&
            engine->covers != side) {
          guess = bracket.next(guess, off, [&] {
            const double share = 1 + 0.1 * (engine->covers == 0 ? side : engine->covers);
            const double there = engine->delta(Ball(share * guess)).upper.estimate_log();
            return (there - log_here) / std::log(share);
          });
          continue;
        }
        if (lacking > slack_nats) {
          shortfall += lacking;
          ++attempt;
          continue;
        }
      }
      ++attempt;
      Enclosure last;
      const Crossing found = invert_curve(
          loss_,
          [&](const Ball& x) {
            last = engine->delta(x);
            return hull(last.lower, last.upper);
          },
          delta, Ball(guess), bits);
      const double before = accuracy_nats(band);
      band.method = last.method;
      band.ledger = last.ledger;
      narrow(band, found.lower, found.upper);
      const double accuracy = accuracy_nats(band);
      if (band.upper.is_finite()) {
        const double middle = ldexp(band.lower + band.upper, -1).estimate();
        // Parameters made for another epsilon explain a miss; otherwise ask for more.
        if (std::fabs(middle - guess) < 3e-3 * guess) {
          shortfall += std::max(2.0, digits_ * log_ten - accuracy + 1);
        }
        if (middle > 0) guess = middle;
      } else if (!(accuracy > before)) {
        guess *= 1.5;
      }
    }
  }

  /// Works from now on with the composition without components of probability e^log_mass.
  void settle(double log_mass) {
    // A finer one serves too, unless it is much finer and so much larger.
    if (ground_ && (ground_->log_mass <= log_mass && ground_->log_mass > 2 * log_mass - 60)) return;
    if (ground_ && !ground_->changed() && log_mass <= ground_->asked) return;
    ground_ = frequent_composition(loss_, log_mass);
  }

  CumulantTable& table() { return ground_->table; }

  double expected_log_delta(double epsilon, const Enclosure& band) {
    if (certainly_positive(band.lower) && certainly_less(band.upper, ldexp(band.lower, 3))) {
      return band.upper.estimate_log();
    }
    const double lost = digits_ * log_ten + slack_nats + rare_slack;
    double value = 0;
    for (int i = 0; i < 8; ++i) {
      value = saddle_log_delta(epsilon);
      if (!(value - lost < ground_->log_mass)) break;  // else what was left out may matter
      settle(std::min(value - lost, 1.5 * ground_->log_mass));
    }
    // Where the saddle-point value contradicts the band, the band is right.
    return std::clamp(value, band.lower.estimate_log(), band.upper.estimate_log());
  }

  double saddle_log_delta(double epsilon) {
    const double order = table().saddle(epsilon);
    double value = table().log_delta(epsilon, order);
    for (int i = 0; i < 4 && rare_draws_rule(order); ++i) {
      const auto cut = cut_composition(ground_->loss, value - digits_ * log_ten - 2 * slack_nats);
      if (!cut) break;
      const double next = cut->table.log_delta(epsilon, cut->table.saddle(epsilon));
      // a rise means that draws just below the cut rule by now: the former value is the better one
      const bool settled = !(next < value - 2);
      value = std::min(value, next);
      if (settled) break;
    }
    return value;
  }

  double guess_epsilon(double log_target) {
    const double guess = table().epsilon_for(log_target);
    if (!rare_draws_rule(table().saddle(guess))) return guess;
    const auto cut =
        cut_composition(ground_->loss, log_target - digits_ * log_ten - 2 * slack_nats);
    if (!cut) return guess;
    // One draw alone makes a great loss, or many small ones do. The saddle point of draws that
    // happen once in many runs says too much.
    const double saddle = cut->table.epsilon_for(log_target);
    const auto bulk = cut_composition(ground_->loss, log_rare);
    if (!bulk) return saddle;
    const CumulantEstimate usual = bulk->table.at(small_order);
    const double many = usual.mean + std::sqrt(-2 * log_target * usual.variance);
    return std::min(saddle, std::max(many, room_for_others * epsilon_of_one_draw(log_target)));
  }

  /// Where the deltas of the steps, one by one, sum up to e^log_target.
  double epsilon_of_one_draw(double log_target) const {
    const PrecisionScope scope(bits_of_one_draw);
    const auto sum = [&](double epsilon) {
      double total = 0;
      for (const ComposedLoss::Term& term : ground_->loss.terms()) {
        check_work_limit();
        total += static_cast<double>(term.count) * term.loss->delta(Ball(epsilon)).estimate();
      }
      return total;
    };
    double low = 1e-12;
    double high = 1;
    while (high < 1e3 && std::log(sum(high)) > log_target) high *= 4;
    while (high > (1 + 1e-3) * low) {
      const double middle = std::sqrt(low * high);
      (std::log(sum(middle)) > log_target ? low : high) = middle;
    }
    return high;
  }

  /// Heuristic: at this order the moments are those of a few huge draws, which shows in a variance
  /// of the tilted loss that jumps on the way or just beyond.
  bool rare_draws_rule(double order) {
    return table().at(1.3 * order).variance > 3 * table().at(order / 3).variance;
  }

  Engine* nearest(double epsilon) {
    const auto found =
        std::min_element(engines_.begin(), engines_.end(), [&](const auto& a, const auto& b) {
          return std::fabs(a->epsilon - epsilon) < std::fabs(b->epsilon - epsilon);
        });
    return found == engines_.end() ? nullptr : found->get();
  }

  Engine* nearest_accurate(double epsilon, double nats) {
    Engine* engine = nearest(epsilon);
    if (engine == nullptr || engine->nats < nats) return nullptr;
    return std::fabs(engine->epsilon - epsilon) < 1e-2 * epsilon ? engine : nullptr;
  }

  /// Nodes for queries near epsilon: the cheaper engine by prediction, the other one where that
  /// fails; null where neither can be had.
  Engine* make(double epsilon, double nats, double log_delta) {
    settle(log_delta - nats - rare_slack);
    const ComposedLoss& loss = ground_->loss;
    StraightChoice choice = choose_straight(loss, table(), epsilon, nats, log_delta);
    if (useless(Way::straight)) choice.seconds = infinity;
    StraightChoice cut_choice;
    cut_choice.seconds = infinity;
    std::shared_ptr<CutComposition> cut;
    const auto factors = static_cast<double>(loss.terms().size());
    if (choice.seconds > cheap_seconds * factors) {
      cut = cut_composition(loss, log_delta - nats - slack_nats);
      if (cut) cut_choice = choose_straight(cut->loss, cut->table, epsilon, nats, log_delta);
      if (useless(Way::cut)) cut_choice.seconds = infinity;
    }
    double bent_seconds = infinity;
    if (std::min(choice.seconds, cut_choice.seconds) > costly_seconds * factors &&
        BentContour::applies(loss) && !useless(Way::bent)) {
      bent_seconds = BentContour::estimate_seconds(loss, epsilon, nats / log_ten);
    }
    StraightChoice one_sided;
    one_sided.seconds = infinity;
    if (choice.seconds > cheap_seconds * factors && !useless(Way::one_sided)) {
      one_sided = choose_one_sided(loss, table(), epsilon, nats, log_delta);
    }
    struct Offer {
      double seconds;
      std::function<Engine*()> make;
      double overhead = 1;
    };
    std::vector<Offer> ways{
        {choice.seconds,
         [&] {
           return keep(Way::straight, epsilon, nats,
                       std::make_shared<StraightContour>(loss, table(), epsilon, choice));
         }},
        {one_sided.seconds,
         [&] {
           Engine* engine =
               keep(Way::one_sided, epsilon, nats,
                    std::make_shared<StraightContour>(loss, table(), epsilon, one_sided));
           engine->covers = one_sided.t < 0 ? -1 : 1;
           return engine;
         }},
        {cut_choice.seconds,
         [&] {
           return keep(Way::cut, epsilon, nats,
                       std::make_shared<CutContour>(cut, epsilon, cut_choice));
         }},
        {bent_seconds,
         [&] {
           return keep(
               Way::bent, epsilon, nats,
               std::make_shared<BentContour>(loss, Ball(epsilon), nats / log_ten, log_delta));
         },
         bent_overhead}};
    const PinchChoice pinch =
        pinch_near(epsilon, nats, log_delta,
                   std::min({choice.seconds, one_sided.seconds, cut_choice.seconds, bent_seconds}));
    ways.push_back(
        {pinch.seconds, [&] { return keep_pinched(epsilon, nats, pinch); }, pinch_overhead});
    std::sort(ways.begin(), ways.end(), [](const Offer& a, const Offer& b) {
      return a.seconds * a.overhead < b.seconds * b.overhead;
    });
    for (const Offer& way : ways) {
      if (!(way.seconds < affordable_seconds())) continue;
      try {
        return way.make();
      } catch (const std::domain_error& error) {
        refusal_ = error.what();
      }
    }
    if (refusal_.empty()) refusal_ = "no contour of affordable length";
    return nullptr;
  }

  /// The pinch where the other ways are costly, or where it is the only one; not twice in one place
  /// with all the digits that it can have.
  PinchChoice pinch_near(double epsilon, double nats, double log_delta, double others) {
    PinchChoice none;
    none.seconds = infinity;
    if (others < costly_seconds * static_cast<double>(ground_->loss.terms().size())) return none;
    if (!(least_tau_ < PinchedContour::widest)) return none;  // tried in vain
    PinchChoice pinch = choose_pinch(ground_->loss, table(), epsilon, nats - slack_nats, log_delta);
    if (!std::isfinite(pinch.seconds)) return none;
    while (pinch.tau < least_tau_) pinch = coarser(pinch);
    const bool whole = pinch.nats > nats - slack_nats - 1;
    if (!whole && others < affordable_seconds()) return none;
    if (!whole && std::fabs(epsilon - pinched_at_) <= 3e-3 * epsilon) {
      refusal_ = "the atoms of the privacy loss allow no more digits at an affordable cost";
      return none;
    }
    return pinch;
  }

  /// Coarser where too many nodes matter.
  Engine* keep_pinched(double epsilon, double nats, PinchChoice choice) {
    for (;;) {
      try {
        Engine* engine = keep(Way::pinch, epsilon, nats,
                              std::make_shared<PinchedContour>(ground_->loss, epsilon, choice));
        pinched_at_ = epsilon;
        return engine;
      } catch (const WorkShareReached&) {
        choice = coarser(coarser(choice));
        least_tau_ = choice.tau;
        if (!(choice.tau < PinchedContour::widest)) {
          throw std::domain_error("the atoms of the privacy loss cost too much along the contour");
        }
      } catch (const std::domain_error&) {
        choice = coarser(choice);
        least_tau_ = choice.tau;
        if (!(choice.tau < PinchedContour::widest)) throw;
      }
    }
  }

  bool useless(Way way) const {
    return std::find(useless_.begin(), useless_.end(), way) != useless_.end();
  }

  static double affordable_seconds() {
    return std::min(far_too_long, 1 + 20 * work_seconds_left());
  }

  static long bits_of(const PinchedContour& contour, double) { return contour.bits(); }
  static long bits_of(const StraightContour& contour, double) { return contour.bits(); }
  static long bits_of(const CutContour& contour, double) { return contour.bits(); }
  static long bits_of(const BentContour&, double nats) { return precision_bits(nats / 0.69) + 128; }

  template <class Contour>
  Engine* keep(Way way, double epsilon, double nats, std::shared_ptr<Contour> contour) {
    const auto ground = ground_;  // owns what the contour refers to
    std::function<Enclosure(const Ball&)> delta = [contour, ground](const Ball& x) {
      return contour->delta(x);
    };
    if (ground->changed()) {
      const FrequentComposition::Change change =
          ground->change(short_double(ground->table.saddle(epsilon)));
      delta = [delta, change](const Ball& x) {
        Enclosure band = delta(x);
        widen_for_rare_components(band, change, x);
        return band;
      };
    }
    engines_.push_back(std::make_unique<Engine>(
        Engine{way, epsilon, nats, bits_of(*contour, nats), std::move(delta)}));
    return engines_.back().get();
  }

  static void take(Enclosure& band, Enclosure&& found) {
    band.method = found.method;
    band.ledger = std::move(found.ledger);
    narrow(band, found.lower, found.upper);
  }

  void describe(Enclosure& band) override {
    if (band.remark.empty() && !reached(band, digits_)) {
      band.remark = refusal_.empty() ? "the wanted width was not reached" : refusal_;
    }
  }

  /// What parameters are chosen for and nodes are made of: loss_ without its rare components.
  std::shared_ptr<FrequentComposition> ground_;
  int digits_;
  std::vector<std::unique_ptr<Engine>> engines_;
  double pinched_at_ = -1;  ///< the epsilon of the latest pinch
  double least_tau_ = 0;    ///< with less than this too many nodes matter
  std::vector<Way> useless_;
  std::string refusal_;
};

class Contour final : public Accountant {
 public:
  std::string_view name() const override { return "contour"; }
  std::string_view summary() const override {
    return "contour integral of the moment generating function; cost independent of the number "
           "of compositions, any number of digits";
  }
  std::string_view theorem() const override {
    return "docs/proofs/straight_contour.md#periodisation, docs/proofs/bent_contour.md#bending, "
           "docs/proofs/pinch.md#pinch";
  }
  std::optional<std::string> refusal(const ComposedLoss& loss) const override {
    return lack_of_moments(name(), loss);
  }
  std::unique_ptr<PrivacyCurve> open(const ComposedLoss& loss, const Goal& goal) const override {
    if (const auto reason = refusal(loss)) throw std::invalid_argument(*reason);
    return std::make_unique<ContourCurve>(loss, goal);
  }
};

}  // namespace

std::shared_ptr<const Accountant> contour_accountant() { return std::make_shared<Contour>(); }

}  // namespace plaudit

#include "accountants/laplace/turned_choice.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "accountants/laplace/end_choices.hpp"
#include "accountants/laplace/usual_atoms.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double nats_of_turned_term = 4;  ///< that each rule errs below what is wanted
constexpr double nats_of_laws = 8;         ///< the same of the laws' values
constexpr double loose_nats_of_turn = 4;   ///< by which the terms at T may exceed M
constexpr double points_of_nat = 0.55;     ///< of a rule, for each nat of its accuracy
constexpr double points_beside = 8;        ///< of a rule, besides
constexpr double spare_bits_of_line = 64;
constexpr double least_height_of_turn = 6;  ///< of T, in deviations
constexpr double heights_of_t = 3;          ///< of T, in abscissas
constexpr double higher = 1.5;              ///< ratio of the heights tried
constexpr int most_heights_of_turn = 60;
constexpr int heights_that_cost_more = 3;  ///< after which no others are tried
constexpr double shares_of_saddle[] = {1.0, 0.4, 0.15, 0.05};
constexpr double abscissas_of_turn[] = {100.0, 30.0, 10.0};  ///< over the width of the support
constexpr double cheap_line = 0.25;  ///< nominal seconds, at which no other abscissa is tried
// How many rules there are, about.
constexpr double length_of_rule = 14;  ///< up to T, over the deviation of the tilted loss
constexpr double rules_to_double = 4;  ///< more for each octave of 1 / (t deviation)
constexpr double rules_at_turn = 6;    ///< on both rays, as dear as at t + iT
constexpr double rules_beyond = 12;    ///< on both rays, where U and V cost little
// Nominal seconds: of a node besides what follows; of an atom of other laws, a power of U or V and
// a choice of ends at a node; of a choice in a bound.
constexpr double seconds_of_node = 3e-5;
constexpr double seconds_of_atom = 1.5e-6;
constexpr double seconds_of_power = 1e-6;
constexpr double splits_seen = 4;  ///< sets of choices that a search for epsilon sums
constexpr double seconds_of_choice = 3e-7;
constexpr double bounds_tried = 600;
constexpr double seconds_of_bound = 1e-7;
constexpr double bits_that_double_it = 300;

/// The factors, and those without ends beside them.
struct Laws {
  std::vector<EndPower> ends;
  UsualAtoms atoms;
};

/// log of the sum of all terms at the height, e^(-t eps) apart.
double log_of_terms(const Laws& laws, double t, double height) {
  Ball atoms;
  for (const auto& [loss, mass] : laws.atoms.masses) atoms += mass * exp(Ball(t) * Ball(loss));
  double sum = atoms.estimate_log();
  for (const EndPower& each : laws.ends) {
    const TwoEnds<Ball> sizes = each.law->sizes(Ball(height));
    const double top = sizes.top.estimate_log() + t * each.law->losses().top.estimate();
    const double bottom = sizes.bottom.estimate_log() + t * each.law->losses().bottom.estimate();
    sum += static_cast<double>(each.count) *
           (std::max(top, bottom) + std::log1p(std::exp(-std::fabs(top - bottom))));
  }
  return sum;
}

double nats_of_atoms(const LineAim& aim) { return aim.nats - aim.log_delta + nats_of_turned_term; }

/// What it costs at this height; sets all that depends on it.
TurnedChoice at_height(const Laws& laws, TurnedChoice choice, double height,
                       const CumulantEstimate& here, const LineAim& aim) {
  choice.height = height;
  const double terms = log_of_terms(laws, choice.t, height);
  choice.turns =
      terms - choice.t * aim.epsilon - std::log(std::numbers::pi * height) > choice.log_cut;
  const double lost = std::max(0.0, here.value - choice.t * aim.epsilon - aim.log_delta);
  const double growth = choice.turns ? std::max(0.0, terms - here.value) : 0;
  choice.points = static_cast<std::size_t>(
      clamped_integer(std::ceil(points_of_nat * (aim.nats + lost) + points_beside), 12, 400));
  const double bits =
      (aim.nats + lost + growth) / log_two + std::log2(1 + height + choice.t) + spare_bits_of_line;
  const auto points = static_cast<double>(choice.points);
  const double near =
      points * (2 + height * choice.deviation / length_of_rule +
                rules_to_double * std::max(0.0, -std::log2(choice.t * choice.deviation)));
  double far = points * (rules_at_turn + rules_beyond);
  const auto atoms = static_cast<double>(laws.atoms.masses.size());
  double seconds = near * atoms * seconds_of_atom;
  for (const EndPower& each : laws.ends) {
    const EndCosts costs = each.law->costs(accuracy_of(choice));
    seconds += near * costs.near_node;
    if (!choice.turns) continue;
    seconds += points * rules_at_turn * costs.far_node * (1 + costs.bits / bits_that_double_it) +
               far * static_cast<double>(each.count) * seconds_of_power;
  }
  if (choice.turns) {
    seconds += EndChoices::choices_of_others(laws.ends) * atoms *
               (splits_seen * far * seconds_of_choice + bounds_tried * seconds_of_bound);
  } else {
    far = 0;
  }
  choice.seconds = (seconds + seconds_of_node * (near + far)) * (1 + bits / bits_that_double_it);
  choice.bits = precision_bits(bits);
  if (!std::isfinite(choice.seconds)) choice.seconds = infinity;
  return choice;
}

TurnedChoice at_abscissa(const Laws& laws, double t, double steps, CumulantTable& table,
                         const LineAim& aim) {
  TurnedChoice choice;
  choice.epsilon = aim.epsilon;
  choice.t = t;
  const CumulantEstimate here = table.at(t);
  choice.deviation = std::sqrt(here.variance);
  choice.scale = std::min(1 / choice.deviation, t);
  const double lost = std::max(0.0, here.value - t * aim.epsilon - aim.log_delta);
  choice.log_near = choice.log_far = choice.log_cut =
      aim.log_delta - aim.nats - nats_of_turned_term;
  choice.nats_of_atoms = nats_of_atoms(aim);
  choice.nats = aim.nats + lost + std::log(steps) + nats_of_laws;
  TurnedChoice best;
  best.seconds = infinity;
  double height = std::min(least_height_of_turn / choice.deviation, heights_of_t * t);
  int dearer = 0;
  for (int i = 0; i < most_heights_of_turn; ++i, height *= higher) {
    check_work_limit();
    if (log_of_terms(laws, t, height) > here.value + loose_nats_of_turn) continue;
    const TurnedChoice each = at_height(laws, choice, height, here, aim);
    if (each.seconds < best.seconds) {
      best = each;
      dearer = 0;
    } else if (std::isfinite(best.seconds) && ++dearer == heights_that_cost_more) {
      break;
    }
  }
  return best;
}

}  // namespace

EndAccuracy accuracy_of(const TurnedChoice& choice) {
  return {choice.nats, choice.t, choice.height};
}

TurnedChoice choose_turned(const ComposedLoss& loss, CumulantTable& table, const LineAim& aim) {
  const PrecisionScope scope(64);
  const Laws laws{end_laws(loss),
                  usual_atoms(terms_beside_ends(loss), loss.direction(), nats_of_atoms(aim))};
  const double saddle = table.saddle(aim.epsilon);
  TurnedChoice best;
  best.seconds = infinity;
  const auto consider = [&](double t) {
    const TurnedChoice each = at_abscissa(laws, t, loss.steps(), table, aim);
    if (each.seconds < best.seconds) best = each;
    return best.seconds < cheap_line;
  };
  for (const double share : shares_of_saddle) {
    if (consider(share * saddle)) return best;
  }
  // near the end of the support the saddle point is far out
  const double width = (loss.greatest_loss() - loss.least_loss()).estimate();
  if (!std::isfinite(width)) return best;
  for (const double each : abscissas_of_turn) {
    if (each / width < saddle && consider(each / width)) return best;
  }
  return best;
}

}  // namespace plaudit

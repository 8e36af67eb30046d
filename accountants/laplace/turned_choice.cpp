#include "accountants/laplace/turned_choice.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "accountants/laplace/end_choices.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double nats_of_term = 4;  ///< that each rule errs below what is wanted
constexpr double nats_of_laws = 8;  ///< that their values do
constexpr double loose_nats = 4;    ///< by which the terms at T may exceed M
constexpr double points_of_nat = 0.55;
constexpr double points_beside = 8;
constexpr double spare_bits_of_line = 64;
constexpr double spare_bits_of_nodes = 32;
constexpr double least_height = 6;    ///< of T, in deviations
constexpr double heights_of_t = 3;
constexpr double most_heights = 600;  ///< that T is raised to for cheaper values
constexpr int halvings = 40;

/// log of the sum of all terms at the height, e^(-t eps) apart.
double log_of_terms(const std::vector<EndPower>& laws, double t, double height) {
  double sum = 0;
  for (const EndPower& each : laws) {
    const TwoEnds<Ball> sizes = each.law->sizes(Ball(height));
    const double top = sizes.top.estimate_log() + t * each.law->losses().top.estimate();
    const double bottom = sizes.bottom.estimate_log() + t * each.law->losses().bottom.estimate();
    sum += static_cast<double>(each.count) *
           (std::max(top, bottom) + std::log1p(std::exp(-std::fabs(top - bottom))));
  }
  return sum;
}

}  // namespace

EndAccuracy accuracy_of(const TurnedChoice& choice) {
  return {choice.nats, choice.t, choice.height};
}

TurnedChoice choose_turned(const ComposedLoss& loss, CumulantTable& table, const LineAim& aim) {
  TurnedChoice choice;
  choice.epsilon = aim.epsilon;
  choice.t = table.saddle(aim.epsilon);
  const CumulantEstimate here = table.at(choice.t);
  choice.deviation = std::sqrt(here.variance);
  choice.scale = std::min(1 / choice.deviation, choice.t);
  const double lost = std::max(0.0, here.value - choice.t * aim.epsilon - aim.log_delta);
  choice.log_target = aim.log_delta - aim.nats - nats_of_term;
  choice.nats = aim.nats + lost + std::log(loss.steps()) + nats_of_laws;
  const PrecisionScope scope(64);
  const std::vector<EndPower> laws = end_laws(loss, {choice.nats, choice.t, 1e-3});
  // the least height at which the terms are not much more than M
  double high = std::min(least_height / choice.deviation, heights_of_t * choice.t);
  double easy = 0;
  for (const EndPower& each : laws) easy = std::max(easy, each.law->easy_height());
  for (int i = 0; i < halvings; ++i) {
    if (log_of_terms(laws, choice.t, high) < here.value + loose_nats) break;
    high *= 1.5;
  }
  choice.height = std::max(high, std::min(easy, most_heights / choice.deviation));
  const double terms = log_of_terms(laws, choice.t, choice.height);
  choice.turns = terms - choice.t * aim.epsilon - std::log(std::numbers::pi * choice.height) >
                 choice.log_target;
  const double growth = std::max(0.0, terms - here.value);
  choice.points = static_cast<std::size_t>(
      clamped_integer(points_of_nat * (aim.nats + lost) + points_beside, 12, 400));
  choice.bits = precision_bits((aim.nats + lost + growth) / log_two + spare_bits_of_line);
  long more = 0;
  const EndAccuracy accuracy = accuracy_of(choice);
  for (const EndPower& each : laws) more = std::max(more, each.law->bits_lost(accuracy));
  choice.bits_of_nodes = choice.bits + more + precision_bits(spare_bits_of_nodes);
  choice.seconds = 0.3;
  return choice;
}

}  // namespace plaudit

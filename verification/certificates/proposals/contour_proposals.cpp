#include "verification/certificates/proposals/contour_proposals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "accountants/contour/cut_contour.hpp"
#include "accountants/contour/straight_choice.hpp"
#include "accountants/contour/straight_contour.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/certificates/proposals/contour_choices.hpp"

namespace plaudit {

namespace {

using Json = nlohmann::ordered_json;

constexpr double most_nodes = 1e5;
constexpr std::size_t most_heights = 5;  ///< of sweeps that are proposed
constexpr double more_nodes = 1.2;       ///< than the accountant's line has
constexpr double highest = 1 << 20;      ///< where |M| must have fallen, in heights of the nodes

Proposal proposal(const StatementQuestion& question, const char* kind, const ComposedLoss& loss,
                  CumulantTable& table, const StraightChoice& choice) {
  ContourChoices found = contour_choices(question, loss, table, choice);
  return {kind, found.bits, std::move(found.choices)};
}

/// How many nats the distance of delta from the bound is below the bound, found by the contour in
/// ball arithmetic.
double nats_needed(const StatementQuestion& question, CumulantTable& table, double log_delta) {
  const double epsilon = estimate(question.epsilon);
  double nats = 0;
  for (const double tried : {34.0, 70.0, 140.0}) {
    check_work_limit();
    const StraightChoice choice = choose_straight(question.loss, table, epsilon, tried, log_delta);
    if (!std::isfinite(choice.seconds)) break;
    nats = tried;
    StraightContour contour(question.loss, table, epsilon, choice);
    const PrecisionScope scope(contour.bits() + 64);
    const Enclosure band = contour.delta(Ball(question.epsilon));
    const Ball bound(question.bound);
    const Ball room = question.upper() ? bound - band.upper : band.lower - bound;
    if (!certainly_positive(room)) continue;
    return std::max(3.0, log_delta - room.estimate_log() + 2);
  }
  if (nats == 0) throw std::invalid_argument("no straight contour is short enough");
  return nats;
}

}  // namespace

std::vector<Proposal> falling_proposals(const StatementQuestion& question) {
  CumulantTable table(question.loss);
  // errors count in units of the bound, whatever delta is
  const double log_delta = estimate_log(question.bound);
  const double nats = nats_needed(question, table, log_delta) + 1;
  StraightChoice choice =
      choose_straight(question.loss, table, estimate(question.epsilon), nats, log_delta);
  // the plain bounds beyond the nodes fall more slowly than those of the accountant
  choice.nodes += choice.nodes / 5 + 4;
  return {proposal(question, "straight", question.loss, table, choice)};
}

std::optional<Proposal> line_proposal(const StatementQuestion& question,
                                      const proof::LineChoices& line, double more_nats) {
  if (question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before) return {};
  std::shared_ptr<CutComposition> cut;
  if (line.log_moved) cut = cut_composition(question.loss, *line.log_moved);
  std::optional<CumulantTable> own;
  if (!cut) own.emplace(question.loss);
  StraightChoice choice;
  choice.t = line.t;
  choice.h = line.h / (1 + more_nats / line.nats);
  choice.both_residues = line.both_residues;
  choice.nats = line.nats + more_nats;
  choice.log_delta = line.log_delta;
  choice.cancellation = line.cancellation;
  // the plain bounds beyond the nodes fall more slowly than those of the accountant
  const double nodes = static_cast<double>(line.nodes) * (1 + 2 * more_nats / line.nats);
  choice.nodes = static_cast<std::size_t>(whole(nodes * more_nodes)) + 4;
  return proposal(question, cut ? "cut" : "straight", cut ? cut->loss : question.loss,
                  cut ? cut->table : *own, choice);
}

namespace {

std::unique_ptr<LineSweep> sweep_of(const ComposedLoss& loss, const StraightChoice& choice,
                                    double fall) {
  return std::make_unique<LineSweep>(loss, choice.t, choice.h, static_cast<long>(choice.nodes) + 1,
                                     choice.sweep_height, fall, 128, limits_of_sweeps);
}

}  // namespace

std::vector<Proposal> swept_proposals(const StatementQuestion& question) {
  CumulantTable table(question.loss);
  const double epsilon = estimate(question.epsilon);
  const double log_delta = estimate_log(question.bound);
  const double nats = nats_needed(question, table, log_delta) + 1;
  StraightChoice choice = choose_straight(question.loss, table, epsilon, nats, log_delta);
  if (!std::isfinite(choice.seconds)) {
    throw std::invalid_argument("no straight contour is short enough");
  }
  const PrecisionScope scope(128);
  const double first = static_cast<double>(choice.nodes + 1) * choice.h;
  const double fall = nats + choice.cancellation + 10;
  std::vector<Proposal> result;
  for (double height = 4 * first; height < highest * first; height *= 4) {
    choice.sweep_height = height;
    try {
      auto sweep = sweep_of(question.loss, choice, fall);
      // nodes next to the others: those of integrals can be summed there only
      const std::vector<long> summed = sweep->summed();
      if (!summed.empty() && summed.back() < static_cast<long>(5 * choice.nodes + 200)) {
        choice.nodes = static_cast<std::size_t>(summed.back());
        sweep = sweep_of(question.loss, choice, fall);
      }
      ContourChoices found = contour_choices(question, question.loss, table, choice, sweep.get());
      result.push_back({"straight", found.bits, std::move(found.choices)});
    } catch (const std::domain_error&) {
      if (!result.empty()) break;
      continue;  // it may fall farther out
    }
    // the checkers' plain bounds may want more
    if (result.size() == most_heights) break;
  }
  if (result.empty()) {
    throw std::invalid_argument("nothing makes the moment generating function fall");
  }
  return result;
}

namespace {

/// The shortest line on Re z = t whose errors are e^log_target, with nothing known of |M| beyond
/// the nodes but M(t), or what the laws' estimates say.
StraightChoice short_line(const ComposedLoss& loss, CumulantTable& table, double t, double epsilon,
                          double log_target) {
  StraightChoice choice;
  const LinePeriod least = least_period(loss, table, t, epsilon, log_target);
  const CumulantEstimate k = table.at(t);
  choice.t = t;
  choice.h = 2 * std::numbers::pi / least.period;
  choice.both_residues = least.both_residues;
  const double size = k.value - t * epsilon - log_target - std::log(std::numbers::pi * choice.h);
  double nodes = std::exp(size) + 1;
  for (int i = 0; i < 4 && nodes > 2 && nodes < 1e12; ++i) {
    const double decay = loss.estimate_log_decay(t, choice.h * nodes * 0.5);
    if (!(std::exp(size + decay) < 0.5 * nodes)) break;
    nodes *= 0.5;
  }
  choice.nodes = static_cast<std::size_t>(clamped_integer(std::ceil(nodes), 1, 1'000'000'000));
  choice.cancellation = std::max(0.0, k.value - t * epsilon - log_target);
  choice.seconds = std::isfinite(least.period) && nodes < most_nodes ? nodes : infinity;
  return choice;
}

}  // namespace

std::vector<Proposal> wide_proposals(const StatementQuestion& question) {
  CumulantTable table(question.loss);
  const double epsilon = estimate(question.epsilon);
  const double saddle = table.saddle(epsilon);
  const double log_bound = estimate_log(question.bound);
  const double guess = table.log_delta(epsilon, saddle);
  // what lies between delta and the bound
  const double log_room =
      std::max(guess, log_bound) + std::log1p(-std::exp(-std::fabs(guess - log_bound)) + 1e-6);
  if (!((guess < log_bound) == question.upper()) || log_room < log_bound - 12) {
    throw std::invalid_argument("the bound is too near to delta");
  }
  std::vector<Proposal> result;
  for (const double share : {0.25, 0.03}) {
    StraightChoice best;
    best.seconds = infinity;
    for (const double part : {1.0, 0.7, 0.5, 0.3, 0.2, 0.1}) {
      check_work_limit();
      const double t = short_double(saddle * part);
      const StraightChoice found =
          short_line(question.loss, table, t, epsilon, log_room + std::log(share));
      if (found.seconds < best.seconds) best = found;
    }
    best.log_delta = log_bound;
    best.nats = log_bound - log_room - std::log(share) + 3;
    result.push_back(proposal(question, "straight", question.loss, table, best));
  }
  return result;
}

}  // namespace plaudit

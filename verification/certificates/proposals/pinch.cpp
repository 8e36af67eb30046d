// Proposals of the kind `pinch`: the widths that the accountant `contour` would try, until one
// reaches the bound in ball arithmetic. Nothing here is trusted.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>

#include "accountants/contour/pinched_contour.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/certificates/proposals/contour_choices.hpp"
#include "verification/certificates/proposals/contour_proposals.hpp"

namespace plaudit {

namespace {

using Json = nlohmann::ordered_json;

/// Relative accuracies e^-nats of delta that are tried.
constexpr double least_nats = 6;
constexpr double most_nats = 33;
constexpr double step_of_nats = 2.5;
/// What the checkers' bounds of ranges of nodes need more.
constexpr double nats_of_ranges = 8;
/// Who asks for so many nats more of accuracy gets the next finer width: one is 2.5 nats finer than
/// the other, and the errors of the checkers' own bounds come to a few nats.
constexpr double nats_of_finer_width = 12;

bool reaches(const StatementQuestion& question, const Enclosure& band) {
  const Ball bound(question.bound);
  return question.upper() ? certainly_less(band.upper, bound) : certainly_less(bound, band.lower);
}

Proposal proposal(const StatementQuestion& question, PinchedContour& contour) {
  Json choices = {{"tau", dyadic(contour.tau())}};
  ContourChoices near = contour_choices(question, contour.near_loss(), contour.near_table(),
                                        contour.near().choice(), contour.near().sweep().get());
  long bits = near.bits;
  if (!question.upper()) choices["ratio"] = dyadic(PinchedContour::ratio);
  choices["near"] = std::move(near.choices);
  if (!question.upper()) {
    StraightChoice lower = contour.far().choice();  // its Gaussian falls faster
    lower.sweep_height *= 1.05 / PinchedContour::ratio;
    ContourChoices far = contour_choices(question, contour.far_loss(), contour.far_table(), lower,
                                         contour.near().sweep().get());
    bits = std::max(bits, far.bits);
    choices["far"] = std::move(far.choices);
  }
  return {"pinch", bits, std::move(choices)};
}

/// @param spared widths that reach the bound and are passed over, for finer ones.
std::vector<Proposal> pinch_proposals(const StatementQuestion& question, int spared) {
  if (question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before) return {};
  CumulantTable table(question.loss);
  const double epsilon = estimate(question.epsilon);
  const double log_delta = estimate_log(question.bound);
  std::string reason = "does not reach so narrow a band";
  const double slope = table.saddle(epsilon);
  const double width = std::min(slope * question.epsilon_width, question.log_delta_width);
  // the accuracy of the claimed width, or of as much of it as the widths tried can have
  const double first = std::clamp(-std::log(width), least_nats, most_nats - step_of_nats);
  for (double nats = first; nats < most_nats; nats += step_of_nats) {
    check_work_limit();
    PinchChoice choice = choose_pinch(question.loss, table, epsilon, nats, log_delta);
    if (!std::isfinite(choice.seconds)) throw std::invalid_argument("no contour is short enough");
    if (choice.nats < nats - step_of_nats) break;
    choice.line.sweep_height *= std::sqrt(1 + nats_of_ranges / choice.line.sweep_nats);
    choice.line.sweep_nats += nats_of_ranges;
    choice.line.sweep_limits = limits_of_sweeps;
    try {
      auto contour = std::make_unique<PinchedContour>(question.loss, epsilon, choice);
      const PrecisionScope scope(contour->bits() + 64);
      if (!reaches(question, contour->delta(Ball(question.epsilon))) || spared-- > 0) continue;
      // laws with integrals are summed from node 0 on alone: nodes just beyond become part of the
      // line
      const std::vector<long> summed = contour->near().sweep()->summed();
      if (!summed.empty() && summed.back() < static_cast<long>(5 * choice.line.nodes + 200)) {
        choice.line.nodes = static_cast<std::size_t>(summed.back());
        contour = std::make_unique<PinchedContour>(question.loss, epsilon, choice);
      }
      return {proposal(question, *contour)};
    } catch (const std::domain_error& error) {
      reason = error.what();
      break;
    }
  }
  throw std::invalid_argument(reason);
}

}  // namespace

std::optional<Proposal> pinch_proposal(const StatementQuestion& question, double more_nats) {
  const long spared = whole(std::floor(more_nats / nats_of_finer_width));
  std::vector<Proposal> all = pinch_proposals(question, static_cast<int>(spared));
  if (all.empty()) return std::nullopt;
  return std::move(all.front());
}

std::vector<Proposal> propose_pinch(const StatementQuestion& question) {
  return pinch_proposals(question, 0);
}

}  // namespace plaudit

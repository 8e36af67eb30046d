// Proposals of the kind `straight`: one straight contour, chosen in floating point as the
// accountant `contour` does, at rising accuracy. Nothing here is trusted.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "accountants/straight_choice.hpp"
#include "lib/strip_quadrature.hpp"
#include "lib/work_limit.hpp"
#include "mechanisms/gaussian_mixture_mechanism.hpp"
#include "mechanisms/laplace_loss.hpp"
#include "verification/certificates/mixture_rules.hpp"
#include "verification/certificates/question.hpp"

namespace plaudit {

namespace {

using Json = nlohmann::ordered_json;

constexpr int most_attempts = 6;

struct Line {
  double t;
  double height;  ///< of the first node left out
  double right_order;
  double left_order;
  double nats;       ///< accuracy wanted of the moments at the nodes
  double rest_nats;  ///< and of those in error terms
};

/// What one factor needs: nothing where its moments are closed forms.
Json factor_choices(const Factor& factor, Direction direction, const Line& line) {
  const auto* form = dynamic_cast<const GaussianMixtureMechanism*>(factor.mechanism.get());
  if (form == nullptr) {
    const auto loss = factor.mechanism->loss(direction);
    if (dynamic_cast<const LaplaceLoss*>(loss.get()) != nullptr) return Json::object();
    throw std::invalid_argument("no rules for the moments of " + factor.mechanism->spec());
  }
  const GaussianMixture& mixture = form->mixture();
  if (mixture.sensitivities.size() == 1) return Json::object();
  const MixtureRules rules(mixture);
  const auto order = [&](double t) { return direction == Direction::remove ? 1 + t : -t; };
  return {{"axis", rules.on_axis(order(line.t), 12).json()},
          {"line", rules.on_line(order(line.t), line.nats).json()},
          {"decay", rules.beyond(order(line.t), line.height, line.rest_nats).json()},
          {"right", rules.on_axis(order(line.right_order), line.rest_nats).json()},
          {"left", rules.on_axis(order(-line.left_order), line.rest_nats).json()}};
}

double right_order(CumulantTable& table, const StraightChoice& choice, double epsilon,
                   double period) {
  const double order = short_double(choice.t + best_right_gap(table, choice.t, epsilon, period));
  return order > choice.t ? order : 2 * choice.t;
}

double left_order(CumulantTable& table, const StraightChoice& choice, double epsilon,
                  double period) {
  double order =
      choice.both_residues
          ? 1 + short_double(best_left_excess(table, choice.t, epsilon, period))
          : std::min(1.0, short_double(best_left_order(table, choice.t, epsilon, period)));
  if (choice.both_residues && !(order > 1)) order = 1.0 + 0x1p-10;
  if (order == 0.5) order += 0x1p-10;  // the formula of Laplace noise divides by 0
  return order;
}

Proposal proposal(const StatementQuestion& question, CumulantTable& table, double nats,
                  double log_delta) {
  const double epsilon = estimate(question.epsilon);
  const StraightChoice choice = choose_straight(question.loss, table, epsilon, nats, log_delta);
  if (!std::isfinite(choice.seconds) || choice.nodes < 1 || !(choice.t > 0)) {
    throw std::invalid_argument("no straight contour is short enough");
  }
  const auto nodes = static_cast<long>(choice.nodes);
  const double period = 2 * std::numbers::pi / choice.h;
  const double height = choice.h * static_cast<double>(nodes + 1);
  const CumulantEstimate k = table.at(choice.t);
  const auto& factors = question.composition.factors();
  const double cancelled = std::max(0.0, k.value - choice.t * epsilon - log_delta);
  Json items = Json::array();
  Line line{choice.t,
            height,
            right_order(table, choice, epsilon, period),
            left_order(table, choice, epsilon, period),
            0,
            0};
  for (const Factor& factor : factors) {
    const double steps =
        std::log(static_cast<double>(factor.count) * static_cast<double>(factors.size())) + 5;
    line.nats = nats + cancelled + steps;
    line.rest_nats = steps;
    items.push_back(factor_choices(factor, question.direction, line));
  }
  const double bits =
      (nats + choice.cancellation + std::log(question.loss.steps())) / 0.69 +
      std::log2(20 + height * (std::fabs(epsilon) + std::fabs(k.mean)) + std::fabs(k.value));
  return {"straight",
          static_cast<long>(bits) + 60,
          {{"t", dyadic(choice.t)},
           {"h", dyadic(choice.h)},
           {"nodes", nodes},
           {"residues", choice.both_residues ? 2 : 1},
           {"right_order", dyadic(line.right_order)},
           {"left_order", dyadic(line.left_order)},
           {"factors", items}}};
}

}  // namespace

// The relative distance that must be resolved is not known beforehand: it is found by trying.
std::vector<Proposal> propose_straight(const StatementQuestion& question) {
  if (question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before) return {};
  CumulantTable table(question.loss);
  const double epsilon = estimate(question.epsilon);
  const double log_delta = table.log_delta(epsilon, table.saddle(epsilon));
  std::vector<Proposal> result;
  double nats = 16;
  for (int attempt = 0; attempt < most_attempts; ++attempt, nats *= 1.6) {
    check_work_limit();
    try {
      result.push_back(proposal(question, table, nats, log_delta));
    } catch (const std::invalid_argument&) {
      if (result.empty()) throw;
      break;  // the more accurate ones are longer still
    }
  }
  return result;
}

}  // namespace plaudit

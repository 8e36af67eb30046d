#include "verification/certificates/proposals/contour_choices.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "lib/analysis/strip_quadrature.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "verification/certificates/proposals/line_choices.hpp"

namespace plaudit {

namespace {

using Json = nlohmann::ordered_json;

constexpr double most_line_nodes = 1e5;

struct Orders {
  std::optional<double> right;  ///< none: the period reaches the end of the support
  std::optional<double> left;
};

/// Ends of supports are doubles: within 1e-9 of epsilon they count as not reached.
Orders alias_orders(const ComposedLoss& loss, CumulantTable& table, const StraightChoice& choice,
                    double epsilon) {
  const double period = 2 * std::numbers::pi / choice.h;
  Orders orders;
  const bool start_reached =
      epsilon - period < loss.least_loss().lower_double() - 1e-9 * std::fabs(epsilon);
  if (choice.t < 0) {  // its right aliases bound themselves
    if (start_reached) return orders;
    orders.left = short_double(best_gap_left_of_poles(table, choice.t, epsilon, period) - choice.t);
    return orders;
  }
  if (!(epsilon + period > loss.greatest_loss().upper_double() + 1e-9 * std::fabs(epsilon))) {
    const double found = short_double(choice.t + best_right_gap(table, choice.t, epsilon, period));
    orders.right = found > choice.t ? found : 2 * choice.t;
  }
  if (!choice.both_residues) {
    orders.left = std::min(1.0, short_double(best_left_order(table, choice.t, epsilon, period)));
  } else if (!start_reached) {
    const double excess = short_double(best_left_excess(table, choice.t, epsilon, period));
    orders.left = 1 + std::max(excess, 0x1p-10);
  }
  return orders;
}

Json ranges(const LineSweep& sweep, double height, double h) {
  Json ends = Json::array();
  Json how = Json::array();
  bool blocks = false;
  for (const LineRange& range : sweep.ranges()) {
    if (static_cast<double>(range.first) * h > height) break;
    long last = range.last;
    if (range.how == LineRange::How::blocks && static_cast<double>(last) * h > height) {
      const double needed =
          (height / h - static_cast<double>(range.first)) / static_cast<double>(sweep.block());
      const long kept = checked_integer(std::ceil(needed) + 1, "blocks of nodes");
      last = std::min(last, range.first + kept * sweep.block() - 1);
    }
    ends.push_back(last);
    how.push_back(range.how == LineRange::How::bounded  ? 0
                  : range.how == LineRange::How::summed ? 1
                                                        : 2);
    blocks = blocks || range.how == LineRange::How::blocks;
  }
  Json result = {{"ends", std::move(ends)}, {"how", std::move(how)}};
  if (blocks) result["block"] = sweep.block();
  return result;
}

}  // namespace

ContourChoices contour_choices(const StatementQuestion& question, const ComposedLoss& loss,
                               CumulantTable& table, const StraightChoice& choice,
                               const LineSweep* sweep) {
  const double epsilon = estimate(question.epsilon);
  const double nats = choice.nats;
  const double log_delta = choice.log_delta;
  if (!std::isfinite(choice.seconds) || choice.nodes < 1 ||
      (choice.t < 0 && !choice.both_residues) ||
      static_cast<double>(choice.nodes) > most_line_nodes) {
    throw std::invalid_argument("no straight contour is short enough");
  }
  const Orders orders = alias_orders(loss, table, choice, epsilon);
  const double height = choice.h * static_cast<double>(choice.nodes + 1);
  const CumulantEstimate k = table.at(choice.t);
  const double cancelled = std::max(0.0, k.value - choice.t * epsilon - log_delta);
  Json items = Json::array();
  const auto& terms = loss.terms();
  for (std::size_t i = 0; i < question.run().factors.size(); ++i) {
    const double steps =
        std::log(static_cast<double>(terms[i].count) * static_cast<double>(terms.size()));
    LineGoals goals;
    goals.nodes = {choice.t, height, nats + cancelled + steps + 3};
    if (orders.right) goals.orders.push_back({"right", *orders.right});
    if (orders.left) goals.orders.push_back({"left", -*orders.left});
    goals.rest_nats = steps + 3;
    items.push_back(line_choices(*question.run().factors[i].law, *terms[i].loss, goals));
  }
  // Bits lost: the sum cancels, log M and its angles are that large, powers go from node to node.
  // Twice as many, since the writer keeps 2^-(bits/2) of the bound to spare.
  const double lost =
      (choice.cancellation + std::log(loss.steps())) / log_two +
      std::log2(20 + height * (std::fabs(epsilon) + std::fabs(k.mean)) + std::fabs(k.value)) +
      2 * std::log2(1.0 + static_cast<double>(choice.nodes)) + 12;
  const double bits = std::max({nats / log_two + lost + 12, 2 * lost, 2 * nats / log_two + 16});
  Json choices = {{"t", dyadic(choice.t)},
                  {"h", dyadic(choice.h)},
                  {"nodes", choice.nodes},
                  {"residues", choice.both_residues ? 2 : 1}};
  if (orders.right) choices["right_order"] = dyadic(*orders.right);
  if (orders.left) choices["left_order"] = dyadic(*orders.left);
  choices["factors"] = std::move(items);
  if (sweep != nullptr) choices["ranges"] = ranges(*sweep, choice.sweep_height, choice.h);
  return {whole(bits), std::move(choices)};
}

}  // namespace plaudit

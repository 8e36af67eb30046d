// Proposals of the kind `moments`: the order that makes Lemma 1's bound least, first with bounds of
// the moments that need no quadrature, then with rules.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "accountants/contour/cut_contour.hpp"
#include "accountants/cumulants/order_search.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/analysis/strip_quadrature.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/bounded_loss.hpp"
#include "verification/certificates/proposals/line_choices.hpp"
#include "verification/certificates/proposals/moment_proposals.hpp"
#include "verification/certificates/proposals/question.hpp"
#include "verification/checker/contour.hpp"

namespace plaudit {

namespace {

using Json = nlohmann::ordered_json;

constexpr long least_bits_of_moments = 192;
constexpr double spare_bits_of_moments = 64;
constexpr double most_bits_of_moments = 20000;  ///< that a certificate may ask for
/// Nats by which a moment may exceed the one that proved an answer of a dozen digits.
constexpr double nats_beside_the_answer = 1e-16;
constexpr double least_order = 1e-25;
constexpr double most_order = 1e6;

struct Best {
  double order = 0;
  double size = infinity;
};

/// The order that makes `log_size` least, on a grid of ratios; a smaller one, which has easier
/// moments, where that is well below `log_room` too.
Best least_over_orders(double low, double high, double log_room,
                       const std::function<double(double)>& log_size) {
  Best best;
  const auto look = [&](double order) {
    check_work_limit();
    const double size = log_size(order);
    if (size < best.size) best = {order, size};
  };
  for (double order = low; order <= high; order *= 2) look(order);
  for (double ratio = 1.5; best.order > 0 && ratio > 1.01; ratio = std::sqrt(ratio)) {
    const double middle = best.order;
    look(middle * ratio);
    look(middle / ratio);
  }
  const double enough = log_room - std::min(1.0, 0.3 * (log_room - best.size));
  double from = low;
  for (double to = best.order; best.size < log_room && to > 1.02 * from;) {
    const double middle = std::sqrt(from * to);
    const double size = log_size(middle);
    if (size < enough) {
      to = middle;
      best = {middle, size};
    } else {
      from = middle;
    }
  }
  best.order = short_double(best.order);
  return best;
}

/// The choices of a law where all integrals are bounded plainly.
Json without_rules(const proof::Law& law) {
  if (const auto* label = std::get_if<proof::PublicLabel>(&law)) {
    std::vector<Json> labels;
    for (const auto& each : label->laws->each) labels.push_back(without_rules(*each));
    return choices_of_labels(*label, std::move(labels));
  }
  if (std::holds_alternative<proof::Labelled>(law)) return {{"labels", Json::array()}};
  return Json::object();
}

/// log of M without rules, by the checker's own bounds.
double log_plain_moment(const StatementQuestion& question, double order) {
  try {
    const PrecisionScope scope(128);
    proof::Budget budget(proof::Limits{.timeout = 10, .work = 1e8});
    double sum = 0;
    for (const proof::Factor& factor : question.run().factors) {
      const nlohmann::json none = without_rules(*factor.law);
      proof::Fields fields(none, "choices");
      const proof::LinePointer line = proof::make_line(*factor.law, fields, true);
      const proof::Interval size = proof::log(
          line->moment(proof::Interval(checked_rational(order, "an order")), "moment", budget));
      sum += static_cast<double>(factor.count) * mpfr_get_d(size.high(), MPFR_RNDU);
    }
    return std::isnan(sum) ? infinity : sum;
  } catch (const proof::Rejected&) {
    return infinity;
  }
}

/// Twice those that tell a bound below 1 from 1: the writer keeps 2^-(bits/2) to spare.
long bits_for(const StatementQuestion& question) {
  if (question.upper()) return least_bits_of_moments;
  const double nats = -estimate_log(Rational(1 - question.bound));
  return std::max(least_bits_of_moments, whole(std::min(2 * nats / log_two + spare_bits_of_moments,
                                                        most_bits_of_moments)));
}

Proposal plain(const StatementQuestion& question, double order) {
  Json items = Json::array();
  for (const proof::Factor& factor : question.run().factors) {
    items.push_back(without_rules(*factor.law));
  }
  return {"moments", bits_for(question), {{"order", dyadic(order)}, {"factors", std::move(items)}}};
}

/// @param room nats by which the estimate may be exceeded.
Proposal ruled(const StatementQuestion& question, const ComposedLoss& loss, double order,
               double room) {
  Json items = Json::array();
  const auto& terms = loss.terms();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    LineGoals goals;
    goals.orders.push_back({"moment", order});
    goals.rest_nats = std::log(static_cast<double>(terms[i].count) *
                               static_cast<double>(terms.size()) / std::min(room, 1.0)) +
                      1;
    items.push_back(line_choices(*question.run().factors[i].law, *terms[i].loss, goals));
  }
  return {"moments", bits_for(question), {{"order", dyadic(order)}, {"factors", std::move(items)}}};
}

/// Orders sign * order in [low, high]; `log_size` is the log of the bound's size in floating point,
/// log_room what it must stay below.
void propose(const StatementQuestion& question, const ComposedLoss& loss, double log_room,
             double low, double high, const std::function<double(double)>& log_size, double sign,
             std::vector<Proposal>& result) {
  const Best fine = least_over_orders(low, high, log_room, log_size);
  if (fine.order > 0 && fine.size >= log_room) return;
  // without rules the bounds are worse: smaller orders, or none
  const double epsilon = estimate(question.epsilon);
  const double from = fine.order > 0 ? fine.order : high;
  for (double order = from; order > std::max(low, from * 1e-9); order /= fine.order > 0 ? 2 : 16) {
    check_work_limit();
    const double size = log_plain_moment(question, sign * order) - sign * order * epsilon +
                        (sign > 0 ? estimate_log_chernoff_factor(order) : 0);
    if (size < log_room) {
      result.push_back(plain(question, sign * short_double(order)));
      return;
    }
    if (fine.order > 0 && order < 0.1 * fine.order) break;
  }
  if (fine.order > 0) {
    result.push_back(ruled(question, loss, sign * fine.order, log_room - fine.size));
  }
}

/// Where a factor has bounds of moments alone there is no other kind, and a claim is as narrow as
/// the best order makes it: that order, as nearly as doubles go, or the last one that is bounded.
std::vector<Proposal> best_bounded_order(const StatementQuestion& question) {
  if (!question.upper()) {
    throw std::invalid_argument("bounds of moments bound nothing from below");
  }
  const double epsilon = estimate(question.epsilon);
  const double last = std::min(most_order, greatest_bounded_order(question.loss));
  CumulantTable table(question.loss);
  Best best;
  const auto look = [&](double order) {
    check_work_limit();
    if (order > last) return;
    const double size =
        estimate_log_chernoff_factor(order) + table.at(order).value - order * epsilon;
    if (size < best.size) best = {order, size};
  };
  for (double order = least_order; order <= last; order *= 2) look(order);
  look(last);
  for (double ratio = 1.5; best.order > 0 && ratio > 1 + 1e-9; ratio = std::sqrt(ratio)) {
    const double middle = best.order;
    look(middle * ratio);
    look(middle / ratio);
  }
  if (best.order == 0) throw std::invalid_argument("no moment proves so much");
  const double room = std::max(estimate_log(question.bound) - best.size, 1e-16);
  return {ruled(question, question.loss, best.order, room)};
}

}  // namespace

std::optional<Proposal> moment_proposal(const StatementQuestion& question,
                                        const proof::MomentChoices& choices) {
  if (question.at_infinity || question.verb != StatementQuestion::Verb::at_most) return {};
  return ruled(question, question.loss, choices.order, nats_beside_the_answer);
}

std::vector<Proposal> propose_moments(const StatementQuestion& question) {
  if (question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before) return {};
  if (!question.spec.has_pair) return best_bounded_order(question);
  const double epsilon = estimate(question.epsilon);
  std::vector<Proposal> result;
  if (question.upper()) {
    const auto upper_bound = [&](const ComposedLoss& loss, double log_room) {
      CumulantTable table(loss);
      propose(
          question, loss, log_room, least_order, most_order,
          [&](double order) {
            return estimate_log_chernoff_factor(order) + table.at(order).value - order * epsilon;
          },
          1, result);
    };
    const Rational room = question.bound;
    const Ball infinite = question.loss.mass_at_infinity();
    const Ball left = Ball(room) - infinite;
    if (!certainly_positive(left)) {
      throw std::invalid_argument("the mass at infinity is not below the bound");
    }
    upper_bound(question.loss, left.estimate_log() - 1e-6);
    if (result.empty()) {
      // half of the room for rare draws moved to infinity
      const auto cut = cut_composition(question.loss, left.estimate_log() - 1.5);
      if (cut) upper_bound(cut->loss, left.estimate_log() - 0.7);
    }
  } else {
    const double log_room =
        estimate_log(Rational(std::max(Rational(1 - question.bound), Rational(0))));
    CumulantTable table(question.loss);
    propose(
        question, question.loss, log_room - 1e-9, least_order, 1,
        [&](double order) { return table.between_poles(order) + order * epsilon; }, -1, result);
  }
  if (result.empty()) throw std::invalid_argument("no moment proves so much");
  return result;
}

}  // namespace plaudit

// Proposals of the kind `laplace`: the plan of the accountant, with the precision that the
// cancelling sum needs. Nothing here is trusted.
#include <stdexcept>

#include "accountants/plan/laplace_plan.hpp"
#include "lib/constants.hpp"
#include "verification/certificates/evidence.hpp"
#include "verification/certificates/proposals/wanted.hpp"

namespace plaudit {

namespace {

constexpr double few_products = 4e5;  ///< a second in Python; then a straight contour is tried
constexpr double most_products = 6e6;
constexpr double beside_draws = 40;
constexpr double spare_bits_of_sum = 30;

std::vector<Proposal> proposals(const StatementQuestion& question, double least, double most) {
  if (question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before) return {};
  const std::optional<LaplacePower> power = laplace_power(question.loss);
  if (!power) throw std::invalid_argument("not Laplace noise of one ratio");
  const double epsilon = estimate(question.epsilon);
  const double last =
      (static_cast<double>(power->steps) - epsilon / estimate(power->loss->ratio())) / 2;
  std::vector<Proposal> result;
  for (const double nats : nats_to_try(question)) {
    const LaplacePlan plan = plan_laplace(*power, epsilon, nats);
    const double rows = std::max(0.0, last - static_cast<double>(plan.choices.first)) + 1;
    const double products = rows * (static_cast<double>(plan.choices.draws) + beside_draws);
    if (products < least || products > most) continue;
    const long bits = std::max(whole(plan.lost_bits + nats / log_two + spare_bits_of_sum),
                               whole(2 * nats / log_two) + 16);
    result.push_back(plaudit::proposal_of(proof::Evidence{plan.choices, bits}));
  }
  if (result.empty()) throw std::invalid_argument("the sum over Laplace noise is too long");
  return result;
}

}  // namespace

std::vector<Proposal> propose_laplace(const StatementQuestion& question) {
  return proposals(question, 0, few_products);
}

std::vector<Proposal> propose_long_laplace(const StatementQuestion& question) {
  return proposals(question, few_products, most_products);
}

}  // namespace plaudit

// Proposals of the kind `bent`: the plan of the accountant, at rising accuracy. Nothing here is
// trusted.
#include <cmath>
#include <stdexcept>

#include "accountants/contour/hyperbola_contour.hpp"
#include "accountants/cumulants/cumulant_table.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/certificates/evidence.hpp"
#include "verification/certificates/question.hpp"

namespace plaudit {

Proposal propose_bent(const StatementQuestion& question, double accuracy);

namespace {

constexpr int effort = 400;
constexpr double accuracies[] = {1e-15, 1e-19};
constexpr long least_bits = 110;

}  // namespace

/// The error that is aimed at is `accuracy` times the bound.
Proposal propose_bent(const StatementQuestion& question, double accuracy) {
  if (!(question.bound > 0)) throw std::invalid_argument("not for delta = 0");
  if (!HyperbolaContour::applies(question.loss)) {
    throw std::invalid_argument("for Gaussian mixtures with a component at 0 only");
  }
  const double epsilon = estimate(question.epsilon);
  const double log_bound = estimate_log(question.bound);
  CumulantTable table(question.loss);
  const HyperbolaPlan plan = plan_hyperbola(
      hyperbola_law(question.loss),
      {epsilon, table.saddle(epsilon), log_bound, log_bound + std::log(accuracy)}, effort);
  if (!std::isfinite(plan.seconds)) throw std::invalid_argument("no contour was found");
  return proposal_of({plan.choices, std::max(plan.bits_to_check, least_bits)});
}

// How far the bound is from delta is not known beforehand: it is found by trying.
std::vector<Proposal> propose_bent(const StatementQuestion& question) {
  if (question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before) return {};
  std::vector<Proposal> result;
  for (const double accuracy : accuracies) {
    check_work_limit();
    result.push_back(propose_bent(question, accuracy));
  }
  return result;
}

}  // namespace plaudit

// Proposals of the kinds `straight` and `cut`.
#include <cmath>
#include <stdexcept>

#include "accountants/cut_contour.hpp"
#include "verification/certificates/contour_proposals.hpp"

namespace plaudit {

namespace {

bool out_of_reach(const StatementQuestion& question) {
  return question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before;
}

}  // namespace

std::vector<Proposal> propose_straight(const StatementQuestion& question) {
  if (out_of_reach(question)) return {};
  CumulantTable table(question.loss);
  return contour_proposals(question, "straight", question.loss, table, Ball(0));
}

/// What is moved to infinity is e^-nats of the bound.
std::vector<Proposal> propose_cut(const StatementQuestion& question) {
  if (out_of_reach(question)) return {};
  const double log_bound = estimate_log(question.bound);
  std::vector<Proposal> result;
  for (const double nats : {36.0, 60.0}) {
    const auto cut = cut_composition(question.loss, log_bound - nats);
    if (!cut) throw std::invalid_argument("no rare draws to set aside");
    try {
      for (Proposal& each : contour_proposals(question, "cut", cut->loss, cut->table, cut->moved)) {
        result.push_back(std::move(each));
      }
    } catch (const std::invalid_argument&) {
      if (nats > 50 && result.empty()) throw;
    }
  }
  return result;
}

}  // namespace plaudit

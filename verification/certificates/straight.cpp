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

/// log delta at most, as far as floating point knows.
double guess_log_delta(const StatementQuestion& question, CumulantTable& table) {
  const double epsilon = estimate(question.epsilon);
  return table.log_delta(epsilon, table.saddle(epsilon));
}

}  // namespace

std::vector<Proposal> propose_straight(const StatementQuestion& question) {
  if (out_of_reach(question)) return {};
  CumulantTable table(question.loss);
  return contour_proposals(question, "straight", question.loss, table,
                           guess_log_delta(question, table));
}

/// What is moved to infinity is e^-nats of delta; the bound is about delta itself.
std::vector<Proposal> propose_cut(const StatementQuestion& question) {
  if (out_of_reach(question)) return {};
  const double log_delta = estimate_log(question.bound);
  std::vector<Proposal> result;
  for (const double nats : {8.0, 36.0, 60.0}) {
    const auto cut = cut_composition(question.loss, log_delta - nats);
    if (!cut) throw std::invalid_argument("no rare draws to set aside");
    try {
      for (Proposal& each : contour_proposals(question, "cut", cut->loss, cut->table, log_delta)) {
        result.push_back(std::move(each));
      }
    } catch (const std::invalid_argument&) {
      if (nats > 50 && result.empty()) throw;
    }
  }
  return result;
}

}  // namespace plaudit

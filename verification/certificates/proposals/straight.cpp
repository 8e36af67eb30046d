// Proposals of the kinds `straight` and `cut`: one each, and more accurate ones for when all kinds
// have failed.
#include <cmath>
#include <stdexcept>

#include "accountants/contour/cut_contour.hpp"
#include "verification/certificates/proposals/contour_proposals.hpp"

namespace plaudit {

namespace {

bool out_of_reach(const StatementQuestion& question) {
  return question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before;
}

std::vector<Proposal> straight(const StatementQuestion& question, const std::vector<double>& more) {
  if (out_of_reach(question)) return {};
  CumulantTable table(question.loss);
  return contour_proposals(question, "straight", question.loss, table, Ball(0), more);
}

/// What is moved to infinity is e^-nats of the bound.
std::vector<Proposal> cut(const StatementQuestion& question, double nats,
                          const std::vector<double>& more) {
  if (out_of_reach(question)) return {};
  const auto changed = cut_composition(question.loss, estimate_log(question.bound) - nats);
  if (!changed) throw std::invalid_argument("no rare draws to set aside");
  return contour_proposals(question, "cut", changed->loss, changed->table, changed->moved(), more);
}

}  // namespace

std::vector<Proposal> propose_straight(const StatementQuestion& question) {
  return straight(question, {1});
}
std::vector<Proposal> propose_short_straight(const StatementQuestion& question) {
  return out_of_reach(question) ? std::vector<Proposal>{} : wide_proposals(question);
}
std::vector<Proposal> propose_swept_straight(const StatementQuestion& question) {
  return out_of_reach(question) ? std::vector<Proposal>{} : swept_proposals(question);
}
std::vector<Proposal> propose_finer_straight(const StatementQuestion& question) {
  return straight(question, {8, 18});
}
std::vector<Proposal> propose_cut(const StatementQuestion& question) {
  return cut(question, 36, {1});
}
std::vector<Proposal> propose_finer_cut(const StatementQuestion& question) {
  return cut(question, 60, {6, 15});
}

}  // namespace plaudit

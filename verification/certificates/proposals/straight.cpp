// Proposals of the kind `straight`, by what is known of |M| beyond the nodes.
#include "verification/certificates/proposals/contour_proposals.hpp"

namespace plaudit {

namespace {

bool out_of_reach(const StatementQuestion& question) {
  return question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before;
}

}  // namespace

std::vector<Proposal> propose_straight(const StatementQuestion& question) {
  return out_of_reach(question) ? std::vector<Proposal>{} : falling_proposals(question);
}
std::vector<Proposal> propose_short_straight(const StatementQuestion& question) {
  return out_of_reach(question) ? std::vector<Proposal>{} : wide_proposals(question);
}
std::vector<Proposal> propose_swept_straight(const StatementQuestion& question) {
  return out_of_reach(question) ? std::vector<Proposal>{} : swept_proposals(question);
}

}  // namespace plaudit

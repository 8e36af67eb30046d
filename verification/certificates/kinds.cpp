// The table of proposers, in the order in which they are asked, and numbers as choices have them.
#include <cmath>
#include <stdexcept>

#include "lib/exact/checked_integer.hpp"
#include "verification/certificates/proposals/question.hpp"

namespace plaudit {

std::vector<Proposal> propose_ends(const StatementQuestion& question);
std::vector<Proposal> propose_threshold(const StatementQuestion& question);
std::vector<Proposal> propose_moments(const StatementQuestion& question);
std::vector<Proposal> propose_short_straight(const StatementQuestion& question);
std::vector<Proposal> propose_sum(const StatementQuestion& question);
std::vector<Proposal> propose_straight(const StatementQuestion& question);
std::vector<Proposal> propose_contour(const StatementQuestion& question);
std::vector<Proposal> propose_atoms(const StatementQuestion& question);
std::vector<Proposal> propose_swept_straight(const StatementQuestion& question);
std::vector<Proposal> propose_pinch(const StatementQuestion& question);

const std::vector<Proposer>& proposers() {
  static const std::vector<Proposer> all = {
      {"ends", propose_ends},
      {"threshold", propose_threshold},
      {"moments", propose_moments},
      {"straight", propose_short_straight},
      {"sum", propose_sum},
      {"straight", propose_straight},
      {"contour", propose_contour},
      {"atoms", propose_atoms},
      {"straight", propose_swept_straight},
      {"pinch", propose_pinch},
  };
  return all;
}

long whole(double x) {
  if (!(std::fabs(x) <= static_cast<double>(most_index))) {
    throw std::invalid_argument("a certificate would need numbers beyond 2^53");
  }
  return checked_integer(x, "a choice of a certificate");
}

nlohmann::ordered_json dyadic(double x) {
  if (!std::isfinite(x)) throw std::invalid_argument("a choice of a certificate is no number");
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  while (mantissa != std::floor(mantissa)) {
    mantissa *= 2;
    --exponent;
  }
  return nlohmann::ordered_json::array({whole(mantissa), exponent});
}

}  // namespace plaudit

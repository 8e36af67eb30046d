// The kinds of proof that the writer can propose, and their common words.
#include <cmath>

#include "verification/certificates/question.hpp"

namespace plaudit {

std::vector<Proposal> propose_cut(const StatementQuestion& question);
std::vector<Proposal> propose_finer_cut(const StatementQuestion& question);
std::vector<Proposal> propose_finer_straight(const StatementQuestion& question);
std::vector<Proposal> propose_short_straight(const StatementQuestion& question);
std::vector<Proposal> propose_moments(const StatementQuestion& question);
std::vector<Proposal> propose_swept_straight(const StatementQuestion& question);
std::vector<Proposal> propose_pinch(const StatementQuestion& question);
std::vector<Proposal> propose_bent(const StatementQuestion& question);
std::vector<Proposal> propose_straight(const StatementQuestion& question);
std::vector<Proposal> propose_ends(const StatementQuestion& question);
std::vector<Proposal> propose_threshold(const StatementQuestion& question);
std::vector<Proposal> propose_lattice(const StatementQuestion& question);
std::vector<Proposal> propose_finer_pinch(const StatementQuestion& question);
std::vector<Proposal> propose_laplace(const StatementQuestion& question);
std::vector<Proposal> propose_long_laplace(const StatementQuestion& question);
std::vector<Proposal> propose_atoms(const StatementQuestion& question);

const std::vector<Proposer>& proposers() {
  static const std::vector<Proposer> all = {
      {"ends", propose_ends},
      {"threshold", propose_threshold},
      {"moments", propose_moments},
      {"straight", propose_short_straight},
      {"lattice", propose_lattice},
      {"laplace", propose_laplace},
      {"straight", propose_straight},
      {"bent", propose_bent},
      {"cut", propose_cut},
      {"atoms", propose_atoms},
      {"straight", propose_swept_straight},
      {"pinch", propose_pinch},
      {"pinch", propose_finer_pinch},
      {"laplace", propose_long_laplace},
      {"straight", propose_finer_straight},
      {"cut", propose_finer_cut},
  };
  return all;
}

nlohmann::ordered_json dyadic(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  while (mantissa != std::floor(mantissa)) {
    mantissa *= 2;
    --exponent;
  }
  return nlohmann::ordered_json::array({static_cast<long long>(mantissa), exponent});
}

}  // namespace plaudit

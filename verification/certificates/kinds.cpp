// The kinds of proof that the writer can propose, and their common words.
#include <cmath>

#include "verification/certificates/question.hpp"

namespace plaudit {

std::vector<Proposal> propose_straight(const StatementQuestion& question);

const std::vector<Proposer>& proposers() {
  static const std::vector<Proposer> all = {
      {"straight", propose_straight},
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

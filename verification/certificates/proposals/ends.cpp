// Proposals of the kind `ends`: it has no choices.
#include "verification/certificates/proposals/wanted.hpp"

namespace plaudit {

std::vector<Proposal> propose_ends(const StatementQuestion& question) {
  std::vector<Proposal> result;
  for (const long bits : bits_to_try(question)) {
    result.push_back({"ends", bits, nlohmann::ordered_json::object(), true});
  }
  result.erase(result.begin() + 1, result.end() - 1);
  return result;
}

}  // namespace plaudit

// Proposals of the kind `lattice`: the plan of the accountant, for laws that are summed at each
// node. Nothing here is trusted.
#include <stdexcept>

#include "accountants/lattice/common_lattice.hpp"
#include "lib/balls/precision.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/certificates/evidence.hpp"
#include "verification/certificates/proposals/wanted.hpp"

namespace plaudit {

namespace {
constexpr long bits_of_laws = 128;  ///< of which doubles are taken
}  // namespace

std::vector<Proposal> propose_lattice(const StatementQuestion& question) {
  if (question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before) return {};
  const PrecisionScope scope(bits_of_laws);
  const auto factors = on_common_lattice(question.loss.terms());
  if (!factors) throw std::invalid_argument("the losses are not on one lattice");
  std::vector<Proposal> result;
  for (const double nats : nats_to_try(question)) {
    check_work_limit();
    try {
      result.push_back(
          proposal_of(LatticeComposition::plan(*factors, estimate(question.epsilon), nats)));
    } catch (const std::domain_error& refusal) {
      if (result.empty()) throw std::invalid_argument(refusal.what());
      break;
    }
  }
  return result;
}

}  // namespace plaudit

// Proposals by accountants that are asked for delta at the statement's epsilon, and whose proof of
// it becomes the choices: for answers of other accountants, and for proofs that were too wide.
// Nothing here is trusted.
#include <cmath>
#include <stdexcept>

#include "accountants/accountant.hpp"
#include "accountants/registry.hpp"
#include "lib/constants.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/certificates/proposals/evidence.hpp"
#include "verification/certificates/proposals/wanted.hpp"

namespace plaudit {

namespace {

constexpr double more_nats[] = {3, 14};  ///< of a line than the accountant's own

/// Whether the band shows what the statement says, in balls.
bool shows(const Enclosure& band, const StatementQuestion& question) {
  const Ball bound(question.bound);
  return question.upper() ? certainly_less_equal(band.upper, bound)
                          : certainly_less_equal(bound, band.lower);
}

void add(const proof::Evidence& evidence, const StatementQuestion& question,
         std::vector<Proposal>& result) {
  for (const double more : more_nats) {
    const std::optional<Proposal> found = proposal_of(evidence, question, more);
    if (found) result.push_back(*found);
    if (!std::holds_alternative<proof::LineChoices>(evidence.choices)) return;
  }
}

/// By the least accuracy of nats_to_try that shows the statement.
std::vector<Proposal> asked(const StatementQuestion& question, std::string_view name) {
  if (question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before) return {};
  const std::shared_ptr<const Accountant> chosen = accountant(name);
  if (const auto why = chosen->refusal(question.loss)) throw std::invalid_argument(*why);
  std::vector<Proposal> result;
  std::string remark = "its bands do not show it";
  for (const double nats : nats_to_try(question)) {
    const Goal goal{static_cast<int>(whole(std::ceil(nats / log_ten))), true};
    const Enclosure band = chosen->open(question.loss, goal)->delta(question.epsilon);
    check_work_limit();
    if (!band.evidence) {
      remark = band.remark.empty() ? "what proves its bands is not kept" : band.remark;
      break;
    }
    if (!shows(band, question)) continue;
    add(*band.evidence, question, result);
    break;
  }
  if (result.empty()) throw std::invalid_argument(remark);
  return result;
}

/// The accountant that sums over a period of the lattice of the losses, or over Laplace noise.
const char* sum_for(const StatementQuestion& question) {
  for (const char* name : {"fourier(mode=lattice)", "laplace_sum"}) {
    if (!accountant(name)->refusal(question.loss)) return name;
  }
  throw std::invalid_argument("neither on one lattice nor Laplace noise of one ratio");
}

}  // namespace

std::vector<Proposal> propose_contour(const StatementQuestion& question) {
  return asked(question, "contour");
}
std::vector<Proposal> propose_sum(const StatementQuestion& question) {
  return asked(question, sum_for(question));
}

}  // namespace plaudit

// Proposals of the kind `atoms`: the plan of windows for the atoms of the laws as the checker reads
// them. Nothing here is trusted.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/plan/atoms_plan.hpp"
#include "accountants/proof/arithmetic/balls.hpp"
#include "accountants/proof/arithmetic/multisets.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/constants.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/certificates/proposals/evidence.hpp"
#include "verification/certificates/proposals/wanted.hpp"

namespace plaudit {

namespace {

constexpr double most_outcomes = 20000;  ///< of discrete noise in one half
constexpr double spare_nats = 3;         ///< by which what is left out is below the accuracy
constexpr double nats_of_noise = 10;     ///< that outcomes left out are below the combinations
constexpr double least_variance = 0.2;   ///< below it one outcome has nearly all of the mass

AtomFactor factor_of(const proof::Factor& factor, double nats) {
  AtomFactor result;
  result.count = factor.count;
  if (const auto* finite = std::get_if<proof::Finite>(factor.law.get())) {
    for (const proof::Atom& atom : finite->masses().atoms) {
      result.log_masses.push_back(proof::estimate_log(atom.p));
    }
    return result;
  }
  const auto* noise = std::get_if<proof::DiscreteGaussian>(factor.law.get());
  const auto* sampled = std::get_if<proof::Sampled>(factor.law.get());
  if (sampled != nullptr) noise = std::get_if<proof::DiscreteGaussian>(&sampled->base);
  if (noise == nullptr) throw std::invalid_argument("a law has a continuous part");
  const double v = plaudit::estimate(noise->variance);
  const double d = estimate(Rational(noise->sensitivity));
  const double steps = static_cast<double>(factor.count);
  const double reach = std::ceil(std::sqrt(2 * v * (nats + std::log(steps) + nats_of_noise))) + 1;
  if (2 * reach + d > most_outcomes) throw std::invalid_argument("too many atoms");
  const bool mixed = sampled != nullptr && sampled->removes;
  result.outcomes = {whole(-reach - (mixed ? d : 0)), whole(reach)};
  const auto log_mass = [&](double k) {
    return -k * k / (2 * v) - log_sqrt_two_pi - std::log(std::max(v, least_variance)) / 2;
  };
  const double log_rate = mixed ? estimate_log(sampled->rate) : 0;
  const double log_rest = mixed ? estimate_log(Rational(1 - sampled->rate)) : -infinity;
  for (long k = result.outcomes->first; k <= result.outcomes->second; ++k) {
    const double x = static_cast<double>(k);
    result.log_masses.push_back(
        std::min(0.0, estimate_log_sum(log_rate + log_mass(x), log_rest + log_mass(x + d))));
  }
  return result;
}

Proposal proposal(const StatementQuestion& question, double nats, double log_delta) {
  const double kept = nats - log_delta + spare_nats;
  std::vector<AtomFactor> factors;
  for (const proof::Factor& factor : question.run().factors) {
    factors.push_back(factor_of(factor, kept));
  }
  const double bits = bits_of_atom_windows(question.loss.steps(), nats, kept);
  return proposal_of({plan_atom_windows(factors, kept).choices, whole(bits)});
}

}  // namespace

std::vector<Proposal> propose_atoms(const StatementQuestion& question) {
  if (question.at_infinity || question.verb == StatementQuestion::Verb::exceeds_before) return {};
  std::vector<Proposal> result;
  CumulantTable table(question.loss);
  const double epsilon = plaudit::estimate(question.epsilon);
  const double log_delta = std::min(0.0, table.log_delta(epsilon, table.saddle(epsilon)));
  for (const double nats : nats_to_try(question)) {
    check_work_limit();
    try {
      result.push_back(proposal(question, nats, log_delta));
    } catch (const std::logic_error& refusal) {
      if (result.empty()) throw std::invalid_argument(refusal.what());
      break;
    }
  }
  return result;
}

}  // namespace plaudit

#include "accountants/contour/frequent_composition.hpp"

#include <cmath>
#include <utility>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"

namespace plaudit {

namespace {
constexpr ErrorTerm rare_term{"contour.rare_components",
                              "components of mixtures and public labels left out"};
constexpr long bound_bits = 128;
}  // namespace

FrequentComposition::FrequentComposition(ComposedLoss given)
    : loss(std::move(given)), table(CumulantTable::of_some(loss)) {}

std::shared_ptr<FrequentComposition> frequent_composition(const ComposedLoss& loss,
                                                          double log_mass) {
  std::vector<ComposedLoss::Term> terms = loss.terms();
  std::vector<FrequentComposition::Share> shares;
  std::vector<FrequentComposition::Labels> labels;
  const PrecisionScope scope(bound_bits);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const double part = log_mass - std::log(static_cast<double>(terms[i].count) *
                                            static_cast<double>(terms.size()));
    if (auto frequent = terms[i].loss->without_rare_labels(part)) {
      terms[i].loss = std::move(frequent->law);
      terms[i].mechanism = nullptr;
      labels.push_back({i, std::move(frequent->moved)});
    }
    const GaussianMixture* mixture = terms[i].loss->facts().gaussian_mixture;
    if (mixture == nullptr) continue;
    if (auto frequent = without_rare_components(*mixture, part)) {
      terms[i].loss = loss_of_normalised(frequent->mixture, loss.direction());
      terms[i].mechanism = nullptr;
      shares.push_back({i, frequent->moved, RareShare(*frequent)});
    }
  }
  auto result = std::make_shared<FrequentComposition>(
      shares.empty() && labels.empty() ? loss : ComposedLoss(std::move(terms), loss.direction()));
  result->shares_ = std::move(shares);
  result->labels_ = std::move(labels);
  result->asked = log_mass;
  result->log_mass = result->changed() ? log_mass : -infinity;
  return result;
}

// Proof: docs/proofs/rare_components.md#labels
Ball FrequentComposition::change_of_labels() const {
  Ball log_kept;
  for (const Labels& each : labels_) {
    log_kept += PLAUDIT_BOUND("frequent.labels_in_all_steps", Ball(loss.terms()[each.term].count),
                              Ball(1)) *
                log1p(-each.moved);
  }
  return (-expm1(log_kept)).upper();
}

// Proof: docs/proofs/rare_components.md#claim
FrequentComposition::Change FrequentComposition::change(double order) const {
  const PrecisionScope scope(bound_bits);
  const Ball constant = change_of_labels();
  if (shares_.empty()) return {Ball(0), -positive_infinity(), constant};
  Ball exponent;
  if (loss.direction() == Direction::remove) {
    for (const Share& share : shares_) {
      exponent -= PLAUDIT_BOUND("frequent.moved_in_all_steps", Ball(loss.terms()[share.term].count),
                                Ball(1)) *
                  log1p(-Ball(share.moved));
    }
    // 1 - prod (1 - moved)^n
    return {Ball(0), log(-expm1(-exponent)).upper(), constant};
  }
  const Ball t(order);
  if (!certainly_nonnegative(t)) return {Ball(0), positive_infinity(), constant};
  Ball log_moment;
  for (const ComposedLoss::Term& term : loss.terms()) {
    log_moment += Ball(term.count) * log(term.loss->mgf_upper(t, loss.factor_nats(term)));
  }
  for (const Share& share : shares_) {
    const Ball count(loss.terms()[share.term].count);
    log_moment += PLAUDIT_BOUND("frequent.growth", count * t * share.share.log_growth(), Ball(0));
    exponent += PLAUDIT_BOUND("frequent.share_in_all_steps", count, Ball(1)) * share.share.bound();
  }
  return {t, (log_moment + log(expm1(exponent))).upper(), constant};
}

Ball FrequentComposition::Change::at(const Ball& epsilon) const {
  return (constant + exp(log_size - order * epsilon)).upper();
}

void widen_for_rare_components(Enclosure& band, const FrequentComposition::Change& change,
                               const Ball& epsilon) {
  const Ball amount = band.ledger.add(rare_term, change.at(epsilon));
  band.lower = clipped_nonnegative(band.lower - amount).lower();
  band.upper = min(band.upper + amount, Ball(1)).upper();
  band.evidence.reset();  // it is of the changed curve
}

}  // namespace plaudit

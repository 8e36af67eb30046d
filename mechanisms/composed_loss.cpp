// ComposedLoss: sums and products over the factors of a composition.
#include <algorithm>
#include <cmath>

#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

namespace {
Ball times(std::uint64_t count, const Ball& x) { return count == 1 ? x : Ball(count) * x; }
}  // namespace

ComposedLoss::ComposedLoss(const Composition& composition, Direction direction,
                           const ComposedLoss* known)
    : direction_(direction) {
  terms_.reserve(composition.factors().size());
  for (const Factor& factor : composition.factors()) {
    const std::size_t i = terms_.size();
    const bool same = known != nullptr && known->direction_ == direction &&
                      i < known->terms_.size() && known->terms_[i].mechanism == factor.mechanism;
    terms_.push_back({same ? known->terms_[i].loss : factor.mechanism->loss(direction),
                      factor.count, factor.mechanism});
  }
}

ComposedLoss::ComposedLoss(std::vector<Term> terms, Direction direction)
    : terms_(std::move(terms)), direction_(direction) {}

std::optional<std::vector<ComposedLoss::Term>> ComposedLoss::terms_beyond(
    const ComposedLoss& first) const {
  std::vector<Term> more;
  if (direction_ != first.direction_ || first.terms_.size() > terms_.size()) return std::nullopt;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const std::uint64_t before = i < first.terms_.size() ? first.terms_[i].count : 0;
    if (before > 0 && (terms_[i].loss != first.terms_[i].loss || terms_[i].count < before)) {
      return std::nullopt;
    }
    if (terms_[i].count == before) continue;
    more.push_back(terms_[i]);
    more.back().count -= before;
  }
  return more;
}

double ComposedLoss::steps() const {
  double sum = 0;
  for (const Term& term : terms_) sum += static_cast<double>(term.count);
  return sum;
}

const ComposedLoss::Term* ComposedLoss::without_moments() const {
  for (const Term& term : terms_) {
    if (!term.loss->has_moments()) return &term;
  }
  return nullptr;
}

double ComposedLoss::factor_nats(const Term& term) const {
  return std::log(static_cast<double>(term.count) * static_cast<double>(terms_.size())) + 6;
}

Ball ComposedLoss::log_mgf(const Ball& t) const {
  Ball sum;
  for (const Term& term : terms_) sum += times(term.count, term.loss->log_mgf(t));
  return sum;
}

Ball ComposedLoss::finite_mass() const {
  Ball product(1);
  for (const Term& term : terms_) {
    const Ball mass = term.loss->finite_mass();
    if (!(mass - Ball(1)).is_exact_zero()) product *= power(mass, term.count);
  }
  return product;
}

Ball ComposedLoss::q_mass() const {
  Ball product(1);
  for (const Term& term : terms_) {
    const Ball mass = term.loss->q_mass();
    if (!(mass - Ball(1)).is_exact_zero()) product *= power(mass, term.count);
  }
  return product;
}

Ball ComposedLoss::mass_at_infinity() const {
  if (terms_.size() == 1 && terms_[0].count == 1) return terms_[0].loss->mass_at_infinity();
  Ball log_finite;
  for (const Term& term : terms_) {
    const Ball infinite = term.loss->mass_at_infinity();
    if (!infinite.is_exact_zero()) log_finite += times(term.count, log1p(-infinite));
  }
  return log_finite.is_exact_zero() ? Ball(0) : -expm1(log_finite);
}

Ball ComposedLoss::least_loss() const {
  Ball sum;
  for (const Term& term : terms_) sum += times(term.count, term.loss->least_loss());
  return sum;
}

Ball ComposedLoss::greatest_loss() const {
  Ball sum;
  for (const Term& term : terms_) sum += times(term.count, term.loss->greatest_loss());
  return sum;
}

bool ComposedLoss::knows_greatest_loss() const {
  const bool unknown = std::any_of(terms_.begin(), terms_.end(), [](const Term& term) {
    return term.loss->facts().greatest_loss_unknown;
  });
  return PLAUDIT_BOUND("composed.unknown_end", !unknown, true);
}

std::optional<Rational> ComposedLoss::exact_greatest_loss() const {
  Rational sum = 0;
  for (const Term& term : terms_) {
    const std::optional<Rational> one = term.loss->facts().greatest_loss;
    if (!one) return std::nullopt;
    sum += *one * Integer(term.count);
  }
  return sum;
}

std::optional<LossAtom> ComposedLoss::greatest_atom() const {
  LossAtom all{Ball(0), std::nullopt, Ball(1), Ball(1)};
  for (const Term& term : terms_) {
    const Ball end = term.loss->greatest_loss();
    if (!end.is_finite()) return std::nullopt;
    const LossWindow window{exact_rational(end.lower()), exact_rational(end.upper())};
    const auto atoms = term.loss->atoms_in(window);
    if (!atoms || atoms->empty()) return std::nullopt;
    all.loss += times(term.count, atoms->back().loss);
    all.p *= power(atoms->back().p, term.count);
    all.q *= power(atoms->back().q, term.count);
  }
  return all;
}

std::optional<Rational> ComposedLoss::exact_mass_at_infinity() const {
  constexpr double most_bits = 1 << 21;  // of the common denominator
  Integer above = 1;
  Integer below = 1;
  double bits = 0;
  for (const Term& term : terms_) {
    const std::optional<Rational> infinite = term.loss->exact_mass_at_infinity();
    if (!infinite) return std::nullopt;
    if (*infinite == 0) continue;
    const Rational finite = 1 - *infinite;
    bits += static_cast<double>(term.count) * static_cast<double>(1 + msb(denominator(finite)));
    if (bits > most_bits) return std::nullopt;
    const auto count = static_cast<unsigned>(term.count);
    above *= pow(Integer(numerator(finite)), count);
    below *= pow(Integer(denominator(finite)), count);
  }
  return Rational(below - above, below);
}

CumulantEstimate ComposedLoss::estimate_cumulant(double t) const {
  CumulantEstimate sum{0, 0, 0};
  for (const Term& term : terms_) {
    check_work_limit();  // searches call this many times, and a large mixture takes a while
    const CumulantEstimate one = term.loss->estimate_cumulant(t);
    const auto count = static_cast<double>(term.count);
    sum.value += count * one.value;
    sum.mean += count * one.mean;
    sum.variance += count * one.variance;
  }
  return sum;
}

std::optional<CumulantEstimates> ComposedLoss::estimate_cumulants(double t) const {
  CumulantEstimates sum{};
  for (const Term& term : terms_) {
    check_work_limit();
    const auto one = term.loss->estimate_cumulants(t);
    if (!one) return std::nullopt;
    for (std::size_t j = 0; j < sum.size(); ++j) {
      sum[j] += static_cast<double>(term.count) * (*one)[j];
    }
  }
  return sum;
}

double ComposedLoss::estimate_log_decay(double t, double s) const {
  double sum = 0;
  for (const Term& term : terms_) {
    sum += static_cast<double>(term.count) * term.loss->estimate_log_decay(t, s);
  }
  return sum;
}

}  // namespace plaudit

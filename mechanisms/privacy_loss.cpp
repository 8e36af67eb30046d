#include "mechanisms/privacy_loss.hpp"

#include <algorithm>
#include <cmath>

#include "lib/balls/ball_memory.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

// Proof: docs/proofs/hockey_stick.md#one-step
Ball PrivacyLoss::delta(const Ball& epsilon) const {
  return p_above(epsilon) - exp(epsilon) * q_above(epsilon);
}

namespace {

/// The number that an exact ball is.
std::optional<Rational> single(const Ball& x) {
  return x.is_finite() && x.is_exact() ? std::optional(exact_rational(x)) : std::nullopt;
}

}  // namespace

std::optional<CumulantEstimates> PrivacyLoss::estimate_cumulants(double) const {
  return std::nullopt;
}

std::optional<Rational> PrivacyLoss::exact_mass_at_infinity() const {
  return facts_.mass_at_infinity ? facts_.mass_at_infinity : single(mass_at_infinity());
}

std::optional<Rational> PrivacyLoss::exact_q_mass() const {
  return facts_.q_mass ? facts_.q_mass : single(q_mass());
}

std::vector<LossAtom> within(std::vector<LossAtom> atoms, const std::optional<LossWindow>& window) {
  if (!window) return atoms;
  const Ball from(window->from);
  const Ball to(window->to);
  std::erase_if(atoms, [&](const LossAtom& atom) {
    if (atom.exact_loss) return *atom.exact_loss < window->from || *atom.exact_loss > window->to;
    return certainly_less(atom.loss, from) || certainly_less(to, atom.loss);
  });
  return atoms;
}

PointMasses PrivacyLoss::masses_at(const Rational& x) const {
  const Ball at(x);
  return {p_above(at), q_above(at), p_atom(at)};
}

// The whole line as one ball: where its enclosure of P(L = x) is exactly 0 there is no atom.
std::optional<std::vector<LossAtom>> PrivacyLoss::atoms_in(const std::optional<LossWindow>&) const {
  const Ball anywhere = p_atom(widened(Ball(0), positive_infinity()));
  return anywhere.is_exact_zero() ? std::optional(std::vector<LossAtom>{}) : std::nullopt;
}

TailMasses PrivacyLoss::tails_above(const std::vector<Ball>& points) const {
  TailMasses tails;
  tails.p.reserve(points.size());
  tails.q.reserve(points.size());
  for (const Ball& x : points) {
    if ((tails.p.size() & 63) == 0) check_work_limit();
    tails.p.push_back(p_above(x));
    tails.q.push_back(q_above(x));
  }
  return tails;
}

std::shared_ptr<const PrivacyLoss> PrivacyLoss::without_rare_draws(double) const { return nullptr; }

std::optional<FrequentLaw> PrivacyLoss::without_rare_labels(double) const { return std::nullopt; }

std::shared_ptr<const LatticeLaw> PrivacyLoss::lattice() const { return nullptr; }

std::shared_ptr<const AtomicLaw> PrivacyLoss::atoms(double, double) const { return nullptr; }

std::shared_ptr<const PrivacyLoss> PrivacyLoss::sampled(const Rational&, Direction) const {
  return nullptr;
}

// So many nats are fewer than nats / 0.69 bits; 64 more are for what log and exp lose.
LineValues PrivacyLoss::mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                                    LineAccuracy accuracy) const {
  const PrecisionScope scope(
      std::max(working_precision(), precision_bits(accuracy.nats / 0.69) + 64));
  LineValues result;
  check_memory_of_balls(2 * static_cast<double>(count));
  result.values.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    if ((k & 15) == 0 || working_precision() > 4096) check_work_limit();
    result.values.push_back(exp(log_mgf(ComplexBall(t, step * Ball(static_cast<long>(k))))));
  }
  return result;
}

Ball PrivacyLoss::mgf_bound_beyond(const Ball& t, const Ball&, double nats) const {
  return mgf_upper(t, nats);
}

Ball PrivacyLoss::mgf_upper(const Ball& t, double nats) const {
  const PrecisionScope scope(std::max(working_precision(), precision_bits(nats / 0.69) + 64));
  return exp(log_mgf(t)).upper();
}

}  // namespace plaudit

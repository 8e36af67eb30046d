#include "accountants/fourier/published_lattice.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "accountants/fourier/density_aliases.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"

namespace plaudit {

namespace {

constexpr double step_of_height = 1.25;  ///< from one height that is tried to the next
constexpr double negligible_nats = 50;
constexpr long most_frequencies = 1 << 19;

// Orders of the Chernoff bounds of what lies outside of [-L, L): powers of 2^(1/4).
constexpr double part_of_octave = 0.25;
constexpr int least_order_of_step = -40;
constexpr int least_order_of_sum = -60;
constexpr int greatest_order = 28;
constexpr double passed = 100;   ///< nats above the least, where the search ends
constexpr double tail_nats = 6;  ///< for a moment in a Chernoff bound, the number of steps apart

/// The order t at which K(sign t) - t L is least, K an estimate of a cumulant generating function,
/// rounded to a multiple of 1 / `parts`; 0 where it is not below 0.
template <class Cumulant>
Ball outer_order(int least_order, double parts, double sign, double length, Cumulant&& cumulant) {
  double best = 0;
  double least = 0;
  for (int k = least_order; k <= greatest_order; ++k) {
    const double t = std::exp2(part_of_octave * k);
    const double value = cumulant(sign * t) - t * length;
    if (std::isfinite(value) && value < least) {
      least = value;
      best = t;
    }
    if (value > least + passed) break;
  }
  return Ball(std::round(best * parts) / parts);
}

}  // namespace

PublishedLattice::PublishedLattice(const ComposedLoss& loss, const PublishedFourier& settings)
    : loss_(loss),
      length_near_(estimate(settings.length)),
      points_(settings.points),
      half_(static_cast<long>(points_ / 2)),
      length_(settings.length),
      dx_(ldexp(length_, 1) / Ball(points_)),
      dx_near_(2 * length_near_ / static_cast<double>(points_)),
      period_(ldexp(pi(), 1) / dx_) {}

bool PublishedLattice::one_step() const {
  return loss_.terms().size() == 1 && loss_.terms()[0].count == 1;
}

double PublishedLattice::negligible_height(double t) const {
  double s = 1 / std::sqrt(std::max(loss_.estimate_cumulant(t).variance, 1e-300));
  while (loss_.estimate_log_decay(t, s) > -negligible_nats && s < 1e300) s *= step_of_height;
  return s;
}

Ball PublishedLattice::aliases(const ComposedLoss::Term& term, const Ball& t, const Ball& s_max,
                               double nats) const {
  return alias_bound(*term.loss, loss_.direction(), t, period_, s_max, nats);
}

std::size_t PublishedLattice::frequencies() const {
  const double step = std::numbers::pi / length_near_;  // of s between frequencies
  const double count = std::ceil(negligible_height(0) / step) + 1;
  return static_cast<std::size_t>(clamped_integer(count, 1, std::min(half_, most_frequencies)));
}

// Proof: docs/proofs/fourier.md#published
Ball PublishedLattice::tail_of(const ComposedLoss::Term& term) const {
  Ball sum;
  const auto add = [&](double sign) {
    const Ball t = outer_order(least_order_of_step, 1024, sign, length_near_, [&](double order) {
      return term.loss->estimate_cumulant(order).value;
    });
    const Ball signed_t = Ball(sign) * t;
    sum += (term.loss->mgf_upper(signed_t, 10) + aliases(term, signed_t, Ball(0), tail_nats)) *
           exp(-t * length_);
  };
  if (!certainly_greater(length_, term.loss->greatest_loss())) {
    PLAUDIT_BOUND("published_fourier.tail_above", add(+1), void());
  }
  if (!certainly_less(-length_, term.loss->least_loss())) add(-1);
  return sum.is_finite() ? sum.upper() : positive_infinity();
}

// Proof: docs/proofs/fourier.md#published
Ball PublishedLattice::one_step_tail() const {
  Ball factor;
  Ball sum;
  for (const ComposedLoss::Term& term : loss_.terms()) {
    const Ball count(term.count);
    factor += count * log1p(aliases(term, Ball(0), Ball(0)));
    sum += count * tail_of(term);
  }
  return sum * exp(factor);
}

// Proof: docs/proofs/fourier.md#published
Ball PublishedLattice::composed_tail() const {
  if (one_step()) return Ball(0);  // no convolution
  Ball sum;
  const auto add = [&](double sign) {
    const Ball t = outer_order(least_order_of_sum, 4096, sign, length_near_,
                               [&](double order) { return loss_.estimate_cumulant(order).value; });
    const Ball signed_t = Ball(sign) * t;
    Ball exponent = -t * length_;
    for (const ComposedLoss::Term& term : loss_.terms()) {
      const double nats = std::log(static_cast<double>(term.count)) + tail_nats;
      exponent += Ball(term.count) * log(term.loss->mgf_upper(signed_t, nats) +
                                         aliases(term, signed_t, Ball(0), nats));
    }
    sum += exp(exponent);
  };
  PLAUDIT_BOUND("published_fourier.sum_above", add(+1), void());
  add(-1);
  return sum.is_finite() ? sum.upper() : positive_infinity();
}

}  // namespace plaudit

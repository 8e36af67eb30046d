#include "mechanisms/laws/discrete_gaussian_loss.hpp"
#include <algorithm>

#include <cmath>

#include "lib/analysis/gaussian_sum.hpp"
#include "lib/balls/ball_memory.hpp"
#include "lib/balls/decided_sign.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/atomic_law.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {
constexpr long most_atoms = 1L << 16;                 ///< on either side, in a list
constexpr long farthest_outcome = 1'000'000'000'000;  ///< beyond, masses at a point are enclosures
constexpr double seconds_of_an_atom = 5e-6;           ///< for exact arithmetic, nominally
/// The greatest integer at most x + shift.
Ball whole_part(const Ball& x, double shift) {
  const PrecisionScope scope(256);
  return floor(x + Ball(shift));
}

}  // namespace

DiscreteGaussianLoss::DiscreteGaussianLoss(const Rational& variance, long sensitivity)
    : noise_(std::make_shared<DiscreteGaussianTails>(variance)),
      sensitivity_(sensitivity),
      outcomes_(noise_->variance() / sensitivity),
      variance_estimate_(estimate(variance)) {
  const Rational mesh = sensitivity_ / noise_->variance();
  facts_.lattice = LossLattice{mesh, mesh * sensitivity_ / 2, {}};
}

Ball DiscreteGaussianLoss::log_mgf(const Ball& t) const {
  const Rational& v = noise_->variance();
  const Ball d(sensitivity_);
  const Ball mean(Rational(Rational(Integer(sensitivity_) * sensitivity_) / (2 * v)));
  const Ball sum = gaussian_sum(ComplexBall(t * d), v).real();
  return mean * t * (t + Ball(1)) + log(sum / noise_->normaliser());
}

ComplexBall DiscreteGaussianLoss::log_mgf(const ComplexBall& z) const {
  const Rational& v = noise_->variance();
  const ComplexBall d{Ball(sensitivity_)};
  const ComplexBall mean{Ball(Rational(Rational(Integer(sensitivity_) * sensitivity_) / (2 * v)))};
  const ComplexBall sum = gaussian_sum(z * d, v);
  return mean * z * (z + ComplexBall(1)) + log(sum / ComplexBall(noise_->normaliser()));
}

Ball DiscreteGaussianLoss::place(const Ball& x) const { return x * Ball(outcomes_); }

Ball DiscreteGaussianLoss::p_above(const Ball& x) const {
  return noise_->tail_above(place(x) - ldexp(Ball(sensitivity_), -1));
}

Ball DiscreteGaussianLoss::q_above(const Ball& x) const {
  return noise_->tail_above(place(x) + ldexp(Ball(sensitivity_), -1));
}

Ball DiscreteGaussianLoss::p_atom(const Ball& x) const {
  const Ball k = place(x) - ldexp(Ball(sensitivity_), -1);
  const Ball nearest = whole_part(k.middle(), 0.5);
  if (!k.is_finite() || !certainly_less(k.radius(), Ball(0.5)) ||
      !certainly_less(abs(nearest), Ball(1e12))) {
    return hull(Ball(0), noise_->mass(0));
  }
  if (!overlaps(nearest, k)) return Ball(0);
  const Ball mass =
      noise_->mass(checked_integer(nearest.estimate(), "discrete Gaussian noise: an outcome"));
  return k.is_exact() ? mass : hull(Ball(0), mass);
}

// Proof: docs/proofs/tails.md#exact-points
PointMasses DiscreteGaussianLoss::masses_at(const Rational& x) const {
  const LossLattice& lattice = *facts_.lattice;
  const Rational outcome = (x - lattice.offset) / lattice.mesh;
  if (abs(outcome) > farthest_outcome) return PrivacyLoss::masses_at(x);
  const auto below = floor_of(outcome).to<long>();
  return {noise_->tail(below + 1), noise_->tail(below + 1 + sensitivity_),
          outcome == below ? noise_->mass(below) : Ball(0)};
}

std::optional<std::vector<LossAtom>> DiscreteGaussianLoss::atoms_in(
    const std::optional<LossWindow>& window) const {
  if (!window) return std::nullopt;
  const LossLattice& lattice = *facts_.lattice;
  const Rational from = (window->from - lattice.offset) / lattice.mesh;
  const Rational to = (window->to - lattice.offset) / lattice.mesh;
  std::vector<LossAtom> atoms;
  if (to - from > most_atoms) {
    throw SpecError("atoms: the window has over " + std::to_string(most_atoms) + " of them");
  }
  if (abs(from) > farthest_outcome || abs(to) > farthest_outcome) {
    throw SpecError("atoms: the window must lie within 10^12 points of the lattice from 0");
  }
  const auto first = Integer(-floor_of(-from)).to<long>();
  const auto last = floor_of(to).to<long>();
  for (long k = first; k <= last; ++k) {
    check_work_limit();
    const Rational loss = lattice.offset + k * lattice.mesh;
    atoms.push_back({Ball(loss), loss, noise_->mass(k), noise_->mass(k + sensitivity_)});
  }
  return atoms;
}

Ball DiscreteGaussianLoss::least_loss() const { return -positive_infinity(); }
Ball DiscreteGaussianLoss::greatest_loss() const { return positive_infinity(); }

// T(j) - e^eps T(j + D) for the least j above place(eps) - D/2; where that may be one of two, eps
// is next to the loss of one outcome, and both give next to the same.
Ball DiscreteGaussianLoss::delta(const Ball& epsilon) const {
  const Ball k = place(epsilon) - ldexp(Ball(sensitivity_), -1);
  const Ball width = k.radius();
  if (!k.is_finite() || !certainly_less(width, Ball(0.5)) || !certainly_less(abs(k), Ball(1e12))) {
    return p_above(epsilon) - exp(epsilon) * q_above(epsilon);
  }
  const auto value = [&](const Ball& end) {
    const long j =
        checked_integer(whole_part(end, 0).estimate(), "discrete Gaussian noise: an outcome") + 1;
    return noise_->tail(j) - exp(epsilon) * noise_->tail(j + sensitivity_);
  };
  const Ball first = value(k.lower());
  return hull(first, value(k.upper()));
}

// The masses beyond the window: on the right at most their sum at L = +inf, on the left at most
// their sum at the first point, in both cases at least nothing; the curve increases with every mass
// and when a mass moves up. Proof: docs/proofs/discrete.md#window
std::shared_ptr<const LatticeLaw> DiscreteGaussianLoss::lattice() const {
  const long bits = working_precision();
  const long end = noise_->reach(0.7 * static_cast<double>(bits) + 40);
  const Rational mesh = sensitivity_ / noise_->variance();
  auto law = std::make_shared<LatticeLaw>();
  law->mesh = Ball(mesh);
  law->exact_mesh = mesh;
  law->offset = Ball(Rational(mesh * sensitivity_ / 2));
  law->first = -end;
  check_memory_of_balls(2 * static_cast<double>(end));
  law->masses.resize(static_cast<std::size_t>(2 * end) + 1);
  for (long k = 0; k <= end; ++k) {
    if (k % 256 == 0) check_work_limit();
    const Ball mass = noise_->mass(k);
    law->masses[static_cast<std::size_t>(end - k)] = mass;
    law->masses[static_cast<std::size_t>(end + k)] = mass;
  }
  const Ball outside = hull(Ball(0), charged(discrete_gaussian_tail, noise_->tail(end + 1)));
  law->infinite = PLAUDIT_BOUND("discrete.mass_above_window", outside, Ball(0));
  law->masses.front() += PLAUDIT_BOUND("discrete.mass_below_window", outside, Ball(0));
  return law;
}

// Tilted by t in [0, tilt] the noise k is centred near t D, and under Q at -D: two windows, which
// are one unless D is so great that next to nothing lies between them.
std::shared_ptr<const AtomicLaw> DiscreteGaussianLoss::atoms(double tilt, double nats) const {
  const long wing = std::min(most_atoms, noise_->reach(nats));
  const double shift =
      std::clamp(tilt * static_cast<double>(sensitivity_), 0.0, static_cast<double>(most_atoms));
  const long last = wing + checked_integer(shift, "discrete Gaussian noise: the window");
  const Rational mesh = sensitivity_ / noise_->variance();
  const Rational offset = mesh * sensitivity_ / 2;
  AtomicLaw result;
  result.whole = false;
  result.law.infinite = Ball(0);
  const auto list = [&](long first, long end) {
    check_memory_of_balls(3 * static_cast<double>(end - first));
    for (long k = first; k < end; ++k) {
      if (k % 256 == 0) check_work_limit(256 * seconds_of_an_atom);
      result.law.atoms.push_back(
          {Ball(Rational(offset + k * mesh)), noise_->mass(k), noise_->mass(k + sensitivity_)});
    }
  };
  const bool apart = sensitivity_ > 2 * wing;
  list(-wing - sensitivity_, apart ? wing - sensitivity_ : -wing);
  list(-wing, last + 1);
  return std::make_shared<AtomicLaw>(std::move(result));
}

// The tilted law of k has weights e^{-(k - tD)^2 / (2v)}.
CumulantEstimate DiscreteGaussianLoss::estimate_cumulant(double t) const {
  const double v = variance_estimate_;
  const double d = static_cast<double>(sensitivity_);
  const double mean = d * d / (2 * v);
  if (v > 6) return {mean * t * (t + 1), mean * (2 * t + 1), 2 * mean};  // the rest is below e^-118
  const double centre = t * d;
  const double whole = std::round(centre);
  const double least = (whole - centre) * (whole - centre);
  double zero = 0;
  double one = 0;
  double two = 0;
  double origin = 0;
  for (int i = -30; i <= 30; ++i) {
    const double x = whole - centre + i;
    const double weight = std::exp((least - x * x) / (2 * v));
    zero += weight;
    one += weight * x;
    two += weight * x * x;
    origin += std::exp(-i * i / (2 * v));
  }
  const double shift = one / zero;
  return {mean * t * (t + 1) + std::log(zero / origin) - least / (2 * v),
          mean * (2 * t + 1) + shift * d / v, d * d / (v * v) * (two / zero - shift * shift)};
}

std::string DiscreteGaussianLoss::describe() const {
  return "discrete gaussian privacy loss of variance " + to_string(noise_->variance()) +
         ", sensitivity " + std::to_string(sensitivity_);
}

}  // namespace plaudit

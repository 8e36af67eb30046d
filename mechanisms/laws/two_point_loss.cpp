#include "mechanisms/laws/two_point_loss.hpp"

#include <cmath>

#include "lib/balls/decided_sign.hpp"
#include "mechanisms/laws/exact_law.hpp"
#include "mechanisms/laws/finite_loss.hpp"
#include "mechanisms/laws/lattice_law.hpp"

namespace plaudit {

namespace {

/// `mass` where the atom at `at` lies above x, 0 where it does not, both where that is undecided.
Ball where_above(const Ball& x, const Ball& at, const Ball& mass) {
  if (certainly_greater_equal(x, at)) return Ball(0);
  return certainly_less(x, at) ? mass : hull(Ball(0), mass);
}

}  // namespace

TwoPointLoss::TwoPointLoss(Rational value, bool is_odds, Rational delta)
    : value_(std::move(value)), is_odds_(is_odds), delta_(std::move(delta)) {
  estimate_ = is_odds_ ? estimate_log(value_) : plaudit::estimate(value_);
  facts_.two_points = this;
  facts_.greatest_loss = is_trivial() ? Rational(0) : rational_epsilon();
  facts_.mass_at_infinity = delta_;
  facts_.q_mass = 1 - delta_;
  facts_.lattice = is_trivial() ? LossLattice{0, 0, {}}
                   : is_odds_   ? LossLattice{2, -1, value_}
                                : LossLattice{2 * value_, -value_, {}};
}

std::shared_ptr<const TwoPointLoss> TwoPointLoss::of_epsilon(const Rational& epsilon,
                                                             const Rational& delta) {
  return std::shared_ptr<const TwoPointLoss>(new TwoPointLoss(epsilon, false, delta));
}

std::shared_ptr<const TwoPointLoss> TwoPointLoss::of_probability(const Rational& p) {
  return std::shared_ptr<const TwoPointLoss>(new TwoPointLoss(p / (1 - p), true, 0));
}

Ball TwoPointLoss::epsilon() const { return is_odds_ ? log(Ball(value_)) : Ball(value_); }

std::optional<Rational> TwoPointLoss::rational_epsilon() const {
  return is_odds_ ? std::nullopt : std::optional(value_);
}

Ball TwoPointLoss::high() const {
  if (is_odds_) return Ball(Rational(value_ / (1 + value_)));
  return Ball(Rational(1 - delta_)) / (Ball(1) + exp(-Ball(value_)));
}

Ball TwoPointLoss::low() const {
  if (is_odds_) return Ball(Rational(1 / (1 + value_)));
  const Ball decay = exp(-Ball(value_));
  return Ball(Rational(1 - delta_)) * decay / (Ball(1) + decay);
}

// M(z) = (1-delta) cosh(eps (z + 1/2)) / cosh(eps / 2), and log cosh x = |x| + log(1 + e^{-2|x|}) -
// log 2 without overflow.
Ball TwoPointLoss::log_mgf(const Ball& t) const {
  const Ball eps = epsilon();
  const Ball x = abs(eps * (t + Ball(0.5)));
  const Ball rest = log1p(exp(-ldexp(x, 1))) - log1p(exp(-eps));
  const Ball result = x - ldexp(eps, -1) + rest;
  return delta_ == 0 ? result : result + log1p(-Ball(delta_));
}

ComplexBall TwoPointLoss::log_mgf(const ComplexBall& z) const {
  const Ball eps = epsilon();
  ComplexBall x = ComplexBall(eps) * (z + ComplexBall(Ball(0.5)));
  if (x.real().estimate() < 0) x = -x;  // cosh is even
  const ComplexBall rest =
      log(ComplexBall(1) + exp(-x - x)) - ComplexBall(log1p(exp(-eps)) + ldexp(eps, -1));
  const ComplexBall result = x + rest;
  return delta_ == 0 ? result : result + ComplexBall(log1p(-Ball(delta_)));
}

Ball TwoPointLoss::p_above(const Ball& x) const {
  const Ball eps = epsilon();
  return Ball(delta_) + where_above(x, eps, high()) + where_above(x, -eps, low());
}

Ball TwoPointLoss::q_above(const Ball& x) const {
  const Ball eps = epsilon();
  return where_above(x, eps, low()) + where_above(x, -eps, high());
}

Ball TwoPointLoss::p_atom(const Ball& x) const {
  const Ball eps = epsilon();
  const bool certain = x.is_exact() && eps.is_exact();
  Ball sum;
  if (overlaps(x, eps)) sum += certain ? high() : hull(Ball(0), high());
  if (overlaps(x, -eps)) sum += certain ? low() : hull(Ball(0), low());
  return sum;
}

// Proof: docs/proofs/tails.md#exact-points
std::optional<int> TwoPointLoss::compare(const Rational& x) const {
  if (!is_odds_) return exact_sign(x - value_);
  if (x <= 0) return -1;  // the odds are above 1
  return decided_sign(bits_against(x), [&] { return Ball(x) - epsilon(); });
}

PointMasses TwoPointLoss::masses_at(const Rational& x) const {
  const std::optional<int> right = compare(x);
  const std::optional<int> mirrored = compare(-x);
  if (!right || !mirrored) return PrivacyLoss::masses_at(x);
  const int left = -*mirrored;  // the sign of x + eps
  if (left < 0) return {Ball(1), q_mass(), Ball(0)};
  PointMasses masses{Ball(delta_), Ball(0), Ball(0)};
  if (*right < 0) {
    masses.p_above += high();
    masses.q_above += low();
  }
  if (*right == 0) masses.p_atom += high();
  if (left == 0) masses.p_atom += low();
  return masses;
}

std::optional<std::vector<LossAtom>> TwoPointLoss::atoms_in(
    const std::optional<LossWindow>& window) const {
  const auto exact = [&](int sign) {
    return is_odds_ ? std::nullopt : std::optional(Rational(sign * value_));
  };
  std::vector<LossAtom> atoms{{-epsilon(), exact(-1), low(), high()},
                              {epsilon(), exact(1), high(), low()}};
  if (is_trivial()) atoms = {{Ball(0), Rational(0), q_mass(), q_mass()}};
  return within(std::move(atoms), window);
}

// An atom that may lie on either side of the point contributes next to nothing.
Ball TwoPointLoss::delta(const Ball& epsilon) const {
  const Ball eps = this->epsilon();
  const auto part = [&](const Ball& at, const Ball& mass) {
    return mass * max(Ball(0), -expm1(epsilon - at));
  };
  return Ball(delta_) + part(eps, high()) + part(-eps, low());
}

std::shared_ptr<const LatticeLaw> TwoPointLoss::lattice() const {
  auto law = std::make_shared<LatticeLaw>();
  law->infinite = Ball(delta_);
  if (is_trivial()) {  // one point, on any lattice
    law->mesh = Ball(1);
    law->masses = {Ball(Rational(1 - delta_))};
    return law;
  }
  const Ball eps = epsilon();
  law->mesh = ldexp(eps, 1);
  if (!is_odds_) law->exact_mesh = 2 * value_;
  law->offset = -eps;
  law->masses = {low(), high()};
  return law;
}

FiniteLaw TwoPointLoss::law() const {
  const Ball eps = epsilon();
  FiniteLaw law;
  law.atoms = {{-eps, low(), high()}, {eps, high(), low()}};
  law.infinite = mass_at_infinity();
  law.q_mass = q_mass();
  return law;
}

std::shared_ptr<const AtomicLaw> TwoPointLoss::atoms(double, double) const {
  return std::make_shared<AtomicLaw>(AtomicLaw{law(), true});
}

std::shared_ptr<const ExactLaw> TwoPointLoss::exact_law() const {
  auto law = std::make_shared<ExactLaw>();
  law->infinite = delta_;
  const Rational finite = 1 - delta_;
  if (is_trivial()) {
    law->atoms = {{finite, finite}};
    return law;
  }
  const ExponentialSum ratio = is_odds_ ? ExponentialSum(value_) : ExponentialSum(1, value_);
  law->scale += ratio;
  const ExponentialSum high = ratio.times(finite, 0);
  law->atoms = {{finite, high}, {high, finite}};
  return law;
}

CumulantEstimate TwoPointLoss::estimate_cumulant(double t) const {
  const double x = estimate_ * (t + 0.5);
  const double size = std::fabs(x);
  const double decay = std::exp(-2 * size);
  const double value = size - estimate_ / 2 + std::log1p(decay) - std::log1p(std::exp(-estimate_)) +
                       std::log1p(-plaudit::estimate(delta_));
  const double secant = estimate_ * 2 * std::exp(-size) / (1 + decay);  // eps / cosh x
  return {value, estimate_ * std::tanh(x), secant * secant};
}

std::string TwoPointLoss::describe() const {
  return std::string("two-point privacy loss of ") + (is_odds_ ? "odds " : "epsilon ") +
         to_string(value_) + (delta_ == 0 ? "" : ", delta " + to_string(delta_));
}

std::shared_ptr<const PrivacyLoss> TwoPointLoss::sampled(const Rational& rate,
                                                         Direction direction) const {
  const std::shared_ptr<const TwoPointLoss> self(new TwoPointLoss(value_, is_odds_, delta_));
  const auto law = [self, rate, direction] { return sampled_law(self->law(), rate, direction); };
  return std::make_shared<FiniteLoss>(
      describe() + " sampled at " + to_string(rate) + ", " + std::string(name_of(direction)), law,
      std::nullopt, FiniteLoss::Exact::sampled(delta_, exact_law(), rate, direction));
}

}  // namespace plaudit

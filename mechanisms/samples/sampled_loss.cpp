#include "mechanisms/samples/sampled_loss.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/laws/atomic_law.hpp"

namespace plaudit {

namespace {

constexpr double nats_of_bit = 0.69;  ///< a little below log 2
constexpr long spare_bits = 64;

/// What one value of the moment costs, in points of a mixture's integral: 0.2 ms, 0.35 s at 4096
/// bits, and ten times that for the first one, which makes the Gauss-Legendre rules.
constexpr double points_of_moment = 1.7e3;
constexpr double points_at_many_bits = 3e6;
constexpr double many_bits = 4096;
constexpr double power_of_bits = 2.8;
/// A line is made by one sum where that has at most so many points for each value, else value by
/// value: one value by integration takes as long as 6 (flat laws) to 400 (steep ones) points. Too
/// small a number makes lines slower, never wrong.
constexpr double line_points_of_value = 20;

double points_of_value(double nats) {
  const double bits = nats / nats_of_bit + static_cast<double>(spare_bits);
  return points_of_moment + points_at_many_bits * std::pow(bits / many_bits, power_of_bits);
}

}  // namespace

ComplexBall SampledLoss::log_mgf(const ComplexBall& z) const {
  return log(parts_.moment(removes() ? z + ComplexBall(1) : -z));
}

Ball SampledLoss::log_mgf(const Ball& t) const {
  return log(parts_.moment(ComplexBall(removes() ? t + Ball(1) : -t)).real());
}

// A(-z) at z = t + i s is the conjugate of A(-t + i s), for A is real at real powers.
LineValues SampledLoss::mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                                    LineAccuracy accuracy) const {
  const auto one_by_one = [&] { return PrivacyLoss::mgf_on_line(t, step, count, accuracy); };
  const Ball r = removes() ? t + Ball(1) : -t;
  const auto nodes = static_cast<double>(count);
  if (!parts_.on_line || parts_.estimate_points(r.estimate(), nodes * step.estimate(),
                                                accuracy.nats) > line_points_of_value * nodes) {
    return one_by_one();
  }
  LineValues line;
  try {
    line = parts_.on_line(r, step, count, accuracy);
  } catch (const std::domain_error&) {  // at orders so great that its points are too many
    return one_by_one();
  }
  if (!removes()) {
    for (ComplexBall& value : line.values) value = conjugate(value);
  }
  return line;
}

Ball SampledLoss::mgf_bound_beyond(const Ball& t, const Ball& s, double nats) const {
  const PrecisionScope scope(
      std::max(working_precision(), precision_bits(nats / nats_of_bit) + spare_bits));
  Ball whole = exp(log_mgf(t)).upper();
  if (!parts_.bound_beyond || !certainly_positive(s)) return whole;
  const Ball bound = parts_.bound_beyond(removes() ? t + Ball(1) : -t, s);
  return bound.is_finite() ? PLAUDIT_BOUND("sampled.bound_beyond", min(bound, whole),
                                           ldexp(min(bound, whole), -4))
                                 .upper()
                           : whole;
}

double SampledLoss::estimate_log_decay(double t, double s) const {
  if (!parts_.estimate_log_decay || !(s > 0)) return 0;
  return std::min(0.0, parts_.estimate_log_decay(removes() ? t + 1 : -t, s));
}

double SampledLoss::estimate_line_points(double t, double s, double nats) const {
  if (!parts_.estimate_points) return 1;
  const double one_by_one = points_of_value(nats);
  if (!(s > 0)) return one_by_one;
  return std::min(one_by_one, parts_.estimate_points(removes() ? t + 1 : -t, s, nats));
}

Ball SampledLoss::exp_base(const Ball& x) const {
  return Ball(1) + expm1(removes() ? x : -x) / Ball(parts_.rate);
}

Ball SampledLoss::from_base(const Ball& l) const {
  const double end = infinity;
  const Ball rate(parts_.rate);
  if (removes())
    return l.estimate() == -end ? log1p(-rate) : l.estimate() == end ? l : log1p(rate * expm1(l));
  return l.estimate() == end ? -log1p(-rate) : l.estimate() == -end ? l : -log1p(rate * expm1(-l));
}

Ball SampledLoss::above(const Ball& x, bool under_q) const {
  const Ball e = exp_base(x);
  if (!certainly_positive(e)) {
    // remove: below all losses; add: above all of them
    if (certainly_less_equal(e, Ball(0))) return removes() ? Ball(1) : Ball(0);
    return hull(Ball(0), Ball(1));
  }
  const Ball y = removes() ? log(e) : -log(e);
  const bool plain = removes() == under_q;  // the law without the record for remove, P for add
  if (plain) return under_q ? parts_.base->q_above(y) : parts_.base->p_above(y);
  const Ball taken(parts_.rate);
  const Ball left(Rational(1 - parts_.rate));
  const Ball p = parts_.base->p_above(y);
  const Ball q = parts_.base->q_above(y);
  return removes() ? left * q + taken * p : left * p + taken * q;
}

Ball SampledLoss::p_above(const Ball& x) const { return above(x, false); }
Ball SampledLoss::q_above(const Ball& x) const { return above(x, true); }

Ball SampledLoss::p_atom(const Ball& x) const {
  const Ball e = exp_base(x);
  if (certainly_less_equal(e, Ball(0))) return Ball(0);
  if (!certainly_positive(e)) return hull(Ball(0), Ball(1));
  Ball mass = parts_.base->p_atom(removes() ? log(e) : -log(e));
  if (!removes() || mass.is_exact_zero()) return mass;
  return (Ball(parts_.rate) + Ball(Rational(1 - parts_.rate)) / e) * mass;
}

// The base has all atoms that the sample has; which of them may lie in the window is asked in
// balls.
std::optional<std::vector<LossAtom>> SampledLoss::atoms_in(
    const std::optional<LossWindow>& window) const {
  std::optional<LossWindow> of_base;  // none: all of them
  if (window) {
    const Ball from = exp_base(Ball(window->from));
    const Ball to = exp_base(Ball(window->to));
    if (certainly_positive(from) && certainly_positive(to)) {
      const Ball first = removes() ? log(from) : -log(from);
      const Ball last = removes() ? log(to) : -log(to);
      of_base = LossWindow{exact_rational(first.lower()), exact_rational(last.upper())};
    }
  }
  const auto base = parts_.base->atoms_in(of_base);
  if (!base) return std::nullopt;
  const Ball taken(parts_.rate);
  const Ball left(Rational(1 - parts_.rate));
  std::vector<LossAtom> atoms;
  for (const LossAtom& atom : *base) {
    const bool at_zero = atom.exact_loss && *atom.exact_loss == 0;
    LossAtom sampled{from_base(atom.loss), at_zero ? atom.exact_loss : std::nullopt, atom.p,
                     atom.q};
    if (removes()) {
      sampled.p = left * atom.q + taken * atom.p;
    } else {
      sampled.q = left * atom.p + taken * atom.q;
    }
    atoms.push_back(std::move(sampled));
  }
  return within(std::move(atoms), window);
}

// dy/dx = e^x / (rate e^y) for remove, e^-x / (rate e^-y) for add.
std::optional<Ball> SampledLoss::density(const Ball& x) const {
  const Ball e = exp_base(x);
  if (certainly_less_equal(e, Ball(0))) return Ball(0);
  if (!certainly_positive(e)) return std::nullopt;
  const std::optional<Ball> base = parts_.base->density(removes() ? log(e) : -log(e));
  if (!base) return std::nullopt;
  const Ball slope = exp(removes() ? x : -x) / (Ball(parts_.rate) * e);
  const Ball mass = *base * slope;
  if (!removes()) return mass;
  return (Ball(parts_.rate) + Ball(Rational(1 - parts_.rate)) / e) * mass;
}

Ball SampledLoss::least_loss() const { return from_base(parts_.base->least_loss()); }
Ball SampledLoss::greatest_loss() const { return from_base(parts_.base->greatest_loss()); }

Ball SampledLoss::delta(const Ball& epsilon) const {
  const Ball e = exp_base(epsilon);
  const Ball rate(parts_.rate);
  if (certainly_positive(e)) {
    if (removes()) return rate * parts_.base->delta(log(e));
    return rate * exp(epsilon) * e * parts_.base->delta(-log(e));
  }
  if (certainly_less_equal(e, Ball(0))) return removes() ? -expm1(epsilon) : Ball(0);
  return hull(Ball(0), Ball(1));
}

std::shared_ptr<const AtomicLaw> SampledLoss::atoms(double tilt, double nats) const {
  const auto base = parts_.base->atoms(tilt, nats);
  if (!base) return nullptr;
  return std::make_shared<AtomicLaw>(
      AtomicLaw{sampled_law(base->law, parts_.rate, parts_.direction), base->whole});
}

std::string SampledLoss::describe() const {
  return parts_.base->describe() + " sampled at " + to_string(parts_.rate) + ", " +
         std::string(name_of(parts_.direction));
}

}  // namespace plaudit

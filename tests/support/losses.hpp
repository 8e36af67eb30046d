// Privacy losses for tests: from a spec, and simple ones made by hand.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "mechanisms/composition.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::test {

inline constexpr Direction both_directions[] = {Direction::remove, Direction::add};

inline ComposedLoss loss_from(std::string_view spec, Direction direction = Direction::remove) {
  return ComposedLoss(parse_spec(spec), direction);
}

/// The loss of one step of the spec's first factor.
inline std::shared_ptr<const PrivacyLoss> step_loss(const std::string& spec,
                                                    Direction direction = Direction::remove) {
  return parse_spec(spec).factors()[0].mechanism->loss(direction);
}

/// Why the program does not read this spec; "" where it does.
inline std::string refusal_of(const std::string& spec) {
  try {
    parse_spec(spec);
  } catch (const SpecError& error) {
    return error.what();
  }
  return "";
}

/// Two atoms and a mass at infinity: P puts `high` on L = a, `low` on L = b, the rest on +inf.
/// Everything about it is known exactly.
class TwoAtoms final : public PrivacyLoss {
 public:
  TwoAtoms(double a, Rational high, double b, Rational low)
      : a_(a), b_(b), high_(std::move(high)), low_(std::move(low)) {}

  Ball log_mgf(const Ball& t) const override {
    return log(Ball(high_) * exp(t * Ball(a_)) + Ball(low_) * exp(t * Ball(b_)));
  }
  ComplexBall log_mgf(const ComplexBall& z) const override {
    return log(ComplexBall(Ball(high_)) * exp(z * ComplexBall(Ball(a_))) +
               ComplexBall(Ball(low_)) * exp(z * ComplexBall(Ball(b_))));
  }
  Ball p_above(const Ball& x) const override {
    return mass_at_infinity() + part(x, a_, Ball(high_)) + part(x, b_, Ball(low_));
  }
  Ball q_above(const Ball& x) const override {
    return part(x, a_, Ball(high_) * exp(Ball(-a_))) + part(x, b_, Ball(low_) * exp(Ball(-b_)));
  }
  Ball p_atom(const Ball& x) const override {
    if (!x.is_exact()) return hull(Ball(0), Ball(1));
    return (overlaps(x, Ball(a_)) ? Ball(high_) : Ball(0)) +
           (overlaps(x, Ball(b_)) ? Ball(low_) : Ball(0));
  }
  std::optional<Ball> density(const Ball&) const override { return std::nullopt; }
  Ball mass_at_infinity() const override { return Ball(Rational(1 - high_ - low_)); }
  Ball q_mass() const override { return exp(log_mgf(Ball(-1))); }
  Ball least_loss() const override { return Ball(std::min(a_, b_)); }
  Ball greatest_loss() const override { return Ball(std::max(a_, b_)); }
  CumulantEstimate estimate_cumulant(double t) const override {
    const double x = log_weight(a_, high_, t);
    const double y = log_weight(b_, low_, t);
    const double most = std::max(x, y);
    const double u = std::exp(x - most);
    const double v = std::exp(y - most);
    const double mean = (u * a_ + v * b_) / (u + v);
    return {most + std::log(u + v), mean,
            (u * (a_ - mean) * (a_ - mean) + v * (b_ - mean) * (b_ - mean)) / (u + v)};
  }
  double estimate_log_decay(double, double) const override { return 0; }
  double estimate_line_points(double, double, double) const override { return 1; }
  std::string describe() const override { return "two atoms"; }

 private:
  static Ball part(const Ball& x, double at, const Ball& mass) {
    if (certainly_less(x, Ball(at))) return mass;
    if (certainly_greater_equal(x, Ball(at))) return Ball(0);
    return hull(Ball(0), mass);
  }
  static double log_weight(double at, const Rational& mass, double t) {
    return estimate_log(mass) + t * at;
  }

  double a_;
  double b_;
  Rational high_;
  Rational low_;
};

inline ComposedLoss two_atoms(double a, Rational high, double b, Rational low,
                              std::uint64_t count = 1) {
  return ComposedLoss({{std::make_shared<TwoAtoms>(a, std::move(high), b, std::move(low)), count}},
                      Direction::remove);
}

}  // namespace plaudit::test

#include "accountants/laplace/end_law.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>

#include "accountants/laplace/sampled_density.hpp"
#include "accountants/laplace/sampled_model.hpp"
#include "accountants/laplace/sampled_values.hpp"
#include "lib/analysis/gauss_legendre.hpp"
#include "lib/analysis/negative_binomial_transform.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/laplace_loss.hpp"
#include "mechanisms/laws/two_point_loss.hpp"

namespace plaudit {

namespace {

constexpr std::size_t most_terms = 1200;  ///< of the fraction
constexpr double bits_of_term = 2;        ///< that it loses
constexpr double easy_units = 3;          ///< of 1 / (x_2 - log c): the height where it is short
constexpr double units_by_fraction = 6;   ///< from which height on values come from it
constexpr double spare_nats_of_law = 4;
constexpr long spare_bits_of_fraction = 16;

/// M(z) from U and V.
ComplexBall joined(const EndLaw& law, const ComplexBall& z) {
  const TwoEnds<ComplexBall> both = law.ends(z);
  return exp(z * ComplexBall(law.losses().top)) * both.top +
         exp(z * ComplexBall(law.losses().bottom)) * both.bottom;
}

/// Laplace noise: U = (1 + 1/v) / 2 and V = e^-a (1 - 1/v) / 2, v = 2z + 1.
class LaplaceEnds final : public EndLaw {
 public:
  explicit LaplaceEnds(const LaplaceLoss& loss) : loss_(loss), decay_(exp(-Ball(loss.ratio()))) {
    losses_ = {Ball(loss.ratio()), -Ball(loss.ratio())};
  }
  // Proof: docs/proofs/turned_line.md#ends
  TwoEnds<ComplexBall> ends(const ComplexBall& z) const override {
    const ComplexBall share = ComplexBall(1) / (ldexp(z, 1) + ComplexBall(1));
    ComplexBall bottom = ldexp(ComplexBall(1) - share, -1);
    bottom.scale(decay_);
    return {ldexp(ComplexBall(1) + share, -1), std::move(bottom)};
  }
  TwoEnds<Ball> sizes(const Ball& height) const override {
    const Ball share = PLAUDIT_BOUND("end_law.laplace", Ball(1) / ldexp(height, 1), Ball(0));
    const Ball top = ldexp(Ball(1) + share, -1);
    return {top.upper(), (decay_ * top).upper()};
  }
  ComplexBall value(const ComplexBall& z) const override { return exp(loss_.log_mgf(z)); }

 private:
  const LaplaceLoss& loss_;
  Ball decay_;
};

/// Two atoms, at -+eps.
class AtomEnds final : public EndLaw {
 public:
  explicit AtomEnds(const TwoPointLoss& loss) {
    losses_ = {loss.epsilon(), -loss.epsilon()};
    bottom_ = Ball(1) / (Ball(1) + exp(loss.epsilon()));
    top_ = Ball(1) / (Ball(1) + exp(-loss.epsilon()));
  }
  TwoEnds<ComplexBall> ends(const ComplexBall&) const override {
    return {ComplexBall(top_), ComplexBall(bottom_)};
  }
  TwoEnds<Ball> sizes(const Ball&) const override { return {top_.upper(), bottom_.upper()}; }
  ComplexBall value(const ComplexBall& z) const override { return joined(*this, z); }

 private:
  Ball top_, bottom_;
};

/// Poisson samples of Laplace noise, in the variables of docs/proofs/laplace.md#sampled.
class SampledEnds final : public EndLaw {
 public:
  SampledEnds(const SampledLaplaceLaw& law, const EndAccuracy& accuracy)
      : law_(law), removes_(law.direction == Direction::remove) {
    const SampledDensity density = sampled_density(law, 1);
    const Ball left(Rational(1 - law.rate));
    const auto end = [&](const Ball& x, const Ball& mass, const Ball& density_there) {
      return End{x, mass, density_there, left * exp(-x)};
    };
    high_ = end(density.top, density.top_mass, density.at_top[0]);
    low_ = end(density.bottom, density.bottom_mass, density.at_bottom[0]);
    losses_ = removes_ ? TwoEnds<Ball>{high_.x, low_.x} : TwoEnds<Ball>{-low_.x, -high_.x};
    room_ = -low_.rho.estimate_log();
    nats_ = accuracy.nats + spare_nats_of_law;
    by_fraction_ = units_by_fraction / room_;
    make_rule(accuracy);
  }

  // Proof: docs/proofs/turned_line.md#ends
  TwoEnds<ComplexBall> ends(const ComplexBall& z) const override {
    // U and V of A(W) = e^(W x_1) U + e^(W x_2) V, W = 1 + z or -z
    ComplexBall high = fraction(high_, z);
    high.add_real(high_.mass);
    ComplexBall low = -fraction(low_, z);
    low.add_real(low_.mass);
    if (!removes_) return {std::move(low), std::move(high)};
    high.scale(exp(high_.x));
    low.scale(exp(low_.x));
    return {std::move(high), std::move(low)};
  }

  TwoEnds<Ball> sizes(const Ball& height) const override {
    const auto size = [&](const End& end) {
      const Ball share =
          PLAUDIT_BOUND("end_law.sampled", end.density / height, ldexp(end.density / height, -6));
      return removes_ ? (exp(end.x) * (end.mass + share)).upper() : (end.mass + share).upper();
    };
    return removes_ ? TwoEnds<Ball>{size(high_), size(low_)}
                    : TwoEnds<Ball>{size(low_), size(high_)};
  }

  ComplexBall value(const ComplexBall& z) const override {
    if (z.imaginary().estimate() > by_fraction_) return joined(*this, z);
    if (!certainly_less_equal(z.imaginary(), rule_height_)) return disk(positive_infinity());
    const ComplexBall w = place(z);
    ComplexBall sum;
    for (const Point& point : rule_) {
      ComplexBall term = exp(w * ComplexBall(point.x));
      sum += term.scale(point.weight);
    }
    sum = widened(sum, rule_error_);
    sum += ComplexBall(high_.mass) * exp(w * ComplexBall(high_.x));
    sum += ComplexBall(low_.mass) * exp(w * ComplexBall(low_.x));
    return sum;
  }

  double easy_height() const override { return easy_units / room_; }
  long bits_lost(const EndAccuracy& accuracy) const override {
    const std::complex<double> w(removes_ ? accuracy.t : -accuracy.t, accuracy.height);
    return precision_bits(bits_of_term * static_cast<double>(terms(low_, w)));
  }

 private:
  struct End {
    Ball x;
    Ball mass;
    Ball density;  ///< q(x)
    Ball rho;      ///< c e^-x
  };
  struct Point {
    Ball x;
    Ball weight;
  };

  ComplexBall place(const ComplexBall& z) const { return removes_ ? z + ComplexBall(1) : -z; }

  std::size_t terms(const End& end, std::complex<double> w) const {
    return estimate_transform_terms(1.5, end.rho.estimate(), w,
                                    nats_ + std::max(0.0, end.density.estimate_log()), most_terms);
  }

  /// sum_m a_m e^(-(m + 1/2) x) / (W - m - 1/2) = q(x) S(W - 1/2).
  // Proof: docs/proofs/turned_line.md#ends
  ComplexBall fraction(const End& end, const ComplexBall& z) const {
    const std::complex<double> near(z.real().estimate(), z.imaginary().estimate());
    const std::size_t count = terms(end, (removes_ ? 1.0 + near : -near) - 0.5);
    const PrecisionScope scope(working_precision() +
                               precision_bits(bits_of_term * static_cast<double>(count)) +
                               spare_bits_of_fraction);
    const TransformValue found = negative_binomial_transform(
        {Ball(1.5), end.rho}, place(z) - ComplexBall(Ball(0.5)), count);
    const Ball error = charged(end_fraction_term, end.density * found.error);
    return widened(found.value * ComplexBall(end.density), error);
  }

  /// The rule for heights below which values come from it.
  // Proof: docs/proofs/laplace.md#sampled-values
  void make_rule(const EndAccuracy& accuracy) {
    const double height = std::min(accuracy.height, 1.01 * by_fraction_);
    const double r = removes_ ? 1 + accuracy.t : -accuracy.t;
    const SampledShape shape(law_);
    const SampledModel model(shape, r, 0);
    const double size = model.log_rest(0);  // about log A(r)
    const SampledRule rule = model.rule(height, size - nats_);
    if (rule.points == 0) throw std::domain_error("turned line: no quadrature of affordable size");
    const Ball a(law_.ratio);
    const Ball rate(law_.rate);
    const QuadratureRule legendre = gauss_legendre(rule.points);
    for (std::size_t g = 0; g < rule.points; ++g) {
      const Ball l = a * legendre.nodes[g];
      rule_.push_back({log1p(rate * expm1(l)),
                       ldexp(a * legendre.weights[g] * exp(ldexp(-l - a, -1)), -2)});
    }
    rule_height_ = Ball(height);
    rule_error_ = charged(end_values_term, sampled_rule_error(law_, Ball(r), rule_height_, rule));
  }

  SampledLaplaceLaw law_;
  bool removes_;
  End high_, low_;
  double room_;  ///< x_2 - log c
  double nats_;
  double by_fraction_;
  std::vector<Point> rule_;
  Ball rule_error_;
  Ball rule_height_;
};

const TwoPointLoss* two_atoms(const PrivacyLoss& loss) {
  const TwoPointLoss* law = loss.facts().two_points;
  return law && law->mass() == 0 && !law->is_trivial() ? law : nullptr;
}

}  // namespace

bool has_end_laws(const ComposedLoss& loss) {
  return std::all_of(loss.terms().begin(), loss.terms().end(), [](const auto& term) {
    const LossFacts& facts = term.loss->facts();
    return facts.laplace || facts.sampled_laplace || two_atoms(*term.loss);
  });
}

std::vector<EndPower> end_laws(const ComposedLoss& loss, const EndAccuracy& accuracy) {
  std::vector<EndPower> result;
  for (const ComposedLoss::Term& term : loss.terms()) {
    check_work_limit();
    const LossFacts& facts = term.loss->facts();
    if (facts.laplace) {
      result.push_back({std::make_unique<LaplaceEnds>(*facts.laplace), term.count});
    } else if (facts.sampled_laplace) {
      result.push_back(
          {std::make_unique<SampledEnds>(*facts.sampled_laplace, accuracy), term.count});
    } else if (const TwoPointLoss* atoms = two_atoms(*term.loss)) {
      result.push_back({std::make_unique<AtomEnds>(*atoms), term.count});
    } else {
      throw std::domain_error("turned line: a law that does not end at two atoms");
    }
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const EndPower& a, const EndPower& b) { return a.count < b.count; });
  return result;
}

}  // namespace plaudit

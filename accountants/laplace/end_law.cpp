#include "accountants/laplace/end_law.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>

#include "accountants/laplace/sampled_model.hpp"
#include "accountants/laplace/sampled_values.hpp"
#include "accountants/sweep/sampled_density.hpp"
#include "lib/analysis/gauss_legendre.hpp"
#include "lib/analysis/negative_binomial_transform.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/laws/laplace_loss.hpp"
#include "mechanisms/laws/two_point_loss.hpp"

namespace plaudit {

namespace {

constexpr int most_terms = 1200;    ///< of the continued fraction
constexpr double bits_of_term = 2;  ///< that each of them loses
// Below some height values of M come from a rule, above it from the fraction. Heights that are
// tried for that: from lowest_units / (x_2 - log c) on, each heights_tried times the one before.
constexpr double heights_tried = 1.4;
constexpr int most_heights = 40;
constexpr double shares_of_height[] = {0.0, 0.5, 1.0, 2.0};  ///< x / T of nodes whose cost is seen
constexpr double lowest_units = 0.5;
constexpr double seconds_of_term = 1.2e-6;  ///< nominal, of the fraction
constexpr double seconds_of_point = 3e-7;   ///< nominal, of the rule
constexpr double useless_nats = 40;         ///< by which the bound of a rule may miss its estimate
constexpr double spare_nats_of_law = 4;
constexpr long spare_bits_of_fraction = 16;

/// The same ball, midpoint and radius.
bool is_same(const Ball& a, const Ball& b) { return contains(a, b) && contains(b, a); }

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
  std::vector<ComplexBall> values(const Ball& t, const Ball& middle,
                                  const std::vector<Ball>& offsets) override {
    std::vector<ComplexBall> result;
    result.reserve(offsets.size());
    for (const Ball& each : offsets) {
      result.push_back(exp(loss_.log_mgf(ComplexBall(t, middle + each))));
    }
    return result;
  }

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
  std::vector<ComplexBall> values(const Ball& t, const Ball& middle,
                                  const std::vector<Ball>& offsets) override {
    std::vector<ComplexBall> result;
    result.reserve(offsets.size());
    for (const Ball& each : offsets) result.push_back(joined(*this, {t, middle + each}));
    return result;
  }

 private:
  Ball top_, bottom_;
};

/// Poisson samples of Laplace noise, in the variables of docs/proofs/laplace.md#sampled.
class SampledEnds final : public EndLaw {
 public:
  explicit SampledEnds(const SampledLaplaceLaw& law)
      : law_(law), removes_(law.direction == Direction::remove), shape_(law) {
    const SampledDensity density = sampled_density(law, 1);
    const Ball left(Rational(1 - law.rate));
    const auto end = [&](bool is_high, const Ball& x, const Ball& mass, const Ball& here) {
      return End{is_high, x, mass, here, (left * exp(-x)).estimate()};
    };
    high_ = end(true, density.top, density.top_mass, density.at_top[0]);
    low_ = end(false, density.bottom, density.bottom_mass, density.at_bottom[0]);
    losses_ = removes_ ? TwoEnds<Ball>{high_.x, low_.x} : TwoEnds<Ball>{-low_.x, -high_.x};
    room_ = -std::log(low_.rho);
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

  // Proof: docs/proofs/laplace.md#sampled-values
  std::vector<ComplexBall> values(const Ball& t, const Ball& middle,
                                  const std::vector<Ball>& offsets) override {
    std::vector<ComplexBall> sums;  // of the rule, where a value needs it
    std::vector<ComplexBall> result;
    for (std::size_t j = 0; j < offsets.size(); ++j) {
      check_work_limit();
      const ComplexBall z(t, middle + offsets[j]);
      if (z.imaginary().estimate() > by_fraction_) {
        result.push_back(joined(*this, z));
        continue;
      }
      if (sums.empty()) sums = sums_of_rule(t, middle, offsets);
      const bool covered =
          is_same(t, rule_t_) && certainly_less_equal(abs(z.imaginary()), rule_height_);
      const ComplexBall w = place(z);
      result.push_back(widened(sums[j], covered ? rule_error_ : positive_infinity()) +
                       ComplexBall(high_.mass) * exp(w * ComplexBall(high_.x)) +
                       ComplexBall(low_.mass) * exp(w * ComplexBall(low_.x)));
    }
    return result;
  }

  // Proof: docs/proofs/laplace.md#sampled-values
  void prepare(const EndAccuracy& accuracy) override {
    nats_ = accuracy.nats + spare_nats_of_law;
    const Values values = choose_values(accuracy);
    by_fraction_ = values.height;
    const double height = std::min(accuracy.height, 1.01 * by_fraction_);
    rule_t_ = Ball(accuracy.t);
    const Ball r = removes_ ? rule_t_ + Ball(1) : -rule_t_;
    constexpr const char* no_rule = "turned line: no quadrature of affordable size";
    if (values.rule.points == 0) throw std::domain_error(no_rule);
    const Ball a(law_.ratio);
    const Ball rate(law_.rate);
    const QuadratureRule legendre = gauss_legendre(values.rule.points);
    rule_.clear();
    kept_offsets_.clear();
    for (std::size_t g = 0; g < values.rule.points; ++g) {
      const Ball l = a * legendre.nodes[g];
      rule_.push_back(
          {log1p(rate * expm1(l)), ldexp(a * legendre.weights[g] * exp(ldexp(-l - a, -1)), -2)});
    }
    rule_height_ = Ball(height);
    rule_error_ = charged(end_values_term, sampled_rule_error(law_, r, rule_height_, values.rule));
    if (rule_error_.estimate_log() > values.log_error + useless_nats) {
      throw std::domain_error(no_rule);
    }
  }

  EndCosts costs(const EndAccuracy& accuracy) const override {
    const double nats = accuracy.nats + spare_nats_of_law;
    const Values values = choose_values(accuracy);
    const double place = removes_ ? 1 + accuracy.t : -accuracy.t;
    std::size_t most = 0;
    for (const double share : shares_of_height) {  // along the ray that nears the poles
      const double x = share * accuracy.height;
      most = std::max(most, terms_at({place + x, accuracy.height + x}, nats));
    }
    const auto terms = static_cast<double>(most);
    const double share = std::min(values.height / accuracy.height, 1.0);
    const auto at_change = static_cast<double>(terms_at({place, values.height}, nats));
    const bool too_many = values.height < accuracy.height && at_change >= most_terms;
    EndCosts costs;
    costs.far_node = terms >= most_terms ? infinity : 2 * terms * seconds_of_term;
    costs.near_node = values.rule.points == 0 || too_many
                          ? infinity
                          : share * static_cast<double>(values.rule.points) * seconds_of_point +
                                (1 - share) * 2 * seconds_of_term * at_change;
    costs.bits = bits_of_term * terms;
    return costs;
  }

 private:
  struct End {
    bool is_high = true;
    Ball x;
    Ball mass;
    Ball density;    ///< q(x)
    double rho = 0;  ///< about c e^-x
  };
  struct Point {
    Ball x;
    Ball weight;
  };

  ComplexBall place(const ComplexBall& z) const { return removes_ ? z + ComplexBall(1) : -z; }

  std::size_t terms(const End& end, std::complex<double> w, double nats) const {
    return estimate_transform_terms(1.5, end.rho, w - 0.5,
                                    nats + std::max(0.0, end.density.estimate_log()), most_terms);
  }
  std::size_t terms_at(std::complex<double> w, double nats) const { return terms(low_, w, nats); }

  /// C(W) by the rule: e^(W x) is that of the middle times those of the offsets, which are kept.
  std::vector<ComplexBall> sums_of_rule(const Ball& t, const Ball& middle,
                                        const std::vector<Ball>& offsets) {
    if (!are_kept(offsets)) {
      kept_offsets_ = offsets;
      turns_.clear();
      for (const Ball& offset : offsets) {
        check_work_limit();
        std::vector<ComplexBall>& row = turns_.emplace_back();
        for (const Point& point : rule_) {
          const Ball angle = (removes_ ? offset : -offset) * point.x;
          row.emplace_back(cos(angle), sin(angle));
        }
      }
    }
    const ComplexBall w = place(ComplexBall(t, middle));
    std::vector<ComplexBall> at_middle;
    for (const Point& point : rule_) {
      at_middle.push_back(exp(w * ComplexBall(point.x)));
      at_middle.back().scale(point.weight);
    }
    std::vector<ComplexBall> sums;
    for (const std::vector<ComplexBall>& row : turns_) sums.push_back(dot(row, at_middle));
    return sums;
  }

  bool are_kept(const std::vector<Ball>& offsets) const {
    return std::equal(offsets.begin(), offsets.end(), kept_offsets_.begin(), kept_offsets_.end(),
                      [](const Ball& a, const Ball& b) { return is_same(a, b); });
  }

  /// Heuristic: from which height on values come from the ends, and the rule for those below.
  struct Values {
    double height;
    SampledRule rule;
    double log_error;  ///< wanted of it
  };
  Values choose_values(const EndAccuracy& accuracy) const {
    const double nats = accuracy.nats + spare_nats_of_law;
    const double r = removes_ ? 1 + accuracy.t : -accuracy.t;
    const SampledModel model(shape_, r, 0);
    const double atoms = std::log(model.atoms(0));
    const double size = std::max(model.log_rest(0), atoms);  // about log A(r)
    double height = lowest_units / room_;
    for (int i = 0; i < most_heights && height < accuracy.height; ++i) {
      const SampledRule rule = model.rule(height, size - nats);
      const auto count = static_cast<double>(terms_at({r, height}, nats));
      if (rule.points == 0 ||
          2 * count * seconds_of_term < static_cast<double>(rule.points) * seconds_of_point) {
        break;
      }
      height *= heights_tried;
    }
    return {height, model.rule(std::min(accuracy.height, 1.01 * height), size - nats), size - nats};
  }

  /// sum_m a_m e^(-(m + 1/2) x) / (W - m - 1/2) = q(x) S(W - 1/2), from the middle of the ball.
  // Proof: docs/proofs/turned_line.md#ends (step 3)
  ComplexBall fraction(const End& end, const ComplexBall& z) const {
    const ComplexBall w = place(z);
    const Ball height = abs(w.imaginary()).lower();
    const ComplexBall middle(w.real().middle(), w.imaginary().middle());
    const Ball beside = abs(w - middle) / square(height);
    const std::complex<double> near(w.real().estimate(), w.imaginary().estimate());
    const std::size_t count = terms(end, near, nats_);
    TransformValue found;
    {
      const PrecisionScope scope(working_precision() +
                                 precision_bits(bits_of_term * static_cast<double>(count)) +
                                 spare_bits_of_fraction);
      const Ball rate(law_.rate);
      const Ball a(law_.ratio);
      const Ball rho =
          Ball(Rational(1 - law_.rate)) / (Ball(1) + rate * expm1(end.is_high ? a : -a));
      found = negative_binomial_transform({Ball(1.5), rho}, middle - ComplexBall(Ball(0.5)), count);
    }
    const Ball error = charged(end_fraction_term, end.density * found.error);
    ComplexBall value = widened(found.value, PLAUDIT_BOUND("end_law.beside", beside, Ball(0)));
    value.scale(end.density);
    return widened(value, error);
  }

  SampledLaplaceLaw law_;
  bool removes_;
  End high_, low_;
  SampledShape shape_;
  double room_;  ///< x_2 - log c
  double nats_ = 40;
  double by_fraction_ = 0;
  std::vector<Point> rule_;
  std::vector<Ball> kept_offsets_;
  std::vector<std::vector<ComplexBall>> turns_;  ///< e^(+-i offset x) at the points
  Ball rule_error_;
  Ball rule_t_, rule_height_;  ///< the values that it is for
};

const TwoPointLoss* two_atoms(const PrivacyLoss& loss) {
  const TwoPointLoss* law = loss.facts().two_points;
  return law && law->mass() == 0 && !law->is_trivial() ? law : nullptr;
}

}  // namespace

bool has_two_ends(const PrivacyLoss& loss) {
  return loss.facts().laplace || loss.facts().sampled_laplace || two_atoms(loss);
}

std::vector<EndPower> end_laws(const ComposedLoss& loss) {
  std::vector<EndPower> result;
  for (const ComposedLoss::Term& term : loss.terms()) {
    check_work_limit();
    const LossFacts& facts = term.loss->facts();
    if (facts.laplace) {
      result.push_back({std::make_unique<LaplaceEnds>(*facts.laplace), term.count});
    } else if (facts.sampled_laplace) {
      result.push_back({std::make_unique<SampledEnds>(*facts.sampled_laplace), term.count});
    } else if (const TwoPointLoss* atoms = two_atoms(*term.loss)) {
      result.push_back({std::make_unique<AtomEnds>(*atoms), term.count});
    }
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const EndPower& a, const EndPower& b) { return a.count < b.count; });
  return result;
}

std::vector<ComposedLoss::Term> terms_beside_ends(const ComposedLoss& loss) {
  std::vector<ComposedLoss::Term> result;
  for (const ComposedLoss::Term& term : loss.terms()) {
    if (!has_two_ends(*term.loss)) result.push_back(term);
  }
  return result;
}

}  // namespace plaudit

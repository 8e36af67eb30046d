// Laplace noise of scale b cut to [-A, A]: its density is k/b e^{-|x|/b}, k = 1 / (2 (1 - r)),
// r = e^{-A/b}. Two outputs s apart (s <= A), a = s/b: L = a above s, -a below 0, (2y - s)/b
// between; beyond A, P has the mass k r (e^a - 1) and Q none. Reflection exchanges P and Q.
#pragma once
#include <plaudit/extend.hpp>

namespace mine {
using namespace plaudit;
using namespace plaudit::extend;

class TruncatedLaplaceLaw final : public Law {
 public:
  explicit TruncatedLaplaceLaw(const Arguments& given)
      : scale_(given["scale"]), bound_(given["bound"]), sensitivity_(given["sensitivity"]) {}

  Interval p_above(const Interval& x) const override {
    const auto [a, r, k] = constants();
    return piece(x, a, interval(1), 1 - k * (exp((within(x, a) - a) / 2) - r), mass_at_infinity());
  }
  Interval q_above(const Interval& x) const override {
    const auto [a, r, k] = constants();
    return piece(x, a, q_mass(), k * (exp(-(within(x, a) + a) / 2) - r), interval(0));
  }
  Interval mass_at_infinity() const override {
    const auto [a, r, k] = constants();
    return k * r * expm1(a);
  }
  Interval q_mass() const override { return 1 - mass_at_infinity(); }

  // From here on optional. With the ends of the support the grids end there; with M the contour
  // applies: M(z) = P(L = -a) e^{-za} + P(L = a) e^{za} + k/2 int_{-a}^a e^{(x-a)/2 + zx} dx.
  Interval least_loss() const override { return -constants().a; }
  Interval greatest_loss() const override { return constants().a; }
  bool has_mgf() const override { return true; }
  Complex mgf(const Complex& z) const override {
    const auto [a, r, k] = constants();
    const Complex w = z + complex(interval("0.5"));
    const bool zero = w.real.lower == 0 && w.real.upper == 0 && w.imaginary.upper == 0;
    const Complex integral = zero ? complex(2 * a) : (exp(a * w) - exp(-a * w)) / w;
    return k * (exp(-a) - r) * exp(-a * z) + k * (1 - r * exp(a)) * exp(a * z) +
           k * exp(-a / 2) / 2 * integral;
  }

 private:
  struct Constants {
    Interval a, r, k;
  };
  Constants constants() const {  // at the precision that is asked for now
    const Interval r = exp(-interval(bound_) / interval(scale_));
    return {interval(sensitivity_) / interval(scale_), r, interval(1) / (2 * (1 - r))};
  }
  static Interval within(const Interval& x, const Interval& a) { return max(-a, min(x, a)); }
  static Interval piece(const Interval& x, const Interval& a, const Interval& below,
                        const Interval& between, const Interval& above) {
    if (certainly_less(x, -a)) return below;
    if (certainly_less_equal(a, x)) return above;
    const Interval left = certainly_less_equal(-a, x) ? between : hull(below, between);
    return certainly_less(x, a) ? left : hull(left, above);
  }
  Number scale_, bound_, sensitivity_;
};

class TruncatedLaplace final : public Mechanism {
 public:
  std::string name() const override { return "truncated_laplace"; }
  std::string summary() const override { return "Laplace noise cut to [-bound, bound]"; }
  std::string theorem() const override {
    return "the noise is log-concave: of all shifts up to the sensitivity the largest dominates";
  }
  std::vector<Parameter> parameters() const override {
    return {{"scale", Domain::positive}, {"bound", Domain::positive},
            {"sensitivity", Domain::positive, "1"}};
  }
  std::string example() const override { return "truncated_laplace(scale=1, bound=12)"; }
  Adjacency adjacency(const Arguments&) const override { return {"add_remove"}; }
  Laws laws(const Arguments& given) const override {
    if (!certainly_less_equal(interval(given["sensitivity"]), interval(given["bound"]))) {
      throw std::invalid_argument("bound must be at least the sensitivity");
    }
    return {std::make_shared<TruncatedLaplaceLaw>(given)};
  }
};

}  // namespace mine

#pragma once
#include <plaudit/extend.hpp>

namespace mine {
using namespace plaudit;
using namespace plaudit::extend;

// Laplace noise of scale b cut to [-A, A]: its density is k/b e^{-|x|/b}, k = 1 / (2 (1 - r)),
// r = e^{-A/b}. Two outputs s apart (s <= A), a = s/b: L = a above s, -a below 0, (2y - s)/b
// between; beyond A, P has the mass k r (e^a - 1) and Q none. Reflection exchanges P and Q.
class TruncatedLaplaceLaw final : public Law {
 public:
  explicit TruncatedLaplaceLaw(const Arguments& given)
      : scale_(given["scale"]), bound_(given["bound"]), sensitivity_(given["sensitivity"]) {}

  Interval p_above(const Interval& x) const override {
    return piece(x, interval(1), 1 - k() * (exp((x - a()) / 2) - r()), mass_at_infinity());
  }
  Interval q_above(const Interval& x) const override {
    return piece(x, q_mass(), k() * (exp(-(x + a()) / 2) - r()), interval(0));
  }
  Interval mass_at_infinity() const override { return k() * r() * expm1(a()); }
  Interval q_mass() const override { return 1 - mass_at_infinity(); }

  // All below is optional. Where the support ends the grids do; with M the contour applies:
  // M(z) = P(L = -a) e^{-za} + P(L = a) e^{za} + k/2 int_{-a}^a e^{(x-a)/2 + zx} dx.
  Interval least_loss() const override { return -a(); }
  Interval greatest_loss() const override { return a(); }
  bool has_mgf() const override { return true; }
  Complex mgf(const Complex& z) const override {
    const Complex w = z + complex(interval("0.5"));
    const bool zero = w.real.lower == 0 && w.real.upper == 0 && w.imaginary.upper == 0;
    const Complex integral = zero ? complex(2 * a()) : (exp(a() * w) - exp(-a() * w)) / w;
    return k() * (exp(-a()) - r()) * exp(-a() * z) + k() * (1 - r() * exp(a())) * exp(a() * z) +
           k() * exp(-a() / 2) / 2 * integral;
  }

 private:
  Interval a() const { return interval(sensitivity_) / interval(scale_); }
  Interval r() const { return exp(-interval(bound_) / interval(scale_)); }
  Interval k() const { return 1 / (2 * (1 - r())); }
  /// Whichever of the three x may be in.
  Interval piece(const Interval& x, Interval below, Interval between, Interval above) const {
    if (certainly_less(x, -a())) return below;
    if (certainly_less_equal(a(), x)) return above;
    if (!certainly_less_equal(-a(), x)) between = hull(below, between);
    return certainly_less(x, a()) ? between : hull(between, above);
  }
  Number scale_, bound_, sensitivity_;
};

class TruncatedLaplace final : public Mechanism {
 public:
  std::string name() const override { return "cut_laplace"; }
  std::string summary() const override { return "Laplace noise cut to [-bound, bound]"; }
  std::string theorem() const override { return "log-concave noise: the largest shift dominates"; }
  std::vector<Parameter> parameters() const override {
    return {{"scale", Domain::positive},
            {"bound", Domain::positive},
            {"sensitivity", Domain::positive, "1"}};
  }
  std::string example() const override { return "cut_laplace(scale=1, bound=12)"; }
  Adjacency adjacency(const Arguments&) const override { return {"add_remove"}; }
  std::string attained(const Arguments&) const override { return "the largest shift has it"; }
  Laws laws(const Arguments& given) const override {
    const bool fits =
        certainly_less_equal(interval(given["sensitivity"]), interval(given["bound"]));
    if (!fits) throw std::invalid_argument("bound must be at least the sensitivity");
    return {std::make_shared<TruncatedLaplaceLaw>(given)};
  }
};

// True: delta(eps) - P(L = inf) <= M(t) e^{-t eps} t^t / (1+t)^{1+t} for every t > 0.
class Chernoff final : public Accountant {
 public:
  std::string name() const override { return "chernoff"; }
  std::string summary() const override { return "Renyi divergences of 18 orders"; }
  ClaimKind claim() const override { return ClaimKind::upper; }
  Interval epsilon(const Composition& run, Direction direction,
                   const Number& delta) const override {
    const PrivacyLoss loss(run, direction);
    const Interval log_finite = log(interval(delta) - loss.mass_at_infinity());
    Interval best = 1 / interval(0);
    for (double order = 1.0 / 16; order < 1e4; order *= 2) {
      const Interval t = interval(order);
      best = min(best, (loss.log_mgf(order) + t * log(t) - (1 + t) * log(1 + t) - log_finite) / t);
    }
    return max(best, interval(0));
  }
};

// A lie: "steps add up like noise", the squares of their epsilons.
class SquareRoot final : public Accountant {
 public:
  std::string name() const override { return "square_root"; }
  std::string summary() const override { return "the steps' epsilons, squared and added"; }
  ClaimKind claim() const override { return ClaimKind::upper; }
  Interval epsilon(const Composition& run, Direction, const Number& delta) const override {
    Interval sum = interval(0);
    for (const Step& step : steps(run)) {
      const Band one = plaudit::epsilon(step.mechanism, delta, {.digits = 6});
      sum = sum +
            step.count * Interval{one.lower(), one.upper()} * Interval{one.lower(), one.upper()};
    }
    return sqrt(sum);
  }
};

}  // namespace mine

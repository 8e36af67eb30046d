// Two accountants that claim an epsilon to suffice. One has a proof, the other one lies.
#pragma once
#include <limits>
#include <plaudit/extend.hpp>

namespace mine {
using namespace plaudit;
using namespace plaudit::extend;

/// delta(eps) - P(L = inf) <= M(t) e^{-t eps} t^t / (1+t)^{1+t} for every t > 0, solved for eps.
class Chernoff final : public Accountant {
 public:
  std::string name() const override { return "chernoff"; }
  std::string summary() const override { return "Renyi divergences of 17 orders"; }
  Claim claim() const override { return Claim::upper; }
  Interval epsilon(const Composition& run, Direction direction, const Number& delta) const override {
    const PrivacyLoss loss(run, direction);
    const Interval finite = interval(delta) - loss.mass_at_infinity();
    Interval best = interval(0) / interval(0);  // anything
    for (double order = 1.0 / 16; order < 1e4; order *= 2) {
      const Interval t = interval(order);
      const Interval factor = t * log(t) - (1 + t) * log(1 + t);
      best = min(best, (loss.log_mgf(order) + factor - log(finite)) / t);
    }
    return max(best, interval(0));
  }
};

/// "Steps add up like noise": the root of the sum of the squares of the steps' epsilons.
class SquareRoot final : public Accountant {
 public:
  std::string name() const override { return "square_root"; }
  std::string summary() const override { return "epsilons of the steps, squared and added"; }
  Claim claim() const override { return Claim::upper; }
  Interval epsilon(const Composition& run, Direction, const Number& delta) const override {
    Interval sum = interval(0);
    for (const Step& step : steps(run)) {
      const Band one = plaudit::epsilon(step.mechanism, {.delta = delta, .digits = 6});
      sum = sum + step.count * Interval{one.lower(), one.upper()} * Interval{one.lower(), one.upper()};
    }
    return sqrt(sum);
  }
};

}  // namespace mine

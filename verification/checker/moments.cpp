#include "verification/checker/moments.hpp"

#include "verification/checker/rejected.hpp"

namespace plaudit::checker {

namespace {

/// M(z) = e^{mu z (z+1)}, mu = a^2/2.
class GaussianMoments final : public Moments {
 public:
  explicit GaussianMoments(const Gaussian& law) : mu_(scaled(square(Interval(law.rate)), -1)) {}

  std::vector<Complex> logs_on_line(const Interval& t, const Interval& h, long nodes,
                                    Budget& budget) const override {
    budget.spend(10 * static_cast<double>(nodes));
    std::vector<Complex> values;
    for (long k = 0; k <= nodes; ++k) {
      const Interval s = k * h;
      values.push_back({log_beyond(t, s, budget), mu_ * s * (2 * t + 1)});
    }
    return values;
  }
  Interval log_beyond(const Interval& t, const Interval& s, Budget&) const override {
    return mu_ * (t * (t + 1) - square(s));
  }
  Interval log_moment(const Interval& t, Order, Budget&) const override {
    return mu_ * t * (t + 1);
  }

 private:
  Interval mu_;
};

/// M(z) = e^{az} (1 + 1/v + e^{-av} (1 - 1/v)) / 2, v = 2z + 1.
/// Proof: docs/proofs/hockey_stick.md#laplace
class LaplaceMoments final : public Moments {
 public:
  explicit LaplaceMoments(const Laplace& law) : a_(law.ratio) {}

  std::vector<Complex> logs_on_line(const Interval& t, const Interval& h, long nodes,
                                    Budget& budget) const override {
    budget.spend(100 * static_cast<double>(nodes));
    std::vector<Complex> values;
    for (long k = 0; k <= nodes; ++k) {
      const Complex z{t, k * h};
      const Complex v{2 * t + 1, 2 * z.im};
      const Complex w = Complex{1, 0} / v;
      const Complex inner = Complex{1 + w.re, w.im} + exp(-(a_ * v)) * Complex{1 - w.re, -w.im};
      values.push_back(a_ * z + log_on_some_branch({scaled(inner.re, -1), scaled(inner.im, -1)}));
    }
    return values;
  }
  Interval log_beyond(const Interval& t, const Interval& s, Budget&) const override {
    const Interval size = sqrt(square(2 * t + 1) + 4 * square(s));
    return log(scaled(exp(a_ * t) + exp(-a_ * (1 + t)), -1) * (1 + 1 / size));
  }
  Interval log_moment(const Interval& t, Order, Budget&) const override {
    const Interval v = 2 * t + 1;
    return a_ * t + log(scaled(1 + 1 / v + exp(-a_ * v) * (1 - 1 / v), -1));
  }

 private:
  Interval a_;
};

}  // namespace

Complex log_on_some_branch(const Complex& z) {
  if (!negative(z.re)) return log(z);
  const Complex turned = log(-z);
  return {turned.re, turned.im + pi()};
}

std::unique_ptr<Moments> make_moments(const Law& law, Fields& choices) {
  if (const auto* each = std::get_if<Gaussian>(&law)) {
    return std::make_unique<GaussianMoments>(*each);
  }
  if (const auto* each = std::get_if<Laplace>(&law)) {
    return std::make_unique<LaplaceMoments>(*each);
  }
  if (const auto* each = std::get_if<Mixture>(&law)) return mixture_moments(*each, choices);
  throw Rejected("a straight contour knows no moments of this law");
}

}  // namespace plaudit::checker

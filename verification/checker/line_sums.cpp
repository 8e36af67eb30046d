// Lines of laws in closed form and of laws with atoms alone.
#include <algorithm>
#include <type_traits>
#include <utility>

#include "verification/checker/lines.hpp"
#include "verification/checker/paths.hpp"
#include "verification/checker/power_sums.hpp"
#include "verification/checker/rejected.hpp"

namespace plaudit::checker {

namespace {

constexpr long most_terms = 10000;
constexpr long widest_window = 10000000;

Complex turned(const Interval& angle) { return {cos(angle), sin(angle)}; }
Interval half(const Interval& x) { return scaled(x, -1); }

/// M(z) = e^{mu z (z+1)}.
class GaussianLine final : public Line {
 public:
  explicit GaussianLine(const Gaussian& law) : mu_(half(square(Interval(law.rate)))) {}

  std::vector<Complex> values(const Interval& t, const Interval& h, long nodes,
                              Budget& budget) const override {
    budget.spend(40 * static_cast<double>(nodes));
    std::vector<Complex> result;
    for (long k = 0; k <= nodes; ++k) {
      const Interval s = k * h;
      result.push_back(exp(Complex{mu_ * (t * (t + 1) - square(s)), mu_ * s * (2 * t + 1)}));
    }
    return result;
  }
  Interval beyond(const Interval& t, const Interval& s, Budget&) const override {
    return top(exp(mu_ * (t * (t + 1) - square(s))));
  }
  Interval moment(const Interval& t, const std::string&, Budget&) const override {
    return top(exp(mu_ * t * (t + 1)));
  }

 private:
  Interval mu_;
};

/// M(z) = (e^{az} (1 + 1/v) + e^{-a(1+z)} (1 - 1/v)) / 2, v = 2z + 1.
class LaplaceLine final : public Line {
 public:
  explicit LaplaceLine(const Laplace& law) : a_(law.ratio) {}

  std::vector<Complex> values(const Interval& t, const Interval& h, long nodes,
                              Budget& budget) const override {
    budget.spend(60 * static_cast<double>(nodes));
    std::vector<Complex> result;
    const Interval up = half(exp(a_ * t));
    const Interval down = half(exp(-a_ * (1 + t)));
    for (long k = 0; k <= nodes; ++k) {
      const Interval s = k * h;
      const Complex inverse = Complex{1, 0} / Complex{2 * t + 1, 2 * s};
      const Complex turn = turned(a_ * s);
      result.push_back(up * (turn * (Complex{1, 0} + inverse)) +
                       down * (conjugate(turn) * (Complex{1, 0} - inverse)));
    }
    return result;
  }
  Interval beyond(const Interval& t, const Interval& s, Budget&) const override {
    const Interval size = sqrt(square(2 * t + 1) + 4 * square(s));
    return top(half(exp(a_ * t) + exp(-a_ * (1 + t))) * (1 + 1 / size));
  }
  /// The density between the atoms contributes e^{-a/2}/4 times the integral of e^{wl} over
  /// (-a, a), even in w = t + 1/2.
  Interval moment(const Interval& t, const std::string&, Budget&) const override {
    const Interval w = abs(t + half(Interval(1)));
    Interval between = 2 * a_ * exp(a_ * w);
    if (positive(w)) between = min(between, (exp(a_ * w) - exp(-a_ * w)) / w);
    return top(half(exp(a_ * t) + exp(-a_ * (1 + t))) + scaled(exp(-half(a_)) * between, -2));
  }
  std::optional<Interval> least() const override { return -a_; }
  std::optional<Interval> greatest() const override { return a_; }

 private:
  Interval a_;
};

/// M(z) = sum_j p_j e^{z l_j}.
class FiniteLine final : public Line {
 public:
  explicit FiniteLine(const Finite& law) : masses_(law.masses()) {}

  std::vector<Complex> values(const Interval& t, const Interval& h, long nodes,
                              Budget& budget) const override {
    budget.spend(60 * static_cast<double>(masses_.atoms.size()));
    std::vector<Complex> weights;
    std::vector<Complex> bases;
    for (const Atom& atom : masses_.atoms) {
      weights.push_back({atom.p * exp(t * atom.loss), 0});
      bases.push_back(turned(h * atom.loss));
    }
    return power_sums(weights, bases, static_cast<std::size_t>(nodes) + 1, budget);
  }
  Interval moment(const Interval& t, const std::string&, Budget& budget) const override {
    budget.spend(20 * static_cast<double>(masses_.atoms.size()));
    Interval sum;
    for (const Atom& atom : masses_.atoms) sum += atom.p * exp(t * atom.loss);
    return top(sum);
  }
  Interval infinite() const override { return masses_.infinite; }
  Interval q_mass() const override { return masses_.q_mass; }
  std::optional<Interval> least() const override { return masses_.atoms.front().loss; }
  std::optional<Interval> greatest() const override { return masses_.atoms.back().loss; }

 private:
  Finite::Masses masses_;
};

/// M(z) = e^{mu z (z+1)} theta(zD) / theta(0).
class DiscreteGaussianLine final : public Line {
 public:
  explicit DiscreteGaussianLine(const DiscreteGaussian& law)
      : v_(law.variance), d_(law.sensitivity), mu_(square(d_) / (2 * v_)) {}

  std::vector<Complex> values(const Interval& t, const Interval& h, long nodes,
                              Budget& budget) const override {
    const Interval whole = theta(v_, 0, 0, budget).re;
    std::vector<Complex> result;
    for (long k = 0; k <= nodes; ++k) {
      const Interval s = k * h;
      const Complex front = exp(Complex{mu_ * (t * (t + 1) - square(s)), mu_ * s * (2 * t + 1)});
      result.push_back(1 / whole * (front * theta(v_, t * d_, s * d_, budget)));
    }
    return result;
  }
  /// theta(c) <= theta(0) for real c.
  Interval moment(const Interval& t, const std::string&, Budget& budget) const override {
    const Interval share = theta(v_, t * d_, 0, budget).re / theta(v_, 0, 0, budget).re;
    return top(exp(mu_ * t * (t + 1)) * min(top(share), Interval(1)));
  }

 private:
  Interval v_;
  Interval d_;
  Interval mu_;
};

/// A(w) = sum_k phi(k) f(k)^w, f(k) = 1 - g + g e^{(kD - D^2/2)/v}: M(z) = A(1+z) for remove,
/// A(-z) for add. The window is wide enough for the precision in force.
class SampledDiscreteLine final : public Line {
 public:
  SampledDiscreteLine(const DiscreteGaussian& base, const Rational& rate, bool removes,
                      Fields& fields)
      : base_(base),
        g_(rate),
        removes_(removes),
        v_(base.variance),
        d_(base.sensitivity),
        mu_(square(d_) / (2 * v_)) {
    for (const char* name : {"right", "left", "moment"}) {
      if (fields.has(name) && fields.boolean(name)) exactly_.emplace_back(name);
    }
  }

  std::vector<Complex> values(const Interval& t, const Interval& h, long nodes,
                              Budget& budget) const override {
    const Interval r = order(t);
    const Window window = find_window(r, budget);
    std::vector<Complex> weights;
    std::vector<Complex> bases;
    for (long k = window.low + 1; k < window.high; ++k) {
      const Interval log_f = log_ratio(k);
      weights.push_back({size(k) * exp(r * log_f), 0});
      bases.push_back(turned(h * log_f));
    }
    std::vector<Complex> sums =
        power_sums(weights, bases, static_cast<std::size_t>(nodes) + 1, budget);
    const Interval wide = spread(window.rest / whole(budget));
    const Interval share = 1 / whole(budget);
    for (Complex& sum : sums) {
      sum = {share * sum.re + wide, share * (removes_ ? sum.im : -sum.im) + wide};
    }
    return sums;
  }
  Interval moment(const Interval& t, const std::string& name, Budget& budget) const override {
    const Interval r = order(t);
    const bool exactly =
        name == "axis" || std::find(exactly_.begin(), exactly_.end(), name) != exactly_.end();
    if (!exactly) {
      if (concave(r)) return 1;
      return top(1 - g_ + g_ * exp(mu_ * r * (r - 1)));
    }
    const Window window = find_window(r, budget);
    Interval sum = window.rest;
    for (long k = window.low + 1; k < window.high; ++k) sum += size(k) * exp(r * log_ratio(k));
    return top(sum / whole(budget));
  }

 private:
  struct Window {
    long low;   ///< excluded, as everything below it
    long high;  ///< excluded, as everything above it
    Interval rest;
  };

  Interval order(const Interval& t) const { return removes_ ? 1 + t : -t; }
  /// e^{-k^2/(2v)}, whose sum over all k is `whole`.
  Interval size(long k) const { return exp(-square(Interval(k)) / (2 * v_)); }
  Interval whole(Budget& budget) const { return sqrt(2 * pi() * v_) * theta(v_, 0, 0, budget).re; }
  Interval log_ratio(long k) const { return log_mixed(g_, (k * d_ - half(square(d_))) / v_); }

  Window find_window(const Interval& u, Budget& budget) const {
    const auto floor_of = [](const Rational& x) {
      Integer result;
      mpz_fdiv_q(result.backend().data(), mpq_numref(x.backend().data()),
                 mpq_denref(x.backend().data()));
      require(boost::multiprecision::abs(result) < widest_window,
              "a window of integers is too wide");
      return result.convert_to<long>();
    };
    const long reach = floor_of(upper(sqrt(2 * v_ * Precision::bits()))) + 2;
    const long low = -reach + std::min(0L, floor_of(lower(u * d_))) - 1;
    const long high = reach + std::max(0L, floor_of(upper(u * d_))) + 1;
    budget.spend(30 * static_cast<double>(high - low));
    const auto geometric = [](const Interval& first, const Interval& log_ratio_of_terms) {
      require(negative(log_ratio_of_terms), "a window of integers is too narrow");
      return first / -expm1(log_ratio_of_terms);
    };
    const Interval left = geometric(size(low) * max(exp(u * log_ratio(low)), exp(u * log(1 - g_))),
                                    (low - half(Interval(1))) / v_);
    const Interval right = geometric(size(high) * exp(u * log_ratio(high)),
                                     (max(u, Interval(0)) * d_ - high - half(Interval(1))) / v_);
    return {low, high, top(left + right)};
  }

  DiscreteGaussian base_;
  Interval g_;
  bool removes_;
  Interval v_;
  Interval d_;
  Interval mu_;
  std::vector<std::string> exactly_;
};

}  // namespace

Complex theta(const Interval& v, const Interval& c, const Interval& height, Budget& budget) {
  const Interval x = 2 * pi() * c;
  const Interval y = 2 * pi() * height;
  const Interval fall = -2 * square(pi()) * v;
  Complex sum{1, 0};
  for (long m = 1; m <= most_terms; ++m) {
    budget.spend(60);
    const Interval size = exp(fall * m * m);
    const Interval up = exp(m * y);
    const Interval down = exp(-m * y);
    const Complex turn = turned(m * x);
    sum += Complex{size * turn.re * (up + down), -(size * turn.im * (up - down))};
    const Interval bound = 2 * size * up;
    const Interval ratio = exp(fall * (2 * m + 1) + y);
    if (below(ratio, half(Interval(1))) && below(scaled(bound, Precision::bits()), Interval(1))) {
      const Interval rest = spread(bound * ratio / (1 - ratio));
      return sum + Complex{rest, rest};
    }
  }
  throw Rejected("theta needs too many terms");
}

LinePointer line_of(const Gaussian& law, Fields&) { return std::make_unique<GaussianLine>(law); }
LinePointer line_of(const Laplace& law, Fields&) { return std::make_unique<LaplaceLine>(law); }
LinePointer line_of(const Finite& law, Fields&) { return std::make_unique<FiniteLine>(law); }
LinePointer line_of(const DiscreteGaussian& law, Fields&) {
  return std::make_unique<DiscreteGaussianLine>(law);
}
LinePointer sampled_line(const DiscreteGaussian& base, const Rational& rate, bool removes,
                         Fields& fields) {
  return std::make_unique<SampledDiscreteLine>(base, rate, removes, fields);
}

LinePointer make_line(const Law& law, Fields& fields, bool may_cut) {
  LinePointer line = std::visit(
      [&](const auto& each) -> LinePointer {
        using Kind = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<Kind, Sampled>) {
          return std::visit(
              [&](const auto& base) { return sampled_line(base, each.rate, each.removes, fields); },
              each.base);
        } else if constexpr (std::is_same_v<Kind, Labelled>) {
          return line_of(each, fields, may_cut);
        } else if constexpr (std::is_same_v<Kind, Mixture>) {
          return may_cut && fields.has("cut") ? cut_line_of(each, fields) : line_of(each, fields);
        } else {
          return line_of(each, fields);
        }
      },
      law);
  fields.done();
  return line;
}

}  // namespace plaudit::checker

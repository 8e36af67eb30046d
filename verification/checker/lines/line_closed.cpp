// Lines of laws in closed form, and the line of any law.
#include <type_traits>
#include <utility>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/laws/discrete_noise.hpp"
#include "verification/checker/lines/lines.hpp"

namespace plaudit::proof {

namespace {

constexpr long most_terms = 10000;  ///< of theta

/// M(z) = e^{mu z (z+1)}.
class GaussianLine final : public Line {
 public:
  explicit GaussianLine(const Gaussian& law) : mu_(law.mu) {}

  std::vector<Complex> values(const Interval& t, const Interval& h, const Nodes& nodes,
                              Budget& budget) const override {
    budget.spend(40 * static_cast<double>(nodes.count));
    std::vector<Complex> result;
    for (long k = 0; k < nodes.count; ++k) {
      if (k % 64 == 0) budget.spend(0);
      const Interval s = (nodes.first + k) * h;
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

  std::vector<Complex> values(const Interval& t, const Interval& h, const Nodes& nodes,
                              Budget& budget) const override {
    budget.spend(60 * static_cast<double>(nodes.count));
    std::vector<Complex> result;
    const Interval up = half(exp(a_ * t));
    const Interval down = half(exp(-a_ * (1 + t)));
    for (long k = 0; k < nodes.count; ++k) {
      if (k % 64 == 0) budget.spend(0);
      const Interval s = (nodes.first + k) * h;
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

/// M(z) = sinh(epsilon v) / (2 v sinh(epsilon/2)), v = z + 1/2.
class RangeLine final : public Line {
 public:
  explicit RangeLine(const Range& law)
      : epsilon_(law.epsilon), twice_sinh_(expm1(epsilon_) * exp(-half(epsilon_))) {}

  std::vector<Complex> values(const Interval& t, const Interval& h, const Nodes& nodes,
                              Budget& budget) const override {
    budget.spend(60 * static_cast<double>(nodes.count));
    std::vector<Complex> result;
    const Interval v = t + half(Interval(1));
    const Interval growth = expm1(epsilon_ * v);
    const Interval fall = growth / (1 + growth);  // 1 - e^{-epsilon v}
    const Interval sinh = half(growth + fall);
    const Interval cosh = half(2 + growth - fall);
    for (long k = 0; k < nodes.count; ++k) {
      if (k % 64 == 0) budget.spend(0);
      const Interval s = (nodes.first + k) * h;
      const Interval angle = epsilon_ * s;
      result.push_back(Complex{sinh * cos(angle), cosh * sin(angle)} /
                       (twice_sinh_ * Complex{v, s}));
    }
    return result;
  }
  /// |sinh(x + iy)| <= cosh x.
  Interval beyond(const Interval& t, const Interval& s, Budget& budget) const override {
    const Interval v = t + half(Interval(1));
    const Interval cosh = half(exp(epsilon_ * v) + exp(-epsilon_ * v));
    const Interval bound = cosh / (twice_sinh_ * sqrt(square(v) + square(s)));
    return min(top(bound), moment(t, "axis", budget));
  }
  /// sinh(epsilon w)/w, even in w = t + 1/2, is at most epsilon e^{epsilon |w|}.
  Interval moment(const Interval& t, const std::string&, Budget&) const override {
    const Interval w = abs(t + half(Interval(1)));
    Interval between = 2 * epsilon_ * exp(epsilon_ * w);
    if (positive(w)) between = min(between, expm1(2 * epsilon_ * w) * exp(-epsilon_ * w) / w);
    return top(between / (2 * twice_sinh_));
  }
  std::optional<Interval> least() const override { return -epsilon_; }
  std::optional<Interval> greatest() const override { return epsilon_; }

 private:
  Interval epsilon_;
  Interval twice_sinh_;
};

/// M(z) of Range and of two points at +-a, each times the probability of its label.
class TruncatedLaplaceLine final : public Line {
 public:
  explicit TruncatedLaplaceLine(const TruncatedLaplace& law)
      : a_(law.ratio), shares_(law.shares()), between_(Range{law.ratio}) {}

  std::vector<Complex> values(const Interval& t, const Interval& h, const Nodes& nodes,
                              Budget& budget) const override {
    std::vector<Complex> result = between_.values(t, h, nodes, budget);
    const Interval up = upper_end(t);
    const Interval down = lower_end(t);
    for (std::size_t k = 0; k < result.size(); ++k) {
      const Complex turn = turned(a_ * ((nodes.first + static_cast<long>(k)) * h));
      result[k] = shares_.between * result[k] + up * turn + down * conjugate(turn);
    }
    return result;
  }
  Interval beyond(const Interval& t, const Interval& s, Budget& budget) const override {
    return top(shares_.between * between_.beyond(t, s, budget) + upper_end(t) + lower_end(t));
  }
  Interval moment(const Interval& t, const std::string& name, Budget& budget) const override {
    return top(shares_.between * between_.moment(t, name, budget) + upper_end(t) + lower_end(t));
  }
  Interval infinite() const override { return shares_.infinite; }
  Interval q_mass() const override { return 1 - shares_.infinite; }
  std::optional<Interval> least() const override { return -a_; }
  std::optional<Interval> greatest() const override { return a_; }

 private:
  Interval upper_end(const Interval& t) const {
    return shares_.ends * exp(a_ * t) / (1 + exp(-a_));
  }
  Interval lower_end(const Interval& t) const {
    return shares_.ends * exp(-a_ * t) / (1 + exp(a_));
  }

  Interval a_;
  TruncatedLaplace::Shares shares_;
  RangeLine between_;
};

/// Of real orders alone, within their bounds.
class BoundedLine final : public Line {
 public:
  explicit BoundedLine(const Bounded& law) : law_(law) {}

  std::vector<Complex> values(const Interval&, const Interval&, const Nodes&,
                              Budget&) const override {
    throw Rejected("of a mechanism of bounded moments nothing else is known");
  }
  Interval moment(const Interval& t, const std::string&, Budget&) const override {
    const bool whole = !law_.lines.empty();  // up to the limit itself
    require(nonnegative(t) && (!law_.limit || below(t + 1, Interval(*law_.limit)) ||
                               (whole && nonnegative(Interval(*law_.limit) - (t + 1)))),
            "no moment of this order is bounded");
    if (whole) {
      Interval most(0);
      for (const Bounded::Line& line : law_.lines) {
        most = max(most, Interval(line.at_zero) + Interval(line.slope) * t);
      }
      return top(exp(most));
    }
    return top(exp(Interval(law_.linear) * t + Interval(law_.quadratic) * square(t)));
  }

 private:
  Bounded law_;
};

/// M(z) = e^{mu z} F(x), z = t + 2 pi i x v/D: NoiseLine.
class DiscreteGaussianLine final : public Line {
 public:
  explicit DiscreteGaussianLine(const DiscreteGaussian& law)
      : law_(law), v_(law.variance), d_(law.sensitivity), mu_(square(d_) / (2 * v_)) {}

  std::vector<Complex> values(const Interval& t, const Interval& h, const Nodes& nodes,
                              Budget& budget) const override {
    const NoiseLine line(law_.variance, law_.sensitivity, t, budget);
    budget.spend((60 + line.cost()) * static_cast<double>(nodes.count));
    std::vector<Complex> result;
    for (long k = 0; k < nodes.count; ++k) {
      if (k % 64 == 0) budget.spend(0);
      const Interval s = (nodes.first + k) * h;
      result.push_back(exp(Complex{mu_ * t, mu_ * s}) * line.near(s * d_ / (2 * pi() * v_)));
    }
    return result;
  }
  /// theta(c) <= theta(0) for real c.
  Interval moment(const Interval& t, const std::string&, Budget& budget) const override {
    const Interval share = theta(v_, t * d_, budget) / theta(v_, 0, budget);
    return top(exp(mu_ * t * (t + 1)) * min(top(share), Interval(1)));
  }

 private:
  DiscreteGaussian law_;
  Interval v_;
  Interval d_;
  Interval mu_;
};

/// M = (1 - w) M_under + w M_reached, w the probability that the cap is reached.
class CappedLine final : public Line {
 public:
  CappedLine(const Capped& law, Fields& fields)
      : reached_share_(probability_of_reaching(law)), under_share_(1 - reached_share_) {
    Fields under = fields.object("under");
    Fields reached = fields.object("reached");
    under_ = make_line(*law.laws->under, under, false);
    reached_ = make_line(*law.laws->reached, reached, false);
  }

  std::vector<Complex> values(const Interval& t, const Interval& h, const Nodes& nodes,
                              Budget& budget) const override {
    std::vector<Complex> result = under_->values(t, h, nodes, budget);
    const std::vector<Complex> reached = reached_->values(t, h, nodes, budget);
    for (std::size_t k = 0; k < result.size(); ++k) {
      result[k] = under_share_ * result[k] + reached_share_ * reached[k];
    }
    return result;
  }
  Interval beyond(const Interval& t, const Interval& s, Budget& budget) const override {
    return top(under_share_ * under_->beyond(t, s, budget) +
               reached_share_ * reached_->beyond(t, s, budget));
  }
  Interval moment(const Interval& t, const std::string& name, Budget& budget) const override {
    return top(under_share_ * under_->moment(t, name, budget) +
               reached_share_ * reached_->moment(t, name, budget));
  }
  std::optional<Interval> least() const override {
    const auto under = under_->least(), reached = reached_->least();
    return under && reached ? std::optional(min(*under, *reached)) : std::nullopt;
  }
  std::optional<Interval> greatest() const override {
    const auto under = under_->greatest(), reached = reached_->greatest();
    return under && reached ? std::optional(max(*under, *reached)) : std::nullopt;
  }

 private:
  Interval reached_share_;
  Interval under_share_;
  LinePointer under_;
  LinePointer reached_;
};

}  // namespace

Interval theta(const Interval& v, const Interval& c, Budget& budget) {
  const Interval x = 2 * pi() * c;
  const Interval fall = -2 * square(pi()) * v;
  Interval sum = 1;
  for (long m = 1; m <= most_terms; ++m) {
    budget.spend(60);
    const Interval bound = 2 * exp(fall * m * m);
    sum += bound * cos(m * x);
    const Interval ratio = exp(fall * (2 * m + 1));
    if (below(ratio, half(Interval(1))) && below(scaled(bound, working_precision()), Interval(1))) {
      return sum + spread(bound * ratio / (1 - ratio));
    }
  }
  throw Rejected("theta needs too many terms");
}

LinePointer line_of(const Gaussian& law, Fields&) { return std::make_unique<GaussianLine>(law); }
LinePointer line_of(const Laplace& law, Fields&) { return std::make_unique<LaplaceLine>(law); }
LinePointer line_of(const Range& law, Fields&) { return std::make_unique<RangeLine>(law); }
LinePointer line_of(const TruncatedLaplace& law, Fields&) {
  return std::make_unique<TruncatedLaplaceLine>(law);
}
LinePointer line_of(const Bounded& law, Fields&) { return std::make_unique<BoundedLine>(law); }
LinePointer line_of(const Capped& law, Fields& fields) {
  return std::make_unique<CappedLine>(law, fields);
}
LinePointer line_of(const DiscreteGaussian& law, Fields&) {
  return std::make_unique<DiscreteGaussianLine>(law);
}

LinePointer make_line(const Law& law, Fields& fields, bool may_cut) {
  LinePointer line = std::visit(
      [&](const auto& each) -> LinePointer {
        using Known = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<Known, Sampled>) {
          return std::visit(
              [&](const auto& base) { return sampled_line(base, each.rate, each.removes, fields); },
              each.base);
        } else if constexpr (std::is_same_v<Known, Labelled>) {
          return line_of(each, fields, may_cut);
        } else if constexpr (std::is_same_v<Known, Mixture>) {
          return may_cut && fields.has("cut") ? cut_line_of(each, fields) : line_of(each, fields);
        } else {
          return line_of(each, fields);
        }
      },
      law);
  fields.done();
  return line;
}

}  // namespace plaudit::proof

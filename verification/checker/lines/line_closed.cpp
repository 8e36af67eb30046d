// Lines of laws in closed form, and the line of any law.
#include <type_traits>
#include <utility>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/laws/discrete_noise.hpp"
#include "verification/checker/laws/label_choices.hpp"
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

/// M(z) = w^(1+z) M_inner(z) (remove) or w^(-z) M_inner(z) (add).
class LaplaceThresholdLine final : public Line {
 public:
  explicit LaplaceThresholdLine(const LaplaceThreshold& law)
      : removes_(law.removes),
        moved_(removes_ ? law.log_unseen() : -law.log_unseen()),
        share_(removes_ ? 1 - law.seen() : Interval(1)),
        seen_(law.seen()),
        base_(Laplace{law.inner}),
        end_(law.inner) {}

  std::vector<Complex> values(const Interval& t, const Interval& h, const Nodes& nodes,
                              Budget& budget) const override {
    std::vector<Complex> result = base_.values(t, h, nodes, budget);
    const Interval front = share_ * exp(moved_ * t);
    for (std::size_t k = 0; k < result.size(); ++k) {
      const Interval s = (nodes.first + static_cast<long>(k)) * h;
      result[k] = front * (turned(moved_ * s) * result[k]);
    }
    return result;
  }
  Interval beyond(const Interval& t, const Interval& s, Budget& budget) const override {
    return top(share_ * exp(moved_ * t) * base_.beyond(t, s, budget));
  }
  Interval moment(const Interval& t, const std::string& name, Budget& budget) const override {
    return top(share_ * exp(moved_ * t) * base_.moment(t, name, budget));
  }
  Interval infinite() const override { return removes_ ? seen_ : Interval(0); }
  Interval q_mass() const override { return removes_ ? Interval(1) : 1 - seen_; }
  std::optional<Interval> least() const override { return moved_ - end_; }
  std::optional<Interval> greatest() const override { return moved_ + end_; }

 private:
  bool removes_;
  Interval moved_;  ///< by which L exceeds that of the noise
  Interval share_;  ///< of the noise under P
  Interval seen_;
  LaplaceLine base_;
  Interval end_;
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

/// M = sum w_j M_j over the labels, of which some may be moved to L = inf.
class PublicLabelLine final : public Line {
 public:
  PublicLabelLine(const PublicLabel& law, Fields& fields, bool may_cut) {
    const std::vector<Interval> shares = law.shares();
    std::vector<Fields> given = label_choices(law, fields);
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (may_cut && given[i].has("moved")) {
        require(given[i].boolean("moved"), "moved is true where it is given");
        given[i].done();
        moved_ += shares[i];
        continue;
      }
      parts_.push_back({shares[i], make_line(*law.laws->each[i], given[i], may_cut)});
      moved_ += shares[i] * parts_.back().line->moved();
      q_mass_ += shares[i] * parts_.back().line->q_mass();
    }
    require(!parts_.empty(), "all labels are moved");
  }

  std::vector<Complex> values(const Interval& t, const Interval& h, const Nodes& nodes,
                              Budget& budget) const override {
    std::vector<Complex> result(static_cast<std::size_t>(nodes.count));
    for (const Part& part : parts_) {
      const std::vector<Complex> values = part.line->values(t, h, nodes, budget);
      for (std::size_t k = 0; k < result.size(); ++k) result[k] += part.share * values[k];
    }
    return result;
  }
  Interval beyond(const Interval& t, const Interval& s, Budget& budget) const override {
    Interval sum = 0;
    for (const Part& part : parts_) sum += part.share * part.line->beyond(t, s, budget);
    return top(sum);
  }
  Interval moment(const Interval& t, const std::string& name, Budget& budget) const override {
    Interval sum = 0;
    for (const Part& part : parts_) sum += part.share * part.line->moment(t, name, budget);
    return top(sum);
  }
  Interval moved() const override { return moved_; }
  Interval q_mass() const override { return min(q_mass_, Interval(1)); }
  std::optional<Interval> least() const override {
    return extreme([](const Line& line) { return line.least(); }, min);
  }
  std::optional<Interval> greatest() const override {
    return extreme([](const Line& line) { return line.greatest(); }, max);
  }

 private:
  struct Part {
    Interval share;
    LinePointer line;
  };
  template <class End>
  std::optional<Interval> extreme(End&& end,
                                  Interval (*of)(const Interval&, const Interval&)) const {
    std::optional<Interval> found = end(*parts_.front().line);
    for (const Part& part : parts_) {
      const std::optional<Interval> one = end(*part.line);
      if (!one || !found) return std::nullopt;
      found = of(*found, *one);
    }
    return found;
  }

  std::vector<Part> parts_;
  Interval moved_ = 0;
  Interval q_mass_ = 0;
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
LinePointer line_of(const LaplaceThreshold& law, Fields&) {
  return std::make_unique<LaplaceThresholdLine>(law);
}
LinePointer line_of(const Bounded& law, Fields&) { return std::make_unique<BoundedLine>(law); }
LinePointer line_of(const PublicLabel& law, Fields& fields, bool may_cut) {
  return std::make_unique<PublicLabelLine>(law, fields, may_cut);
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
        } else if constexpr (std::is_same_v<Known, Labelled> ||
                             std::is_same_v<Known, PublicLabel>) {
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

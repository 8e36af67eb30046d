// Lines of laws with atoms alone.
#include <algorithm>
#include <utility>

#include "accountants/proof/arithmetic/power_sums.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/lines/lines.hpp"
#include "verification/checker/paths/paths.hpp"

namespace plaudit::proof {

namespace {

/// Limit of sqrt(2 v bits) and of |order D|, of which the ends of a window of integers are made.
constexpr long widest_window = 10000000;

/// Lines whose values are sums of powers over their atoms.
class AtomLine : public Line {
 public:
  std::vector<Complex> values(const Interval& t, const Interval& h, const Nodes& nodes,
                              Budget& budget) const override {
    const Atoms all = *atoms(t, budget);
    budget.spend(80 * static_cast<double>(all.losses.size()));
    std::vector<Complex> weights;
    std::vector<Complex> bases;
    for (std::size_t j = 0; j < all.losses.size(); ++j) {
      weights.push_back(all.weights[j] * turned(nodes.first * h * all.losses[j]));
      bases.push_back(turned(h * all.losses[j]));
    }
    std::vector<Complex> sums =
        power_sums(weights, bases, static_cast<std::size_t>(nodes.count), budget);
    const Interval wide = spread(all.rest);
    for (Complex& sum : sums) sum += Complex{wide, wide};
    return sums;
  }
};

/// M(z) = sum_j p_j e^{z l_j}.
class FiniteLine final : public AtomLine {
 public:
  explicit FiniteLine(const Finite& law) : masses_(law.masses()) {}

  std::optional<Atoms> atoms(const Interval& t, Budget& budget) const override {
    budget.spend(20 * static_cast<double>(masses_.atoms.size()));
    Atoms result{{}, {}, 0};
    for (const Atom& atom : masses_.atoms) {
      result.weights.push_back(atom.p * exp(t * atom.loss));
      result.losses.push_back(atom.loss);
    }
    return result;
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

/// A(w) = sum_k phi(k) f(k)^w, f(k) = 1 - g + g e^{(kD - D^2/2)/v}: M(z) = A(1+z) for remove,
/// A(-z) for add. The window is wide enough for the precision in force.
class SampledDiscreteLine final : public AtomLine {
 public:
  SampledDiscreteLine(const DiscreteGaussian& base, const Rational& rate, bool removes,
                      Fields& fields)
      : g_(rate),
        removes_(removes),
        v_(base.variance),
        d_(base.sensitivity),
        mu_(square(d_) / (2 * v_)) {
    for (const char* name : {"right", "left", "moment"}) {
      if (fields.has(name) && fields.boolean(name)) exactly_.emplace_back(name);
    }
  }

  std::optional<Atoms> atoms(const Interval& t, Budget& budget) const override {
    const Interval r = order(t);
    const Window window = find_window(r, budget);
    const Interval share = 1 / whole(budget);
    Atoms result{{}, {}, top(share * window.rest)};
    for (long k = window.low + 1; k < window.high; ++k) {
      const Interval log_f = log_ratio(k);
      result.weights.push_back(share * size(k) * exp(r * log_f));
      result.losses.push_back(removes_ ? log_f : -log_f);
    }
    return result;
  }
  Interval moment(const Interval& t, const std::string& name, Budget& budget) const override {
    const bool exactly =
        name == "axis" || std::find(exactly_.begin(), exactly_.end(), name) != exactly_.end();
    const Interval r = order(t);
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
  Interval whole(Budget& budget) const { return sqrt(2 * pi() * v_) * theta(v_, 0, budget); }
  Interval log_ratio(long k) const { return log_mixed(g_, (k * d_ - half(square(d_))) / v_); }

  /// The integers that matter at the order u, and a bound of the sum of size(k) f(k)^u over all
  /// others. Proof: docs/proofs/discrete.md#sampled-gaussian
  Window find_window(const Interval& u, Budget& budget) const {
    const auto place_of = [](const Rational& x) {
      const Integer result = floor_of(x);
      require(abs(result) < widest_window, "a window of integers is too wide");
      return to_long(result);
    };
    const long reach = place_of(upper(sqrt(2 * v_ * working_precision()))) + 2;
    const long low = -reach + std::min(0L, place_of(lower(u * d_))) - 1;
    const long high = reach + std::max(0L, place_of(upper(u * d_))) + 1;
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

  Interval g_;
  bool removes_;
  Interval v_;
  Interval d_;
  Interval mu_;
  std::vector<std::string> exactly_;  ///< rules whose moments are summed, not bounded by convexity
};

}  // namespace

LinePointer line_of(const Finite& law, Fields&) { return std::make_unique<FiniteLine>(law); }
LinePointer sampled_line(const DiscreteGaussian& base, const Rational& rate, bool removes,
                         Fields& fields) {
  return std::make_unique<SampledDiscreteLine>(base, rate, removes, fields);
}

}  // namespace plaudit::proof

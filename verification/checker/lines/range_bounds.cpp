#include "verification/checker/lines/range_bounds.hpp"

#include <algorithm>

#include "accountants/proof/arithmetic/power_sums.hpp"
#include "accountants/proof/kinds/lattice_factor.hpp"
#include "verification/checker/laws/discrete_noise.hpp"

namespace plaudit::proof {

namespace {

constexpr long bits_of_sums = 64;  ///< after the point: fewer make bounds larger, never wrong

/// Half of the distance of the ends of a block.
Interval half_length(const Blocks& blocks, const Interval& h) {
  return scaled((blocks.length - 1) * h, -1);
}

// [Atoms]: the modulus at the middle, and its greatest slope.
class AtomBound final : public RangeBound {
 public:
  AtomBound(const Atoms& atoms, const Interval& h) : atoms_{{}, {}, atoms.rest}, h_(h) {
    Interval sum;
    Interval mean;
    for (std::size_t j = 0; j < atoms.losses.size(); ++j) {
      sum += atoms.weights[j];
      mean += atoms.weights[j] * atoms.losses[j];
    }
    mean /= sum;
    whole_ = top(sum + atoms.rest);
    const Interval least = scaled(whole_, -bits_of_sums - 10);
    for (std::size_t j = 0; j < atoms.losses.size(); ++j) {
      slope_ += atoms.weights[j] * abs(atoms.losses[j] - mean);
      if (below(atoms.weights[j], least)) {  // no bit of the sums would show it
        atoms_.rest += atoms.weights[j];
      } else {
        atoms_.weights.push_back(atoms.weights[j]);
        atoms_.losses.push_back(atoms.losses[j]);
      }
    }
  }

  std::vector<Interval> logs(const Blocks& blocks, Budget& budget) const override {
    const Interval start = scaled(twice_middle(blocks, 0) * h_, -1);
    const Interval step = blocks.length * h_;
    std::vector<Complex> weights;
    std::vector<Complex> bases;
    for (std::size_t j = 0; j < atoms_.losses.size(); ++j) {
      weights.push_back(atoms_.weights[j] * turned(start * atoms_.losses[j]));
      bases.push_back(blocks.count == 1 ? Complex{1, 0} : turned(step * atoms_.losses[j]));
    }
    const std::vector<Complex> middles = short_power_sums(
        weights, bases, static_cast<std::size_t>(blocks.count), bits_of_sums, budget);
    const Interval away = half_length(blocks, h_) * slope_ + atoms_.rest;
    std::vector<Interval> result;
    result.reserve(middles.size());
    for (const Complex& middle : middles) {
      result.push_back(log(min(top(abs(middle) + away), whole_)));
    }
    return result;
  }
  void add_falls(const Blocks& blocks, const FallSteps& steps, std::vector<int>& falls,
                 Budget& budget) const override {
    add_falls_of_atoms(atoms_, whole_, half_length(blocks, h_) * slope_ + atoms_.rest, h_, blocks,
                       steps, falls, budget);
  }
  Interval log_most() const override { return log(whole_); }
  double per_call() const override { return 140.0 * static_cast<double>(atoms_.losses.size()); }
  double per_block() const override { return 60 + static_cast<double>(atoms_.losses.size()); }
  double per_group() const override { return per_call() + 2.0 * FallSteps::most; }
  double per_block_of_group() const override {
    return 0.2 + 0.04 * static_cast<double>(atoms_.losses.size());
  }

 private:
  Atoms atoms_;
  Interval h_;
  Interval slope_;
  Interval whole_;
};

// [Laplace]: the modulus at the middle, and its greatest slope.
class LaplaceBound final : public RangeBound {
 public:
  LaplaceBound(const Laplace& law, const Line& line, const Interval& t, const Interval& h,
               Budget& budget)
      : line_(&line), a_(law.ratio), t_(t), h_(h), whole_(line.moment(t, "axis", budget)) {
    slope_ = a_ * whole_;
  }
  /// Its two atoms, and the rest, at most (e^{at} + e^{-a(1+t)}) / (2 |2z + 1|).
  void add_falls(const Blocks& blocks, const FallSteps& steps, std::vector<int>& falls,
                 Budget& budget) const override {
    const Interval up = scaled(exp(a_ * t_), -1);
    const Interval down = scaled(exp(-a_ * (1 + t_)), -1);
    const Interval rest = (up + down) / (2 * blocks.first * h_);
    const Interval away = half_length(blocks, h_) * a_ * (up + down) + rest;
    add_falls_of_atoms({{up, down}, {a_, -a_}, rest}, whole_, away, h_, blocks, steps, falls,
                       budget);
  }
  Interval log_most() const override { return log(whole_); }
  double per_group() const override { return 300 + 2.0 * FallSteps::most; }
  double per_block_of_group() const override { return 0.3; }

  std::vector<Interval> logs(const Blocks& blocks, Budget& budget) const override {
    const Interval away = half_length(blocks, h_) * slope_;
    const Interval half = scaled(h_, -1);
    std::vector<Interval> result;
    for (long b = 0; b < blocks.count; ++b) {
      const Complex middle = line_->values(t_, half, {twice_middle(blocks, b), 1}, budget)[0];
      result.push_back(log(min(top(abs(middle) + away), whole_)));
    }
    return result;
  }
  double per_block() const override { return 140; }

 private:
  const Line* line_;
  Interval a_;
  Interval t_;
  Interval h_;
  Interval whole_;
  Interval slope_;
};

// [Gaussian]: falls with s.
class GaussianBound final : public RangeBound {
 public:
  GaussianBound(const Gaussian& law, const Interval& t, const Interval& h)
      : mu_(law.mu), level_(mu_ * t * (t + 1)), h_(h) {}

  std::vector<Interval> logs(const Blocks& blocks, Budget&) const override {
    std::vector<Interval> result;
    for (long b = 0; b < blocks.count; ++b) {
      const Interval s = (blocks.first + b * blocks.length) * h_;
      result.push_back(level_ - mu_ * square(s));
    }
    return result;
  }
  void add_falls(const Blocks& blocks, const FallSteps& steps, std::vector<int>& falls,
                 Budget&) const override {
    const Interval at_first = level_ - mu_ * square(blocks.first * h_);
    const int fall = fall_of(level_, at_first, steps);
    for (int& each : falls) each += fall;
  }
  Interval log_most() const override { return level_; }
  double per_block() const override { return 8; }

 private:
  Interval mu_;
  Interval level_;
  Interval h_;
};

// [Noise]: |M(z)| = e^{mu t} |F(x)|, x = s D / (2 pi v), |F| being even, of period 1 and decreasing
// on [0, 1/2]. docs/certificates/lattice.md#noise
class NoiseBound final : public RangeBound {
 public:
  NoiseBound(const DiscreteGaussian& law, const Interval& t, const Interval& h, Budget& budget)
      : line_(law.variance, law.sensitivity, t, budget) {
    const Rational d(law.sensitivity);
    level_ = Interval(Rational(d * d / (2 * law.variance))) * t;
    step_ = h * Interval(Rational(d / law.variance)) / (2 * pi());
  }

  std::vector<Interval> logs(const Blocks& blocks, Budget&) const override {
    std::vector<Interval> result;
    for (long b = 0; b < blocks.count; ++b) {
      const long first = blocks.first + b * blocks.length;
      const Rational low = lower(first * step_);
      const Rational high = upper((first + blocks.length - 1) * step_);
      result.push_back(level_ + log(line_.bound(distances(low, high).near)));
    }
    return result;
  }
  /// By a table of the falls at distances i / (2 cells).
  void add_falls(const Blocks& blocks, const FallSteps& steps, std::vector<int>& falls,
                 Budget& budget) const override {
    if (table_.empty()) {
      for (long i = 0; i <= cells; ++i) {
        const Interval bound = line_.bound(Rational(i, 2 * cells));
        table_.push_back(fall_of(log_most(), level_ + log(bound), steps));
      }
    }
    for (std::size_t b = 0; b < falls.size(); ++b) {
      if ((b & 4095) == 0) budget.spend(0);
      const long first = blocks.first + static_cast<long>(b) * blocks.length;
      const Rational low = lower(first * step_);
      const Rational high = upper((first + blocks.length - 1) * step_);
      const Integer cell = floor_of(Rational(distances(low, high).near * 2 * cells));
      falls[b] += table_[static_cast<std::size_t>(to_long(cell))];
    }
  }
  Interval log_most() const override { return level_ + log(line_.bound(0)); }
  double per_block() const override { return 100 + line_.cost(); }
  double once() const override { return 2 * cells * per_block(); }
  double per_block_of_group() const override { return 15; }

 private:
  static constexpr long cells = 512;
  mutable std::vector<int> table_;
  NoiseLine line_;
  Interval level_;
  Interval step_;  ///< of x, from node to node
};

// [Others]: one bound, which holds from the first range on.
class OtherBound final : public RangeBound {
 public:
  explicit OtherBound(const Interval& bound) : log_(log(bound)) {}
  std::vector<Interval> logs(const Blocks& blocks, Budget&) const override {
    return std::vector<Interval>(static_cast<std::size_t>(blocks.count), log_);
  }
  void add_falls(const Blocks&, const FallSteps&, std::vector<int>&, Budget&) const override {}
  Interval log_most() const override { return log_; }
  double per_block() const override { return 2; }

 private:
  Interval log_;
};

}  // namespace

std::unique_ptr<RangeBound> range_bound(const LineProduct::Factor& factor, const Interval& t,
                                        const Interval& h, long first, Budget& budget) {
  if (const std::optional<Atoms> atoms = factor.line->atoms(t, budget)) {
    return std::make_unique<AtomBound>(*atoms, h);
  }
  if (const auto* law = std::get_if<Laplace>(factor.law.get())) {
    return std::make_unique<LaplaceBound>(*law, *factor.line, t, h, budget);
  }
  if (const auto* law = std::get_if<Gaussian>(factor.law.get())) {
    return std::make_unique<GaussianBound>(*law, t, h);
  }
  if (const auto* law = std::get_if<DiscreteGaussian>(factor.law.get())) {
    return std::make_unique<NoiseBound>(*law, t, h, budget);
  }
  return std::make_unique<OtherBound>(factor.line->beyond(t, first * h, budget));
}

}  // namespace plaudit::proof

#include "accountants/proof/kinds/lattice_factor.hpp"

#include <algorithm>

#include "accountants/proof/arithmetic/noise_line.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/mutant.hpp"

namespace plaudit::proof {

namespace {

constexpr long largest_index = 1L << 40;
constexpr long most_times = 1L << 32;  ///< that a law's mesh is of the common one

/// F(k) = sum_j x_j e^{2 pi i r j k / K}, x_j = p_j e^{t a r j}.
template <class Real>
class FiniteFactor final : public LatticeFactor<Real> {
 public:
  FiniteFactor(const LawOnLattice<Real>& law, long times, const PeriodLine<Real>& line,
               Budget& budget)
      : line_(line), budget_(budget), times_(times), masses_(law.masses), total_(0), first_(0) {
    require(law.masses.size() == law.indices.size() && !law.masses.empty(),
            "a lattice with other atoms");
    budget.spend(40.0 * static_cast<double>(law.masses.size()));
    const Real tilt = line.tilt * line.step;
    Real mean(0);
    for (std::size_t i = 0; i < law.masses.size(); ++i) {
      const Integer j = Integer(law.indices[i]) * times;
      require(abs(j) <= largest_index, "an index is too large");
      require(i == 0 || law.indices[i - 1] < law.indices[i], "the indices must ascend");
      places_.push_back(j);
      weights_.push_back(j == 0 ? law.masses[i] : law.masses[i] * exp(tilt * Made<Real>::from(j)));
      turns_.push_back(modulo(j, line.period));
      total_ += weights_.back();
      mean += weights_.back() * Real(law.indices[i]);
    }
    this->greatest = places_.back();
    require(positive(total_), "a law without mass");
    const long centre = to_long(floors_of(mean / total_ + Real(Rational(1, 2))).first);
    Real moments[4] = {Real(0), Real(0), Real(0), Real(0)};
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const Integer distance = Integer(law.indices[i]) - centre;
      centred_turns_.push_back(modulo(distance * times, 2 * Integer(line.period)));
      const Real away = Made<Real>::from(distance);
      first_ += weights_[i] * abs(away);
      Real term = weights_[i] / total_;
      for (Real& moment : moments) moment += (term *= away);
    }
    // of the difference of two independent indices
    second_ = 2 * (moments[1] - square(moments[0]));
    fourth_ = top(2 * moments[3] - 8 * moments[0] * moments[2] + 6 * square(moments[1]));
  }

  Real log_moment(const Rational& order) const override {
    budget_.spend(20.0 * static_cast<double>(places_.size()));
    const Real tilt = Real(order) * line_.step;
    Real sum(0);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      sum += masses_[i] * exp(tilt * Made<Real>::from(places_[i]));
    }
    return log(sum) + Real(order) * this->offset.value;
  }

  ComplexOf<Real> at(long k) const override {
    ComplexOf<Real> value{0, 0};
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      value += weights_[i] * line_.roots(2 * turns_[i] * static_cast<std::uint64_t>(k));
    }
    return value;
  }

  Real bound(long first, long last) const override {
    const Rational low(Integer(first) * times_, line_.period);
    const Rational high(Integer(last) * times_, line_.period);
    const Real round = scaled(Made<Real>::pi(), 1);
    Real best = total_;
    // [Taylor] falls while x^2 <= 6 V2 / V4
    const Distances to = distances(low, high);
    if (to.near > 0) {
      const Real x = square(round * Real(to.near));
      const Real most = square(round * Real(to.far));
      if (at_most(fourth_ * most, 6 * second_)) {
        const Real rest = PLAUDIT_BOUND("lattice.fourth_moment", fourth_ * square(x) / 24, Real(0));
        const Real part = 1 - second_ * x / 2 + rest;
        best = min(best, total_ * sqrt(max(part, Real(0))));
      }
    }
    // [Lipschitz] from the middle
    const Real half_width(Rational((high - low) / 2));
    const Real most =
        PLAUDIT_BOUND("lattice.between_middle_and_end", round * half_width * first_, Real(0));
    return top(min(best, abs(between(first, last)) + most));
  }

  double cost() const override { return 12.0 * static_cast<double>(places_.size()) + 100; }

 private:
  static std::uint64_t modulo(const Integer& j, const Integer& order) {
    Integer rest = j % order;
    if (rest < 0) rest += order;
    return static_cast<std::uint64_t>(to_long(rest));
  }

  /// F in the middle of two nodes, but for a factor of modulus 1.
  ComplexOf<Real> between(long first, long last) const {
    ComplexOf<Real> value{0, 0};
    const auto twice = static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(last);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      value += weights_[i] * line_.roots(centred_turns_[i] * twice);
    }
    return value;
  }

  const PeriodLine<Real>& line_;
  Budget& budget_;
  long times_;
  std::vector<Real> masses_;
  std::vector<Integer> places_;               ///< r j
  std::vector<Real> weights_;                 ///< x_j
  std::vector<std::uint64_t> turns_;          ///< r j modulo K
  std::vector<std::uint64_t> centred_turns_;  ///< r (j - centre) modulo 2K
  Real total_;
  Real first_;   ///< sum of x_j |j - centre|
  Real second_;  ///< E D^2 and E D^4 of the difference of two independent indices
  Real fourth_;
};

template <class Real>
class NoiseFactor final : public LatticeFactor<Real> {
 public:
  NoiseFactor(const DiscreteNoise& noise, long times, const PeriodLine<Real>& line, Budget& budget)
      : noise_(noise),
        values_(noise.variance, noise.sensitivity, line.tilt, budget),
        times_(times),
        period_(line.period),
        budget_(budget) {}

  ComplexOf<Real> at(long k) const override {
    return values_.at(Rational(Integer(k) * times_, period_));
  }
  Real bound(long first, long last) const override {
    const Distances to = distances(Rational(Integer(first) * times_, period_),
                                   Rational(Integer(last) * times_, period_));
    return values_.bound(PLAUDIT_BOUND("lattice.nearest_noise", to.near, to.far));
  }
  Real log_moment(const Rational& order) const override {
    const NoiseOnLine<Real> at_order(noise_.variance, noise_.sensitivity, Real(order), budget_);
    budget_.spend(at_order.cost());
    return at_order.log_moment();
  }
  double cost() const override { return values_.cost(); }

 private:
  DiscreteNoise noise_;
  NoiseOnLine<Real> values_;
  long times_;
  long period_;
  Budget& budget_;
};

}  // namespace

template <class Real>
LawOnLattice<Real> noise_on_lattice(const DiscreteNoise& noise) {
  const Rational d(noise.sensitivity);
  const Rational offset = d * d / (2 * noise.variance);
  const Rational mesh = d / noise.variance;
  LawOnLattice<Real> law;
  law.offset = {Real(offset), offset};
  law.mesh = Number<Real>{Real(mesh), mesh};
  law.noise = noise;
  return law;
}

template <class Real>
CommonMesh<Real> common_mesh(const std::vector<std::optional<Number<Real>>>& meshes) {
  std::optional<Number<Real>> step;
  std::size_t with_mesh = 0;
  for (const std::optional<Number<Real>>& mesh : meshes) {
    if (!mesh) continue;
    ++with_mesh;
    if (!step) {
      step = mesh;
      continue;
    }
    require(step->exact && mesh->exact, "the losses are not known to be on one lattice");
    const Rational common = common_divisor(*step->exact, *mesh->exact);
    step = Number<Real>{Real(common), common};
  }
  require(step.has_value(), "no law has two losses");
  CommonMesh<Real> result{*step, {}};
  for (const std::optional<Number<Real>>& mesh : meshes) {
    Rational times = mesh ? 1 : 0;
    if (mesh && with_mesh > 1) times = *mesh->exact / *step->exact;
    require(times <= most_times, "the meshes differ too much");
    result.times.push_back(to_long(numerator(times)));
  }
  return result;
}

template <class Real>
std::unique_ptr<LatticeFactor<Real>> lattice_factor(const LawOnLattice<Real>& law,
                                                    std::uint64_t count, long times,
                                                    const PeriodLine<Real>& line, Budget& budget) {
  std::unique_ptr<LatticeFactor<Real>> factor;
  if (law.noise) {
    factor = std::make_unique<NoiseFactor<Real>>(*law.noise, times, line, budget);
  } else {
    factor = std::make_unique<FiniteFactor<Real>>(law, times, line, budget);
  }
  factor->count = count;
  factor->offset = law.offset;
  factor->finite = law.finite;
  factor->infinite = law.infinite;
  return factor;
}

Distances distances(const Rational& low, const Rational& high) {
  const Rational half(1, 2);
  if (high - low >= 1) return {0, half};
  const auto distance = [](const Rational& x) {
    const Rational part = x - floor_of(x);
    return std::min(part, Rational(1 - part));
  };
  Distances result{std::min(distance(low), distance(high)),
                   std::max(distance(low), distance(high))};
  if (floor_of(high) != floor_of(low)) result.near = 0;
  if (floor_of(Rational(high + half)) != floor_of(Rational(low + half))) result.far = half;
  return result;
}

template LawOnLattice<Ball> noise_on_lattice(const DiscreteNoise&);
template LawOnLattice<Interval> noise_on_lattice(const DiscreteNoise&);
template CommonMesh<Ball> common_mesh(const std::vector<std::optional<Number<Ball>>>&);
template CommonMesh<Interval> common_mesh(const std::vector<std::optional<Number<Interval>>>&);
template std::unique_ptr<LatticeFactor<Ball>> lattice_factor(const LawOnLattice<Ball>&,
                                                             std::uint64_t, long,
                                                             const PeriodLine<Ball>&, Budget&);
template std::unique_ptr<LatticeFactor<Interval>> lattice_factor(const LawOnLattice<Interval>&,
                                                                 std::uint64_t, long,
                                                                 const PeriodLine<Interval>&,
                                                                 Budget&);

}  // namespace plaudit::proof

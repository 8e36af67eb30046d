#include "verification/checker/laws/lattice_law.hpp"

#include <algorithm>
#include <cmath>

#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

namespace {

constexpr long largest_index = 1L << 40;

Interval real_mass(const Finite::Masses& masses) {
  Interval total = 0;
  for (const Atom& atom : masses.atoms) total += atom.p;
  return total;
}

/// F(k) = sum_j x_j e^{2 pi i r j k / K}, x_j = p_j e^{t a r j}.
class FiniteSpectrum final : public Spectrum {
 public:
  FiniteSpectrum(const Finite& law, const LossLattice& lattice, long times, const Interval& step,
                 const Interval& t)
      : times_(times), indices_(lattice.indices) {
    const Finite::Masses masses = law.masses();
    require(masses.atoms.size() == indices_.size(), "a lattice with other atoms");
    Interval mean = 0;
    total_ = 0;
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      const Integer j = Integer(indices_[i]) * times;
      require(abs(j) <= largest_index, "an index is too large");
      const Interval& p = masses.atoms[i].p;
      weights_.push_back(j == 0 ? p : p * exp(t * step * Interval(j)));
      total_ += weights_.back();
      mean += weights_.back() * Interval(indices_[i]);
    }
    require(positive(total_), "a law without mass");
    centre_ = to_long(nearest_to(lower(mean / total_)));
    Interval moments[4] = {0, 0, 0, 0};
    first_ = 0;
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      const Interval away(indices_[i] - centre_);
      first_ += weights_[i] * abs(away);
      Interval term = weights_[i] / total_;
      for (Interval& moment : moments) moment += (term *= away);
    }
    // of the difference of two independent indices
    second_ = 2 * (moments[1] - square(moments[0]));
    fourth_ = top(2 * moments[3] - 8 * moments[0] * moments[2] + 6 * square(moments[1]));
  }

  Complex at(long k, Roots& roots) const override {
    Complex value{0, 0};
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      value += weights_[i] * roots.at(Integer(k) * times_ * indices_[i]);
    }
    return value;
  }

  Interval bound(long first, long last, long period) const override {
    const Rational low(Integer(first) * times_, period);
    const Rational high(Integer(last) * times_, period);
    const Interval round = 2 * pi();
    Interval best = total_;
    // [Taylor] falls while x^2 <= 6 V2 / V4
    const Distances to = distances(low, high);
    if (to.near > 0) {
      const Interval x = square(round * Interval(to.near));
      const Interval most = square(round * Interval(to.far));
      if (at_most(fourth_ * most, 6 * second_)) {
        const Interval part = 1 - second_ * x / 2 + fourth_ * square(x) / 24;
        best = min(best, total_ * sqrt(max(part, 0)));
      }
    }
    // [Lipschitz] from the middle
    const Interval turn = round * Interval(Rational((low + high) / 2));
    Complex middle{0, 0};
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      const Interval angle = turn * Interval(indices_[i] - centre_);
      middle += Complex{weights_[i] * cos(angle), weights_[i] * sin(angle)};
    }
    const Interval half(Rational((high - low) / 2));
    return top(min(best, sqrt(norm(middle)) + round * half * first_));
  }

  double cost() const override { return 12.0 * static_cast<double>(indices_.size()) + 100; }

 private:
  long times_;
  std::vector<long> indices_;
  std::vector<Interval> weights_;
  Interval total_;
  long centre_ = 0;
  Interval first_;   ///< sum of x_j |j - centre|
  Interval second_;  ///< E D^2 and E D^4 of the difference of two independent indices
  Interval fourth_;
};

class NoiseSpectrum final : public Spectrum {
 public:
  NoiseSpectrum(const DiscreteGaussian& law, long times, const Interval& t, Budget& budget)
      : line_(law.variance, law.sensitivity, t, budget), times_(times) {}

  Complex at(long k, Roots& roots) const override {
    return line_.at(Rational(Integer(k) * times_, roots.period()));
  }
  Interval bound(long first, long last, long period) const override {
    return line_.bound(distances(Rational(Integer(first) * times_, period),
                                 Rational(Integer(last) * times_, period))
                           .near);
  }
  double cost() const override { return line_.cost(); }

 private:
  NoiseLine line_;
  long times_;
};

class PointSpectrum final : public Spectrum {
 public:
  explicit PointSpectrum(const Finite& law) : mass_(real_mass(law.masses())) {}
  Complex at(long, Roots&) const override { return {mass_, 0}; }
  Interval bound(long, long, long) const override { return mass_; }
  double cost() const override { return 4; }

 private:
  Interval mass_;
};

}  // namespace

LossLattice lattice_of(const Law& law) {
  if (const auto* noise = std::get_if<DiscreteGaussian>(&law)) {
    const Rational d(noise->sensitivity);
    const Rational offset = d * d / (2 * noise->variance);
    const Rational mesh = d / noise->variance;
    return {Known{Interval(offset), offset}, Known{Interval(mesh), mesh}, {}};
  }
  const auto* finite = std::get_if<Finite>(&law);
  require(finite != nullptr, "a law is not on a lattice");
  if (finite->exact().lattice) {
    const Lattice& lattice = *finite->exact().lattice;
    LossLattice result{Known{Interval(lattice.offset), lattice.offset},
                       Known{Interval(lattice.mesh), lattice.mesh}, lattice.indices};
    if (lattice.indices.size() == 1) {  // on any lattice
      const Rational place = lattice.offset + lattice.mesh * lattice.indices[0];
      result = {Known{Interval(place), place}, std::nullopt, {0}};
    }
    return result;
  }
  const Finite::Masses masses = finite->masses();
  require(!masses.atoms.empty() && masses.atoms.size() <= 2,
          "a law is not known to be on a lattice");
  const Interval offset = masses.atoms[0].loss;
  if (masses.atoms.size() == 1) return {Known{offset}, std::nullopt, {0}};
  const Interval mesh = masses.atoms[1].loss - offset;
  require(positive(mesh), "two losses are not told apart");
  return {Known{offset}, Known{mesh}, {0, 1}};
}

const Complex& Roots::at(const Integer& k) {
  Integer rest = k % period_;
  if (rest < 0) rest += period_;
  const long place = to_long(rest);
  const auto known = known_.find(place);
  if (known != known_.end()) return known->second;
  const Interval angle = 2 * pi() * Interval(Rational(place, period_));
  return known_.emplace(place, Complex{cos(angle), sin(angle)}).first->second;
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

std::unique_ptr<Spectrum> spectrum(const Law& law, const LossLattice& lattice, long times,
                                   const Interval& step, const Interval& t, Budget& budget) {
  if (const auto* noise = std::get_if<DiscreteGaussian>(&law)) {
    return std::make_unique<NoiseSpectrum>(*noise, times, t, budget);
  }
  const auto& finite = std::get<Finite>(law);
  if (times == 0) return std::make_unique<PointSpectrum>(finite);
  budget.spend(40.0 * static_cast<double>(finite.size()));
  return std::make_unique<FiniteSpectrum>(finite, lattice, times, step, t);
}

Interval log_moment(const Run& run, const Rational& t, Budget& budget) {
  const Interval order(t);
  Interval total = 0;
  for (const Factor& factor : run.factors) {
    Interval value;
    if (const auto* noise = std::get_if<DiscreteGaussian>(factor.law.get())) {
      const NoiseLine line(noise->variance, noise->sensitivity, order, budget);
      budget.spend(line.cost());
      const Rational d(noise->sensitivity);
      value = log(line.at(0).re) + Interval(Rational(d * d / (2 * noise->variance))) * order;
    } else {
      const auto* finite = std::get_if<Finite>(factor.law.get());
      require(finite != nullptr, "a law is not on a lattice");
      budget.spend(20.0 * static_cast<double>(finite->size()));
      Interval moment = 0;
      for (const Atom& atom : finite->masses().atoms) moment += atom.p * exp(order * atom.loss);
      value = log(moment);
    }
    total += Interval(Integer(factor.count)) * value;
  }
  return total;
}

}  // namespace plaudit::proof

// The laws of a run's factors, as certificates state them, in the terms of verification/kernel.
#include <stdexcept>
#include <variant>

#include "lib/exact/checked_integer.hpp"
#include "verification/certificates/law_files.hpp"
#include "verification/checker/specs/specs.hpp"
#include "verification/kernel/laws/step_law.hpp"

namespace plaudit::kernel {

namespace {

/// The greatest centre, in units of the common divisor of all centres: a machine integer, and a
/// grid has room for it.
constexpr long greatest_centre = 1'000'000;

[[noreturn]] void not_covered(const std::string& spec) {
  throw std::invalid_argument(
      "prove covers Gaussian and Laplace noise, discrete or not, their Poisson samples, mixtures "
      "of "
      "Gaussians and groups, randomized response, pure, approximate and pld, what has the law of "
      "one of these, and "
      "products of their powers; it does not cover " +
      spec);
}

using Components = std::vector<NormalPair::Component>;

Components components(const std::vector<Rational>& rates, const std::vector<Rational>& weights,
                      const Rational& unit, int sign, const std::string& spec) {
  Components result;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const Rational centre = rates[i] / unit;
    if (centre > greatest_centre) {
      throw std::invalid_argument("prove: the centres of " + spec +
                                  " have no common grid that is coarse enough");
    }
    result.push_back({sign * numerator(centre).to<long>(), weights[i]});
  }
  return result;
}

class LawReader {
 public:
  LawReader(Direction direction, std::string spec)
      : removes_(direction == Direction::remove), spec_(std::move(spec)) {}

  std::shared_ptr<const StepLaw> operator()(const proof::Gaussian& law) const {
    const int sign = removes_ ? 1 : -1;
    NormalPair pair{Rational(1) / (2 * law.mu), {{0, 1}}, {{0, 1}}, removes_};
    (removes_ ? pair.p : pair.q) = {{sign, 1}};
    return gaussian_law(pair);
  }
  std::shared_ptr<const StepLaw> operator()(const proof::Mixture& law) const {
    if (law.radicand != 1) not_covered(spec_);
    const Rational unit = unit_of(law.rates);
    NormalPair pair{Rational(1) / (unit * unit), {{0, 1}}, {{0, 1}}, removes_};
    (removes_ ? pair.p : pair.q) =
        components(law.rates, law.probabilities, unit, removes_ ? 1 : -1, spec_);
    return gaussian_law(pair);
  }
  std::shared_ptr<const StepLaw> operator()(const proof::Mirrored& law) const {
    const Rational unit = unit_of(law.rates);
    return gaussian_law({Rational(1) / (unit * unit),
                         components(law.rates, law.probabilities, unit, 1, spec_),
                         components(law.rates, law.probabilities, unit, -1, spec_), true});
  }
  std::shared_ptr<const StepLaw> operator()(const proof::Laplace& law) const {
    return laplace_law(Rational(1) / law.ratio, 1, removes_);
  }
  std::shared_ptr<const StepLaw> operator()(const proof::Sampled& law) const {
    if (const auto* base = std::get_if<proof::Laplace>(&law.base))
      return laplace_law(Rational(1) / base->ratio, law.rate, removes_);
    return discrete_gaussian(std::get<proof::DiscreteGaussian>(law.base), law.rate);
  }
  std::shared_ptr<const StepLaw> operator()(const proof::DiscreteGaussian& law) const {
    return discrete_gaussian(law, 1);
  }
  std::shared_ptr<const StepLaw> operator()(const proof::Finite& law) const {
    const proof::Finite::Exact& exact = law.exact();
    if (!exact.infinite) not_covered(spec_);
    if (const auto& points = exact.two_points)
      return response_law(points->value, points->odds, *exact.infinite);
    if (const auto& noise = exact.discrete_laplace) {
      if (noise->sensitivity > greatest_centre) not_covered(spec_);
      return discrete_laplace_law({noise->scale, noise->sensitivity, noise->rate, removes_});
    }
    LossAtoms atoms{{}, {}, *exact.infinite};
    for (const proof::ExactAtom& each : exact.atoms) {
      if (!each.loss || !each.p) not_covered(spec_);
      atoms.losses.push_back(*each.loss);
      atoms.masses.push_back(*each.p);
    }
    return loss_law(atoms);
  }
  template <class Other>
  std::shared_ptr<const StepLaw> operator()(const Other&) const {
    not_covered(spec_);
  }

 private:
  std::shared_ptr<const StepLaw> discrete_gaussian(const proof::DiscreteGaussian& law,
                                                   const Rational& rate) const {
    if (law.sensitivity > greatest_centre) not_covered(spec_);
    return discrete_gaussian_law({law.variance, law.sensitivity.to<long>(), rate, removes_});
  }
  static Rational unit_of(const std::vector<Rational>& rates) {
    Rational unit = 0;
    for (const Rational& each : rates) unit = common_divisor(unit, each);
    return unit;
  }

  bool removes_;
  std::string spec_;
};

}  // namespace

std::vector<CountedLaw> step_laws(const Composition& composition, Direction direction) {
  const std::string text = composition.spec();
  const proof::Spec spec = proof::read_spec(text, law_files(text));
  std::vector<CountedLaw> result;
  const proof::Run& run = direction == Direction::remove ? spec.remove : spec.add;
  for (const proof::Factor& factor : run.factors) {
    result.push_back({std::visit(LawReader(direction, factor.mechanism), *factor.law), factor.count,
                      factor.mechanism});
  }
  return result;
}

}  // namespace plaudit::kernel

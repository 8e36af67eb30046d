#include "verification/forms/forms.hpp"

#include <boost/math/tools/minima.hpp>

#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/forms/closed_forms.hpp"
#include "verification/forms/floating_forms.hpp"
#include "verification/forms/quadrature_forms.hpp"

namespace plaudit {

namespace {

using Steps = std::vector<pairs::Step>;
using FormValue = std::optional<Directed>;

constexpr double duality_tolerance = 1e-6;  ///< of the least of the lines, which a search finds

template <Shape shape>
FormValue of_shape(const Steps& steps, const Rational& epsilon) {
  return shape_of(steps) == shape ? closed_delta(steps, epsilon) : std::nullopt;
}

FormValue in_doubles(const Steps& steps, const Rational& epsilon) {
  const auto found = floating_delta(steps, epsilon);
  if (!found) return std::nullopt;
  return hull(Directed(found->value - found->tolerance), Directed(found->value + found->tolerance));
}

FormValue by_atoms(const Steps& steps, const Rational& epsilon) {
  if (auto binomial = binomial_delta(steps, epsilon)) return binomial;
  return of_shape<Shape::atoms>(steps, epsilon);
}

/// A test of this false positive rate has at most the power delta(eps) + e^eps fpr, for each eps;
/// the least of these is attained. Proof: docs/proofs/closed_forms.md#duality
FormValue by_duality(const Steps& steps, const Rational& fpr) {
  const auto line = [&](double epsilon) -> FormValue {
    const Rational at = checked_rational(epsilon, "a line of the dual");
    const auto delta = closed_delta(steps, at);
    return delta ? FormValue(*delta + exp(Directed(at)) * Directed(fpr)) : std::nullopt;
  };
  if (!line(0)) return std::nullopt;
  const auto height = [&](double epsilon) {
    const FormValue found = line(epsilon);
    return found ? found->estimate() : 1.0;
  };
  // The height falls, then rises; where it is flat or far from its least the search for that loses
  // its way.
  constexpr int wanted = 26;
  constexpr double apart = 2;
  double nearest = -60;
  double least = height(nearest);
  for (double epsilon = nearest; epsilon <= 60; epsilon += apart) {
    const double value = height(epsilon);
    if (value >= least) continue;
    least = value;
    nearest = epsilon;
  }
  const double best =
      boost::math::tools::brent_find_minima(height, nearest - apart, nearest + apart, wanted).first;
  const FormValue found = line(best);
  if (!found) return std::nullopt;
  // The least one has none beside it that is lower: otherwise the search ended elsewhere.
  constexpr double beside = 1e-4;
  for (const double other : {best - beside, best + beside}) {
    const FormValue next = line(other);
    if (!next || next->certainly_less(*found)) return std::nullopt;
  }
  return hull(*found * Directed(1 - duality_tolerance), *found);
}

FormValue exact_mu(const Steps& steps, const Rational&) {
  if (shape_of(steps) != Shape::gaussians) return std::nullopt;
  Rational square = 0;
  for (const pairs::Step& step : steps) {
    square += 2 * std::get<pairs::Gaussian>(*step.law).mean * Rational(Integer(step.count));
  }
  return sqrt(Directed(square));
}

/// A mu whose curve is certainly below delta at this epsilon is less than the least one. Proof:
/// docs/proofs/closed_forms.md#duality
FormValue least_mu_from_below(const Steps& steps, const Rational& epsilon) {
  const auto delta = closed_delta(steps, epsilon);
  if (!delta) return std::nullopt;
  double low = 0;
  for (double step = 64; step > 1e-4; step /= 2) {
    const Rational mean = checked_rational((low + step) * (low + step) / 2, "a mu");
    const Steps trial{{std::make_shared<const pairs::Law>(pairs::Gaussian{mean}), 1}};
    const auto other = closed_delta(trial, epsilon);
    if (other && other->certainly_less(*delta)) low += step;
  }
  if (low == 0) return std::nullopt;
  const Directed whole = Directed(1) / hull(Directed(-1), Directed(1));
  return hull(Directed(low), whole.high_end());
}

constexpr const char* intervals = "intervals of MPFR, certified";
constexpr const char* quadrature = "100 digits of Boost.Multiprecision, an estimate";
constexpr const char* doubles = "doubles of Boost.Math, an estimate";

}  // namespace

const std::vector<Form>& all_forms() {
  static const std::vector<Form> forms = {
      {"gaussians", intervals, true, FormOf::delta, "tree(steps=9, sigma=4) * gaussian(sigma=2)^3",
       "1/2", of_shape<Shape::gaussians>},
      {"likelihood_ratio", intervals, true, FormOf::delta, "poisson(gaussian(sigma=1), rate=0.1)",
       "1/2", of_shape<Shape::mixture>},
      {"laplace_sum", intervals, true, FormOf::delta, "laplace(scale=2)^3", "1/2",
       of_shape<Shape::boxes>},
      {"amplification", intervals, true, FormOf::delta, "poisson(laplace(scale=1), rate=0.1)",
       "0.05", of_shape<Shape::sample>},
      {"labels", intervals, true, FormOf::delta,
       "truncated_poisson(gaussian(sigma=1), rate=0.01, cap=130, population=10000)", "1/2",
       of_shape<Shape::label>},
      {"atoms", intervals, true, FormOf::delta, "randomized_response(epsilon=1, categories=4)^3",
       "1/2", by_atoms},
      {"subsets", intervals, true, FormOf::delta,
       "pure(epsilon=1) * approximate(epsilon=0.5, delta=0.01)", "1/2", subsets_delta},
      {"atoms_and_one", intervals, true, FormOf::delta, "pure(epsilon=1)^2 * gaussian(sigma=2)",
       "1/2", of_shape<Shape::atoms_and_one>},
      {"doubles", doubles, false, FormOf::delta, "gaussian(sigma=2)^3", "1/2", in_doubles},
      {"quadrature", quadrature, false, FormOf::delta, "poisson(laplace(scale=1), rate=0.1)",
       "0.05", quadrature_delta},
      {"convolution", quadrature, false, FormOf::delta, "laplace(scale=1) * gaussian(sigma=2)",
       "1/2", convolution_delta},
      {"allocation", quadrature, false, FormOf::delta,
       "random_allocation(gaussian(sigma=1), steps=2)", "1/2", allocation_delta},
      {"moments", quadrature, false, FormOf::delta, "zcdp(rho=0.1)", "1/2", moments_delta},
      {"renyi_sum", intervals, true, FormOf::renyi, "laplace(scale=2) * gaussian(sigma=1)", "3",
       closed_renyi},
      {"renyi_quadrature", quadrature, false, FormOf::renyi, "poisson(gaussian(sigma=1), rate=0.1)",
       "3", quadrature_renyi},
      {"duality", "intervals of MPFR, the upper end certified; 10^-6 below it an estimate", false,
       FormOf::power, "laplace(scale=1)", "0.05", by_duality},
      {"quantiles", quadrature, false, FormOf::power, "gaussian(sigma=1)", "0.05", quantile_power},
      {"exact_mu", intervals, true, FormOf::mu, "gaussian(sigma=2)^3", "1/2", exact_mu},
      {"mu_from_below", "intervals of MPFR, a certified lower end", true, FormOf::mu,
       "laplace(scale=1)", "1/2", least_mu_from_below},
  };
  return forms;
}

}  // namespace plaudit

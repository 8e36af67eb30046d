// Mechanisms whose curve is that of whichever of several cases is the worst: noisy counts behind a
// threshold, a release behind a test. A certificate bounds their curves at points.
// Proof: docs/proofs/thresholds.md#curves
#include <algorithm>

#include "accountants/proof/kinds/threshold.hpp"
#include "verification/checker/specs/builders.hpp"
#include "verification/checker/specs/stated_points.hpp"

namespace plaudit::proof {

namespace {

constexpr std::uint64_t most_groups = 100;
constexpr long operations_of_case = 2000;  ///< of one case at one point, at the bits of points
constexpr double spent_on_case = 400;

/// Nothing was released but what both data sets have alike.
Interval curve_of_nothing(const Interval& epsilon) { return max(-expm1(epsilon), 0); }

/// Gaussian noise of this mean of the loss and Laplace noise of this ratio at once.
/// Proof: docs/proofs/roots.md#gaussian-sum
Interval gaussian_and_laplace(const Rational& mean, const Rational& ratio,
                              const Rational& epsilon) {
  const Interval deviation = sqrt(Interval(Rational(2 * mean)));
  const auto below = [&](const Rational& x) { return normal_tail(-Interval(x) / deviation); };
  const Rational out = -abs(epsilon);
  const Interval between = below(out + ratio) - below(out - ratio);
  const auto front = [&](const Rational& exponent) {
    return half(exp(Interval(Rational(exponent / 2 - mean / 4)))) * between;
  };
  const Interval p = below(mean + ratio - epsilon) - front(epsilon - ratio);
  const Interval q = below(-mean - ratio - epsilon) + front(-epsilon - ratio);
  return p - exp(Interval(epsilon)) * q;
}

/// Laplace noise of these ratios at once: the mean over the loss l of the first one of the curve of
/// the second one at epsilon - l. Proof: docs/proofs/thresholds.md#two-laplace
Interval two_laplace(const Rational& a, const Rational& b, const Rational& epsilon) {
  const Laplace second{b};
  const Interval at_ends = half(curve(second, Interval(Rational(epsilon - a)))) +
                           half(exp(-Interval(a)) * curve(second, Interval(Rational(epsilon + a))));
  const auto in_range = [&](const Rational& loss) {
    return std::min(std::max(loss, Rational(-a)), a);
  };
  const Rational first = in_range(epsilon - b);  // before it the second curve is 0
  const Rational last = in_range(epsilon + b);   // beyond it 1 - e^(epsilon - l)
  const auto growth = [&](const Rational& loss) {
    return 2 * exp(half(Interval(Rational(loss - a))));
  };
  const Interval flat = exp(half(Interval(Rational(epsilon - a - b))));
  const auto beyond = [&](const Rational& loss) {
    return growth(loss) + 2 * exp(Interval(Rational(epsilon - (a + loss) / 2)));
  };
  const Interval inside = growth(last) - growth(first) - Interval(Rational(last - first)) * flat;
  return at_ends + scaled(inside + beyond(a) - beyond(last), -2);
}

}  // namespace

// Proof: docs/proofs/thresholds.md#gaussian
Mechanism gaussian_threshold(const Arguments& arguments) {
  const bool by_variance = arguments.has("variance");
  const Rational given = by_variance ? arguments.variance() : arguments.positive("sigma");
  const Rational variance = by_variance ? given : Rational(given * given);
  const Rational threshold = arguments.number("threshold");
  const std::uint64_t groups = arguments.has("groups") ? arguments.count("groups", most_groups) : 1;
  Mechanism result;
  result.text = std::string("gaussian_threshold(") + (by_variance ? "variance=" : "sigma=") +
                to_string(given) + ", threshold=" + to_string(threshold);
  if (groups != 1) result.text += ", groups=" + std::to_string(groups);
  result.text += ")";
  result.adjacency = of_one_record("add_remove");
  const auto curve_above = [=](Direction direction, const Rational& epsilon, Budget& budget) {
    const Interval at(epsilon);
    const Interval deviation = sqrt(Interval(variance));
    const Interval height = Interval(Rational(threshold - 1)) / deviation;
    const Interval log_unseen = log(normal_tail(-height));
    Interval greatest = 0;
    for (std::uint64_t fresh = 0; fresh <= groups; ++fresh) {
      budget.spend(spent_on_case);
      const Interval log_w = static_cast<long>(fresh) * log_unseen;
      const Interval w = exp(log_w);
      const bool removes = direction == Direction::remove;
      const Interval place = removes ? at - log_w : at + log_w;
      const Interval old =
          fresh == groups
              ? curve_of_nothing(place)
              : curve(Gaussian{Rational(Integer(groups - fresh)) / (2 * variance)}, place);
      greatest = max(greatest, removes ? 1 - w + w * old : old);
    }
    return greatest;
  };
  set_stated_curve(result, arguments, false, Integer(operations_of_case) * Integer(groups + 1),
                   curve_above);
  return result;
}

// Proof: docs/proofs/thresholds.md#propose
Mechanism propose_test_release(const Arguments& arguments) {
  const Mechanism released = arguments.inner();
  const Rational scale = arguments.positive("scale");
  const Rational miss = arguments.number("miss");
  if (miss < 0 || miss >= 1) arguments.fail("miss", "must lie in [0, 1)");
  const auto* gaussian = std::get_if<Gaussian>(released.remove.get());
  const auto* laplace = std::get_if<Laplace>(released.remove.get());
  if ((gaussian == nullptr && laplace == nullptr) || !released.symmetric ||
      released.adjacency != Adjacency{}) {
    arguments.fail("", "must be gaussian or laplace");
  }
  Mechanism result;
  result.text = "propose_test_release(" + released.text + ", scale=" + to_string(scale) +
                ", miss=" + to_string(miss) + ")";
  if (miss == 0) {  // both at once
    result.remove = result.add = released.remove;
    result.beside = {released.text, "laplace(scale=" + to_string(scale) + ")",
                     law(Laplace{1 / scale})};
    return result;
  }
  const Rational parameter = gaussian != nullptr ? gaussian->mu : laplace->ratio;
  const auto curve_above = [=, normal = gaussian != nullptr](Direction, const Rational& epsilon,
                                                             Budget& budget) {
    budget.spend(spent_on_case);
    const Interval both = normal ? gaussian_and_laplace(parameter, 1 / scale, epsilon)
                                 : two_laplace(parameter, 1 / scale, epsilon);
    return max(both, Interval(miss));
  };
  set_stated_curve(result, arguments, true, operations_of_case, curve_above);
  return result;
}

}  // namespace plaudit::proof

// discrete_gaussian_sum(parties, sigma or variance, sensitivity): the sum of independent discrete
// Gaussian variables, one from each of the parties, on an integer answer, as in secure aggregation
// (Kairouz, Liu, Steinke, ICML 2021). It is not a discrete Gaussian itself.
//
// The sum is log-concave as its terms are. Proof: docs/proofs/integer_noise.md#log-concave
//
// Its probabilities, folded to a period, are found from a power of the transform of one party's.
// They exceed the true ones by at most the mass a period away. Proof:
// docs/proofs/integer_noise.md#sum
#include <bit>
#include <cmath>
#include <mutex>

#include "lib/balls/ball_transform.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/discrete_gaussian_tails.hpp"
#include "mechanisms/laws/shifted_noise.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_parties = 1'000'000;
constexpr std::uint64_t most_sum_sensitivity = 10'000;
constexpr long most_variance_of_sum = 100'000;
constexpr long most_parties_a_variance = 160'000;
constexpr long least_bits_kept = 256;    ///< little beside those that far probabilities take
constexpr long bits_of_roundings = 128;  ///< of the transforms and the power

/// What the transform needs to know.
struct SumPlan {
  std::uint64_t parties;
  Rational variance;   ///< of one party
  long last;           ///< the last outcome whose probability is wanted
  std::size_t period;  ///< a power of two
  long bits;  ///< beyond the working precision: small probabilities cancel in the transform
};

/// Upper bound of P(X >= k) for k > 0: E e^(sX) <= e^(parties variance s^2 / 2).
/// Proof: docs/proofs/integer_noise.md#sum
Ball chernoff(const SumPlan& plan, long k) {
  const Rational square = Rational(Integer(k) * Integer(k));
  return exp(-Ball(Rational(square / (2 * plan.parties * plan.variance)))).upper();
}

/// sum_m P(X = k + m period) for k = 0, 1, ..., period - 1.
/// Proof: docs/proofs/integer_noise.md#sum
std::vector<Ball> folded_sum(const SumPlan& plan) {
  const DiscreteGaussianTails noise(plan.variance);
  const Ball normaliser = noise.normaliser();
  const long far = noise.reach(static_cast<double>(working_precision()) * log_two);
  const auto period = static_cast<long>(plan.period);
  std::vector<Ball> one(plan.period);
  for (long k = 0; k <= far; ++k) {
    if (k % 64 == 0) check_work_limit();
    const Rational square = Rational(Integer(k) * Integer(k)) / (2 * plan.variance);
    const Ball mass = exp(-Ball(square)) / normaliser;
    one[static_cast<std::size_t>(k % period)] += mass;
    if (k > 0) one[static_cast<std::size_t>((period - k % period) % period)] += mass;
  }
  const Ball beyond = ldexp(
      exp(-Ball(Rational(Rational(Integer(far + 1) * Integer(far + 1)) / (2 * plan.variance)))), 1);
  std::vector<Ball> values = transform_of_even(one);
  for (Ball& value : values) {
    value = power(widened(value, PLAUDIT_BOUND("discrete_gaussian_sum.one", beyond, Ball(0))),
                  plan.parties);
  }
  std::vector<Ball> folded = transform_of_even(values);
  for (Ball& value : folded) value.divide_by(plan.period);
  return folded;
}

/// The probabilities of a sum, kept at the highest precision that was asked.
class NoiseOfSum {
 public:
  explicit NoiseOfSum(SumPlan plan) : plan_(std::move(plan)) {}

  /// Proof: docs/proofs/integer_noise.md#sum
  IntegerNoise noise() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (bits_ < working_precision()) {
      const UncountedWork kept;
      const long bits = std::max(least_bits_kept, working_precision());
      const PrecisionScope scope(bits + plan_.bits);
      folded_ = folded_sum(plan_);
      bits_ = bits;
    }
    const auto period = static_cast<long>(plan_.period);
    const Ball alias = ldexp(chernoff(plan_, period - plan_.last - 1), 1);
    const Ball more = PLAUDIT_BOUND("discrete_gaussian_sum.alias", hull(Ball(0), alias), Ball(0));
    IntegerNoise noise;
    for (long k = 0; k <= plan_.last; ++k) {
      noise.masses.push_back(folded_[static_cast<std::size_t>(k)] - more);
    }
    noise.least_beyond = (folded_[static_cast<std::size_t>(plan_.last) + 1] - more).lower();
    noise.most_beyond = chernoff(plan_, plan_.last + 1);
    return noise;
  }

 private:
  SumPlan plan_;
  std::mutex mutex_;
  long bits_ = 0;  ///< of folded_, beyond plan_.bits
  std::vector<Ball> folded_;
};

MechanismPointer build_discrete_gaussian_sum(const Arguments& arguments) {
  const std::uint64_t parties = arguments.count("parties", most_parties);
  const NoiseLevel noise = arguments.noise_level();
  const auto sensitivity = static_cast<long>(arguments.count("sensitivity", most_sum_sensitivity));
  if (parties * noise.variance > most_variance_of_sum) {
    throw SpecError("discrete_gaussian_sum: the variance of all parties together must be at most " +
                    std::to_string(most_variance_of_sum));
  }
  if (parties / noise.variance > most_parties_a_variance) {
    throw SpecError("discrete_gaussian_sum: parties / variance must be at most " +
                    std::to_string(most_parties_a_variance));
  }
  std::string spec =
      "discrete_gaussian_sum(parties=" + std::to_string(parties) + ", " +
      (arguments.given_as("variance") ? "variance=" + to_string(noise.variance) : noise.text());
  if (sensitivity != 1) spec += ", sensitivity=" + std::to_string(sensitivity);
  spec += ')';
  const double whole = static_cast<double>(parties) * estimate(noise.variance);
  const auto reach = [&](double nats) {
    return 2 + checked_integer(std::ceil(std::sqrt(2 * whole * nats)), "the noise of a sum");
  };
  // Far probabilities are smaller than a Gaussian's by about this many nats, as steps are whole: it
  // chooses the precision, and is no bound.
  const double nats_of_steps = static_cast<double>(parties) / (8 * estimate(noise.variance));
  SumPlan plan{parties, noise.variance, reach(nats_of_noise_window) + sensitivity, 1, 0};
  const auto last = static_cast<double>(plan.last);
  // of the probability of the outcome behind the last one
  const double nats = (last + 1) * (last + 1) / (2 * whole) + nats_of_steps;
  const long apart = plan.last + reach(nats_of_noise_window + nats) + 1;
  plan.period = std::bit_ceil(static_cast<std::size_t>(apart));
  plan.bits = bits_of_roundings + precision_bits(nats / log_two);
  auto sum = std::make_shared<NoiseOfSum>(std::move(plan));
  auto loss = shifted_noise_loss(
      spec, [sum] { return sum->noise(); }, sensitivity);
  return std::make_shared<SymmetricMechanism>(
      std::move(spec), std::move(loss),
      Attainment{Attained::yes, "integer answers that are `sensitivity` apart have it"});
}

}  // namespace

MechanismKind discrete_gaussian_sum_kind();
MechanismKind discrete_gaussian_sum_kind() {
  return {
      .name = "discrete_gaussian_sum",
      .summary = "integer noise: the sum of discrete Gaussian noise from each of several parties",
      .parameters = {{"parties", "an integer from 1 to 10^6: those that add noise honestly"},
                     {"sigma",
                      "of one party, a number > 0, where all together have at most the variance "
                      "10^5; as variance=, the square itself",
                      {},
                      {"variance"}},
                     {"sensitivity", "an integer from 1 to 10^4", "1"}},
      .adjacency =
          "as_stated: the one whose integer answers differ by at most `sensitivity`; both alike",
      .theorem =
          "the noise shifted by `sensitivity` and the noise itself are a dominating pair: it is "
          "log-concave (docs/proofs/integer_noise.md#sum)",
      .example = "discrete_gaussian_sum(parties=10, sigma=2)",
      .build = build_discrete_gaussian_sum,
  };
}

}  // namespace plaudit

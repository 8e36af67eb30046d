// Noise whose law takes more than a formula: integer noise within a window, Gaussian noise cut off.
#include "verification/checker/laws/integer_noise.hpp"
#include "verification/checker/specs/builders.hpp"

namespace plaudit::proof {

namespace {

constexpr std::uint64_t most_noise_sensitivity = 10'000;
constexpr std::uint64_t most_noise_parties = 1'000'000;
constexpr long most_noise_variance = 100'000;
constexpr long most_parties_a_variance = 160'000;

long integer_sensitivity(const Arguments& arguments) {
  if (!arguments.has("sensitivity")) return 1;
  return static_cast<long>(arguments.count("sensitivity", most_noise_sensitivity));
}

Mechanism of_noise(const std::string& front, long sensitivity, Finite noise) {
  Mechanism result;
  result.text = front + sensitivity_text(Rational(sensitivity)) + ")";
  result.one_record = true;
  set_law(result, law(std::move(noise)));
  return result;
}

}  // namespace

// Proof: docs/proofs/integer_noise.md#skellam
Mechanism skellam(const Arguments& arguments) {
  const Rational variance = arguments.positive("variance");
  if (variance > most_noise_variance) arguments.fail("variance", "must be at most 10^5");
  const long sensitivity = integer_sensitivity(arguments);
  return of_noise("skellam(variance=" + to_string(variance), sensitivity,
                  skellam_law(variance, sensitivity));
}

// Proof: docs/proofs/integer_noise.md#sum
Mechanism discrete_gaussian_sum(const Arguments& arguments) {
  const std::uint64_t parties = arguments.count("parties", most_noise_parties);
  const bool by_variance = arguments.has("variance");
  const char* key = by_variance ? "variance" : "sigma";
  const Rational given = by_variance ? arguments.variance() : arguments.positive(key);
  const Rational variance = by_variance ? given : Rational(given * given);
  if (Integer(parties) * variance > most_noise_variance) {
    arguments.fail(key, "is too large: all parties together have at most the variance 10^5");
  }
  if (Integer(parties) / variance > most_parties_a_variance) {
    arguments.fail(key, "is too small: parties / variance must be at most 160000");
  }
  const long sensitivity = integer_sensitivity(arguments);
  return of_noise("discrete_gaussian_sum(parties=" + std::to_string(parties) + ", " + key + "=" +
                      to_string(given),
                  sensitivity, discrete_gaussian_sum_law(parties, variance, sensitivity));
}

// Proof: docs/proofs/truncated.md#shift
Mechanism truncated_gaussian(const Arguments& arguments) {
  const bool by_variance = arguments.has("variance");
  const char* key = by_variance ? "variance" : "sigma";
  const Rational given = by_variance ? arguments.variance() : arguments.positive(key);
  const Rational variance = by_variance ? given : Rational(given * given);
  const Rational bound = arguments.positive("bound");
  const Rational sensitivity = arguments.sensitivity();
  if (bound < sensitivity) arguments.fail("bound", "must be at least the sensitivity");
  Mechanism result;
  result.text = std::string("truncated_gaussian(") + key + "=" + to_string(given) +
                ", bound=" + to_string(bound) + sensitivity_text(sensitivity) + ")";
  result.one_record = true;
  set_law(result, law(TruncatedGaussian{sensitivity * sensitivity / (2 * variance),
                                        sensitivity * (2 * bound - sensitivity) / (2 * variance)}));
  return result;
}

}  // namespace plaudit::proof

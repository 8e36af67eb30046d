// skellam(variance, sensitivity): the difference of two independent Poisson variables, each of mean
// variance / 2, on an integer answer (Agarwal, Kairouz, Liu, NeurIPS 2021).
//
// P(X = k) = e^-v I_k(v), v the variance, I_k the modified Bessel function.
// Proof: docs/proofs/integer_noise.md#skellam
#include <cmath>

#include "lib/balls/bessel.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/shifted_noise.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_skellam_sensitivity = 10'000;
constexpr long most_skellam_variance = 100'000;
constexpr long bits_of_recurrence = 64;  ///< beyond the working precision, for its roundings

/// An outcome beyond which about e^-nats lies, by Chernoff's bound in doubles (heuristic).
long skellam_reach(double variance, double nats) {
  const auto tail = [&](double k) {
    return std::hypot(k, variance) - variance - k * std::asinh(k / variance);
  };
  double reach = 1;
  while (tail(reach) > -nats) reach *= 2;
  double less = reach / 2;
  while (reach - less > 1) {
    const double middle = (reach + less) / 2;
    (tail(middle) > -nats ? less : reach) = middle;
  }
  return checked_integer(std::ceil(reach), "Skellam noise: the window");
}

/// P(X = k) for k = 0..last by I_(k-1) = I_(k+1) + (2k/v) I_k from above, whose terms are positive.
/// Proof: docs/proofs/integer_noise.md#skellam
IntegerNoise skellam_noise(const Rational& variance, long last) {
  const PrecisionScope scope(working_precision() + bits_of_recurrence);
  const Ball v(variance);
  const Ball front = exp(-v);
  IntegerNoise noise;
  noise.masses.resize(static_cast<std::size_t>(last) + 1);
  Ball after = front * bessel_i(last + 2, v);
  Ball next = front * bessel_i(last + 1, v);
  // The quotient of two following masses is below v / (2 (k + 1)) at k.
  const Ball quotient = v / Ball(2 * (last + 2));
  noise.least_beyond = next.lower();
  noise.most_beyond = PLAUDIT_BOUND("skellam.tail", next / (Ball(1) - quotient), next).upper();
  for (long k = last; k >= 0; --k) {
    Ball mass = after + Ball(2 * (k + 1)) / v * next;
    after = std::move(next);
    next = mass;
    noise.masses[static_cast<std::size_t>(k)] = std::move(mass);
  }
  return noise;
}

MechanismPointer build_skellam(const Arguments& arguments) {
  const Rational variance = arguments.positive("variance");
  if (variance > most_skellam_variance) arguments.reject("variance", shown(variance));
  const auto sensitivity =
      static_cast<long>(arguments.count("sensitivity", most_skellam_sensitivity));
  std::string spec = "skellam(variance=" + to_string(variance);
  if (sensitivity != 1) spec += ", sensitivity=" + std::to_string(sensitivity);
  spec += ')';
  const double estimated = estimate(variance);
  // Beyond v / 2 the quotients of the tail's bound are below 1.
  const long window = std::max(skellam_reach(estimated, nats_of_noise_window),
                               checked_integer(std::ceil(estimated), "Skellam noise: the window"));
  auto loss = shifted_noise_loss(
      spec, [=] { return skellam_noise(variance, window + sensitivity); }, sensitivity);
  return std::make_shared<SymmetricMechanism>(
      std::move(spec), std::move(loss),
      Attainment{Attained::yes, "integer answers that are `sensitivity` apart have it"});
}

}  // namespace

MechanismKind skellam_kind();
MechanismKind skellam_kind() {
  return {
      .name = "skellam",
      .summary = "integer noise: the difference of two Poisson variables of mean variance / 2",
      .parameters = {{"variance", "a number > 0, at most 10^5"},
                     {"sensitivity", "an integer from 1 to 10^4", "1"}},
      .adjacency =
          "as_stated: the one whose integer answers differ by at most `sensitivity`; both alike",
      .theorem =
          "the noise shifted by `sensitivity` and the noise itself are a dominating pair: it is "
          "log-concave (docs/proofs/integer_noise.md#skellam)",
      .example = "skellam(variance=100)",
      .build = build_skellam,
  };
}

}  // namespace plaudit

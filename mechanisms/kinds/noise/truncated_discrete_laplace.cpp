// truncated_discrete_laplace(scale, bound, sensitivity): two-sided geometric noise on the integers
// of which nothing beyond +-bound is drawn.
//
// With r = e^{-1/scale}, A the bound, D the sensitivity: P(k) proportional to r^|k - D| for |k - D|
// <= A, Q(k) to r^|k| for |k| <= A. L takes the values (2j - D) / scale, j = 0..D, and infinity
// for the outputs that Q cannot have. Proof: docs/proofs/truncated.md#discrete-laplace
#include "lib/balls/ball_memory.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/finite_loss.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_truncated_sensitivity = 100'000;
constexpr std::uint64_t most_truncated_bound = 1'000'000'000;

/// N = 1 + r - 2 r^(A+1); P(L = D/scale) = (1 - r^(A-D+1)) / N, P(L = inf) = r^(A-D+1) (1 - r^D) /
/// N. Proof: docs/proofs/truncated.md#discrete-laplace
FiniteLaw truncated_geometric_law(const Rational& scale, long bound, long sensitivity) {
  const Ball rate(Rational(1 / scale));
  const Ball fall = -expm1(-rate);  // 1 - r
  const Ball left_out = exp(-rate * Ball(bound - sensitivity + 1));
  const Ball whole = -ldexp(expm1(-rate * Ball(bound + 1)), 1) - fall;
  const Ball end = -expm1(-rate * Ball(bound - sensitivity + 1)) / whole;
  const Ball inside = fall / whole;
  FiniteLaw result;
  check_memory_of_balls(3 * static_cast<double>(sensitivity));
  result.atoms.resize(static_cast<std::size_t>(sensitivity) + 1);
  for (long j = 0; j <= sensitivity; ++j) {
    const Ball& front = j == 0 || j == sensitivity ? end : inside;
    result.atoms[static_cast<std::size_t>(j)] = {Ball(Rational((2 * j - sensitivity) / scale)),
                                                 front * exp(-rate * Ball(sensitivity - j)),
                                                 front * exp(-rate * Ball(j))};
  }
  const Ball outside = left_out * -expm1(-rate * Ball(sensitivity)) / whole;
  result.infinite = PLAUDIT_BOUND("truncated_discrete_laplace.infinite", outside, Ball(0));
  result.q_mass = Ball(1) - outside;
  return result;
}

MechanismPointer build_truncated_discrete_laplace(const Arguments& arguments) {
  const Rational scale = arguments.positive("scale");
  const auto bound = static_cast<long>(arguments.count("bound", most_truncated_bound));
  const auto sensitivity =
      static_cast<long>(arguments.count("sensitivity", most_truncated_sensitivity));
  if (bound < sensitivity) arguments.reject("bound", std::to_string(bound));
  std::string spec =
      "truncated_discrete_laplace(scale=" + to_string(scale) + ", bound=" + std::to_string(bound);
  if (sensitivity != 1) spec += ", sensitivity=" + std::to_string(sensitivity);
  spec += ')';
  FiniteLoss::Lattice lattice{2 / scale, -sensitivity / scale, {}};
  for (long j = 0; j <= sensitivity; ++j) lattice.places.push_back(j);
  FiniteLoss::Exact exact;
  exact.greatest = sensitivity / scale;
  auto loss = std::make_shared<FiniteLoss>(
      "privacy loss of " + spec, [=] { return truncated_geometric_law(scale, bound, sensitivity); },
      std::move(lattice), std::move(exact));
  return std::make_shared<SymmetricMechanism>(
      std::move(spec), std::move(loss),
      Attainment{Attained::yes, "integer answers that are `sensitivity` apart have it"});
}

}  // namespace

MechanismKind truncated_discrete_laplace_kind();
MechanismKind truncated_discrete_laplace_kind() {
  return {
      .name = "truncated_discrete_laplace",
      .summary =
          "integer noise of probability proportional to e^{-|k|/scale} for |k| <= bound, "
          "0 beyond",
      .parameters = {{"scale", "a number > 0"},
                     {"bound", "an integer from `sensitivity` to 10^9"},
                     {"sensitivity", "an integer from 1 to 100000", "1"}},
      .adjacency =
          "as_stated: the one whose integer answers differ by at most `sensitivity`; both alike",
      .theorem =
          "the noise shifted by `sensitivity` and the noise itself are a dominating pair: it is "
          "log-concave (docs/proofs/truncated.md#shift)",
      .example = "truncated_discrete_laplace(scale=10, bound=200)",
      .build = build_truncated_discrete_laplace,
  };
}

}  // namespace plaudit

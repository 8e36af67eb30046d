// discrete_laplace(scale, sensitivity): two-sided geometric noise on the integers.
//
// P(k) = (1-r) / (1+r) r^|k - D|, Q(k) = (1-r) / (1+r) r^|k|, r = e^{-1/scale}: L takes the values
// (2j - D) / scale, j = 0..D. Proof: docs/proofs/discrete.md#discrete-laplace
#include "lib/balls/ball_memory.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/finite_loss.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_laplace_sensitivity = 100'000;

FiniteLaw law(const Rational& scale, long sensitivity) {
  const Ball rate(Rational(1 / scale));
  const Ball ratio = exp(-rate);
  const Ball end = Ball(1) / (Ball(1) + ratio);  // P(k >= D)
  const Ball inside = -expm1(-rate) * end;
  FiniteLaw result;
  check_memory_of_balls(3 * static_cast<double>(sensitivity));
  result.atoms.resize(static_cast<std::size_t>(sensitivity) + 1);
  for (long j = 0; j <= sensitivity; ++j) {
    const Ball front = j == 0 || j == sensitivity ? end : inside;
    result.atoms[static_cast<std::size_t>(j)] = {Ball(Rational((2 * j - sensitivity) / scale)),
                                                 front * exp(-rate * Ball(sensitivity - j)),
                                                 front * exp(-rate * Ball(j))};
  }
  return result;
}

/// The same, times 1 + r.
std::shared_ptr<const ExactLaw> exact_law(const Rational& scale, long sensitivity) {
  if (static_cast<std::size_t>(sensitivity) >= most_exact_atoms) return nullptr;
  const Rational rate = 1 / scale;
  const ExponentialSum one(1);
  const ExponentialSum ratio(1, -rate);
  auto result = std::make_shared<ExactLaw>();
  result->scale = one + ratio;
  for (long j = 0; j <= sensitivity; ++j) {
    const ExponentialSum front = j == 0 || j == sensitivity ? one : one - ratio;
    result->atoms.push_back({front.times(1, -rate * (sensitivity - j)), front.times(1, -rate * j)});
  }
  return result;
}

MechanismPointer build_discrete_laplace(const Arguments& arguments) {
  const Rational scale = arguments.positive("scale");
  const auto sensitivity =
      static_cast<long>(arguments.count("sensitivity", most_laplace_sensitivity));
  std::string spec = "discrete_laplace(scale=" + to_string(scale);
  if (sensitivity != 1) spec += ", sensitivity=" + std::to_string(sensitivity);
  spec += ')';
  FiniteLoss::Lattice lattice{2 / scale, -sensitivity / scale, {}};
  for (long j = 0; j <= sensitivity; ++j) lattice.places.push_back(j);
  auto loss = std::make_shared<FiniteLoss>(
      "privacy loss of " + spec, [scale, sensitivity] { return law(scale, sensitivity); },
      std::move(lattice),
      FiniteLoss::Exact{Rational(0), sensitivity / scale, exact_law(scale, sensitivity), {}});
  return std::make_shared<SymmetricMechanism>(
      std::move(spec), std::move(loss),
      Attainment{Attained::yes, "integer answers that are `sensitivity` apart have it"});
}

}  // namespace

MechanismKind discrete_laplace_kind();
MechanismKind discrete_laplace_kind() {
  return {
      .name = "discrete_laplace",
      .summary = "integer noise of probability proportional to e^{-|k|/scale}",
      .parameters = {{"scale", "a number > 0"},
                     {"sensitivity", "an integer from 1 to 100000", "1"}},
      .adjacency =
          "as_stated: the one whose integer answers differ by at most `sensitivity`; both alike",
      .theorem =
          "the noise shifted by `sensitivity` and the noise itself are a dominating pair: it is "
          "log-concave (docs/proofs/discrete.md#shift)",
      .example = "discrete_laplace(scale=10)",
      .build = build_discrete_laplace,
  };
}

}  // namespace plaudit

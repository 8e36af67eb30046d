// staircase(epsilon, gamma): staircase-shaped noise on a real answer of sensitivity 1 (Geng and
// Viswanath).
//
// The density is a e^{-k epsilon} on k + [0, gamma) and a e^{-(k + 1) epsilon} on k + [gamma, 1) of
// |x|, k = 0, 1, ... Two answers 1 apart have L = epsilon, -epsilon and 0, and are the worst ones.
// Proof: docs/proofs/staircase.md#law
#include "lib/mutant.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/finite_loss.hpp"
#include "mechanisms/laws/two_point_loss.hpp"

namespace plaudit {

namespace {

/// What of [0, 1/2] lies below gamma, as a share.
Rational share_below_gamma(const Rational& gamma) {
  return 2 * gamma < 1 ? 2 * gamma : Rational(1);
}

/// With r = e^-epsilon, m the share: P(L = epsilon) = (m + (1-m) r) / w, P(L = 0) =
/// |1 - 2 gamma| (1 - r) c / w, c = r where gamma < 1/2 and 1 beyond, w = 2 (gamma + (1-gamma) r).
/// Proof: docs/proofs/staircase.md#law
FiniteLaw staircase_law(const Rational& epsilon, const Rational& gamma) {
  const Rational share = share_below_gamma(gamma);
  const Ball ratio = exp(-Ball(epsilon));
  const Ball whole = Ball(2) * (Ball(gamma) + Ball(Rational(1 - gamma)) * ratio);
  const Ball likely = PLAUDIT_BOUND("staircase.share",
                                    Ball(share) + Ball(Rational(1 - share)) * ratio, Ball(share)) /
                      whole;
  const Ball unlikely = likely * ratio;
  const Ball equal =
      -expm1(-Ball(epsilon)) *
      (share < 1 ? Ball(Rational(1 - share)) * ratio : Ball(Rational(2 * gamma - 1))) / whole;
  FiniteLaw law;
  law.atoms = {{Ball(Rational(-epsilon)), unlikely, likely},
               {Ball(0), equal, equal},
               {Ball(epsilon), likely, unlikely}};
  law.q_mass = Ball(1);
  return law;
}

/// The same, times w. Proof: docs/proofs/staircase.md#law
std::shared_ptr<const ExactLaw> exact_staircase(const Rational& epsilon, const Rational& gamma) {
  const Rational share = share_below_gamma(gamma);
  const ExponentialSum ratio(1, -epsilon);
  const ExponentialSum likely = ExponentialSum(share) + ratio.times(1 - share, 0);
  const ExponentialSum fall = ExponentialSum(1) - ratio;
  const ExponentialSum equal =
      share < 1 ? fall.times(1 - share, -epsilon) : fall.times(2 * gamma - 1, 0);
  const ExponentialSum unlikely = likely.times(1, -epsilon);
  auto result = std::make_shared<ExactLaw>();
  result->scale = ExponentialSum(2 * gamma) + ratio.times(2 * (1 - gamma), 0);
  result->atoms = {{unlikely, likely}, {equal, equal}, {likely, unlikely}};
  return result;
}

std::shared_ptr<const PrivacyLoss> staircase_loss(const std::string& spec, const Rational& epsilon,
                                                  const Rational& gamma) {
  if (2 * gamma == 1) return TwoPointLoss::of_epsilon(epsilon, 0);  // no mass at L = 0
  return std::make_shared<FiniteLoss>(
      "privacy loss of " + spec, [epsilon, gamma] { return staircase_law(epsilon, gamma); },
      FiniteLoss::Lattice{epsilon, 0, {-1, 0, 1}},
      FiniteLoss::Exact{Rational(0), epsilon, exact_staircase(epsilon, gamma), {}});
}

MechanismPointer build_staircase(const Arguments& arguments) {
  const Rational epsilon = arguments.positive("epsilon");
  const Rational gamma = arguments.number("gamma");
  if (gamma <= 0 || gamma >= 1) arguments.reject("gamma", shown(gamma));
  const std::string spec =
      "staircase(epsilon=" + to_string(epsilon) + ", gamma=" + to_string(gamma) + ')';
  return std::make_shared<SymmetricMechanism>(
      spec, staircase_loss(spec, epsilon, gamma),
      Attainment{Attained::yes, "answers that are 1 apart have it"});
}

}  // namespace

MechanismKind staircase_kind();
MechanismKind staircase_kind() {
  return {
      .name = "staircase",
      .summary =
          "noise on a real answer of sensitivity 1 whose density falls by e^epsilon at |x| = "
          "gamma, "
          "1 + gamma, 2 + gamma, ...",
      .parameters = {{"epsilon", "a number > 0", {}, {"eps"}},
                     {"gamma", "a number between 0 and 1, neither of them"}},
      .adjacency = "as_stated: the one whose answers differ by at most 1; both directions alike",
      .theorem =
          "the noise shifted by 1 and the noise itself are a dominating pair: the mass at L = "
          "epsilon, which alone tells the curves of smaller shifts apart, rises with the shift "
          "(docs/proofs/staircase.md#shift)",
      .example = "staircase(epsilon=1, gamma=0.3)",
      .build = build_staircase,
  };
}

}  // namespace plaudit

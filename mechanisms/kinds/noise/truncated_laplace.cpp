// truncated_laplace(scale, bound, sensitivity): Laplace noise of which nothing beyond +-bound is
// drawn.
//
// With a = sensitivity / scale its pair is that of a public label: a law of bounded range a,
// randomized response of epsilon a, or L = infinity, where Q has no such output.
// Proof: docs/proofs/truncated.md#laplace
#include "lib/mutant.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/labelled_loss.hpp"
#include "mechanisms/laws/range_loss.hpp"
#include "mechanisms/laws/two_point_loss.hpp"

namespace plaudit {

namespace {

/// a = D/b, c = e^{-(A-D)/b}, N = 2 (1 - e^{-A/b}).
struct TruncatedLaplace {
  Rational ratio;   ///< a
  Rational beyond;  ///< (A - D) / b >= 0

  Ball whole() const { return ldexp(-expm1(-Ball(Rational(ratio + beyond))), 1); }
  /// (1 - e^-a) / N
  Ball between() const { return -expm1(-Ball(ratio)) / whole(); }
  /// (1 + e^-a) (1 - c) / N
  Ball ends() const { return (Ball(1) + exp(-Ball(ratio))) * -expm1(-Ball(beyond)) / whole(); }
  /// c (1 - e^-a) / N
  Ball infinite() const {
    return PLAUDIT_BOUND("truncated_laplace.infinite", exp(-Ball(beyond)), Ball(0)) * between();
  }
};

// Proof: docs/proofs/truncated.md#laplace
std::shared_ptr<const PrivacyLoss> truncated_laplace_loss(const TruncatedLaplace& law) {
  const std::string text = to_string(law.ratio) + ", " + to_string(law.beyond);
  std::vector<LabelledLoss::Label> labels;
  labels.push_back({[law] { return law.between(); }, "between of " + text,
                    std::make_shared<RangeLoss>(law.ratio)});
  if (law.beyond > 0) {
    labels.push_back(
        {[law] { return law.ends(); }, "ends of " + text, TwoPointLoss::of_epsilon(law.ratio, 0)});
  }
  labels.push_back({[law] { return law.infinite(); }, "outside of " + text, nullptr});
  return std::make_shared<LabelledLoss>(std::move(labels));
}

MechanismPointer build_truncated_laplace(const Arguments& arguments) {
  const Rational scale = arguments.positive("scale");
  const Rational bound = arguments.positive("bound");
  const Rational sensitivity = arguments.positive("sensitivity");
  if (bound < sensitivity) arguments.reject("bound", shown(bound));
  std::string spec = "truncated_laplace(scale=" + to_string(scale) + ", bound=" + to_string(bound);
  if (sensitivity != 1) spec += ", sensitivity=" + to_string(sensitivity);
  return std::make_shared<SymmetricMechanism>(
      spec + ')', truncated_laplace_loss({sensitivity / scale, (bound - sensitivity) / scale}),
      Attainment{Attained::yes, "centres that are `sensitivity` apart have it"});
}

}  // namespace

MechanismKind truncated_laplace_kind();
MechanismKind truncated_laplace_kind() {
  return {
      .name = "truncated_laplace",
      .summary = "noise of density proportional to e^{-|x|/scale} for |x| <= bound, 0 beyond",
      .parameters = {{"scale", "a number > 0", {}, {"b"}},
                     {"bound", "a number that is at least the sensitivity"},
                     {"sensitivity", "a number > 0", "1"}},
      .adjacency =
          "as_stated: the one whose centres are `sensitivity` apart; both directions alike",
      .theorem =
          "the noise shifted by `sensitivity` and the noise itself are a dominating pair: it is "
          "log-concave (docs/proofs/truncated.md#shift)",
      .example = "truncated_laplace(scale=1, bound=15)",
      .build = build_truncated_laplace,
  };
}

}  // namespace plaudit

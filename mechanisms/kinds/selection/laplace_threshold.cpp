// laplace_threshold(scale, threshold): the number of users of a group with Laplace noise, shown
// where it exceeds the threshold.
//
// A group of others has the pair of Laplace noise of ratio a = 1 / scale; a new one is shown with
// probability 1 - w, which cannot happen without the user. The greater one of both curves is that
// of the same event beside Laplace noise of ratio a + log w, which is rounded up. Proof:
// docs/proofs/thresholds.md#laplace
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/forms/directed_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/finite_loss.hpp"
#include "mechanisms/laws/laplace_loss.hpp"
#include "mechanisms/laws/revealing_loss.hpp"

namespace plaudit {

namespace {

constexpr long bits_of_ratio = 96;

/// P(X <= x) of Laplace noise X.
Ball laplace_below(const Rational& x, const Rational& scale) {
  const Ball half = ldexp(exp(-Ball(Rational(abs(x) / scale))), -1);
  return x < 0 ? half : Ball(1) - half;
}

/// The event alone.
FiniteLaw event_law(const Ball& unseen, Direction direction) {
  FiniteLaw law;
  const Ball loss = log(unseen);
  if (direction == Direction::remove) {
    law.atoms = {{loss, unseen, Ball(1)}};
    law.infinite = Ball(1) - unseen;
  } else {
    law.atoms = {{-loss, Ball(1), unseen}};
    law.q_mass = unseen;
  }
  return law;
}

// Proof: docs/proofs/thresholds.md#laplace
std::shared_ptr<const PrivacyLoss> laplace_threshold_loss(const std::string& spec,
                                                          const Rational& scale,
                                                          const Rational& threshold,
                                                          Direction direction) {
  const auto unseen = [=] { return laplace_below(threshold - 1, scale); };
  const PrecisionScope scope(bits_of_ratio);
  const Ball moved = log(unseen());
  // Where its sign is not decided a ratio next to 0 from above is taken, which bounds both cases.
  const Ball ratio =
      (Ball(Rational(1 / scale)) + PLAUDIT_BOUND("laplace_threshold.ratio", moved, ldexp(moved, 1)))
          .upper();
  const std::string text = spec + ", " + std::string(name_of(direction));
  if (!certainly_positive(ratio)) {
    return std::make_shared<FiniteLoss>("privacy loss of " + text,
                                        [=] { return event_law(unseen(), direction); });
  }
  return std::make_shared<RevealingLoss>(std::make_shared<LaplaceLoss>(exact_rational(ratio)),
                                         unseen, text, direction);
}

MechanismPointer build_laplace_threshold(const Arguments& arguments) {
  const Rational scale = arguments.positive("scale");
  const Rational threshold = arguments.number("threshold");
  const std::string spec =
      "laplace_threshold(scale=" + to_string(scale) + ", threshold=" + to_string(threshold) + ')';
  return std::make_shared<DirectedMechanism>(
      spec, laplace_threshold_loss(spec, scale, threshold, Direction::remove),
      laplace_threshold_loss(spec, scale, threshold, Direction::add),
      Adjacency::of_one_record(Adjacency::add_remove),
      Attainment{Attained::unknown, "a number of its law is rounded up, by about 1e-29 of it"});
}

}  // namespace

MechanismKind laplace_threshold_kind();
MechanismKind laplace_threshold_kind() {
  return {
      .name = "laplace_threshold",
      .summary =
          "the number of users of a group with Laplace noise, shown where it exceeds a "
          "threshold; for k groups of one user, its power k",
      .parameters = {{"scale", "a number > 0", {}, {"b"}}, {"threshold", "a number"}},
      .adjacency = "add_remove: one user more or less in one group",
      .theorem =
          "the greater one of the curves of a group of others and of a new one is that of a pair "
          "(docs/proofs/thresholds.md#laplace)",
      .example = "laplace_threshold(scale=1, threshold=20)",
      .build = build_laplace_threshold,
  };
}

}  // namespace plaudit

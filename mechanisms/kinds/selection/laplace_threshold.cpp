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

constexpr long bits_of_moved = 96;         ///< of log w behind the binary point
constexpr long most_bits_of_floor = 4096;  ///< of precision, at most, to find the last of these

/// P(X > x) of Laplace noise X, x >= 0, and P(X < x), x <= 0.
Ball laplace_tail(const Rational& x, const Rational& scale) {
  return ldexp(exp(-Ball(Rational(abs(x) / scale))), -1);
}

/// P(X <= x) of Laplace noise X.
Ball laplace_below(const Rational& x, const Rational& scale) {
  return x < 0 ? laplace_tail(x, scale) : Ball(1) - laplace_tail(x, scale);
}

/// -floor(2^96 (-log w)) / 2^96, w = P(X <= x). Proof: docs/proofs/thresholds.md#laplace
Rational log_below_rounded_up(const Rational& x, const Rational& scale) {
  for (long bits = 2 * bits_of_moved;; bits *= 2) {
    const PrecisionScope scope(bits);
    const Ball falls =
        x < 0 ? Ball(Rational(-x / scale)) + log(Ball(2)) : -log1p(-laplace_tail(x, scale));
    const auto units = [](const Ball& end) {
      return exact_rational(max(floor(ldexp(end, bits_of_moved)), Ball(0)));
    };
    const Rational low = units(falls.lower());
    if (bits >= most_bits_of_floor || low == units(falls.upper())) {
      return -low / Rational(Integer(1) << static_cast<unsigned long>(bits_of_moved));
    }
  }
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
  const Rational moved = log_below_rounded_up(threshold - 1, scale);
  const Rational ratio =
      1 / scale + PLAUDIT_BOUND("laplace_threshold.ratio", moved, Rational(2 * moved));
  const std::string text = spec + ", " + std::string(name_of(direction));
  if (ratio <= 0) {
    return std::make_shared<FiniteLoss>("privacy loss of " + text,
                                        [=] { return event_law(unseen(), direction); });
  }
  return std::make_shared<RevealingLoss>(std::make_shared<LaplaceLoss>(ratio), unseen, text,
                                         direction);
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
      Attainment{Attained::unknown, "a number of its law is rounded up, by less than 2^-96"});
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

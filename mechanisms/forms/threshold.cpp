#include "mechanisms/forms/threshold.hpp"

#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/forms/directed_mechanism.hpp"
#include "mechanisms/laws/maximum_curve.hpp"

namespace plaudit {

namespace {

constexpr long threshold_bits = 192;  ///< of what does not change with epsilon

/// H of the groups of others; without any both laws are the same.
Ball old_delta(const std::shared_ptr<const PrivacyLoss>& old, const Ball& epsilon) {
  return old ? old->delta(epsilon) : max(Ball(0), -expm1(epsilon));
}

/// With the user against without: 1 - w + w H_(x/w). Without against with: H_(xw).
/// Proof: docs/proofs/thresholds.md#curves
KnownCurve curve_of_case(const ThresholdCase& one, Direction direction) {
  const PrecisionScope scope(threshold_bits);
  const Ball w = one.unseen();
  const Ball shift = log(w);
  const Ball seen = PLAUDIT_BOUND("threshold.seen", Ball(1) - w, Ball(0));
  if (direction == Direction::add) {
    return {[old = one.old, shift](const Ball& epsilon) { return old_delta(old, epsilon + shift); },
            Ball(0)};
  }
  return {[old = one.old, shift, seen, w](const Ball& epsilon) {
            return seen + w * old_delta(old, epsilon - shift);
          },
          seen};
}

}  // namespace

MechanismPointer threshold_mechanism(const std::string& spec,
                                     const std::vector<ThresholdCase>& cases) {
  std::vector<KnownCurve> all;
  std::vector<KnownCurve> curves[2];
  for (const ThresholdCase& one : cases) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      all.push_back(curve_of_case(one, direction));
      curves[direction == Direction::add ? 1 : 0].push_back(all.back());
    }
  }
  const CurvePoints points = points_of(all, spec.substr(0, spec.find('(')));
  const auto law = [&](Direction direction) {
    return piecewise_loss("privacy loss of " + spec + ", " + std::string(name_of(direction)),
                          greatest_at(curves[direction == Direction::add ? 1 : 0], points, false),
                          false)
        .loss;
  };
  return std::make_shared<DirectedMechanism>(
      spec, law(Direction::remove), law(Direction::add),
      Adjacency::of_one_record(Adjacency::add_remove),
      Attainment{Attained::unknown,
                 "its curve is a bound of the greatest of the curves, from points"});
}

}  // namespace plaudit

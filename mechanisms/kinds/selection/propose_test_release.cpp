// propose_test_release(mechanism, scale, miss): an answer with noise for a proposed bound of its
// local sensitivity, released if a test with Laplace noise finds the data far from any where that
// bound fails (Dwork and Lei, STOC 2009). Proof: docs/proofs/thresholds.md#propose
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/privacy_loss.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

MechanismPointer build_propose_test_release(const Arguments& arguments) {
  const Rational scale = arguments.positive("scale");
  const Rational miss = arguments.number("miss");
  if (miss < 0 || miss >= 1) arguments.reject("miss", shown(miss));
  const MechanismPointer& released = arguments.mechanism("mechanism");
  const auto law = released->loss(Direction::remove);
  const bool known = law->facts().gaussian_mean || law->facts().laplace != nullptr;
  if (!known || !released->symmetric() || released->adjacency() != Adjacency{}) {
    arguments.reject("mechanism", abbreviated(released->spec()));
  }
  const MechanismPointer test = make_mechanism("laplace", {{"scale", scale}});
  const MechanismPointer both = make_mechanism("joint", {{"", released}, {"", test}});
  const MechanismPointer missed =
      make_mechanism("approximate", {{"epsilon", Rational(0)}, {"delta", miss}});
  const MechanismPointer worst =
      miss == 0 ? both : make_mechanism("parallel", {{"", both}, {"", missed}});
  return std::make_shared<SymmetricMechanism>(
      "propose_test_release(" + released->spec() + ", scale=" + to_string(scale) +
          ", miss=" + to_string(miss) + ')',
      worst->loss(Direction::remove),
      Attainment{Attained::unknown, "no data sets are known that have it"}, false);
}

}  // namespace

MechanismKind propose_test_release_kind();
MechanismKind propose_test_release_kind() {
  return {
      .name = "propose_test_release",
      .summary =
          "an answer for a proposed bound of its local sensitivity, released if a noisy "
          "test passes",
      .parameters = {{"mechanism", "gaussian or laplace, with the proposed bound as sensitivity"},
                     {"scale", "a number > 0: of the Laplace noise on the distance", {}, {"b"}},
                     {"miss",
                      "a number from 0 to below 1: the probability of the test to pass at "
                      "distance 0"}},
      .adjacency = "as_stated: the one for which the distance changes by at most 1; both alike",
      .theorem =
          "either the test and the answer are both as private as their noise, or nothing but a "
          "missed test tells the data sets apart (docs/proofs/thresholds.md#propose)",
      .example = "propose_test_release(gaussian(sigma=2), scale=2, miss=1e-6)",
      .build = build_propose_test_release,
  };
}

}  // namespace plaudit

// gaussian_threshold(sigma or variance, threshold, groups): numbers of users in groups, each with
// Gaussian noise, shown where they exceed the threshold (Swanberg, Desfontaines, Haney, PoPETs
// 2023). Proof: docs/proofs/thresholds.md#gaussian
#include "mechanisms/forms/threshold.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/mixtures/gaussian_loss.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_groups = 100;  ///< each is a curve of its own

MechanismPointer build_gaussian_threshold(const Arguments& arguments) {
  const NoiseLevel noise = arguments.noise_level();
  const Rational threshold = arguments.number("threshold");
  const std::uint64_t groups = arguments.count("groups", most_groups);
  std::string spec =
      "gaussian_threshold(" +
      (arguments.given_as("variance") ? "variance=" + to_string(noise.variance) : noise.text()) +
      ", threshold=" + to_string(threshold);
  if (groups != 1) spec += ", groups=" + std::to_string(groups);
  spec += ')';
  std::vector<ThresholdCase> cases;
  for (std::uint64_t fresh = 0; fresh <= groups; ++fresh) {
    ThresholdCase one;
    one.unseen = [threshold, fresh, variance = noise.variance] {
      const Ball once = normal_cdf(Ball(Rational(threshold - 1)) / sqrt(Ball(variance)));
      return power(once, fresh);
    };
    if (fresh < groups) {
      one.old = std::make_shared<GaussianLoss>(Rational((groups - fresh) / (2 * noise.variance)));
    }
    cases.push_back(std::move(one));
  }
  return threshold_mechanism(spec, cases);
}

}  // namespace

MechanismKind gaussian_threshold_kind();
MechanismKind gaussian_threshold_kind() {
  return {
      .name = "gaussian_threshold",
      .summary =
          "numbers of users with Gaussian noise, shown where they exceed a threshold; a "
          "user is in at most `groups` groups",
      .parameters = {{"sigma", "a number > 0; as variance=, the square itself", {}, {"variance"}},
                     {"threshold", "a number"},
                     {"groups", "an integer from 1 to 100", "1"}},
      .adjacency = "add_remove: one user more or less",
      .theorem =
          "the greatest of the curves over how many of a user's groups are new bounds all "
          "(docs/proofs/thresholds.md#gaussian)",
      .example = "gaussian_threshold(sigma=2, threshold=12)",
      .build = build_gaussian_threshold,
  };
}

}  // namespace plaudit

// Private selection: noisy maxima, the exponential mechanism, sparse vectors.
#include "verification/checker/laws/partition_law.hpp"
#include "verification/checker/laws/threshold_law.hpp"
#include "verification/checker/specs/builders.hpp"

namespace plaudit::proof {

namespace {

constexpr std::uint64_t most_positives = 1'000'000;

Mechanism of_law(std::string text, const std::shared_ptr<const Law>& both) {
  Mechanism result;
  result.text = std::move(text);
  result.one_record = true;
  set_law(result, both);
  return result;
}

}  // namespace

// Proof: docs/proofs/selection.md#bounded-range
Mechanism bounded_range(const Arguments& arguments) {
  const Rational epsilon = arguments.positive("epsilon");
  return of_law("bounded_range(epsilon=" + to_string(epsilon) + ")", law(Range{epsilon}));
}

// Proof: docs/proofs/selection.md#exponential
Mechanism exponential(const Arguments& arguments) {
  const Rational epsilon = arguments.positive("epsilon");
  return of_law("exponential(epsilon=" + to_string(epsilon) + ")", law(Range{epsilon}));
}

// Proof: docs/proofs/selection.md#permute-and-flip
Mechanism permute_and_flip(const Arguments& arguments) {
  const Rational epsilon = arguments.positive("epsilon");
  return of_law("permute_and_flip(epsilon=" + to_string(epsilon) + ")", law(Laplace{epsilon}));
}

// Proof: docs/proofs/selection.md#noisy-max
Mechanism report_noisy_max(const Arguments& arguments) {
  const Rational scale = arguments.positive("scale");
  const Rational sensitivity = arguments.sensitivity();
  return of_law("report_noisy_max(scale=" + to_string(scale) + sensitivity_text(sensitivity) + ")",
                law(Laplace{2 * sensitivity / scale}));
}

// Proof: docs/proofs/selection.md#sparse-vector
Mechanism sparse_vector(const Arguments& arguments) {
  const Rational threshold = arguments.positive("threshold_scale");
  const Rational query = arguments.positive("query_scale");
  const Rational sensitivity = arguments.sensitivity();
  const std::uint64_t positives =
      arguments.has("positives") ? arguments.count("positives", most_positives) : 1;
  std::string text = "sparse_vector(threshold_scale=" + to_string(threshold) +
                     ", query_scale=" + to_string(query) + sensitivity_text(sensitivity);
  if (positives != 1) text += ", positives=" + std::to_string(positives);
  const Rational epsilon =
      sensitivity / threshold + 2 * Rational(Integer(positives)) * sensitivity / query;
  return of_law(text + ")", law(two_points(epsilon, false, 0)));
}

// Proof: docs/proofs/partition_selection.md#law
Mechanism partition_selection(const Arguments& arguments) {
  const Rational epsilon = arguments.positive("epsilon");
  const Rational delta = arguments.number("delta");
  if (delta <= 0 || delta >= 1) arguments.fail("delta", "must lie between 0 and 1");
  Mechanism result;
  result.text =
      "partition_selection(epsilon=" + to_string(epsilon) + ", delta=" + to_string(delta) + ")";
  result.adjacency = of_one_record("add_remove");
  result.symmetric = false;
  result.remove = law(partition_law(epsilon, delta, Direction::remove));
  result.add = law(partition_law(epsilon, delta, Direction::add));
  return result;
}

// Proof: docs/proofs/thresholds.md#laplace
Mechanism laplace_threshold(const Arguments& arguments) {
  const Rational scale = arguments.positive("scale");
  const Rational threshold = arguments.number("threshold");
  const Rational height = (threshold - 1) / scale;
  Mechanism result;
  result.text =
      "laplace_threshold(scale=" + to_string(scale) + ", threshold=" + to_string(threshold) + ")";
  result.adjacency = of_one_record("add_remove");
  result.symmetric = false;
  result.remove = law(laplace_threshold_law(1 / scale, height, Direction::remove));
  result.add = law(laplace_threshold_law(1 / scale, height, Direction::add));
  return result;
}

}  // namespace plaudit::proof

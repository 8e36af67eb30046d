// gaussian_sparse_vector(threshold_sigma, query_sigma, queries, sensitivity): which of at most so
// many queries is the first above a threshold, with Gaussian noise on the threshold and on each
// query (Zhu and Wang, NeurIPS 2020).
//
// Nothing but bounds of moments is known, and none without a cap on the number of queries that are
// asked. Proof: docs/proofs/thresholds.md#sparse-vector
#include <algorithm>
#include <cmath>

#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "mechanisms/forms/symmetric_mechanism.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/laws/bounded_loss.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_queries = 1'000'000'000'000;
constexpr unsigned long bits_of_logarithm =
    90;  ///< behind the point, of log(queries + 1), from above
/// Orders 1 + t at which the bound is taken: t = (8 + i) 2^k / 8, i = 0..7, k from the first to the
/// last. Between two of them the chord of the bound is at most 1/256 of its quadratic part above
/// it.
constexpr int first_doubling = -12;
constexpr int last_doubling = 40;
constexpr int orders_a_doubling = 8;

/// t D_(1+t) <= t (1 + t) rate + log(queries + 1), and at most that of all noisy queries released.
/// Proof: docs/proofs/thresholds.md#sparse-vector
std::vector<BoundedLoss::Point> bounds_of_moments(const Rational& rate, const Rational& query_rate,
                                                  std::uint64_t queries) {
  const PrecisionScope scope(2 * bits_of_logarithm);
  const Ball outcomes =
      PLAUDIT_BOUND("gaussian_sparse_vector.outcomes", log(Ball(queries) + Ball(1)), Ball(0));
  const Integer unit_of_logarithm = Integer(1) << bits_of_logarithm;
  const Integer units = floor_of(Rational(exact_rational(outcomes.upper()) * unit_of_logarithm));
  const Rational added(Integer(units + 1), unit_of_logarithm);
  const Rational all = query_rate * Integer(queries);
  std::vector<BoundedLoss::Point> points;
  for (int k = first_doubling; k <= last_doubling; ++k) {
    for (int i = 0; i < orders_a_doubling; ++i) {
      const Integer eighths = orders_a_doubling + i;
      const Integer unit = Integer(1) << static_cast<unsigned>(std::abs(k));
      const Rational t = k < 0 ? Rational(eighths) / (unit * orders_a_doubling)
                               : Rational(eighths * unit) / orders_a_doubling;
      const Rational square = t * (1 + t);
      points.push_back({t, std::min(Rational(square * rate + added), Rational(square * all))});
    }
  }
  return points;
}

MechanismPointer build_gaussian_sparse_vector(const Arguments& arguments) {
  const Rational threshold = arguments.positive("threshold_sigma");
  const Rational query = arguments.positive("query_sigma");
  const std::uint64_t queries = arguments.count("queries", most_queries);
  const Rational sensitivity = arguments.positive("sensitivity");
  std::string spec = "gaussian_sparse_vector(threshold_sigma=" + to_string(threshold) +
                     ", query_sigma=" + to_string(query) + ", queries=" + std::to_string(queries);
  if (sensitivity != 1) spec += ", sensitivity=" + to_string(sensitivity);
  spec += ')';
  const Rational square = sensitivity * sensitivity;
  const Rational query_rate = square / (2 * query * query);
  const Rational moved =
      PLAUDIT_BOUND("gaussian_sparse_vector.shift", Rational(4 * query_rate), query_rate);
  const Rational rate = square / (2 * threshold * threshold) + moved;
  auto loss = std::make_shared<BoundedLoss>(
      spec, BoundedLoss::bounds_at(bounds_of_moments(rate, query_rate, queries)));
  return std::make_shared<SymmetricMechanism>(spec, std::move(loss), moments_alone(), false);
}

}  // namespace

MechanismKind gaussian_sparse_vector_kind();
MechanismKind gaussian_sparse_vector_kind() {
  return {
      .name = "gaussian_sparse_vector",
      .summary =
          "which of several queries is the first above a threshold, with Gaussian noise: "
          "upper ends only; for c of them with fresh thresholds, its power c",
      .parameters = {{"threshold_sigma", "a number > 0, of the Gaussian noise on the threshold"},
                     {"query_sigma", "a number > 0, of the Gaussian noise on each query"},
                     {"queries", "an integer from 1 to 10^12: at most so many are asked"},
                     {"sensitivity", "a number > 0", "1"}},
      .adjacency =
          "as_stated: the one for which each query changes by at most `sensitivity`; both alike",
      .theorem = "no pair dominates; moments are bounded (docs/proofs/thresholds.md#sparse-vector)",
      .example = "gaussian_sparse_vector(threshold_sigma=5, query_sigma=10, queries=100)",
      .build = build_gaussian_sparse_vector,
  };
}

}  // namespace plaudit

// The labels of batches: probabilities at the working precision hold the exact ones, and what was
// not looked at one by one is bounded.
#include "mechanisms/replacement/batch_labels.hpp"

#include <doctest/doctest.h>

#include "lib/balls/precision.hpp"
#include "mechanisms/forms/sampling_laws.hpp"
#include "mechanisms/replacement/replacement_loss.hpp"
#include "support/containment.hpp"

using namespace plaudit;

namespace {

std::shared_ptr<const BatchLabels> exact_labels(std::uint64_t trials, const Rational& rate) {
  const CountNumbers law = binomial_numbers("test", trials, rate);
  const Integer some = law.whole - law.counts[0];
  std::vector<std::uint64_t> labels;
  for (std::uint64_t k = 1; k <= trials; ++k) labels.push_back(k);
  return counted_labels(Rational(some, law.whole), labels,
                        {law.counts.begin() + 1, law.counts.end()}, some);
}

}  // namespace

TEST_CASE("binomial labels: what balls and exact numbers say is the same") {
  const PrecisionScope scope(128);
  for (const auto& each : {std::pair<std::uint64_t, Rational>{1, Rational(1, 3)},
                           {7, Rational(1, 1000000)},
                           {40, Rational(2, 5)},
                           {60, Rational(49, 50)}}) {
    const auto& trials = each.first;
    const auto& rate = each.second;
    const auto balls = binomial_labels(trials, rate);
    const auto exact = exact_labels(trials, rate);
    REQUIRE(balls->count() == exact->count());
    CHECK_OVERLAPS(balls->rate(), exact->rate());
    CHECK(balls->rate().relative_accuracy_bits() > 90);
    const std::vector<Ball> one = balls->weights(0, trials);
    const std::vector<Ball> other = exact->weights(0, trials);
    for (std::uint64_t i = 0; i < trials; ++i) {
      INFO(trials, " at ", estimate(rate), ", label ", i + 1);
      CHECK(balls->at(i) == exact->at(i));
      CHECK_OVERLAPS(one[i], other[i]);
      CHECK(one[i].relative_accuracy_bits() > 90);
      CHECK(balls->estimate_log_weight(i) ==
            doctest::Approx(exact->estimate_log_weight(i)).epsilon(1e-9));
      for (const std::uint64_t size : {std::uint64_t{1}, trials - i}) {
        const Ball bound = balls->outside(i, size);
        CHECK(certainly_greater_equal(bound * Ball(1.0000001), exact->outside(i, size).lower()));
        CHECK(bound.upper_double() <= exact->outside(i, size).upper_double() * 1.0000001 +
                                          (i > 0 ? 1 / balls->rate().estimate() : 0));
      }
    }
    CHECK(balls->outside(0, trials).is_exact_zero());
  }
}

// 30,000 of 100,000 draws, a deviation of 145: labels beyond 14 deviations are not looked at.
TEST_CASE("labels beyond the range are bounded: all masses sum to 1") {
  const ReplacementLoss loss(Rational(20), Rational(1), binomial_labels(100000, Rational(3, 10)));
  const PrecisionScope scope(320);
  const Ball far(-1000000);
  const Ball p = loss.p_above(far);
  CHECK_CONTAINS(p, Ball(1));
  CHECK(p.relative_accuracy_bits() > 100);
  CHECK(p.relative_accuracy_bits() < 300);
}

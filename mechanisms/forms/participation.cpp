#include "mechanisms/forms/participation.hpp"

#include <algorithm>

#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

/// Over a common denominator: sums of fractions would be reduced each time.
struct ScaledWeights {
  std::vector<Integer> numbers;
  Integer denominator = 1;

  explicit ScaledWeights(const std::vector<Rational>& weights) {
    for (const Rational& weight : weights)
      denominator = lcm(denominator, plaudit::denominator(weight));
    for (const Rational& weight : weights) {
      numbers.push_back(numerator(weight) * (denominator / plaudit::denominator(weight)));
    }
  }
};

/// Element c is the greatest sum of weights >= 0 over at most c of the places from .. to-1, any two
/// of them `separation` apart; c goes up to `most`, or to how many places fit.
std::vector<Integer> best_sums(const std::vector<Integer>& weights, std::size_t from,
                               std::size_t to, std::size_t most, std::size_t separation) {
  std::vector<Integer> result{Integer(0)};
  if (from >= to) return result;
  const std::size_t length = to - from;
  most = std::min(most, (length + separation - 1) / separation);
  std::vector<Integer> before(length + 1, Integer(0));  // with one place less
  for (std::size_t taken = 0; taken < most; ++taken) {
    std::vector<Integer> best(length + 1, Integer(0));  // among the first j places
    for (std::size_t j = 0; j < length; ++j) {
      if ((j & 255) == 0) check_work_limit();
      const Integer with =
          weights[from + j] + (j + 1 >= separation ? before[j + 1 - separation] : Integer(0));
      best[j + 1] = std::max(best[j], with);
    }
    before = std::move(best);
    result.push_back(before[length]);
  }
  return result;
}

/// The greatest sum over a place i and at most `others` more, all `separation` apart.
Integer best_around(const std::vector<Integer>& weights, std::size_t i, std::size_t others,
                    std::size_t separation) {
  const std::size_t left = i + 1 >= separation ? i + 1 - separation : 0;
  const std::size_t right = std::min(i + separation, weights.size());
  const std::vector<Integer> earlier = best_sums(weights, 0, left, others, separation);
  const std::vector<Integer> later = best_sums(weights, right, weights.size(), others, separation);
  Integer best = 0;
  for (std::size_t c = 0; c < earlier.size() && c <= others; ++c) {
    const Integer& rest = later[std::min(others - c, later.size() - 1)];
    best = std::max(best,
                    Integer(PLAUDIT_BOUND("participation.earlier", earlier[c], Integer(0)) + rest));
  }
  return weights[i] + best;
}

}  // namespace

double participation_work(const Participation& who, std::size_t reach) {
  const auto n = static_cast<double>(who.steps);
  const double k =
      std::min(static_cast<double>(who.most), n / static_cast<double>(who.separation) + 1);
  return who.most == 1 ? n : reach <= who.separation ? n * k : n * n * k;
}

// Proof: docs/proofs/matrix.md#participation
Rational greatest_square_sensitivity(const Participation& who, const Gram& gram) {
  std::vector<Rational> totals;
  if (who.most == 1 || gram.reach <= who.separation) {
    for (std::size_t i = 0; i < who.steps; ++i) totals.push_back(gram.entry(i, i));
  } else {
    for (std::size_t i = 0; i < who.steps; ++i) {
      std::vector<Rational> row;
      for (std::size_t j = 0; j < who.steps; ++j) row.push_back(abs(gram.entry(i, j)));
      const ScaledWeights scaled(row);
      const Integer sum = best_around(scaled.numbers, i, who.most - 1, who.separation);
      totals.emplace_back(sum, scaled.denominator);
    }
  }
  const ScaledWeights scaled(totals);
  return Rational(best_sums(scaled.numbers, 0, who.steps, who.most, who.separation).back(),
                  scaled.denominator);
}

}  // namespace plaudit

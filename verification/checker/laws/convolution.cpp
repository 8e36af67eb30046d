#include "verification/checker/laws/convolution.hpp"

#include <algorithm>
#include <bit>

#include "accountants/proof/arithmetic/budget.hpp"
#include "verification/checker/laws/discrete_noise.hpp"

namespace plaudit::proof {

namespace {

using Word = std::uint64_t;
constexpr long bits_of_word = 64;
constexpr long spare_bits = 64;  ///< of the probabilities, beyond the precision asked for

long length_of(std::uint64_t n) { return static_cast<long>(std::bit_width(n)); }

/// Words for a coefficient of a product, which is at most (2 reach + 1) 2^(2 places).
std::size_t words_of_coefficient(const ConvolutionPlan& plan) {
  const long bits = 2 * plan.places + length_of(2 * static_cast<std::uint64_t>(plan.reach) + 1) + 2;
  return static_cast<std::size_t>((bits + bits_of_word - 1) / bits_of_word);
}

/// Numbers that belong to the outcomes 0 .. reach; that of -k is the one of k.
using Half = std::vector<Integer>;

Integer packed(const Half& half, std::size_t words) {
  const std::size_t reach = half.size() - 1;
  std::vector<Word> all((2 * reach + 1) * words, 0);
  for (std::size_t i = 0; i <= 2 * reach; ++i) {
    const Integer& value = half[i < reach ? reach - i : i - reach];
    std::size_t written = 0;
    mpz_export(all.data() + i * words, &written, -1, sizeof(Word), 0, 0, value.data());
  }
  Integer result;
  mpz_import(result.data(), all.size(), -1, sizeof(Word), 0, 0, all.data());
  return result;
}

/// What the product has at 0 .. reach, in units of 2^-places again, rounded down or up.
Half product(const Half& a, const Half& b, const ConvolutionPlan& plan, bool up) {
  const std::size_t words = words_of_coefficient(plan);
  const Integer both = packed(a, words) * packed(b, words);
  const std::size_t reach = a.size() - 1;
  std::vector<Word> all((4 * reach + 2) * words, 0);
  std::size_t written = 0;
  mpz_export(all.data(), &written, -1, sizeof(Word), 0, 0, both.data());
  const Integer one = Integer(1) << static_cast<unsigned long>(plan.places);
  Half result(a.size());
  for (std::size_t k = 0; k <= reach; ++k) {
    Integer value;
    mpz_import(value.data(), words, -1, sizeof(Word), 0, 0, all.data() + (2 * reach + k) * words);
    const auto places = static_cast<mp_bitcnt_t>(plan.places);
    if (up) {
      mpz_cdiv_q_2exp(result[k].data(), value.data(), places);
      result[k] = std::min(result[k], one);  // probabilities
    } else {
      mpz_fdiv_q_2exp(result[k].data(), value.data(), places);
    }
  }
  return result;
}

struct Bounds {
  Half low;
  Half high;
};

Bounds product(const Bounds& a, const Bounds& b, const ConvolutionPlan& plan) {
  return {product(a.low, b.low, plan, false), product(a.high, b.high, plan, true)};
}

/// e^(-k^2/(2v)) / S, S the sum over all integers k, in units of 2^-places.
Bounds one_party(const ConvolutionPlan& plan) {
  const PrecisionScope scope(plan.places + spare_bits);
  Budget budget(Limits{});
  const Rational unit(Integer(1) << static_cast<unsigned long>(plan.places));
  const Interval rate(Rational(-1 / (2 * plan.variance)));
  const Interval step = exp(2 * rate);
  Interval term = 1 / discrete_gaussian_normaliser(plan.variance, budget);
  Interval ratio = exp(rate);
  const auto size = static_cast<std::size_t>(plan.reach) + 1;
  Bounds result{Half(size), Half(size, Integer(1))};  // 0 and 1 where the term is below a unit
  for (std::size_t k = 0; k < size; ++k) {
    const Rational high = upper(term) * unit;
    if (high < 1) break;
    result.low[k] = floor_of(Rational(lower(term) * unit));
    result.high[k] = floor_of(high) + 1;
    term *= ratio;
    ratio *= step;
  }
  return result;
}

}  // namespace

// Proof: docs/proofs/integer_noise.md#convolution
ConvolutionPlan convolution_plan(std::uint64_t parties, const Rational& variance, long last,
                                 long bits) {
  const Integer n(parties);
  const Rational whole = n * variance;
  const Rational nats = Rational(Integer(last) * Integer(last)) / (2 * whole) + n / (8 * variance);
  const long length = length_of(parties);
  const long places = bits + 2 * length + spare_bits + to_long(floor_of(Rational(3 * nats / 2)));
  const Rational left_out = Rational(7 * places, 10) + length + 2;
  const long reach = 1 + to_long(root_of(floor_of(Rational(2 * whole * left_out))));
  return {parties, variance, last, places, std::max(last, reach)};
}

Integer cost_of(const ConvolutionPlan& plan) {
  const Integer words =
      Integer(2 * plan.reach + 1) * Integer(static_cast<long>(words_of_coefficient(plan)));
  return Integer(length_of(plan.parties)) * words * root_of(words) / 2;
}

std::vector<Interval> summed_masses(const ConvolutionPlan& plan) {
  const Bounds one = one_party(plan);
  Bounds sum = one;
  for (long bit = length_of(plan.parties) - 2; bit >= 0; --bit) {
    sum = product(sum, sum, plan);
    if ((plan.parties >> bit & 1U) != 0) sum = product(sum, one, plan);
  }
  const Integer unit = Integer(1) << static_cast<unsigned long>(plan.places);
  std::vector<Interval> result;
  for (std::size_t k = 0; k <= static_cast<std::size_t>(plan.last); ++k) {
    // what was left out is less than a unit: the reach was chosen so
    result.push_back(hull(Interval(Rational(sum.low[k], unit)),
                          Interval(Rational(Integer(sum.high[k] + 1), unit))));
  }
  return result;
}

}  // namespace plaudit::proof

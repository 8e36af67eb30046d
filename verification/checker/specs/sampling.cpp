#include "verification/checker/specs/sampling.hpp"

#include <algorithm>

#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

namespace {

constexpr long most_bits = 50'000'000;  ///< of all numerators of a law (costs.md#laws)

Integer bits_of(const Integer& x) { return Integer(msb(x) + 1); }

void check_length(const Integer& terms, const Integer& bits_of_each) {
  require(terms * bits_of_each <= most_bits, "the exact law of a batch is too long to write down");
}

Integer choose(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  Integer result = 1;
  for (std::uint64_t i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
  return result;
}

}  // namespace

CountLaw binomial(std::uint64_t trials, const Rational& rate) {
  CountLaw law;
  if (rate == 1) {
    law.resize(trials + 1);
    law.back() = 1;
    return law;
  }
  const Integer count(trials);
  check_length(count + 1, count * bits_of(denominator(rate)));
  const Integer whole = pow(denominator(rate), static_cast<unsigned>(trials));
  const Integer taken = numerator(rate);
  const Integer left = denominator(rate) - taken;
  // C(n, k) taken^k left^(n-k), each from the one before: an exact division
  Integer weight = pow(left, static_cast<unsigned>(trials));
  for (std::uint64_t k = 0; k <= trials; ++k) {
    law.emplace_back(weight, whole);
    weight = weight * (trials - k) * taken / (left * (k + 1));
  }
  return law;
}

// The black balls take `black` of all places in a row, of which the first `drawn` are drawn:
// C(drawn, j) C(all - drawn, black - j) / C(all, black).
CountLaw hypergeometric(std::uint64_t drawn, std::uint64_t white, std::uint64_t black) {
  const std::uint64_t all = white + black;
  require(drawn <= all, "a batch is greater than the population");
  const std::uint64_t most = std::min(drawn, black);
  check_length(Integer(most) + 1, Integer(black) * bits_of(Integer(all)));
  const Integer whole = choose(all, black);
  CountLaw law;
  for (std::uint64_t j = 0; j <= most; ++j) {
    law.emplace_back(Integer(choose(drawn, j) * choose(all - drawn, black - j)), whole);
  }
  return law;
}

}  // namespace plaudit::proof

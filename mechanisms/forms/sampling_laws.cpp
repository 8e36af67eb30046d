#include "mechanisms/forms/sampling_laws.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "lib/exact/checked_integer.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

void check_bits(const char* mechanism, double terms, double bits_of_each) {
  if (terms * bits_of_each <= most_law_bits) return;
  throw SpecError(std::string(mechanism) +
                  ": the exact probabilities of the number of records in a batch would have " +
                  std::to_string(clamped_integer(terms * bits_of_each, 0, most_index)) +
                  " bits; the limit is 5e7");
}

CountLaw reduced(const CountNumbers& numbers) {
  CountLaw law;
  law.reserve(numbers.counts.size());
  for (const Integer& count : numbers.counts) law.emplace_back(count, numbers.whole);
  return law;
}

}  // namespace

CountLaw binomial_law(const char* mechanism, std::uint64_t trials, const Rational& rate) {
  return reduced(binomial_numbers(mechanism, trials, rate));
}

CountLaw hypergeometric_law(const char* mechanism, std::uint64_t drawn, std::uint64_t white,
                            std::uint64_t black) {
  return reduced(hypergeometric_numbers(mechanism, drawn, white, black));
}

CountNumbers binomial_numbers(const char* mechanism, std::uint64_t trials, const Rational& rate) {
  CountNumbers law;
  if (rate == 1) {
    law.counts.resize(trials + 1);
    law.counts.back() = 1;
    law.whole = 1;
    return law;
  }
  const Integer taken = numerator(rate);
  const Integer whole = denominator(rate);
  const Integer left = whole - taken;
  const double terms = static_cast<double>(trials) + 1;
  check_bits(mechanism, terms, (terms - 1) * (static_cast<double>(msb(whole)) + 1));
  law.whole = pow(whole, static_cast<unsigned>(trials));
  // From one numerator to the next: times (trials-k) taken, divided by (k+1) left, which is exact.
  Integer weight = pow(left, static_cast<unsigned>(trials));
  for (std::uint64_t k = 0; k <= trials; ++k) {
    law.counts.push_back(weight);
    weight = weight * (trials - k) * taken / (left * (k + 1));
  }
  return law;
}

// C(drawn, j) C(white + black - drawn, black - j) / C(white + black, black): which places of the
// sequence of all balls the black ones take. The numbers have about black log(white) bits.
CountNumbers hypergeometric_numbers(const char* mechanism, std::uint64_t drawn, std::uint64_t white,
                                    std::uint64_t black) {
  const std::uint64_t rest = white + black - drawn;  // >= black, since drawn <= white
  const double terms = static_cast<double>(std::min(drawn, black)) + 1;
  check_bits(mechanism, terms,
             static_cast<double>(black) * std::log2(static_cast<double>(white + black)));
  Integer all = 1;
  Integer weight = 1;  // C(rest, black)
  for (std::uint64_t i = 0; i < black; ++i) {
    all = all * (white + black - i) / (i + 1);
    weight = weight * (rest - i) / (i + 1);
  }
  CountNumbers law;
  law.whole = all;
  for (std::uint64_t j = 0; j <= std::min(drawn, black); ++j) {
    law.counts.push_back(weight);
    if (j == std::min(drawn, black)) break;
    // C(drawn, j+1) / C(drawn, j) and C(rest, black-j-1) / C(rest, black-j), both exact in turn
    weight = weight * (drawn - j) / (j + 1);
    weight = weight * (black - j) / (rest - black + j + 1);
  }
  return law;
}

}  // namespace plaudit

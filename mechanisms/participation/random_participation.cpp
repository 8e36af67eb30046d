#include "mechanisms/participation/random_participation.hpp"

#include <algorithm>

#include "lib/work/work_limit.hpp"

namespace plaudit {

Rational free_share(const RandomParticipation& scheme) {
  return 1 / (1 + Rational(Integer(scheme.period - 1)) * *scheme.rate);
}

// The columns of a pattern share no row, and a later column has no more rows: the steps 0, period,
// ... Proof: docs/proofs/random_participation.md#pair
Rational greatest_square(const RandomParticipation& scheme) {
  std::vector<Rational> squares{0};  // of columns with so many rows
  for (const Rational& each : scheme.coefficients) {
    squares.push_back(squares.back() + each * each);
  }
  Rational sum = 0;
  for (std::size_t column = 0; column < scheme.steps; column += scheme.period) {
    sum += squares[std::min(scheme.bands(), scheme.steps - column)];
  }
  return scheme.ratio * sum;
}

BinProducts products_of_bins(const RandomParticipation& scheme) {
  const std::size_t bins = scheme.period;
  BinProducts products(bins);
  for (std::size_t row = 0; row < scheme.steps; ++row) {
    for (std::size_t d = 0; d < scheme.bands() && d <= row; ++d) {
      for (std::size_t e = 0; e < scheme.bands() && e <= row; ++e) {
        products[(row - d) % bins][(row - e) % bins] +=
            scheme.coefficients[d] * scheme.coefficients[e];
      }
    }
    if ((row & 255) == 0) check_work_limit();
  }
  return products;
}

}  // namespace plaudit

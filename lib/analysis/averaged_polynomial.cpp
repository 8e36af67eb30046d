#include "lib/analysis/averaged_polynomial.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "lib/mutant.hpp"

namespace plaudit {

NearDoubles::NearDoubles(const std::vector<Ball>& exact) {
  values.reserve(exact.size());
  distances.reserve(exact.size());
  for (const Ball& each : exact) {
    values.push_back(each.estimate());
    distances.push_back(abs(each - Ball(values.back())).upper_double());
  }
}

Averages::Averages(const std::vector<Ball>& moments) {
  const std::size_t count = moments.size();
  if (count > most_moments) throw std::invalid_argument("averages: too many moments");
  columns_.assign(count, 0.0);
  std::vector<double> near;
  for (const Ball& moment : moments) {
    near.push_back(moment.estimate());
    const Ball distance = abs(moment - Ball(near.back()));
    if (!certainly_less_equal(distance, Ball(near.back()) * Ball(0x1p-52) + Ball(0x1p-1020))) {
      throw std::invalid_argument("averages: a moment that is not known to a double");
    }
  }
  std::vector<double> binomials(count);  // of k + m over k, m = 0, 1, ...: exact, below 2^52
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<double> row;
    for (std::size_t m = 0; k + m < count; ++m) {
      binomials[m] = m == 0 ? 1 : binomials[m] + binomials[m - 1];
      row.push_back(binomials[m] * near[m]);
      columns_[k + m] += row.back();
    }
    rows_.push_back(std::move(row));
  }
}

// binary64 bound: docs/proofs/blocks.md#averages
DoublePolynomial Averages::operator()(const NearDoubles& coefficients) const {
  const std::size_t count = coefficients.values.size();
  if (count > size()) throw std::invalid_argument("averages: more coefficients than moments");
  std::vector<double> result(count);
  double distance = 0;
  double size = 0;
  double plain = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const double* values = &coefficients.values[k];
    const double* row = rows_[k].data();
    double sum = 0;
    for (std::size_t m = 0; m < count - k; ++m) sum += values[m] * row[m];
    result[k] = sum;
    distance += coefficients.distances[k] * columns_[k];
    size += std::fabs(values[0]) * columns_[k];
    plain += std::fabs(values[0]);
  }
  const Ball roundings(static_cast<double>(count + 4) * 0x1p-53);
  const Ball tiny = Ball(plain) * Ball(0x1p-960) + Ball(0x1p-1060);
  const Ball off = (Ball(distance) + roundings * Ball(size) + tiny) * Ball(1 + 0x1p-20);
  return {std::move(result), PLAUDIT_BOUND("blocks.averages", off, Ball(0))};
}

}  // namespace plaudit

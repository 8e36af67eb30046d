// Matrix mechanisms, from the text of a spec: the Gaussian of the greatest sum of squares that a
// record moves, where its steps share no row.
#include <algorithm>
#include <functional>
#include <vector>

#include "verification/forms/spec_call.hpp"

namespace plaudit::pairs {

namespace {

/// @param times that a record takes part, at most
/// @param dot of two columns of the encoder.
LawPointer streamed(Call& call, std::uint64_t steps, std::uint64_t times,
                    const std::function<Rational(std::uint64_t, std::uint64_t)>& dot) {
  const Rational square = squared_ratio(call);
  const std::uint64_t apart = call.count("min_separation", 1);
  times = std::min(times, (steps + apart - 1) / apart);
  if (times > 1 && steps > most_columns) return nullptr;
  std::vector<Rational> best(steps + 1, Rational(0));  // of patterns within the first j steps
  for (std::uint64_t used = 0; used < times; ++used) {
    std::vector<Rational> next(steps + 1, Rational(0));
    for (std::uint64_t j = 1; j <= steps; ++j) {
      for (std::uint64_t i = j + apart; times > 1 && i <= steps; ++i) {
        if (dot(j, i) != 0) return nullptr;
      }
      next[j] = std::max(next[j - 1], dot(j, j) + best[j >= apart ? j - apart : 0]);
    }
    best = std::move(next);
  }
  return gaussian_of(best[steps] * square);
}

}  // namespace

LawPointer toeplitz(Call& call) {
  const auto* first = call.take<std::vector<Rational>>("coefficients");
  const std::uint64_t steps = call.count("steps", 1);
  const std::uint64_t times = call.count("participations", 1);
  if (first == nullptr) return nullptr;
  if (steps > most_columns && times == 1) {
    Rational sum = 0;  // of the first column, the longest
    for (std::size_t i = 0; i < std::min<std::size_t>(first->size(), steps); ++i) {
      sum += (*first)[i] * (*first)[i];
    }
    return streamed(call, 1, 1, [&](std::uint64_t, std::uint64_t) { return sum; });
  }
  return streamed(call, steps, times, [&](std::uint64_t j, std::uint64_t i) {
    Rational sum = 0;
    for (std::uint64_t row = i; row <= steps && row - j < first->size(); ++row) {
      sum += (*first)[row - j] * (*first)[row - i];
    }
    return sum;
  });
}

LawPointer matrix(Call& call) {
  const auto* rows = call.take<syntax::Vectors>("encoder");
  const std::uint64_t times = call.count("participations", 1);
  if (rows == nullptr) return nullptr;
  return streamed(call, rows->size(), times, [&](std::uint64_t j, std::uint64_t i) {
    Rational sum = 0;
    for (const auto& row : *rows) sum += row[j - 1] * row[i - 1];
    return sum;
  });
}

LawPointer tree(Call& call) {
  const std::uint64_t steps = call.count("steps", 1);
  long levels = 0;  // lengths of complete dyadic intervals; the first step is in one of each
  for (std::uint64_t length = 1; length <= steps; length *= 2) ++levels;
  if (call.count("participations", 1) != 1) return nullptr;
  return streamed(call, 1, 1, [&](std::uint64_t, std::uint64_t) { return Rational(levels); });
}

}  // namespace plaudit::pairs

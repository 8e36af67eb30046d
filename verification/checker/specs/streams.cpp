// Matrix mechanisms: noise on the rows of an encoder times a stream of which one record moves at
// most `participations` steps, any two of them `min_separation` apart. The Gaussian pair at the
// greatest distance that a record can move the rows by dominates; its square is found exactly, or
// bounded. Proof: docs/proofs/matrix.md#participation
#include <functional>

#include "verification/checker/specs/builders.hpp"

namespace plaudit::proof {

namespace {

constexpr std::uint64_t most_steps_of_stream = 1'000'000;
constexpr std::size_t most_coefficients = 2000;
constexpr long most_sums = 1'000'000;  ///< that a law of a certificate may take
constexpr long operations_of_sum = 10;

/// The columns of the encoder: their products, 0 where |i - j| >= reach.
struct Columns {
  std::size_t steps;
  std::size_t reach;
  std::function<Rational(std::size_t, std::size_t)> product;
};

struct Participation {
  std::uint64_t most;
  std::uint64_t separation;
};

/// The greatest sums of 0, 1, ..., `most` of the weights at places in [from, to), which are at
/// least `separation` apart. Sums of fewer where there is no room for so many.
std::vector<Rational> best_sums(const std::vector<Rational>& weights, std::size_t from,
                                std::size_t to, std::size_t most, std::size_t separation) {
  std::vector<Rational> sums{0};
  if (from >= to) return sums;
  std::vector<Rational> fewer(to - from + 1, Rational(0));  // of the first places, one weight less
  for (std::size_t taken = 1; taken <= most; ++taken) {
    std::vector<Rational> best(to - from + 1, Rational(0));
    for (std::size_t i = 1; i <= to - from; ++i) {
      const Rational& before = fewer[i >= separation ? i - separation : 0];
      const Rational with = weights[from + i - 1] + before;
      best[i] = with > best[i - 1] ? with : best[i - 1];
    }
    fewer = std::move(best);
    sums.push_back(fewer.back());
  }
  return sums;
}

/// The greatest sum over place i and at most `others` more.
Rational best_around(const std::vector<Rational>& weights, std::size_t i, std::size_t others,
                     std::size_t separation) {
  const std::size_t left = i + 1 > separation ? i + 1 - separation : 0;
  const std::size_t right = std::min(i + separation, weights.size());
  const auto earlier = best_sums(weights, 0, left, others, separation);
  const auto later = best_sums(weights, right, weights.size(), others, separation);
  Rational best = 0;
  for (std::size_t c = 0; c <= others; ++c) {
    const Rational sum =
        earlier[std::min(c, earlier.size() - 1)] + later[std::min(others - c, later.size() - 1)];
    best = std::max(best, sum);
  }
  return weights[i] + best;
}

/// docs/proofs/matrix.md#participation
Rational greatest_square(const Columns& columns, const Participation& who, std::size_t most) {
  const auto separation = static_cast<std::size_t>(who.separation);
  std::vector<Rational> totals;
  for (std::size_t i = 0; i < columns.steps; ++i) {
    if (most == 1 || columns.reach <= separation) {
      totals.push_back(columns.product(i, i));
      continue;
    }
    std::vector<Rational> row;
    for (std::size_t j = 0; j < columns.steps; ++j) {
      row.emplace_back(abs(columns.product(i, j)));
    }
    totals.push_back(best_around(row, i, most - 1, separation));
  }
  return best_sums(totals, 0, columns.steps, most, separation).back();
}

/// @param worst the greatest product of a column with itself, where that is known.
Mechanism stream(const Arguments& arguments, std::string text, const Columns& columns,
                 const std::optional<Rational>& worst) {
  const char* level = arguments.has("variance") ? "variance" : "sigma";
  const bool by_variance = arguments.has("variance");
  const Rational noise = by_variance ? arguments.variance() : arguments.positive(level);
  const Rational sensitivity = arguments.sensitivity();
  const auto count = [&](const char* key) -> std::uint64_t {
    if (!arguments.has(key)) return 1;
    const std::uint64_t value = arguments.count(key, most_steps_of_stream);
    if (value != 1) text += std::string(", ") + key + "=" + std::to_string(value);
    return value;
  };
  text += std::string(", ") + level + "=" + to_string(noise) + sensitivity_text(sensitivity);
  Participation who{};
  who.most = count("participations");
  who.separation = count("min_separation");
  const std::uint64_t n = columns.steps;
  const std::uint64_t most = std::min(who.most, (n + who.separation - 1) / who.separation);
  Mechanism result;
  result.text = text + ")";
  Rational square;
  if (most == 1 && worst) {
    square = *worst;
  } else {
    Integer sums = Integer(n) * Integer(most);
    if (most > 1 && columns.reach > who.separation) sums *= Integer(n);
    if (sums > most_sums) arguments.fail("steps", "and participations take more than 10^6 sums");
    result.operations = operations_of_sum * sums;
    square = greatest_square(columns, who, static_cast<std::size_t>(most));
  }
  require(square > 0, "the spec: an encoder that is 0");
  const Rational variance = by_variance ? noise : Rational(noise * noise);
  set_law(result, law(Gaussian{square * sensitivity * sensitivity / (2 * variance)}));
  return result;
}

}  // namespace

// Proof: docs/proofs/matrix.md#adaptive
Mechanism matrix(const Arguments& arguments) {
  if (arguments.is<Quoted>("encoder")) {
    arguments.fail("encoder", "is a file; a certificate needs its rows in the spec");
  }
  const auto& rows = arguments.typed<std::vector<std::vector<Rational>>>("encoder");
  std::string text = "matrix(encoder=[";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != rows.size()) arguments.fail("encoder", "must be square");
    for (std::size_t j = i + 1; j < rows.size(); ++j) {
      if (rows[i][j] != 0) arguments.fail("encoder", "must be lower triangular");
    }
    text += (i > 0 ? ", " : "") + list_text(rows[i]);
  }
  const std::size_t n = rows.size();
  std::vector<std::vector<Rational>> products(n, std::vector<Rational>(n, Rational(0)));
  std::size_t reach = 1;
  for (const std::vector<Rational>& row : rows) {
    std::vector<std::size_t> places;
    for (std::size_t j = 0; j < n; ++j) {
      if (row[j] != 0) places.push_back(j);
    }
    for (std::size_t a = 0; a < places.size(); ++a) {
      for (std::size_t b = a; b < places.size(); ++b) {
        products[places[a]][places[b]] += row[places[a]] * row[places[b]];
        reach = std::max(reach, places[b] - places[a] + 1);
      }
    }
  }
  const auto product = [&](std::size_t i, std::size_t j) {
    return products[std::min(i, j)][std::max(i, j)];
  };
  return stream(arguments, text + "]", {n, reach, product}, std::nullopt);
}

// Proof: docs/proofs/matrix.md#adaptive
Mechanism toeplitz(const Arguments& arguments) {
  const auto& column = arguments.typed<std::vector<Rational>>("coefficients");
  if (column.size() > most_coefficients || column[0] == 0) {
    arguments.fail("coefficients", "must be at most 2000, the first one not 0");
  }
  const std::uint64_t steps = arguments.count("steps", most_steps_of_stream);
  const auto n = static_cast<std::size_t>(steps);
  const std::size_t length = std::min(column.size(), n);
  // Columns i and i + lag share `rows` rows of the first one's last entries.
  std::vector<std::vector<Rational>> sums(length);  // [lag][rows - 1], each lag once it is needed
  const auto of_lag = [&](std::size_t lag) -> const std::vector<Rational>& {
    Rational sum = 0;
    for (std::size_t k = sums[lag].size(); k + lag < length; ++k) {
      sum += column[k] * column[k + lag];
      sums[lag].push_back(sum);
    }
    return sums[lag];
  };
  const auto product = [&](std::size_t i, std::size_t j) -> Rational {
    const std::size_t lag = std::max(i, j) - std::min(i, j);
    if (lag >= length) return 0;
    return of_lag(lag)[std::min(n - std::max(i, j), length - lag) - 1];
  };
  return stream(arguments,
                "toeplitz(coefficients=" + list_text(column) + ", steps=" + std::to_string(steps),
                {n, length, product}, of_lag(0).back());
}

// Proof: docs/proofs/matrix.md#tree
Mechanism tree(const Arguments& arguments) {
  const std::uint64_t steps = arguments.count("steps", most_steps_of_stream);
  const auto n = static_cast<std::size_t>(steps);
  /// How many complete dyadic intervals of steps hold both.
  const auto product = [n](std::size_t i, std::size_t j) {
    long shared = 0;
    for (std::size_t width = 1; width <= n; width *= 2) {
      if (i / width == j / width && (i / width + 1) * width <= n) ++shared;
    }
    return Rational(shared);
  };
  return stream(arguments, "tree(steps=" + std::to_string(steps), {n, n, product}, product(0, 0));
}

}  // namespace plaudit::proof

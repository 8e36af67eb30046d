// Rows of the recursion over a record's two hidden states, and the noise of one row in cells, for
// TwoStateUpper and TwoStateAttack (two_state_filter.hpp). The likelihood ratio so far is t, p its
// share in state 0; place k is t = e^(mesh k). Proof: docs/proofs/random_participation.md#plane
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "lib/balls/ball.hpp"
#include "mechanisms/participation/random_participation.hpp"

namespace plaudit {

using StatePair = std::array<Ball, 2>;
using StateMatrix = std::array<std::array<Rational, 2>, 2>;

/// A row: the new states are (constant + old X + young Y) times the former ones, where Y = exp(a y
/// - a^2/2) for a the mean of a record that takes part in the row, X that of one who did in the row
/// before.
struct TwoStateRow {
  StateMatrix constant;
  StateMatrix old;
  StateMatrix young;
};

struct TwoStateScheme {
  std::array<Rational, 2> begin;  ///< probabilities of the states before the first row
  TwoStateRow first;
  TwoStateRow later;
  Ball mean_old;
  Ball mean_young;
  bool straight;  ///< (X, Y) is on a straight line: the chord stands for the triangle
};

TwoStateScheme two_state_scheme(const RandomParticipation& scheme);

inline constexpr double noise_reach = 8.5;  ///< deviations of the noise that are told apart

/// The likelihood ratio exp(mean y - mean^2 / 2) of a normal y.
Ball ratio_at(const Ball& mean, const Ball& y);

/// Values of (X, Y) and a weight under Q.
struct NoiseVertex {
  Ball x;
  Ball y;
  Ball weight;
};

/// A cell of the noise: Q of it, and E_Q [X; cell] and E_Q [Y; cell].
struct NoiseCell {
  Ball q;
  Ball x;
  Ball y;
};

/// The cells between rising bounds, the first and the last one without an end, of X and Y with
/// these means.
std::vector<NoiseCell> noise_cells(const std::vector<Ball>& bounds, const Ball& mean_x,
                                   const Ball& mean_y);

/// Standard normal noise in cells, the first and the last one without an end.
class RowNoise {
 public:
  explicit RowNoise(const TwoStateScheme& plane);

  std::vector<NoiseCell> cells() const;

  /// Of each cell with two ends, vertices whose convex hull contains the curve (X, Y) over it, with
  /// weights whose mean is the curve's, or its upper end where the triangle is not told; of the
  /// lower tail its end; of the upper tail its end, and in `beyond` E_Q [X + Y; tail]. Proof:
  /// docs/proofs/random_participation.md#cells
  std::vector<NoiseVertex> vertices(Ball& beyond) const;

 private:
  Ball x_at(std::size_t i) const;
  Ball y_at(std::size_t i) const;
  void add_vertices(std::size_t i, const NoiseCell& cell, std::vector<NoiseVertex>& result) const;

  const TwoStateScheme& plane_;
  std::vector<Ball> bounds_;
};

/// The states after a row, of (p, 1 - p) before it.
StatePair after_row(const TwoStateRow& row, const std::array<Rational, 2>& before, const Ball& x,
                    const Ball& y);

inline constexpr int share_steps = 32;  ///< of p: its nodes are 0, 1/32, ..., 1
std::array<Rational, 2> share_node(int j);

/// From a node to node `to`, `shift` places of log t further.
struct GridMove {
  int to;
  long shift;
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy takes the 0 of a comparison for a pointer
  auto operator<=>(const GridMove&) const = default;
};

/// Masses by node of p and place of log t.
using GridMasses = std::vector<std::vector<double>>;

/// to[k + shift] += weight from[k] for the places k of a row. Where `keeps`, what leaves the row
/// goes to its nearest end; else it is dropped.
void add_shifted(const std::vector<double>& from, double weight, long shift, bool keeps,
                 std::vector<double>& to);

inline constexpr long two_state_bits = 128;  ///< of weights before they are rounded to doubles
inline constexpr double seconds_of_product = 1e-9;  ///< nominal work of one sum of a row
inline constexpr double smallest_mass =
    1e-200;  ///< masses below are raised to it in upper bounds, dropped in lower ones

/// Products of doubles far below the first place are lost: fewer than 10^15 of them, each under
/// 10^-323, at a likelihood ratio below 10^80: e^greatest_log_ratio of two_state_filter.hpp.
inline constexpr double lost_below = 1e-220;

/// e^(operations 2^-52): at least (1 + 2^-53)^operations, by which so many roundings change a
/// number or a sum of positive ones.
Ball rounding_factor(std::size_t operations);

}  // namespace plaudit

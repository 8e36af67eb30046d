// P-masses and likelihood gains of the cells of a lattice, in doubles with a proven error each.
//
// The loss of a Gaussian mixture has an analytic density. Blocks of neighbouring cells share a
// Taylor polynomial of it (density_series.hpp); the integral of a weight over a cell is then a
// polynomial in the place of the cell, and is evaluated in doubles. Cells where no block is long
// enough, near the end of the support, come from tails in balls.
// Proof: docs/proofs/blocks.md#cells
#pragma once

#include <optional>
#include <vector>

#include "mechanisms/direction.hpp"
#include "mechanisms/privacy_loss.hpp"

namespace plaudit {

/// What is integrated over the cell (l, l + h] with respect to P, where s = loss - l.
enum class CellWeight {
  whole,      ///< 1
  low,        ///< 1 where s <= h / 2
  high,       ///< 1 where s > h / 2
  gain_low,   ///< 1 - e^{-s} where s <= h / 2: the P-mass less e^l times the Q-mass there
  gain_high,  ///< 1 - e^{-s} where s > h / 2
};

/// The cells first .. last - 1.
struct CellRange {
  double mesh = 0;  ///< h > 0, short (lib/analysis/double_polynomial.hpp)
  long first = 0;
  long last = 0;
  bool centred = false;  ///< cell i starts at (i - 1/2) h instead of i h
};

/// Of one weight, cell by cell: the integral is within errors[i] of values[i].
struct CellIntegrals {
  std::vector<double> values;
  std::vector<double> errors;
};

/// Whether cell_integrals knows the law; and whether in that range: of a short mesh, at most 1/8,
/// and of cells below some 2^28.
bool knows_cells(const PrivacyLoss& loss);
bool knows_cells(const PrivacyLoss& loss, const CellRange& range);

/// The integrals of each weight. The errors are far below the values where the law has most of its
/// mass: some 1e-13 of the greatest density within a block.
/// @throws std::invalid_argument unless knows_cells.
std::vector<CellIntegrals> cell_integrals(const PrivacyLoss& loss, Direction direction,
                                          const CellRange& range,
                                          const std::vector<CellWeight>& weights);

}  // namespace plaudit

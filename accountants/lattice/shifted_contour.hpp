// The folded contour of a lattice beside an independent loss of few values, which need not be on
// the lattice: sum_j p_j delta(eps - s_j) is one sum over the same nodes.
// Proof: docs/proofs/lattice.md#shifted
#pragma once

#include <vector>

#include "accountants/proof/kinds/lattice.hpp"
#include "lib/analysis/unit_roots.hpp"

namespace plaudit {

/// A value s of the loss beside the lattice: e^{-s} and its P-mass, masses of all shifts together
/// at most 1.
struct LatticeShift {
  Ball decay;
  Ball p;
};

class ShiftedContour {
 public:
  /// At the working precision. @param shifts by increasing loss, at least one.
  explicit ShiftedContour(const std::vector<LatticeShift>& shifts);

  /// sum_j p_j e^{t s_j}.
  Ball moment(const Ball& t) const;
  const Ball& least() const { return shifts_.front().loss; }
  const Ball& greatest() const { return shifts_.back().loss; }
  std::size_t size() const { return shifts_.size(); }
  bool is_trivial() const { return size() == 1 && least().is_exact_zero(); }
  std::vector<double> losses() const;
  std::vector<double> log_masses() const;

  /// The finite part of the curve, and bounds of its errors. @param line of the contour; its period
  ///   is a power of two. @throws proof::Rejected where the points of the lattice are not told
  ///   apart.
  proof::ProofOf<Ball> at(proof::LatticeContour<Ball>& contour, const proof::PeriodLine<Ball>& line,
                          const proof::LatticeChoices& choices, const Ball& epsilon) const;

 private:
  struct PlacedShift {
    Ball decay;
    Ball p;
    Ball loss;
  };
  /// Shifts for which the least lattice point above eps - s_j is the same one, l.
  struct Cell {
    Integer index;  ///< of l
    Ball p;         ///< sum of the p_j
    Ball q;         ///< sum of the p_j e^{-s_j}
  };
  struct Phases {
    std::vector<ComplexBall> p;  ///< of each node
    std::vector<ComplexBall> q;
  };

  std::vector<Cell> cells_at(proof::LatticeContour<Ball>& contour,
                             const proof::PeriodLine<Ball>& line,
                             const proof::LatticeChoices& choices, const Ball& epsilon,
                             Ball& ties) const;
  static Phases phases(const std::vector<Cell>& cells, const std::vector<Ball>& p,
                       const std::vector<Ball>& q, const std::vector<long>& nodes,
                       const UnitRoots& roots);

  std::vector<PlacedShift> shifts_;
};

}  // namespace plaudit

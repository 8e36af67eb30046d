// Sums sum_j e^{w l_j + m_j} at many w in fixed point: moment integrals at points that are not
// equidistant. Many times faster than in balls.
// Proof: docs/proofs/fixed_exponentials.md#sums
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lib/balls/complex_ball.hpp"

namespace plaudit {

/// How many limbs make sums of so many terms accurate to about 2^-bits of the greatest one: 2 or 3,
/// or 0 where that is not enough.
std::size_t limbs_of_exponentials(long bits, std::size_t terms);

/// Encloses sum_j e^{w l_j + m_j} for each w; l and m of equal length. Errors are about 2^-bits of
/// the greatest term of each sum, and what the radii of w, l and m ask for. Honours the work limit.
/// Nothing where the exponents are too large or the bits too many for fixed point.
std::optional<std::vector<ComplexBall>> fixed_exponential_sums(const std::vector<ComplexBall>& w,
                                                               const std::vector<ComplexBall>& l,
                                                               const std::vector<ComplexBall>& m,
                                                               long bits);

/// e^{i s l_j} for many s.
class FixedTurns {
 public:
  explicit FixedTurns(const std::vector<Ball>& l);

  /// Doubles next to cos(s l_j) and sin(s l_j), each off by at most what is returned, radii of s
  /// and l included; +inf, and no doubles, where the angles are too large for fixed point.
  double at(const Ball& s, std::vector<double>& real, std::vector<double>& imaginary) const;

 private:
  struct Angle {
    std::array<mp_limb_t, 2> size;
    bool negative;
  };
  std::vector<Angle> angles_;
  int bits_ = 0;
  Ball radius_;
};

}  // namespace plaudit

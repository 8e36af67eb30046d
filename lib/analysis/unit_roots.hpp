// Roots of unity e^{2 pi i j / K} for a power of two K, each from two tabulated ones.
#pragma once

#include <vector>

#include "lib/balls/complex_ball.hpp"

namespace plaudit {

class UnitRoots {
 public:
  /// @param size K, a power of two. Tables of about 2 sqrt(K) entries, at the working precision.
  explicit UnitRoots(std::size_t size);

  std::size_t size() const { return size_; }
  /// e^{2 pi i j / K}; j is taken modulo K.
  ComplexBall operator()(std::size_t j) const;

 private:
  std::size_t size_;
  std::size_t fine_;  ///< a power of two: entries of the fine table
  std::vector<ComplexBall> fine_roots_;
  std::vector<ComplexBall> coarse_roots_;
};

/// sum_i x_i e^{2 pi i (first + i) k / K}, real x: dot products of 64 terms each.
ComplexBall fourier_sum(const std::vector<Ball>& x, std::size_t first, std::size_t k,
                        const UnitRoots& roots);

}  // namespace plaudit

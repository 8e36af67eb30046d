// The transform of a lattice law in doubles, with what it may be off by.
//
// With x_j = P(L = l_j) e^{t l_j} / c folded modulo K, F(k) = sum_j x_j e^{2 pi i j k / K}. A long
// transform is thinned: only its first values and every stride-th one are computed, and between
// two of the latter |F| is bounded.
// Proof: docs/proofs/lattice.md#spectrum, docs/proofs/lattice.md#between
#pragma once

#include <complex>
#include <vector>

#include "accountants/proof/kinds/lattice_factor.hpp"
#include "lib/analysis/fft.hpp"
#include "lib/analysis/unit_roots.hpp"
#include "mechanisms/laws/lattice_law.hpp"

namespace plaudit {

constexpr std::size_t central_values = 256;  ///< first values of a thinned transform

struct LatticeSpectrum {
  Ball divisor;  ///< c
  std::size_t stride = 1;
  ComplexVector values;   ///< F(k stride)
  ComplexVector central;  ///< F(k) for the first k, where stride > 1
  Ball error;             ///< upper bound of |computed - exact|, for each
  Ball between;           ///< |F|^2 between two exact values is at most the greater one plus this

  const std::complex<double>& at(std::size_t k) const {
    return stride == 1 ? values[k] : central[k];
  }
};

/// @param size K, a power of two. @param stride one too, at most K / 2; 1 for all values. Where it
///   is not 1, the law has at most K points. @param times the j of x_j are multiples of it: the
///   law's own mesh in those of the transform.
LatticeSpectrum spectrum_of(const LatticeLaw& law, const Ball& tilt, std::size_t size,
                            std::size_t stride, std::size_t times = 1);

/// A law of many points on the folded contour, by its transform: values are disks around those of
/// doubles, or sums in balls; what is greatest in a range is looked up.
class TransformedFactor final : public proof::LatticeFactor<Ball> {
 public:
  /// At the working precision. @param line outlives this; its period is a power of two.
  TransformedFactor(std::shared_ptr<const LatticeLaw> law, std::size_t times, std::uint64_t count,
                    const proof::PeriodLine<Ball>& line, std::size_t stride);

  ComplexBall at(long k) const override;
  Ball bound(long first, long last) const override;
  Ball log_moment(const Rational& order) const override;
  double cost() const override { return 1; }

  /// How many of the first values are known.
  long known() const;
  /// Relative error of F(0)^n due to the transform, about (heuristic).
  double power_error() const;
  /// Sums the values of these nodes in balls.
  void sum_in_balls(std::vector<std::size_t> nodes, const UnitRoots& roots);

 private:
  /// The greatest |F|^2 that was computed for first .. last, and whether it is between values.
  double greatest_square(std::size_t first, std::size_t last, bool* between) const;

  std::shared_ptr<const LatticeLaw> law_;
  std::size_t times_;
  const proof::PeriodLine<Ball>& line_;
  LatticeSpectrum spectrum_;
  Ball scale_;  ///< times F(k) of the transform is F(k) of LatticeFactor
  /// Of |values|^2 and of |central|^2: over blocks of 1, 2, 4, ...
  std::vector<std::vector<double>> greatest_values_;
  std::vector<std::vector<double>> greatest_central_;
  std::vector<std::size_t> nodes_;  ///< that were summed in balls
  std::vector<ComplexBall> sums_;
};

}  // namespace plaudit

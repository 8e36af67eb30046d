// The transform of a lattice law in doubles, with what it may be off by.
//
// With x_j = P(L = l_j) e^{t l_j} / c folded modulo K, F(k) = sum_j x_j e^{2 pi i j k / K}. Of a
// long transform the first values and every stride-th one serve: between two of the latter |F| is
// bounded.
// Proof: docs/proofs/lattice.md#spectrum, docs/proofs/lattice.md#between
#pragma once

#include <complex>
#include <vector>

#include "lib/analysis/fft.hpp"
#include "mechanisms/laws/lattice_law.hpp"

namespace plaudit {

constexpr std::size_t central_values = 256;  ///< that are computed of a thinned transform

struct LatticeSpectrum {
  Ball divisor;  ///< c
  std::size_t stride = 1;
  ComplexVector values;   ///< F(k stride)
  ComplexVector central;  ///< F(k) for the first k, where stride > 1
  Ball error;             ///< of each
  Ball between;           ///< |F|^2 between two of `values` is at most the greater one and this

  const std::complex<double>& at(std::size_t k) const {
    return stride == 1 ? values[k] : central[k];
  }
};

/// @param size K, a power of two. @param stride one too, at most K / 2; 1 for all values. Where it
///   is not 1, the law has at most K points.
LatticeSpectrum spectrum_of(const LatticeLaw& law, const Ball& tilt, std::size_t size,
                            std::size_t stride);

}  // namespace plaudit

// Two errors of the published Fourier accountant, each by an integral along a vertical line: that
// of the n-fold convolution of samples against the law's (Poisson summation, n-fold), and that of
// the outer sum against its integral (Euler-Maclaurin, second order). Proof:
// docs/proofs/fourier.md#published
#pragma once

#include "accountants/fourier/published_lattice.hpp"

namespace plaudit {

struct PublishedLine {
  Ball t;
  Ball discretisation;  ///< times e^{-t eps}, it bounds the first error at eps
  Ball kink;            ///< times e^{-t eps}, the second
};

/// Along Re z = t near the saddle point; any t > 0 is valid.
PublishedLine published_line(const PublishedLattice& lattice, double saddle);

}  // namespace plaudit

// Discrete Fourier transforms y_k = sum_{j < K} x_j e^{sign 2 pi i j k / K}.
//
// With a proven error, which bands may contain: radix_two_transform and radix_two_first in
// binary64, K = 2^m (docs/proofs/fourier.md#rounding), and ball_transform in balls. Without one,
// for estimates only: fftw_transform and chirp_transform, any K.
#pragma once

#include <complex>
#include <vector>

#include "lib/balls/ball.hpp"
#include "lib/balls/complex_ball.hpp"

namespace plaudit {

using ComplexVector = std::vector<std::complex<double>>;

enum class Sign : int { minus = -1, plus = +1 };

/// In place, in binary64 with correctly rounded twiddle factors, rounding to nearest. The computed
/// y^ satisfies |y^_k - y_k| <= radix_two_error(K) ||x||_1 + 1e-290 for every k, the last term for
/// gradual underflow, if nothing overflows, as while ||x||_1 <= 1e300.
/// Proof: docs/proofs/fourier.md#rounding
/// @throws std::invalid_argument unless the size is a power of two, at most 2^26.
void radix_two_transform(ComplexVector& data, Sign sign);

/// g of docs/proofs/fourier.md#rounding as an upper bound; size a power of two, at most 2^50.
double radix_two_error(std::size_t size);

/// The first `count` outputs of radix_two_transform, bit for bit, of the real sequence of period
/// `size` that is values[i] at the positions start + i and 0 elsewhere. Much faster than the whole:
/// butterflies of zeros alone, and those that feed no wanted output, are left out.
/// @param size a power of two, at most 2^50, at least 2 count and values.size().
ComplexVector radix_two_first(const std::vector<double>& values, std::size_t start,
                              std::size_t size, std::size_t count, Sign sign);

/// In place, by FFTW3, or by chirp_transform where plaudit was built without it. No bound:
/// estimates only.
void fftw_transform(ComplexVector& data, Sign sign);

/// In place, of any size up to 2^25, by Bluestein's convolution with a chirp, in binary64. No
/// bound: estimates only.
void chirp_transform(ComplexVector& data, Sign sign);

/// In place, in balls at the working precision (Arb): every entry encloses the exact one.
void ball_transform(std::vector<ComplexBall>& data, Sign sign);

}  // namespace plaudit

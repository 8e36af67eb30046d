// Discrete Fourier transforms of any size in binary64, for estimates: FFTW3, or where plaudit is
// built without it (PLAUDIT_FFTW=OFF; FFTW makes binaries fall under the GPL) Bluestein's method:
// jk = (j^2 + k^2 - (k - j)^2) / 2 makes a convolution of the transform.
#include <bit>
#include <limits>
#include <mutex>
#include <numbers>
#include <stdexcept>

#include "lib/analysis/fft.hpp"

#ifdef PLAUDIT_FFTW
#include <fftw3.h>
#endif

namespace plaudit {

void chirp_transform(ComplexVector& data, Sign sign) {
  const std::size_t size = data.size();
  if (size < 2) return;
  if (size > (std::size_t{1} << 25)) throw std::invalid_argument("chirp_transform: too long");
  const std::size_t padded = std::bit_ceil(2 * size - 1);
  ComplexVector chirp(size);  // e^{sign pi i j^2 / size}, j^2 taken modulo 2 size
  for (std::size_t j = 0; j < size; ++j) {
    const std::size_t square = j * j % (2 * size);
    chirp[j] = std::polar(1.0, static_cast<int>(sign) * std::numbers::pi *
                                   static_cast<double>(square) / static_cast<double>(size));
  }
  ComplexVector values(padded);
  ComplexVector kernel(padded);
  for (std::size_t j = 0; j < size; ++j) {
    values[j] = data[j] * chirp[j];
    kernel[j] = std::conj(chirp[j]);
    if (j > 0) kernel[padded - j] = kernel[j];
  }
  radix_two_transform(values, Sign::minus);
  radix_two_transform(kernel, Sign::minus);
  for (std::size_t k = 0; k < padded; ++k) values[k] *= kernel[k];
  radix_two_transform(values, Sign::plus);
  for (std::size_t k = 0; k < size; ++k) {
    data[k] = values[k] * chirp[k] / static_cast<double>(padded);
  }
}

#ifdef PLAUDIT_FFTW

void fftw_transform(ComplexVector& data, Sign sign) {
  if (data.empty()) return;
  if (data.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw std::invalid_argument("fftw_transform: the size must fit an int");
  }
  static std::mutex planner;  // FFTW: only fftw_execute may run in several threads at once
  auto* values = reinterpret_cast<fftw_complex*>(data.data());
  fftw_plan plan = nullptr;
  {
    const std::lock_guard<std::mutex> lock(planner);
    plan = fftw_plan_dft_1d(static_cast<int>(data.size()), values, values, static_cast<int>(sign),
                            FFTW_ESTIMATE);
  }
  if (plan == nullptr) throw std::runtime_error("fftw_transform: FFTW made no plan");
  fftw_execute(plan);
  const std::lock_guard<std::mutex> lock(planner);
  fftw_destroy_plan(plan);
}

#else

void fftw_transform(ComplexVector& data, Sign sign) { chirp_transform(data, sign); }

#endif

}  // namespace plaudit

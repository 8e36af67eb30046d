// Discrete Fourier transforms of any size in binary64, for estimates: FFTW3, or where plaudit is
// built without it (PLAUDIT_FFTW=OFF; FFTW makes binaries fall under the GPL) Bluestein's method:
// jk = (j^2 + k^2 - (k - j)^2) / 2 makes a convolution of the transform.
#include <bit>
#include <limits>
#include <mutex>
#include <numbers>
#include <stdexcept>

#include "lib/analysis/fft.hpp"
#include "lib/analysis/real_transform.hpp"

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

namespace {

/// The length n, even, of a real sequence with so many values of its transform.
std::size_t real_length(const ComplexVector& y) {
  if (y.size() < 2) throw std::invalid_argument("real_inverse: at least two values");
  return 2 * (y.size() - 1);
}

void check_real_length(std::size_t n) {
  if (n == 0 || n % 2 != 0) throw std::invalid_argument("real_transform: an even length");
}

}  // namespace

#ifdef PLAUDIT_FFTW

namespace {

int checked_size(std::size_t size) {
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw std::invalid_argument("fftw_transform: the size must fit an int");
  }
  return static_cast<int>(size);
}

/// Executes the plan that `make` makes.
template <class Make>
void execute(Make&& make) {
  static std::mutex planner;  // FFTW: only fftw_execute may run in several threads at once
  fftw_plan plan = nullptr;
  {
    const std::lock_guard<std::mutex> lock(planner);
    plan = make();
  }
  if (plan == nullptr) throw std::runtime_error("fftw_transform: FFTW made no plan");
  fftw_execute(plan);
  const std::lock_guard<std::mutex> lock(planner);
  fftw_destroy_plan(plan);
}

fftw_complex* as_fftw(ComplexVector& data) { return reinterpret_cast<fftw_complex*>(data.data()); }

}  // namespace

void fftw_transform(ComplexVector& data, Sign sign) {
  if (data.empty()) return;
  const int size = checked_size(data.size());
  execute([&] {
    return fftw_plan_dft_1d(size, as_fftw(data), as_fftw(data), static_cast<int>(sign),
                            FFTW_ESTIMATE);
  });
}

ComplexVector real_transform(std::vector<double>&& x) {
  check_real_length(x.size());
  const int size = checked_size(x.size());
  ComplexVector y(x.size() / 2 + 1);
  execute([&] {
    return fftw_plan_dft_r2c_1d(size, x.data(), as_fftw(y), FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
  });
  return y;
}

std::vector<double> real_inverse(ComplexVector&& y) {
  const std::size_t n = real_length(y);
  const int size = checked_size(n);
  std::vector<double> x(n);
  execute([&] {
    return fftw_plan_dft_c2r_1d(size, as_fftw(y), x.data(), FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
  });
  for (double& value : x) value /= static_cast<double>(n);
  return x;
}

#else

void fftw_transform(ComplexVector& data, Sign sign) { chirp_transform(data, sign); }

ComplexVector real_transform(std::vector<double>&& x) {
  check_real_length(x.size());
  ComplexVector data(x.begin(), x.end());
  chirp_transform(data, Sign::minus);
  data.resize(x.size() / 2 + 1);
  return data;
}

std::vector<double> real_inverse(ComplexVector&& y) {
  const std::size_t n = real_length(y);
  for (std::size_t k = n / 2 + 1; k < n; ++k) y.push_back(std::conj(y[n - k]));
  chirp_transform(y, Sign::plus);
  std::vector<double> x(n);
  for (std::size_t j = 0; j < n; ++j) x[j] = y[j].real() / static_cast<double>(n);
  return x;
}

#endif

}  // namespace plaudit

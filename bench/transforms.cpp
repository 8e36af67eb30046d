// Speed of the three transforms by length; balls at 128 bits, shorter lengths.
#include <benchmark/benchmark.h>

#include <cmath>

#include "lib/analysis/fft.hpp"
#include "lib/balls/precision.hpp"

namespace {

using plaudit::ComplexVector;
using plaudit::Sign;

ComplexVector bell(std::size_t size) {
  ComplexVector x(size);
  for (std::size_t j = 0; j < size; ++j) {
    const double position = 12 * (static_cast<double>(j) / static_cast<double>(size) - 0.5);
    x[j] = std::exp(-position * position / 2);
  }
  return x;
}

template <void (*transform)(ComplexVector&, Sign)>
void doubles(benchmark::State& state) {
  const ComplexVector x = bell(static_cast<std::size_t>(state.range(0)));
  ComplexVector y = x;
  transform(y, Sign::minus);  // tables and plans are made once
  for (auto _ : state) {
    y = x;
    transform(y, Sign::minus);
    benchmark::DoNotOptimize(y.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void balls(benchmark::State& state) {
  const plaudit::PrecisionScope scope(128);
  std::vector<plaudit::ComplexBall> x;
  for (const auto& value : bell(static_cast<std::size_t>(state.range(0)))) {
    x.emplace_back(plaudit::Ball(value.real()), plaudit::Ball(value.imag()));
  }
  for (auto _ : state) {
    std::vector<plaudit::ComplexBall> y = x;
    plaudit::ball_transform(y, Sign::minus);
    benchmark::DoNotOptimize(y.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK(doubles<plaudit::radix_two_transform>)
    ->Name("radix-2")
    ->RangeMultiplier(4)
    ->Range(1 << 10, 1 << 20)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(doubles<plaudit::fftw_transform>)
    ->Name("FFTW")
    ->RangeMultiplier(4)
    ->Range(1 << 10, 1 << 20)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(balls)
    ->Name("balls")
    ->RangeMultiplier(4)
    ->Range(1 << 10, 1 << 14)
    ->Unit(benchmark::kMicrosecond);

}  // namespace

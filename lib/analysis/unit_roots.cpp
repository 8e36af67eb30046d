#include "lib/analysis/unit_roots.hpp"

#include <algorithm>

#include "lib/balls/precision.hpp"

namespace plaudit {

namespace {

constexpr std::size_t block = 64;  ///< terms of a dot product with the same 64 roots

ComplexBall root(std::size_t numerator, std::size_t denominator) {
  const Ball angle =
      ldexp(pi(), 1) * Ball(static_cast<long>(numerator)) / Ball(static_cast<long>(denominator));
  return {cos(angle), sin(angle)};
}

}  // namespace

UnitRoots::UnitRoots(std::size_t size) : size_(size), fine_(1) {
  while (fine_ * fine_ < size) fine_ *= 2;
  for (std::size_t j = 0; j < fine_; ++j) fine_roots_.push_back(root(j, size));
  for (std::size_t j = 0; j < size / fine_; ++j) coarse_roots_.push_back(root(j * fine_, size));
}

ComplexBall UnitRoots::operator()(std::size_t j) const {
  j &= size_ - 1;
  const std::size_t low = j & (fine_ - 1);
  if (low == 0) return coarse_roots_[j / fine_];
  return coarse_roots_[j / fine_] * fine_roots_[low];
}

ComplexBall fourier_sum(const std::vector<Ball>& x, std::size_t first, std::size_t k,
                        const UnitRoots& roots) {
  std::vector<Ball> cosines(block);
  std::vector<Ball> sines(block);
  for (std::size_t i = 0; i < std::min(block, x.size()); ++i) {
    const ComplexBall turn = roots(i * k);
    cosines[i] = turn.real();
    sines[i] = turn.imaginary();
  }
  ComplexBall sum;
  for (std::size_t begin = 0; begin < x.size(); begin += block) {
    const std::size_t width = std::min(block, x.size() - begin);
    const ComplexBall part(dot(&x[begin], cosines.data(), width),
                           dot(&x[begin], sines.data(), width));
    if (part.real().is_exact_zero() && part.imaginary().is_exact_zero()) continue;
    sum += part * roots((first + begin) * k);
  }
  return sum;
}

}  // namespace plaudit

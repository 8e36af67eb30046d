#include "lib/balls/strided_dot.hpp"

#include "lib/balls/precision.hpp"

namespace plaudit {

namespace {
constexpr double complex_products = 2;  ///< a term of a complex sum, in products of balls
}  // namespace

Ball strided_dot(const Ball* a, const Ball* b, std::size_t stride, std::size_t count) {
  Ball result;
  if (count > 0) {
    arb_dot(result.raw(), nullptr, 0, a->raw(), 1, b->raw(), static_cast<slong>(stride),
            static_cast<slong>(count), affordable_product(static_cast<double>(count)));
  }
  return result;
}

ComplexBall strided_dot(const ComplexBall* a, const ComplexBall* b, std::size_t stride,
                        std::size_t count) {
  ComplexBall result;
  if (count > 0) {
    acb_dot(result.raw(), nullptr, 0, a->raw(), 1, b->raw(), static_cast<slong>(stride),
            static_cast<slong>(count),
            affordable_product(complex_products * static_cast<double>(count)));
  }
  return result;
}

}  // namespace plaudit

// e^{2 pi i j / N} for integers j, each a product of two that are kept.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "accountants/proof/arithmetic/balls.hpp"

namespace plaudit::proof {

template <class Real>
class RootsOfUnity {
 public:
  /// @param order N >= 1. About 2 sqrt(N) roots are kept, at the working precision, each once it is
  /// asked for.
  explicit RootsOfUnity(std::uint64_t order);

  std::uint64_t order() const { return order_; }
  /// @param j is taken modulo N.
  ComplexOf<Real> operator()(std::uint64_t j) const;

 private:
  using Table = std::vector<std::optional<ComplexOf<Real>>>;
  const ComplexOf<Real>& kept(Table& table, std::uint64_t place, std::uint64_t step) const;

  std::uint64_t order_;
  std::uint64_t width_;   ///< roots of the fine table
  mutable Table fine_;    ///< of j < width
  mutable Table coarse_;  ///< of j = width, 2 width, ...
};

}  // namespace plaudit::proof

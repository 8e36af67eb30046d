#include "accountants/proof/arithmetic/roots_of_unity.hpp"

#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

namespace {
constexpr std::uint64_t longest_single_table = 64;
}  // namespace

template <class Real>
RootsOfUnity<Real>::RootsOfUnity(std::uint64_t order)
    : order_(order), width_(order <= longest_single_table ? order : 1) {
  require(order >= 1, "roots of unity of no order");
  while (width_ < order / width_) width_ *= 2;
  fine_.resize(width_);
  coarse_.resize((order - 1) / width_ + 1);
}

template <class Real>
const ComplexOf<Real>& RootsOfUnity<Real>::kept(Table& table, std::uint64_t place,
                                                std::uint64_t step) const {
  std::optional<ComplexOf<Real>>& root = table[place];
  if (!root) {
    const Real angle =
        scaled(Made<Real>::pi(), 1) * Real(Rational(Integer(place * step), Integer(order_)));
    root.emplace(ComplexOf<Real>{cos(angle), sin(angle)});
  }
  return *root;
}

template <class Real>
ComplexOf<Real> RootsOfUnity<Real>::operator()(std::uint64_t j) const {
  j %= order_;
  const std::uint64_t low = j % width_;
  const std::uint64_t high = j / width_;
  if (high == 0) return kept(fine_, low, 1);
  if (low == 0) return kept(coarse_, high, width_);
  return kept(coarse_, high, width_) * kept(fine_, low, 1);
}

template class RootsOfUnity<Ball>;
template class RootsOfUnity<Interval>;

}  // namespace plaudit::proof

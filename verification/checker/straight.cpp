// The kinds `straight` and `cut`: delta(epsilon) by the trapezoid on a vertical line, of the laws
// as they are or after rare draws were moved to L = inf. docs/certificates/straight.md, cut.md
#include "verification/checker/contour.hpp"

namespace plaudit::proof {

Proof prove_straight(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget) {
  const LineProduct product(choices, run, false);
  return prove_total(choices, product, epsilon, budget);
}

Proof prove_cut(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget) {
  const LineProduct product(choices, run, true);
  Proof proof = prove_contour(choices, product, epsilon, budget);
  const Interval moved = top(product.moved());
  proof.low += product.infinite();
  proof.high += product.infinite() + moved;
  proof.errors.emplace_back("moved", moved);
  return proof;
}

}  // namespace plaudit::proof

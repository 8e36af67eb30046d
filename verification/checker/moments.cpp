// The kind `moments`: one bound of delta by one real moment. docs/certificates/moments.md
#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/contour.hpp"

namespace plaudit::proof {

Proof prove_moments(Fields& choices, const Run& run, const Rational& exact_epsilon,
                    Budget& budget) {
  const Rational exact_order = choices.dyadic("order");
  require(exact_order != 0, "the order 0 proves nothing");
  const LineProduct product(choices, run, true);
  choices.done();
  const Interval order(exact_order);
  const Interval epsilon(exact_epsilon);
  Interval size = exp(product.log_moment(exact_order, "moment", budget) - order * epsilon);
  const Interval moved = top(product.moved());
  const Interval infinite = product.infinite();
  Proof proof;
  if (exact_order > 0) {  // docs/proofs/chernoff.md#chernoff
    size = top(size * exp(log_c(order)));
    proof.high = infinite + moved + size;
  } else if (exact_order <= -1) {  // docs/proofs/chernoff.md#chernoff-complement
    if (exact_order < -1) size *= exp(log_c(-order - 1));
    size = top(size);
    const Interval without = 1 - product.q_mass() * exp(epsilon);
    proof.low = without - moved;
    proof.high = without + size;
  } else {  // docs/proofs/straight_contour.md#one-residue, step 2
    size = top(size);
    proof.low = 1 - size - moved;
  }
  proof.errors = {{"moment", size}, {"moved", moved}};
  return proof;
}

}  // namespace plaudit::proof

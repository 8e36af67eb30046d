// A bound of one moment with the choices that prove it, for whoever wants to prove it again.
#pragma once

#include "lib/exact/rational.hpp"

namespace plaudit {

/// log M(t) <= value. from, to: the orders of the Renyi divergences from P and to P that the
/// theorem of docs/proofs/teachers.md#bound takes; both 0 where the noise alone gives the bound.
struct MomentBound {
  Rational t;
  Rational value;
  Rational from;
  Rational to;
};

}  // namespace plaudit

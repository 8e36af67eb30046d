// Psi_m(u) = E (S/t)^m e^(-e^u S/t) at the nodes of a line, for the mean S/t of t independent
// lognormal variables: from the m-th coefficient of the t-th power of the Laplace transform phi of
// one of them, whose derivatives lie on the lattice of the nodes. Errors: what phi carries in its
// radius. Proof: docs/proofs/random_allocation.md#mellin
#pragma once

#include <cstdint>
#include <vector>

#include "lib/balls/complex_ball.hpp"
#include "mechanisms/allocation/allocation_lines.hpp"

namespace plaudit {

/// At u_j + i theta, first <= j <= last.
/// @throws std::domain_error where there is no rule for phi.
std::vector<ComplexBall> allocation_nodes(const AllocationLines::Line& line,
                                          const Rational& squared_rate, std::uint64_t steps);

}  // namespace plaudit

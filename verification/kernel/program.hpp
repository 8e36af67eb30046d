// The program of products and widenings by which a run's law is made of its steps'
// (theories/Powers.v, instruction): powers by squaring, on lattices that become wider, and what
// each product keeps.
#pragma once

#include "lib/exact/rational.hpp"
#include "verification/kernel/heuristics.hpp"
#include "verification/kernel/law_choices.hpp"

namespace plaudit::kernel {

/// Each instruction makes a new register: the product of two, or a wider one.
struct Instruction {
  bool product;
  std::size_t i;
  std::size_t j;
  Window window;
};

struct Program {
  std::vector<Instruction> instructions;
  LatticeBound result;
};

/// The product of the laws' powers.
Program composed(const FixedFormat& format, const std::vector<LatticeBound>& laws,
                 const std::vector<std::uint64_t>& counts, const RunSize& run,
                 const Rational& delta, const Heuristics& heuristics);

}  // namespace plaudit::kernel

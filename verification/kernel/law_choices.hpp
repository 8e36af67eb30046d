// Which slices of a step go together, and with which weights at which places: cells, whose law
// dominates the step, and classes, whose law it attains (theories/Slices.v, cells_accepted and
// classes_accepted). What is chosen here in doubles is held against the checker's conditions in
// integers.
#pragma once

#include <stdexcept>

#include "verification/kernel/fixed_format.hpp"
#include "verification/kernel/heuristics.hpp"
#include "verification/kernel/laws/step_law.hpp"

namespace plaudit::kernel {

/// Places and weights.
using Atoms = std::vector<std::pair<long, Integer>>;

/// The next `slices` slices: weights at the ratios of their first and last end, and the places to
/// which each of the two is spread (Slices.v, cell_choice).
struct Cell {
  long slices;
  Integer weight_first;
  Integer weight_last;
  Atoms spread_first;
  Atoms spread_last;
};

/// What is left of a slice, the next `whole`, and `last` 2^-share_bits of the one after (Slices.v,
/// class_choice).
struct Class {
  long whole;
  Integer last;
  long at;
  Integer weight;
};

/// One step on the lattice: cells or classes, and the law that they make.
struct LawChoices {
  Place first;
  std::vector<Cell> cells;     ///< for upper ends
  std::vector<Class> classes;  ///< for lower ends
  long split;                  ///< losses from here on are in the coarse part
  LatticeBound law;
};

/// The places phase + k stride of one law, and how much wider the coarse part's are.
struct LatticeOfPlaces {
  long stride = 1;
  long phase = 0;
  int levels = 0;
  bool has_all_losses = false;  ///< each loss is at a place, or just above it
};

/// What choices depend on besides the law: how many steps the whole run has, and the exponent of
/// Chernoff's bound at the wanted delta, at least: a loss x counts as e^(tilt x) times its
/// probability.
struct RunSize {
  double steps;
  double tilt;
};

/// The lattice is so fine that a law would have more places than the heuristics allow.
struct TooFine : std::domain_error {
  TooFine() : std::domain_error("the lattice has too many places") {}
};

/// @throws TooFine. @throws std::domain_error where no choice passes the checker's conditions.
LawChoices choose_law(const Source& source, const FixedFormat& format,
                      const LatticeOfPlaces& lattice, const RunSize& run,
                      const Heuristics& heuristics);

}  // namespace plaudit::kernel

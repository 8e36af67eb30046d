// What decides how narrow a theorem is, how long its file and how long Coq takes: all numbers that
// were chosen and not derived. None of them enters a proof: where one is bad, the bound in the
// theorem is wider than it could be, or the program says that it found none.
#pragma once

#include <cstdint>

namespace plaudit::kernel {

struct Heuristics {
  /// Slices of the outputs to a standard deviation of the noise, in the first try. The error falls
  /// with its square; Coq's time to make the first law grows with it. Too few: a wide bound.
  double slices = 100;
  /// The share of the wanted width that a try aims at, and by how much one try may have more slices
  /// than the last.
  double aimed_share = 0.7;
  double most_growth = 4;
  /// Slices whose losses are within this share of the lattice's unit make one cell. More: a wider
  /// bound, by the square of it; less: more cells.
  double cell_width = 0.5;
  /// The least probability of a cell, in units of the weights: they are rounded up by one.
  long least_units = 3000;
  /// The least probability of a cell times the difference of the losses at its ends, in units of
  /// the weights. Less than 2: rounding its probability up may leave no weights that are right for
  /// q.
  double least_spread = 8;
  /// The most cells; a pair that needs more is refused.
  double most_cells = 40000;
  /// The share of delta that all steps together may have outside of the grid. Too much: epsilon
  /// grows as if delta were less by this share.
  double outside_share = 1e-5;
  /// The first lattice that is tried: places to the standard deviation of one step's loss. Each
  /// further try has twice as many.
  double first_places = 16;
  /// The finest lattice that is tried is 2^-most_e; the coarsest is 2^-least_e.
  long least_e = 3;
  long most_e = 18;
  /// Where all losses are on one lattice: the finest one that is tried, and the most places of it
  /// from the least loss of a step to the greatest, and from one to the next. Coq counts places by
  /// natural numbers, a unit of memory each; fewer places move lower ends down by up to one for
  /// each step.
  long most_e_of_lattices = 22;
  double most_range = 4e6;
  double most_stride = 100000;
  /// The most tries.
  int most_tries = 8;
  /// The most places of a law that a try may have. Beyond it Coq would take hours: the try is left
  /// out.
  double most_places = 60000;
  /// Bits of weights beyond those in which one unit for each place and step is delta. Each place
  /// loses a unit with each product: too few, and delta is spent on it. Coq's numbers grow with it.
  double weight_bits = 14;
  double places_for_bits = 4096;
  /// Bits of powers of rho, and of the grid's masses, beyond the size of the least of them. Too
  /// few: cells with little probability are moved to greater losses.
  double power_bits = 60;
  double mass_bits = 40;
  double tilt_bits = 80;
  /// The coarse lattice is 2^levels times as wide as the first one; widening uses the levels up.
  int levels = 3;
  /// The share of probability, over all steps, whose great losses are on the coarse lattice from
  /// the start, and that goes there in products. More: shorter lists and a wider bound.
  double split_share = 0.02;
  double bulk_share = 0.02;
  /// What all losses together that go up to a law's first place may count for (RunSize), and those
  /// that go up to a product's. More: shorter lists, and delta grows by this share.
  double floor_share = 1e-4;
  double low_share = 1e-5;
  /// The share of delta, over all steps, that goes to the loss infinity.
  double high_share = 1e-5;
  /// The lattice doubles where the number of steps passes powers of this one, `levels` times at
  /// most: the width of the sum grows with the root of the number.
  double widening_base = 4;
  double first_widening = 2;  ///< ... times this
  /// Lower ends are on wider lattices from so many steps on: the law of fewer has its weights at
  /// single places, and loses whole places of loss where these are not on the wider lattice.
  std::uint64_t smooth_steps = 20;
  /// In lower ends of randomized response that leaks, an infinite loss is one so far beyond the
  /// greatest finite one. Too little: delta's part that leaks is lost.
  double infinite_loss = 25;
  /// Shares of slices in lower ends are in units of 2^-share_bits. Too few: weights are rounded
  /// down more.
  long share_bits = 20;
  /// Estimates of losses are moved by so many places before they are rounded to a place, so that
  /// what is decided in doubles is so in integers too.
  double rounding_slack = 1e-5;
};

}  // namespace plaudit::kernel

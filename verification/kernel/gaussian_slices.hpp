// What theories/Normal.v and Gaussian.v compute of integers, bit for bit: two mixtures of normal
// distributions on a grid k / points, p with its centres at or to the right of 0, q at or to the
// left; enclosures of the probabilities of the grid's cells and of the ratios of the densities
// there; and the numbers from which Coq computes them again.
#pragma once

#include <vector>

#include "lib/exact/rational.hpp"

namespace plaudit::kernel {

/// Integers in units of 2^-T that enclose a number.
struct Bounds {
  Integer low;
  Integer high;
};

/// A centre, an integer, and its probability.
struct Component {
  long centre;
  Rational probability;
};

/// The densities of one step: p = sum of probabilities times normal(sigma, x - centre), and q.
struct NormalPair {
  Rational sigma;
  std::vector<Component> p;
  std::vector<Component> q;
};

/// A part of a mixture as Coq reads it (Gaussian.v, `part`).
struct Part {
  Integer share;  ///< of a common denominator
  long centre;    ///< on the grid
  Bounds start;
  Bounds growth;
};

struct Mixture {
  Integer denominator;
  std::vector<Part> parts;
};

/// Slices.v, `slice`.
struct Slice {
  Integer low_p, high_p, low_q, high_q;
  Integer num_hi, den_hi, num_lo, den_lo;
  double loss_at_left;  ///< log p/q at the ends, roughly
  double loss_at_right;
};

/// A grid: `points` to each unit of the outcome, `cells` cells from first / points on.
struct Grid {
  long points;
  long first;
  long cells;
};

struct GaussianSource {
  NormalPair pair;
  Grid grid;
  long T;
  long B;
  Rational beta;  ///< 1 / (points sigma)^2
  Mixture p;
  Mixture q;
  long table_size;
  Bounds density_at_0;  ///< and of exp(-beta/2), exp(-beta)
  Bounds first_factor;
  Bounds second_factor;
  std::vector<Slice> slices;
  Integer outside;     ///< in units of 2^-B: what p has outside of the grid, at most
  long interval_bits;  ///< the precision with which Coq proves the enclosures
};

/// The bits of the least and the greatest of the numbers exp(...) that the enclosures above need: T
/// has to be well above minus the first.
struct TiltBits {
  double least;
  double greatest;
};
TiltBits tilt_bits(const NormalPair& pair, const Grid& grid);

GaussianSource gaussian_source(const NormalPair& pair, const Grid& grid, long T, long B);

}  // namespace plaudit::kernel

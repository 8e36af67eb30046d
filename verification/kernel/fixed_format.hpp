// What theories/Lattice.v, Powers.v and Slices.v compute of integers, bit for bit: laws on a
// lattice of losses, weights in units of 2^-B at rho^j, rho = 1 - 2^-e, and powers of rho in units
// of 2^-D. Untrusted: a generated file holds choices that were made with these numbers, and Coq
// computes all of them again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "lib/exact/numbers.hpp"
#include "verification/kernel/laws/enclosures.hpp"

namespace plaudit::kernel {

/// Whether bounds are rounded up (an upper end of epsilon) or down (a lower end).
enum class Mode { up, down };

using Weights = std::vector<Integer>;

/// Below and above 2^D rho^n, 0 < n, by squaring (Powers.v, low_of and high_of).
Integer low_of(long e, long D, long n);
Integer high_of(long e, long D, long n);

/// Below and above x rho^n, 0 <= x.
Integer low_power(long e, long D, long n, const Integer& x);
Integer high_power(long e, long D, long n, const Integer& x);

Integer sum_of_weights(const Weights& c);

/// The product of lists of weights >= 0 without zeros at its end.
Weights convolved(const Weights& a, const Weights& b);

/// rho^j 2^D is between the two numbers.
struct Place {
  long at;
  Integer from;
  Integer upto;
};

/// A law: a fine part on every `stride`-th place from `offset` on, a coarse part on a lattice that
/// is 2^levels times as wide, and a weight at infinity.
struct LatticeBound {
  long stride = 1;
  int levels = 0;
  long offset = 0;
  Weights fine = {};
  long offset_coarse = 0;
  Weights coarse = {};
  Integer infinite = 0;

  long wide() const { return stride << levels; }
  Integer mass() const { return sum_of_weights(fine) + sum_of_weights(coarse); }
};

/// How much of a product is kept: `skip` weights at its beginning are not, then `length` and
/// `length_coarse` are.
struct Window {
  long skip = 0;
  long length = 0;
  long length_coarse = 0;
};

/// Who looks at the product's parts before they are cut.
struct WindowChooser {
  /// skip and length, from the fine part and the place where it begins, its coarse part's too where
  /// there is one.
  std::function<Window(long offset, const Weights& fine, std::optional<long> coarse)> of_fine;
  /// length_coarse.
  std::function<long(const Weights& coarse)> of_coarse;
};

class FixedFormat {
 public:
  FixedFormat(Mode mode, long e, long B, long D) : mode_(mode), e_(e), B_(B), D_(D) {}

  Mode mode() const { return mode_; }
  long e() const { return e_; }
  long B() const { return B_; }
  long D() const { return D_; }

  Integer rounded(const Integer& x) const { return mode_ == Mode::up ? up(B_, x) : down(B_, x); }

  /// Weights on places that are g apart, moved to every other one of them.
  Weights wider(long g, const Weights& c) const;
  Weights coarser(int levels, long g, Weights c) const;
  /// @throws std::domain_error where both lists have weights and are not on one lattice
  std::pair<long, Weights> joined(long g, std::pair<long, Weights> a,
                                  std::pair<long, Weights> b) const;
  /// How many weights went (up: into the first that is left), and what is left.
  std::pair<long, Weights> started(long n, const Weights& c) const;
  /// The square where `square` says that both are one register (theories/Powers.v, squared).
  LatticeBound times(const LatticeBound& a, const LatticeBound& b, bool square,
                     const WindowChooser& choose, Window& chosen) const;
  LatticeBound widened(const LatticeBound& a) const;

  /// The sum of x max(0, 2^D - u), where u goes g places on from weight to weight.
  Integer value(long g, Integer u, const Weights& c) const;
  /// Of the whole law: delta in units of 2^-(B+D).
  Integer delta(const Integer& u, const Integer& u_coarse, const LatticeBound& a) const;

  /// A place at j <= 0 that the checker accepts; `moved`: the place j, unless it is before `place`.
  Place first_place(long j) const;
  Place moved(const Place& place, long j) const;

 private:
  Integer low_short(long g, long bits) const;
  Weights wider_up(long g, const Weights& c) const;
  Weights wider_down(long g, const Weights& c) const;

  Mode mode_;
  long e_;
  long B_;
  long D_;
};

}  // namespace plaudit::kernel

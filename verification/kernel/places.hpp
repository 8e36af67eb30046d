// The places of a law on the lattice of losses j (-log(1 - 2^-e)): every stride-th, and beyond the
// split only those of the coarse part.
#pragma once

#include <cmath>

#include "lib/exact/checked_integer.hpp"
#include "verification/kernel/law_choices.hpp"

namespace plaudit::kernel {

class Places {
 public:
  Places(const FixedFormat& format, const LatticeOfPlaces& lattice, const Heuristics& heuristics)
      : step_(-std::log1p(-std::ldexp(1.0, static_cast<int>(-format.e())))),
        slack_(heuristics.rounding_slack),
        lattice_(lattice),
        wide_(lattice.stride << lattice.levels),
        split_(lattice.phase) {}

  /// Where a loss is, between places too.
  double of(double loss) const { return loss / step_; }
  long wide() const { return wide_; }
  long split() const { return split_; }
  long unit(double place) const {
    return place < static_cast<double>(split_) ? lattice_.stride : wide_;
  }
  void split_at(double place) {
    const double count =
        std::ceil((place - static_cast<double>(lattice_.phase)) / static_cast<double>(wide_));
    split_ = lattice_.phase + checked_integer(count, "a place") * wide_;
  }

  /// The last place at or before `place`, taken a little lower (rounding_slack).
  long below(double place) const {
    const long j = checked_integer(std::floor(place - slack_), "a place of a lattice");
    const long g = j < split_ ? lattice_.stride : wide_;
    return split_ + floor_of_quotient(j - split_, g) * g;
  }
  /// The first place at or after j.
  long on_lattice(long j) const {
    const long g = j <= split_ ? lattice_.stride : wide_;
    return split_ - floor_of_quotient(split_ - j, g) * g;
  }
  long after(long j) const { return on_lattice(j + 1); }

 private:
  static long floor_of_quotient(long a, long b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

  double step_;
  double slack_;
  LatticeOfPlaces lattice_;
  long wide_;
  long split_;
};

}  // namespace plaudit::kernel

// Laws of losses on a lattice: where it is, and the moments on the vertical line of one period.
// Theorems: docs/certificates/lattice.md.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "verification/checker/ends.hpp"
#include "verification/checker/laws/discrete_noise.hpp"
#include "verification/checker/laws/laws.hpp"

namespace plaudit::proof {

/// Indices k, k + 1, ... up to `last`: summed one by one, or bounded together.
struct Segment {
  long first;
  long last;
  bool summed;
};

/// offset + index * mesh; no mesh: a single loss. No indices: all integers.
struct LossLattice {
  Known offset;
  std::optional<Known> mesh;
  std::vector<long> indices;
};
/// @throws Rejected where the law is not known to be on a lattice.
LossLattice lattice_of(const Law& law);

/// e^{2 pi i k / K}, each made once.
class Roots {
 public:
  explicit Roots(long period) : period_(period) {}
  const Complex& at(const Integer& k);
  long period() const { return period_; }

 private:
  long period_;
  std::map<long, Complex> known_;
};

/// F(k) = e^{-z b} M(z) at z = t + 2 pi i k / (a K) for one law whose own mesh is `times` a.
class Spectrum {
 public:
  virtual ~Spectrum() = default;
  virtual Complex at(long k, Roots& roots) const = 0;
  /// Of |F| for all real k in [first, last].
  virtual Interval bound(long first, long last, long period) const = 0;
  virtual double cost() const = 0;
};
/// @param step encloses a. @param times 0 for a law with a single loss.
std::unique_ptr<Spectrum> spectrum(const Law& law, const LossLattice& lattice, long times,
                                   const Interval& step, const Interval& t, Budget& budget);

/// log M(t) of the composition of such laws.
Interval log_moment(const Run& run, const Rational& t, Budget& budget);

/// The least and the greatest distance of the numbers of [low, high] from the integers next to
/// them.
struct Distances {
  Rational near;
  Rational far;
};
Distances distances(const Rational& low, const Rational& high);

}  // namespace plaudit::proof

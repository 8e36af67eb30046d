// Laws of losses on a lattice, as the folded contour sees them: moments on the vertical line of one
// period, at its K nodes and between them. Theorems: docs/certificates/lattice.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "accountants/proof/arithmetic/balls.hpp"
#include "accountants/proof/arithmetic/budget.hpp"
#include "accountants/proof/arithmetic/roots_of_unity.hpp"

namespace plaudit::proof {

/// An enclosure, and the number itself where it is known to be a rational.
template <class Real>
struct Number {
  Real value = 0;
  std::optional<Rational> exact = std::nullopt;
};

/// Discrete Gaussian noise of the variance v, shifted by D against itself.
struct DiscreteNoise {
  Rational variance;
  Integer sensitivity;
};

/// P(L = offset + j mesh) at the indices j, or discrete Gaussian noise, whose losses are all j.
template <class Real>
struct LawOnLattice {
  Number<Real> offset;
  std::optional<Number<Real>> mesh;  ///< none: a single loss
  std::vector<long> indices = {};    ///< increasing
  std::vector<Real> masses = {};
  std::optional<DiscreteNoise> noise = std::nullopt;
  Real infinite = 0;  ///< P(L = inf)
  Real finite = 1;    ///< the other masses together
};

/// The law of discrete Gaussian noise: offset D^2 / (2v), mesh D / v.
template <class Real>
LawOnLattice<Real> noise_on_lattice(const DiscreteNoise& noise);

/// The greatest a of which all meshes are multiples, and which ones; 0 for a law with a single
/// loss.
template <class Real>
struct CommonMesh {
  Number<Real> step;
  std::vector<long> times;
};
/// @param meshes one for each law. @throws Rejected where they are not known to have a common one.
template <class Real>
CommonMesh<Real> common_mesh(const std::vector<std::optional<Number<Real>>>& meshes);

/// The vertical line of one period: z_k = t + 2 pi i k / (a K).
template <class Real>
struct PeriodLine {
  PeriodLine(const Real& a, const Real& t, long points)
      : step(a), tilt(t), period(points), roots(2 * static_cast<std::uint64_t>(points)) {}

  Real step;                 ///< a
  Real tilt;                 ///< t > 0
  long period;               ///< K
  RootsOfUnity<Real> roots;  ///< of the order 2K
};

/// One law on b + aZ, n copies of which are composed. F(k) = e^{-z_k b} M(z_k).
template <class Real>
class LatticeFactor {
 public:
  virtual ~LatticeFactor() = default;
  virtual ComplexOf<Real> at(long k) const = 0;
  /// Of |F(k)| for first <= k <= last.
  virtual Real bound(long first, long last) const = 0;
  /// log M(order).
  virtual Real log_moment(const Rational& order) const = 0;
  /// Operations of one value.
  virtual double cost() const = 0;

  std::uint64_t count = 1;  ///< n
  Number<Real> offset;      ///< b
  Real finite = 1;          ///< P(L < inf)
  Real infinite = 0;
  std::optional<Integer> greatest;  ///< the greatest loss is b + a greatest; none: unbounded
};

/// @param times the law's own mesh in meshes a, 0 for a single loss. @param line outlives it.
template <class Real>
std::unique_ptr<LatticeFactor<Real>> lattice_factor(const LawOnLattice<Real>& law,
                                                    std::uint64_t count, long times,
                                                    const PeriodLine<Real>& line, Budget& budget);

/// The least and the greatest distance of the numbers of [low, high] from the integers next to
/// them.
struct Distances {
  Rational near;
  Rational far;
};
Distances distances(const Rational& low, const Rational& high);

}  // namespace plaudit::proof

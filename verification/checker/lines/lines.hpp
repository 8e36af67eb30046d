// Laws on a vertical line: values of M, a bound beyond a height, real moments.
// Claims: docs/certificates/lines.md#laws
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accountants/proof/arithmetic/budget.hpp"
#include "verification/checker/laws/laws.hpp"
#include "verification/checker/laws/reader.hpp"

namespace plaudit::proof {

/// Nodes t + ikh, `count` of them from k = first on.
struct Nodes {
  long first;
  long count;
};

/// M(t + is) = sum_j w_j e^{is l_j}, w_j = p_j e^{t l_j} >= 0, but for at most `rest` in modulus.
struct Atoms {
  std::vector<Interval> weights;
  std::vector<Interval> losses;
  Interval rest;
};

class Line {
 public:
  virtual ~Line() = default;
  /// Boxes of M at the nodes. Laws with integrals know only nodes from 0 on.
  virtual std::vector<Complex> values(const Interval& t, const Interval& h, const Nodes& nodes,
                                      Budget& budget) const = 0;
  /// Where the law has atoms alone.
  virtual std::optional<Atoms> atoms(const Interval&, Budget&) const { return std::nullopt; }
  /// An upper bound of |M(t + is')| for all s' >= s > 0.
  virtual Interval beyond(const Interval& t, const Interval&, Budget& budget) const {
    return moment(t, "axis", budget);
  }
  /// An upper bound of M(t) for real t, by the rule of that name or without one.
  virtual Interval moment(const Interval& t, const std::string& name, Budget& budget) const = 0;

  /// The mass at infinity that the law has, what was moved there besides, and M(-1).
  virtual Interval infinite() const { return 0; }
  virtual Interval moved() const { return 0; }
  virtual Interval q_mass() const { return 1; }
  /// Bounds of the support of the finite part of L, where there are any.
  virtual std::optional<Interval> least() const { return std::nullopt; }
  virtual std::optional<Interval> greatest() const { return std::nullopt; }
};

using LinePointer = std::unique_ptr<const Line>;

/// Takes all fields. @param may_cut whether rare draws may be moved to infinity.
LinePointer make_line(const Law& law, Fields& fields, bool may_cut);

// The laws in turn (line_integrals.cpp, line_closed.cpp, line_atoms.cpp).
LinePointer line_of(const Gaussian& law, Fields& fields);
LinePointer line_of(const Mixture& law, Fields& fields);
LinePointer cut_line_of(const Mixture& law, Fields& fields);
LinePointer line_of(const Labelled& law, Fields& fields, bool may_cut);
LinePointer line_of(const Mirrored& law, Fields& fields);
LinePointer line_of(const Laplace& law, Fields& fields);
LinePointer line_of(const Range& law, Fields& fields);
LinePointer line_of(const TruncatedLaplace& law, Fields& fields);
LinePointer line_of(const LaplaceThreshold& law, Fields& fields);
LinePointer line_of(const TruncatedGaussian& law, Fields& fields);
LinePointer line_of(const Finite& law, Fields& fields);
LinePointer line_of(const DiscreteGaussian& law, Fields& fields);
LinePointer line_of(const Bounded& law, Fields& fields);
LinePointer line_of(const PublicLabel& law, Fields& fields, bool may_cut);
LinePointer line_of(const Allocation& law, Fields& fields);
LinePointer sampled_line(const Laplace& base, const Rational& rate, bool removes, Fields& fields);
LinePointer sampled_line(const DiscreteGaussian& base, const Rational& rate, bool removes,
                         Fields& fields);

/// theta(c) = 1 + 2 sum_(m >= 1) e^{-2 pi^2 v m^2} cos(2 pi m c), c real.
Interval theta(const Interval& v, const Interval& c, Budget& budget);

}  // namespace plaudit::proof

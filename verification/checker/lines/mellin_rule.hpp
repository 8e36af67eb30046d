// Values of A(w) = E (S/t)^w, the moments of random allocation, by a rule that a file states: the
// Mellin transform of Psi_m(u) = E (S/t)^m e^(-e^u S/t) over that of e^(-e^u), which is the gamma
// function, both summed over equidistant nodes of one line. Psi_m comes from the Laplace transform
// of one lognormal variable, another sum. Claims: docs/certificates/lines.md#allocation
#pragma once

#include <vector>

#include "accountants/proof/arithmetic/budget.hpp"
#include "accountants/proof/arithmetic/intervals.hpp"
#include "verification/checker/laws/reader.hpp"
#include "verification/checker/lines/mean_of_draws.hpp"

namespace plaudit::proof {

class MellinRule {
 public:
  /// Takes the fields of a rule, but not `height`.
  explicit MellinRule(Fields& fields);

  /// An upper bound of A(r), r real.
  Interval moment(const MeanOfDraws& law, const Interval& r, Budget& budget) const;
  /// Boxes of A(r - i k h), `count` of them from k = first on.
  /// @param axis an upper bound of A(r)
  std::vector<Complex> values(const MeanOfDraws& law, const Interval& r, const Interval& h,
                              long first, long count, const Interval& axis, Budget& budget) const;

 private:
  struct Line;
  Line line_of(const MeanOfDraws& law, const Interval& r, Budget& budget) const;
  std::vector<Complex> psi(const MeanOfDraws& law, Budget& budget) const;
  std::vector<Complex> psi_of_one(const MeanOfDraws& law, Budget& budget) const;
  std::vector<Complex> sums(std::vector<Complex> psi, long first, const Line& line,
                            const Interval& y, const Interval& h, long count, Budget& budget) const;

  long order_;  ///< m
  Rational theta_;
  long parts_;  ///< the unit of the lattice is a^2 / parts
  long step_;   ///< of the nodes, in units
  long first_;  ///< nodes of Psi_m
  long last_;
  long first_of_gamma_;  ///< nodes of the gamma function
  long last_of_gamma_;
  Rational right_order_;  ///< q > 0: of the moment A(r - q) that bounds the nodes after the last
  Rational turn_;         ///< chi
  Rational width_;        ///< v: half of the strip of the rule of phi
  long stride_;           ///< a times the step of the rule of phi, in units
  long points_;           ///< of that rule on either side of 0
  long bits_;             ///< with which the rule is evaluated, whatever the statement's are
};

}  // namespace plaudit::proof

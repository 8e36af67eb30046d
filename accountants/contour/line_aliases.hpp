// Aliases of the corrected trapezoid on a line Re z = t with period P = 2 pi / h, and its band.
//
// docs/proofs/straight_contour.md#periodisation and #one-residue: with both
// residues the corrected sum D exceeds delta by A+ + A-, with one it exceeds it by A+ - B. The
// bounds are those of Lemma 1 at orders found in floating point; any order is valid.
#pragma once

#include <limits>
#include <map>
#include <vector>

#include "accountants/accountant.hpp"
#include "accountants/cumulants/cumulant_table.hpp"

namespace plaudit {

/// A line, and by which residues its sum is corrected: those at 0 and -1, that at 0, or none.
struct LineShape {
  double t;
  double period;  ///< nearly P: steers the choice of orders
  bool both_residues;
  bool no_residue = false;
};

class LineAliases {
 public:
  LineAliases(const ComposedLoss& loss, CumulantTable& table, const LineShape& line)
      : loss_(loss), table_(table), line_(line) {}
  /// The same for a composition that has these terms more: with the orders of the other one, and
  /// its bounds of moments that were used since it was made.
  LineAliases(const LineAliases& other, const ComposedLoss& loss, CumulantTable& table,
              const std::vector<ComposedLoss::Term>& more);

  /// Bounds of A+, and of A- or B. @param p the exact period. @param enough a bound as small as
  /// that will do, and needs no moment where the mass of Q gives it.
  Ball right(const Ball& epsilon, const Ball& p);
  Ball left(const Ball& epsilon, const Ball& p, const Ball& enough = Ball(0));
  /// The same of the averages of P(L > y), or of Q(L > y), over [x, x + w]:
  /// docs/proofs/tails.md#line. @param average an upper bound of the average at x itself.
  Ball right_of_tail(const Ball& x, const Ball& p, bool of_q, const Ball& average);
  Ball left_of_tail(const Ball& x, const Ball& w, const Ball& p, bool of_q);
  /// A_0 of a sum without residues: docs/proofs/straight_contour.md#no-residue.
  Ball left_without_residue(const Ball& epsilon, const Ball& p);
  /// A+ + A- of a one-sided line, from an upper bound of delta.
  Ball of_one_sided(const Ball& epsilon, const Ball& p, const Ball& delta);

  /// The band of the total delta around D. @param error what D may be off by besides.
  Enclosure band(const Ball& corrected, const Ball& right, const Ball& left, const Ball& error,
                 const Ball& epsilon, Ledger&& ledger);

  // Of the composition, kept at the highest precision at which they were asked for.
  const Ball& finite_mass();
  const Ball& q_mass();
  const Ball& mass_at_infinity();

 private:
  /// Lemma 1 at a heuristic order.
  Ball chernoff(const Ball& epsilon);
  const Ball& log_mgf_upper(double t);

  /// An order, and the epsilon that it was chosen for.
  struct Order {
    double order = 0;
    double epsilon = std::numeric_limits<double>::quiet_NaN();
    double reach = 0;  ///< around that epsilon
  };
  template <class Search>
  double near(Order& kept, const Ball& epsilon, Search&& search);

  const ComposedLoss& loss_;
  CumulantTable& table_;
  LineShape line_;
  Order right_;
  Order left_;
  /// An upper bound of log M.
  struct Moment {
    Ball log_upper;
    bool used = true;  ///< by the line itself, not by one that has fewer terms
  };
  std::map<double, Moment> log_mgf_;  ///< by the order
  /// A number of the whole composition, and the precision at which it was computed.
  struct Kept {
    Ball value;
    long bits = 0;
  };
  template <class Compute>
  const Ball& kept(Kept& number, Compute&& compute);
  const Ball& least_loss();
  const Ball& greatest_loss();
  Kept finite_mass_;
  Kept q_mass_;
  Kept mass_at_infinity_;
  Kept least_loss_;
  Kept greatest_loss_;
};

}  // namespace plaudit

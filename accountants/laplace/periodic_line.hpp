// Laplace noise of one scale or several, and lattice laws beside it, on a vertical line folded into
// one period of all atoms (the periodic line), at a cost that does not depend on numbers of steps.
//
// Theorem: docs/proofs/laplace.md#folded-product. The nodes fall into Q classes on which the atoms'
// part is the same up to a phase. The classes that matter are found by bounding blocks of them. The
// nodes |j| <= J of a class are summed one by one; the others are expanded in powers of 1/j.
#pragma once

#include <optional>
#include <vector>

#include "accountants/contour/line_aliases.hpp"
#include "accountants/laplace/folded_curve.hpp"
#include "accountants/laplace/folded_sums.hpp"

namespace plaudit {

struct PeriodicLaw {
  struct Noise {
    Rational ratio;
    std::uint64_t steps;
  };
  std::vector<Noise> noises;
  std::vector<ComposedLoss::Term> others;  ///< laws on rational lattices
  Rational mesh;                           ///< alpha: 2 ratios and meshes are multiples of it
  Rational offset;  ///< all finite losses of the atoms are in offset + alpha Z
};

/// The composition in this form; nothing where another law takes part, or masses are not 1.
std::optional<PeriodicLaw> periodic_law(const ComposedLoss& composition);

struct PeriodicChoice {
  double t = 0;
  std::uint64_t classes = 1;  ///< Q, odd
  bool both_residues = true;
  double log_goal = 0;       ///< log of what a block left out may take off T e^(t eps) pi / h
  std::uint64_t direct = 1;  ///< J >= 1
  std::size_t orders = 1;    ///< powers of 1/j kept
  double kappa = 0.5;        ///< greatest |1 / (2jw)| of |j| > J, in R: N orders err by kappa^N
  long bits = 64;
  double seconds = 0;  ///< predicted; infinite where no usable parameters were found
};

PeriodicChoice choose_periodic(const ComposedLoss& loss, const PeriodicLaw& law,
                               CumulantTable& table, const LineAim& aim);

class PeriodicLine final : public CurveLine {
 public:
  PeriodicLine(const ComposedLoss& loss, const PeriodicLaw& law, CumulantTable& table,
               const PeriodicChoice& choice);

  Enclosure delta(const Ball& epsilon) override;
  long bits() const override { return choice_.bits; }

 private:
  struct Class {
    std::uint64_t index;
    std::vector<ComplexBall> direct;  ///< F_k at j = -J .. J
    std::vector<ComplexBall> orders;  ///< g_i R^i, for the other j
  };
  struct Parts {
    std::vector<ComplexBall> atoms, curves;  ///< A_i, B_i
    ComplexBall rest;                        ///< C
  };

  void cover(std::uint64_t first, std::uint64_t last);
  Ball bound_of_block(std::uint64_t first, std::uint64_t last) const;
  Parts parts_at(const ComplexBall& node) const;
  void add_class(std::uint64_t k);
  void add_error(const Parts& parts, const ComplexBall& v);
  std::vector<ComplexBall> expansion(const Parts& parts, const ComplexBall& v) const;
  Ball total(const Ball& epsilon) const;

  PeriodicLaw law_;
  PeriodicChoice choice_;
  LineAliases aliases_;
  Ball t_, h_, turn_;  ///< turn: 4 pi / alpha, by which |v| grows from node to node of a class
  Ball radius_;        ///< R
  Ball others_at_t_;   ///< C(t)
  std::vector<Class> classes_;
  FoldedSums sums_;
  Ball expansion_;  ///< what the orders left out amount to, without e^{-t eps} h / pi
  Ball omitted_;    ///< the same of the classes left out
  long bits_of_sums_ = 64;
};

}  // namespace plaudit

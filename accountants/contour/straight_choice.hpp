// Parameters of the straight contour: the recipe of docs/proofs/straight_contour.md#periodisation,
// in floating point. Heuristics only; every bound is evaluated again at what is chosen here.
#pragma once

#include <optional>

#include "accountants/cumulants/cumulant_table.hpp"
#include "accountants/sweep/line_sweep.hpp"

namespace plaudit {

struct StraightChoice {
  double t = 0;               ///< abscissa of the line
  double h = 0;               ///< node distance
  std::size_t nodes = 0;      ///< k = 0 .. nodes
  bool both_residues = true;  ///< correct for the poles 0 and -1, or for 0 alone
  bool no_residue = false;    ///< correct for no pole: left aliases are e^(-jtP) delta(eps - jP)
  bool one_sided = false;  ///< the aliases of one side are bounded by the sum itself: P reaches an
                           ///< end of the support, or (left of the poles) Lemma 1 bounds the others
  double nats = 0;         ///< relative accuracy aimed at, e^-nats
  double further_nats = 0;  ///< by which the nodes left out must be smaller still
  double log_delta = 0;     ///< expected log delta
  double cancellation = 0;  ///< nats by which terms may exceed delta
  double seconds = 0;       ///< predicted cost; infinite where no usable parameters were found
  /// Beyond the nodes up to this height |M| is bounded block by block, to e^-sweep_nats of M(t);
  /// 0: |M| falls for good before.
  double sweep_height = 0;
  double sweep_nats = 0;
  SweepLimits sweep_limits = {};
};

/// Period of the trapezoid on Re z = t for which the aliases stay below e^target.
struct LinePeriod {
  double period = 0;
  bool both_residues = true;
  bool no_residue = false;
  /// log of the residues' greatest term, which the sum cancels; -tP where nothing is said.
  std::optional<double> log_residue = std::nullopt;
};
LinePeriod least_period(const ComposedLoss& loss, CumulantTable& table, double t, double epsilon,
                        double target);

/// The cheapest line for delta(epsilon) to relative accuracy e^-nats.
/// @param further_nats by which the nodes left out must be smaller still, for other kernels.
StraightChoice choose_straight(const ComposedLoss& loss, CumulantTable& table, double epsilon,
                               double nats, double log_delta, double further_nats = 0);

/// The same with a period that reaches to an end of the support: t < -1 where losses are bounded
/// below, t > 0 where they are bounded above (docs/proofs/straight_contour.md#one-sided).
StraightChoice choose_one_sided(const ComposedLoss& loss, CumulantTable& table, double epsilon,
                                double nats, double log_delta, double further_nats = 0);

/// The same without residues: where delta is far below the mass of the losses near their mean.
StraightChoice choose_without_residue(const ComposedLoss& loss, CumulantTable& table,
                                      double epsilon, double nats, double log_delta);

/// On a line t < -1, where A+ bounds itself and A- has the bound of Lemma 1, or none where the
/// period reaches the least loss (#one-sided): for losses whose positive moments say nothing, or
/// cost more.
StraightChoice choose_left_of_poles(const ComposedLoss& loss, CumulantTable& table, double epsilon,
                                    double nats, double log_delta);

/// t - t', 0 <= t' < t, that makes the bound of the left aliases without residues least.
double best_left_gap(CumulantTable& table, double t, double epsilon, double period);
/// t' - t that makes the bound of the right aliases at period P least; u - 1 for the left ones with
/// both residues; u in (0, 1] with one.
double best_right_gap(CumulantTable& table, double t, double epsilon, double period);
double best_left_excess(CumulantTable& table, double t, double epsilon, double period);
double best_left_order(CumulantTable& table, double t, double epsilon, double period);
/// u + t > 0 that makes the bound of the left aliases of a line t < -1 least.
double best_gap_left_of_poles(CumulantTable& table, double t, double epsilon, double period);

}  // namespace plaudit

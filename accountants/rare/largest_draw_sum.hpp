// delta(eps) with the runs told apart by their largest draw: one part or two by contours, the
// others bounded.
//
//   delta = (runs without a draw beyond Y) + (largest draw in (Y, y1]) + (a draw beyond y1)
// The first part is a contour of n steps restricted to y <= Y, or has the bound of Lemma 1. The
// second is bounded slice by slice. The third is n times the curve of n - 1 whole steps and one
// restricted to y > y1, by a contour of negative order, less what runs with two such draws count
// twice; or it has the mass of such draws as a bound.
// Proof: docs/proofs/largest_draw.md#split, #slices
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "accountants/contour/straight_contour.hpp"
#include "accountants/rare/largest_draw_plan.hpp"

namespace plaudit {

extern const ErrorTerm largest_draw_others;
extern const ErrorTerm largest_draw_pairs;

class LargestDrawSum {
 public:
  /// @throws std::domain_error where a line is too long.
  LargestDrawSum(const ComposedLoss& loss, const LargestDrawPlan& plan, double epsilon,
                 double nats);

  /// Encloses the total delta at an exact (or ball) epsilon >= 0.
  Enclosure delta(const Ball& epsilon);
  long bits() const { return bits_; }

 private:
  /// A composition of parts of the law, with its line.
  struct Line {
    explicit Line(ComposedLoss parts) : loss(std::move(parts)), table(loss, false) {}
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    ComposedLoss loss;
    CumulantTable table;
    std::unique_ptr<StraightContour> contour;
  };
  struct Slice {
    Ball mass;      ///< n P(y > low)
    Ball greatest;  ///< log f(high)
    Ball another;   ///< (n-1) P(y > Z)
    Ball order;     ///< t
    Ball log_rest;  ///< log c(t) A_Z(1+t)^(n-1)
  };

  double add_line_below(double end, double epsilon, double nats, double log_delta);
  void add_line_beyond(double start, double epsilon, double nats, double log_delta);
  double bound_below(double end, double order);
  Slice bounded(const LargestDrawSlice& slice, double high) const;
  Ball of_slice(const Slice& slice, const Ball& epsilon) const;
  Ball of_runs_below(const Ball& epsilon) const;

  const ComposedLoss& loss_;
  const GaussianMixture& mixture_;
  std::shared_ptr<const PrivacyLoss> whole_;
  std::uint64_t steps_;
  std::unique_ptr<Line> below_;   ///< draws up to Y only; null where bounded
  std::unique_ptr<Line> beyond_;  ///< one draw beyond y1; null where bounded
  Ball order_below_;
  Ball log_below_;
  Ball nothing_from_;  ///< the greatest loss of runs without a draw beyond Y
  std::vector<Slice> slices_;
  Ball mass_beyond_;  ///< n P(y > y1)
  Ball pairs_;        ///< C(n, 2) P(y > y1)^2
  long bits_ = 128;
};

}  // namespace plaudit

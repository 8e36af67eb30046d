// delta(eps) as a sum over the number k of rare draws, each term by a straight contour of its own.
//
//   delta = sum_k C(n, k) delta_k,   delta_k the curve of n - k steps restricted to y <= Y and k
//   steps restricted to y > Y
// for the k that matter; the others are bounded by Lemma 1 and a geometric series. Far in the tails
// the moments of all steps together belong to runs with and without such draws, between which their
// transform falls slowly; those of one k belong to one bump.
// Proof: docs/proofs/rare_draws.md#split, #others
#pragma once

#include <memory>
#include <vector>

#include "accountants/contour/straight_contour.hpp"
#include "accountants/rare/rare_draw_plan.hpp"

namespace plaudit {

extern const ErrorTerm rare_draws_others;

/// Upper bound of the log of the sum of C(n, j) S^(n-j) B^j over all j >= k, or over all j <= k,
/// from enclosures of log S and log B; +inf where the terms do not certainly fall from k on.
Ball log_binomial_side(std::uint64_t n, std::uint64_t k, bool upward, const Ball& log_s,
                       const Ball& log_b);

/// The numbers of rare draws that are summed: heuristic, any range gives a valid band.
struct RareDrawRange {
  std::uint64_t first;
  std::uint64_t last;
};

class RareDrawSum {
 public:
  /// @throws std::domain_error where too many numbers of draws matter, or a line is too long.
  RareDrawSum(const RareDrawPlan& plan, double epsilon, double nats);
  /// The terms of the range.
  RareDrawSum(const RareDrawPlan& plan, double epsilon, double nats, RareDrawRange range);

  /// Encloses the total delta at an exact (or ball) epsilon >= 0.
  Enclosure delta(const Ball& epsilon);
  long bits() const { return bits_; }

 private:
  struct Term {
    std::uint64_t count;
    std::unique_ptr<StraightContour> line;
    Ball choose;  ///< C(n, k)
  };
  /// size e^(-order epsilon), at least the sum of all terms on one side.
  struct Rest {
    Ball order;
    Ball log_size;
    Ball nothing_from;  ///< the greatest loss, from which on it is 0
  };

  struct Choice {
    std::uint64_t count;
    StraightChoice line;
  };
  Choice chosen(std::uint64_t k, double epsilon, double nats) const;
  void add_line(const Choice& choice, double epsilon);
  Rest beyond(std::uint64_t k, bool upward, double epsilon, double enough);

  std::shared_ptr<RareDrawCases> cases_;
  std::vector<Term> terms_;
  std::vector<Rest> rests_;
  long bits_ = 64;
};

}  // namespace plaudit

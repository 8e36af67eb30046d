// What lies beyond the central nodes of a straight line where |M| does not fall for good: ranges
// of nodes that are bounded, by blocks or as a whole, and ranges that must be summed.
//
// A block is bounded by the laws' line bounds (line_bound.hpp) at its middle; one that is not small
// enough is divided, at last into nodes to be summed. Of laws without a line bound, |M| is bounded
// beyond each of a few heights.
// Proof: docs/proofs/pinch.md#sweep
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "accountants/sweep/line_bound.hpp"
#include "mechanisms/composition.hpp"

namespace plaudit {

/// Nodes first..last, bounded as a whole, or each to be summed, or bounded by blocks.
struct LineRange {
  enum class How { bounded, summed, blocks };
  long first;
  long last;
  How how;
};

struct SweepLimits {
  /// Cost of dividing a block that is not small enough, in blocks (heuristic, measured 2026-11).
  double refining = 200;
  long most_summed = 20000;  ///< nodes; where more matter there is no sweep
};

class LineSweep {
 public:
  /// Walks the nodes t + ikh, k >= first. Of prod |M_i|^n_i / M_i(t)^n_i those that are not to be
  /// summed are below e^-nats k/first up to last(), and below e^-nats beyond it.
  /// @param height from which on the latter is to hold. @param bits of log_ratios().
  /// @throws std::domain_error where that fails, or where too many nodes are to be summed.
  LineSweep(const ComposedLoss& loss, double t, double h, long first, double height, double nats,
            long bits, const SweepLimits& limits = {});

  const std::vector<LineRange>& ranges() const { return ranges_; }
  /// Nodes per block.
  long block() const { return block_; }
  /// Beyond this one nothing matters.
  long last() const;
  /// The indices of the nodes to be summed.
  std::vector<long> summed() const;
  /// log of prod (M_i / M_i(t))^n_i at each of these nodes, on some branch; not finite where a ball
  /// meets 0.
  std::vector<ComplexBall> log_ratios(const std::vector<long>& nodes) const;

 private:
  struct Rough {  ///< a factor with a line bound
    std::unique_ptr<LineBound> bound;
    std::uint64_t count;
    std::vector<double> thresholds;  ///< beta up to [r] proves r parts of the fall
    int parts(double beta) const;
  };
  struct Step {
    double height;
    int parts;
  };

  std::vector<ComplexBall> log_mgfs(const PrivacyLoss& loss, const std::vector<long>& nodes) const;
  void walk(long first, long last);
  void refine(long first, long last);
  void decide(long first, long length, const std::vector<int>& parts, LineRange::How how);
  void sum(long first, long last);
  std::vector<int> parts_of(long first, long length, std::size_t count, bool finely) const;
  void choose_block(double steepest, long last);
  bool falls_for_good(const ComposedLoss& loss, long last) const;
  int smooth_parts(long first) const;
  int wanted_parts(long first) const;
  void add(long first, long last, LineRange::How how);

  Ball t_;
  Ball h_;
  long bits_;
  long bits_of_ratios_;
  double step_;  ///< h_, which is a double
  long first_;
  double nats_;
  double refining_;
  std::vector<Rough> rough_;
  struct Smooth {  ///< a factor without one
    std::shared_ptr<const PrivacyLoss> loss;
    Ball count;
    Ball log_whole;
    std::vector<Step> steps;  ///< by height
  };
  std::vector<Smooth> smooth_;
  std::vector<LineRange> ranges_;
  long block_ = 1;
  long count_summed_ = 0;
  long most_summed_;
};

}  // namespace plaudit

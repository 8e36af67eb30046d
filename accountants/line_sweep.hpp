// What lies beyond the central nodes of a straight contour, where |M| does not fall for good: the
// nodes are bounded block by block, and those that matter are named.
//
// Along Re z = t, beta(s) = |M(t+is)| / M(t) of one law changes by at most E_t|L - c| |ds|, so one
// value bounds a block of nodes. Laws with atoms are walked in binary64 with a proven error;
// closed forms are evaluated in balls; the others are bounded beyond a few heights.
// Proof: docs/proofs/pinch.md#sweep, docs/proofs/pinch.md#rotation
#pragma once

#include <memory>
#include <vector>

#include "mechanisms/composition.hpp"

namespace plaudit {

/// beta of one law over intervals of s.
class LineBound {
 public:
  virtual ~LineBound() = default;
  /// Upper bounds, at most 1, over |s - middle| <= half for the middles first + b step, b < count,
  /// all exact.
  virtual std::vector<double> along(const Ball& first, const Ball& step, double half,
                                    std::size_t count) const = 0;
  /// The same, faster and coarser where it can be.
  virtual std::vector<double> coarsely(const Ball& first, const Ball& step, double half,
                                       std::size_t count) const {
    return along(first, step, half, count);
  }
  /// M(t + is) / M(t), at the precision of the one that made this.
  virtual ComplexBall ratio(const Ball& s) const = 0;
  /// beta changes by at most this per unit of s.
  virtual double slope() const = 0;
};
/// Null for laws that are neither atoms nor of bounded support in closed form. @param t exact.
std::unique_ptr<LineBound> line_bound(const PrivacyLoss& loss, const Ball& t);

/// Nodes first..last, bounded as a whole, or each to be summed, or bounded by blocks.
struct LineRange {
  enum class How { bounded, summed, blocks };
  long first;
  long last;
  How how;
};

struct SweepLimits {
  /// What a block costs that must be looked at more finely, in blocks (heuristic, measured
  /// 2026-11).
  double refining = 200;
  long most_summed = 20000;
};

class LineSweep {
 public:
  /// Of the nodes t + ikh, k >= first, h a double: all that are not to be summed are below e^-nats
  /// in prod |M_i|^n_i / M_i(t)^n_i. @param height where that is known to hold for good.
  /// @throws std::domain_error where that fails, or where too many nodes are to be summed.
  LineSweep(const ComposedLoss& loss, const Ball& t, const Ball& h, long first, double height,
            double nats, long bits, const SweepLimits& limits = {});

  const std::vector<LineRange>& ranges() const { return ranges_; }
  /// Nodes per block.
  long block() const { return block_; }
  /// Beyond this one nothing matters.
  long last() const;
  /// The indices of the nodes to be summed.
  std::vector<long> summed() const;
  /// log of prod (M_i / M_i(t))^n_i at node k, on some branch; not finite where a ball meets 0.
  ComplexBall log_ratio(long k) const;

 private:
  struct Rough {
    std::unique_ptr<LineBound> bound;
    Ball count;
    std::vector<double> thresholds;  ///< beta up to [r] proves r parts of the fall
    int parts(double beta) const;
  };
  struct Step {
    double height;
    int parts;
  };

  void walk(long first, long last);
  void refine(long first, long last);
  void decide(long first, long length, long count);
  void sum(long first, long last);
  std::vector<int> parts_of(long first, long length, std::size_t count, bool finely) const;
  void choose_block(double steepest, long last);
  bool falls_for_good(const ComposedLoss& loss, const Ball& t, long last) const;
  int smooth_parts(long first) const;
  int wanted_parts(long first) const;
  void add(long first, long last, LineRange::How how);

  Ball t_;
  Ball h_;
  long bits_;
  double step_;  ///< h
  long first_;
  double nats_;
  double refining_;
  std::vector<Rough> rough_;
  struct Smooth {
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

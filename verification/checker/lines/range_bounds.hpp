// Upper bounds of |M(t + is)| of one law over blocks of nodes.
// Claims: docs/certificates/straight.md#atoms
#pragma once

#include <memory>
#include <vector>

#include "verification/checker/lines/block_falls.hpp"
#include "verification/checker/lines/line_product.hpp"

namespace plaudit::proof {

/// For one law, upper bounds of log |M(t + is)|.
class RangeBound {
 public:
  virtual ~RangeBound() = default;
  /// For every block one that holds for all s from the height of its first to that of its last
  /// node.
  virtual std::vector<Interval> logs(const Blocks& blocks, Budget& budget) const = 0;
  /// Adds the falls of many blocks of one length to those of other laws; they count from
  /// log_most().
  virtual void add_falls(const Blocks& blocks, const FallSteps& steps, std::vector<int>& falls,
                         Budget& budget) const = 0;
  virtual Interval log_most() const = 0;
  /// Interval operations of a call, and of each block more.
  virtual double per_call() const { return 0; }
  virtual double per_block() const = 0;
  /// What is made once, for the first group.
  virtual double once() const { return 0; }
  /// The same in a group.
  virtual double per_group() const { return 20; }
  virtual double per_block_of_group() const { return 0.05; }
};

/// @param first the first node of all blocks.
std::unique_ptr<RangeBound> range_bound(const LineProduct::Factor& factor, const Interval& t,
                                        const Interval& h, long first, Budget& budget);

}  // namespace plaudit::proof

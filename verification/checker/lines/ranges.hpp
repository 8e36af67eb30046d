// Nodes of a contour beyond those from 0 on: in ranges, some summed, others bounded as a whole or
// block by block. Claims and proofs: docs/certificates/straight.md#ranges
#pragma once

#include <optional>
#include <vector>

#include "verification/checker/lines/line_product.hpp"

namespace plaudit::proof {

struct Ranges {
  enum class How { bounded, summed, blocks };
  struct Range {
    long first;
    long last;
    How how;
  };
  std::vector<Range> list;  ///< consecutive, the first begins after the nodes that are summed
  long block = 0;           ///< nodes of a block

  long last() const { return list.back().last; }
};

/// Takes "ranges". No more than `most_summed` nodes may be summed in all, those from 0 to `nodes`
/// among them.
Ranges read_ranges(Fields& choices, long nodes, long most_summed);

/// An upper bound of what the nodes of the ranges that are not summed add to D.
Interval bounded_ranges(const Ranges& ranges, const LineProduct& product, const Interval& t,
                        const Interval& h, const Interval& epsilon, Budget& budget);

}  // namespace plaudit::proof

// The bounds of the laws, multiplied and added up: docs/certificates/straight.md#ranges
#include "verification/checker/lines/ranges.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/lines/range_bounds.hpp"

namespace plaudit::proof {

namespace {

constexpr std::size_t most_ranges = 100000;
constexpr long farthest_node = 1L << 40;
constexpr long most_blocks = 1L << 22;
constexpr long blocks_at_once = 65536;  ///< of a group
constexpr long least_group = 16;        ///< blocks: fewer are bounded one by one
constexpr long bits_of_bounds = 128;    ///< at most: fewer make bounds larger, never wrong

/// (h/pi) e^{-t eps} times the sum over blocks of length prod B_i^n_i / (first h)^2.
class Total {
 public:
  /// @param bits of the certificate. Falls count in steps of bits/512 nats, up to `bits` nats: what
  /// has fallen farther than 2^-bits does not matter.
  Total(const LineProduct& product, const Interval& t, const Interval& h, long first, long bits,
        const Interval& epsilon, Budget& budget)
      : product_(product),
        h_(h),
        level_(-t * epsilon),
        step_of_falls_(Rational(bits, FallSteps::most)),
        budget_(budget) {
    for (const LineProduct::Factor& factor : product.factors) {
      bounds_.push_back(range_bound(factor, t, h, first, budget));
    }
  }

  void announce(const std::vector<Blocks>& all) const {
    double operations = 0;
    for (const auto& bound : bounds_) operations += 60.0 * FallSteps::most + bound->once();
    for (const Blocks& blocks : all) {
      const auto count = static_cast<double>(blocks.count);
      const bool group = blocks.count >= least_group;
      operations += group ? 30 : 30 * count;
      for (const auto& bound : bounds_) {
        operations += group ? bound->per_group() + count * bound->per_block_of_group()
                            : bound->per_call() + count * (4 + bound->per_block());
      }
    }
    budget_.spend(operations);
  }

  void add(const Blocks& blocks) {
    if (blocks.count >= least_group) return add_group(blocks);
    budget_.spend(0);
    std::vector<Interval> sums(static_cast<std::size_t>(blocks.count), level_);
    for (std::size_t i = 0; i < bounds_.size(); ++i) {
      const std::vector<Interval> logs = bounds_[i]->logs(blocks, budget_);
      for (std::size_t b = 0; b < logs.size(); ++b) {
        sums[b] += product_.factors[i].count * top(logs[b]);
      }
    }
    Interval found;
    for (std::size_t b = 0; b < sums.size(); ++b) {
      const Interval first(blocks.first + static_cast<long>(b) * blocks.length);
      found += exp(sums[b]) / square(first);
    }
    sum_ += found * blocks.length;
  }

  /// Each block by its fall, all with 1/k^2 at the first node k of the group.
  void add_group(const Blocks& blocks) {
    std::vector<int> falls(static_cast<std::size_t>(blocks.count), 0);
    Interval level = level_;
    for (std::size_t i = 0; i < bounds_.size(); ++i) {
      const Interval& count = product_.factors[i].count;
      if (steps_.size() == i) steps_.emplace_back(step_of_falls_, count);
      bounds_[i]->add_falls(blocks, steps_[i], falls, budget_);
      level += count * top(bounds_[i]->log_most());
    }
    std::map<int, long> with_fall;
    for (const int fall : falls) ++with_fall[fall];
    Interval found = 0;
    for (const auto& [fall, number] : with_fall) {
      found += number * exp(level - fall * step_of_falls_);
    }
    sum_ += found / square(Interval(blocks.first)) * blocks.length;
  }

  /// (h/pi) sum over blocks of length bound / (first h)^2
  Interval found() const { return top(sum_ / (pi() * h_)); }

 private:
  const LineProduct& product_;
  Interval h_;
  Interval level_;
  Interval step_of_falls_;
  Budget& budget_;
  std::vector<std::unique_ptr<RangeBound>> bounds_;
  std::vector<FallSteps> steps_;  ///< of each, from the first group on
  Interval sum_;
};

}  // namespace

Ranges read_ranges(Fields& choices, long nodes, long most_summed) {
  Fields fields = choices.object("ranges");
  const std::vector<long> ends = fields.integers("ends", most_ranges, nodes + 1, farthest_node);
  const std::vector<long> how = fields.integers("how", most_ranges, 0, 2);
  require(!ends.empty() && ends.size() == how.size(), "ranges: an end and a how for each");
  Ranges result;
  if (std::find(how.begin(), how.end(), 2) != how.end()) {
    result.block = fields.integer("block", 1, farthest_node);
  }
  fields.done();
  long first = nodes + 1;
  long summed = nodes;
  long blocks = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    require(ends[i] >= first, "ranges: the ends must ascend");
    const long length = ends[i] - first + 1;
    if (how[i] == 1) summed += length;
    if (how[i] == 2) {
      require(length % result.block == 0, "ranges: blocks do not fill a range");
      blocks += length / result.block;
    }
    require(summed <= most_summed, "ranges: too many nodes are summed");
    require(blocks <= most_blocks, "ranges: too many blocks");
    result.list.push_back({first, ends[i], static_cast<Ranges::How>(how[i])});
    first = ends[i] + 1;
  }
  return result;
}

Interval bounded_ranges(const Ranges& ranges, const LineProduct& product, const Interval& t,
                        const Interval& h, const Interval& epsilon, Budget& budget) {
  const long bits = working_precision();
  const PrecisionScope precision(std::min(bits, bits_of_bounds));
  Total total(product, t, h, ranges.list.front().first, bits, epsilon, budget);
  std::vector<Blocks> all;
  for (const Ranges::Range& range : ranges.list) {
    if (range.how == Ranges::How::bounded) {
      all.push_back({range.first, range.last - range.first + 1, 1});
    }
    if (range.how != Ranges::How::blocks) continue;
    for (long first = range.first; first <= range.last;) {
      // not far beyond the first node, for that is what 1/k^2 is taken at
      const long left = (range.last - first + 1) / ranges.block;
      const long count = std::min({blocks_at_once, left, std::max(1L, first / ranges.block / 8)});
      all.push_back({first, ranges.block, count});
      first += count * ranges.block;
    }
  }
  total.announce(all);
  for (const Blocks& each : all) total.add(each);
  return total.found();
}

}  // namespace plaudit::proof

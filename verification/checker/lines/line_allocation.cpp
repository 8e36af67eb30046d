// Random allocation: M(z) is the product over the blocks of A(1+z) for remove, A(-z) for add.
// Claims: docs/certificates/lines.md#allocation
#include <map>
#include <utility>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/lines/lines.hpp"
#include "verification/checker/lines/mellin_rule.hpp"

namespace plaudit::proof {

namespace {

constexpr std::size_t most_rules_of_a_line = 100;

/// A(w)^count for all blocks of one number of steps.
class Block {
 public:
  Block(MeanOfDraws law, std::uint64_t count, Fields* fields)
      : law_(std::move(law)), count_(count) {
    if (fields == nullptr) return;
    for (const char* name : {"axis", "right", "left", "moment"}) {
      if (!fields->has(name)) continue;
      Fields given = fields->object(name);
      real_.emplace(name, MellinRule(given));
      given.done();
    }
    if (fields->has("line")) {
      for (Fields& given : fields->objects("line", most_rules_of_a_line)) {
        Rational height = given.dyadic("height");
        line_.push_back({std::move(height), MellinRule(given)});
        given.done();
      }
    }
    fields->done();
  }

  /// An upper bound of A(r)^count.
  Interval moment(const Interval& r, const std::string& name, Budget& budget) const {
    return exp(Interval(Integer(count_)) * log_moment(r, name, budget));
  }
  /// Boxes of A(r - i k h)^count.
  std::vector<Complex> values(const Interval& r, const Interval& h, const Nodes& nodes,
                              Budget& budget) const {
    std::vector<Complex> result =
        law_.draws == 1 ? of_one_draw(r, h, nodes, budget) : by_rules(r, h, nodes, budget);
    if (count_ > 1) {
      for (Complex& value : result) value = power(value, count_);
    }
    return result;
  }
  /// |A(r + iy)|^count is at most e^-fall A(r)^count. Proof: docs/proofs/random_allocation.md#decay
  Interval fall(const Interval& y) const {
    return half(Interval(Integer(count_)) * Interval(law_.squared_rate) * square(y)) / law_.count();
  }

 private:
  struct Part {
    Rational height;
    MellinRule rule;
  };

  Interval log_moment(const Interval& r, const std::string& name, Budget& budget) const {
    const auto rule = real_.find(name);
    if (rule == real_.end()) return log_moment_bound(law_, r, budget);
    return top(log(rule->second.moment(law_, r, budget)));
  }
  std::vector<Complex> of_one_draw(const Interval& r, const Interval& h, const Nodes& nodes,
                                   Budget& budget) const {
    budget.spend(40 * static_cast<double>(nodes.count));
    const Interval mu = half(Interval(law_.squared_rate));
    std::vector<Complex> result;
    for (long k = nodes.first; k < nodes.first + nodes.count; ++k) {
      const Interval y = k * h;
      result.push_back(exp(mu * (r * (r - 1) - square(y))) * turned(-(mu * y * (2 * r - 1))));
    }
    return result;
  }
  std::vector<Complex> by_rules(const Interval& r, const Interval& h, const Nodes& nodes,
                                Budget& budget) const {
    require(!line_.empty(), "the values of random allocation need rules");
    const Interval axis = top(exp(log_moment(r, "axis", budget)));
    std::vector<Complex> result;
    long first = nodes.first;
    const long last = nodes.first + nodes.count - 1;
    for (const Part& part : line_) {
      const Integer highest = floor_of(Rational(part.height / lower(h)));
      const long to = highest < last ? to_long(highest) : last;
      if (to < first) continue;
      for (Complex& value : part.rule.values(law_, r, h, first, to - first + 1, axis, budget)) {
        result.push_back(std::move(value));
      }
      first = to + 1;
    }
    require(first > last, "the rules of random allocation end too soon");
    return result;
  }

  MeanOfDraws law_;
  std::uint64_t count_;
  std::map<std::string, MellinRule> real_;
  std::vector<Part> line_;
};

class AllocationLine final : public Line {
 public:
  AllocationLine(const Allocation& law, Fields& fields) : removes_(law.removes) {
    std::vector<Fields> given;
    if (fields.has("blocks")) {
      given = fields.objects("blocks", law.blocks.size());
      require(given.size() == law.blocks.size(), "blocks: one entry per kind of blocks");
    }
    for (std::size_t i = 0; i < law.blocks.size(); ++i) {
      blocks_.emplace_back(MeanOfDraws{law.squared_rate, law.blocks[i].steps}, law.blocks[i].count,
                           given.empty() ? nullptr : &given[i]);
    }
  }

  std::vector<Complex> values(const Interval& t, const Interval& h, const Nodes& nodes,
                              Budget& budget) const override {
    std::vector<Complex> result(static_cast<std::size_t>(nodes.count), Complex{1, 0});
    for (const Block& block : blocks_) {
      const std::vector<Complex> found = block.values(order(t), h, nodes, budget);
      for (std::size_t k = 0; k < result.size(); ++k) result[k] = result[k] * found[k];
    }
    if (removes_) {  // A(1 + t + iy) is the conjugate of A(1 + t - iy)
      for (Complex& value : result) value.im = -value.im;
    }
    return result;
  }
  Interval beyond(const Interval& t, const Interval& s, Budget& budget) const override {
    Interval fall = 0;
    for (const Block& block : blocks_) fall += block.fall(s);
    return top(moment(t, "axis", budget) * exp(-fall));
  }
  Interval moment(const Interval& t, const std::string& name, Budget& budget) const override {
    Interval product = 1;
    for (const Block& block : blocks_) product *= block.moment(order(t), name, budget);
    return top(product);
  }

 private:
  Interval order(const Interval& t) const { return removes_ ? 1 + t : -t; }

  bool removes_;
  std::vector<Block> blocks_;
};

}  // namespace

LinePointer line_of(const Allocation& law, Fields& fields) {
  return std::make_unique<AllocationLine>(law, fields);
}

}  // namespace plaudit::proof

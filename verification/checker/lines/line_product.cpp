#include "verification/checker/lines/line_product.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <variant>

#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

namespace {

/// 1 - prod (1 - m_i)^n_i
Interval any(const LineProduct& product, Interval (Line::*mass)() const) {
  Interval sum;
  for (const auto& [line, count, law] : product.factors) {
    sum += count * log1p(-(line.get()->*mass)());
  }
  return max(-expm1(sum), Interval(0));
}

LogNode logarithm(const Complex& value) {
  const Interval size = norm(value);
  const bool apart = positive(size);  // squares below the least number of MPFR are not
  if (apart && (positive(value.re) || positive(value.im) || negative(value.im))) {
    Complex found = log(value);
    return {std::move(found.re), std::move(found.im)};
  }
  if (apart && negative(value.re)) {
    Complex found = log(-value);
    return {std::move(found.re), found.im + pi()};
  }
  require(positive(top(size)), "a value of M vanishes");
  return {scaled(log(top(size)), -1), std::nullopt};
}

}  // namespace

LineProduct::LineProduct(Fields& choices, const Run& run, bool may_cut) : memory_(run.memory) {
  const std::string key = std::to_string(working_precision()) + (may_cut ? " cut " : " ") +
                          choices.raw("factors").dump();
  if (memory_->choices != key) *memory_ = {key, {}, {}, {}};
  std::vector<Fields> given = choices.objects("factors", run.factors.size());
  require(given.size() == run.factors.size(), "factors: one entry per factor of the run");
  for (std::size_t i = 0; i < given.size(); ++i) {
    factors.push_back({make_line(*run.factors[i].law, given[i], may_cut),
                       Interval(Integer(run.factors[i].count)), run.factors[i].law});
  }
}

void LineProduct::add_gaussian(const Rational& rate) {
  memory_ = std::make_shared<LineMemory>();
  const Json none = Json::object();
  Fields fields(none, "the Gaussian");
  auto law = std::make_shared<const Law>(gaussian_at(rate));
  LinePointer line = make_line(*law, fields, false);
  factors.push_back({std::move(line), 1, std::move(law)});
}

bool LineProduct::rounds_in_many_ways() const {
  return std::any_of(factors.begin(), factors.end(), [](const auto& factor) {
    return std::holds_alternative<Allocation>(*factor.law);
  });
}

Interval LineProduct::infinite() const { return any(*this, &Line::infinite); }
Interval LineProduct::moved() const { return (1 - infinite()) * any(*this, &Line::moved); }
Interval LineProduct::q_mass() const {
  Interval sum;
  for (const auto& [line, count, law] : factors) sum += count * log(line->q_mass());
  return min(exp(sum), Interval(1));
}

template <class Find>
Interval LineProduct::known(const std::string& name, Find&& find) const {
  const auto found = memory_->numbers.find(name);
  if (found != memory_->numbers.end()) return found->second;
  Interval sum;
  for (const auto& [line, count, law] : factors) sum += count * log(find(*line));
  return memory_->numbers.emplace(name, sum).first->second;
}

Interval LineProduct::log_moment(const Rational& order, const std::string& name,
                                 Budget& budget) const {
  return known(name + " " + to_string(order),
               [&](const Line& line) { return line.moment(Interval(order), name, budget); });
}

Interval LineProduct::log_beyond(const Rational& t, const Rational& height, Budget& budget) const {
  return known("beyond " + to_string(t) + " " + to_string(height), [&](const Line& line) {
    return line.beyond(Interval(t), Interval(height), budget);
  });
}

const std::vector<LogNode>& LineProduct::logarithms(const Rational& t, const Rational& h,
                                                    const Nodes& which, Budget& budget) const {
  const std::string line_of_nodes = to_string(t) + " " + to_string(h);
  if (memory_->line != line_of_nodes) {
    memory_->line = line_of_nodes;
    memory_->nodes.clear();
  }
  const std::pair<long, long> place(which.first, which.count);
  const auto found = memory_->nodes.find(place);
  if (found != memory_->nodes.end()) return found->second;
  long kept = which.count;
  for (const auto& [at, known] : memory_->nodes) kept += at.second;
  if (kept > most_nodes) memory_->nodes.clear();
  std::vector<LogNode> nodes(static_cast<std::size_t>(which.count), LogNode{0, Interval(0)});
  for (const auto& [line, count, law] : factors) {
    budget.spend(40 * static_cast<double>(which.count));
    const std::vector<Complex> values = line->values(Interval(t), Interval(h), which, budget);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (k % 64 == 0) budget.spend(0);
      const LogNode one = logarithm(values[k]);
      nodes[k].size += count * one.size;
      if (nodes[k].angle && one.angle) {
        *nodes[k].angle += count * *one.angle;
      } else {
        nodes[k].angle.reset();
      }
    }
  }
  return memory_->nodes.emplace(place, std::move(nodes)).first->second;
}

}  // namespace plaudit::proof

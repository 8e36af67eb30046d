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
}  // namespace

LineProduct::LineProduct(Fields& choices, const Run& run, bool may_cut) {
  std::vector<Fields> given = choices.objects("factors", run.factors.size());
  require(given.size() == run.factors.size(), "factors: one entry per factor of the run");
  for (std::size_t i = 0; i < given.size(); ++i) {
    factors.push_back({make_line(*run.factors[i].law, given[i], may_cut),
                       Interval(Integer(run.factors[i].count)), run.factors[i].law});
  }
}

void LineProduct::add_gaussian(const Rational& rate) {
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
Interval LineProduct::log_moment(const Interval& order, const std::string& name,
                                 Budget& budget) const {
  Interval sum;
  for (const auto& [line, count, law] : factors)
    sum += count * log(line->moment(order, name, budget));
  return sum;
}

}  // namespace plaudit::proof

// Defaults of the laws and accountants of plaudit/extend.hpp, and access to arguments and steps.
#include <limits>
#include <stdexcept>

#include "api/extend/core.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit::inline v0::extend {

Interval Law::least_loss() const {
  const Real end = -std::numeric_limits<Real>::infinity();
  return {end, end};
}

Interval Law::greatest_loss() const {
  const Real end = std::numeric_limits<Real>::infinity();
  return {end, end};
}

Complex Law::mgf(const Complex&) const { throw std::logic_error("it is not stated"); }

std::vector<Complex> Law::mgf_on_line(const Interval& t, const Interval& step,
                                      std::size_t count) const {
  std::vector<Complex> values;
  for (std::size_t k = 0; k < count; ++k) {
    if ((k & 15) == 0) check_work_limit();
    const Ball height = Ball(static_cast<long>(k)) * to_ball(step);
    values.push_back(mgf({t, to_interval(height)}));
  }
  return values;
}

std::optional<Real> Law::mgf_beyond(const Interval&, const Interval&) const { return std::nullopt; }

const Number& Arguments::operator[](std::string_view name) const {
  for (const auto& [known, value] : values_) {
    if (known == name) return value;
  }
  throw std::invalid_argument("there is no parameter " + std::string(name));
}

Interval Accountant::epsilon(const Composition&, Direction, const Number&) const {
  throw std::invalid_argument("it answers no epsilon");
}

Interval Accountant::delta(const Composition&, Direction, const Number&) const {
  throw std::invalid_argument("it answers no delta");
}

std::vector<Step> steps(const Composition& composition) {
  std::vector<Step> result;
  for (const Factor& factor : composition.data().composition.factors()) {
    result.push_back({Composition(std::make_shared<CompositionData>(
                          CompositionData{core::Composition({{factor.mechanism, 1}})})),
                      factor.count});
  }
  return result;
}

}  // namespace plaudit::inline v0::extend

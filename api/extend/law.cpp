// Defaults of the laws and accountants of plaudit/extend.hpp, and access to arguments and steps.
#include <limits>
#include <stdexcept>

#include "api/extend/core.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit::inline v0::extend {

namespace {

Interval unknown() {
  const Real end = std::numeric_limits<Real>::infinity();
  return {-end, end};
}

}  // namespace

Interval Law::least_loss() const { return unknown(); }
Interval Law::greatest_loss() const { return unknown(); }

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

namespace {

/// The sum of masses above x from the top of a window down, `sum` being what is above it. At points
/// on which side of x is not certain the mass may count or not. @return whether all of them count.
template <class MassAt>
bool add_above(const Interval& x, const LatticeWindow& window, MassAt&& mass_at, Interval& sum) {
  for (std::size_t i = window.p.size(); i-- > 0;) {
    const Interval point =
        interval(window.offset) + (window.first + static_cast<long>(i)) * interval(window.mesh);
    if (certainly_less_equal(point, x)) return false;
    const Interval more = sum + mass_at(i, point);
    sum = certainly_less(x, point) ? more : hull(sum, more);
  }
  return true;
}

/// A point that is certainly above the window.
Interval beyond(const LatticeWindow& window) {
  return interval(window.offset) +
         (window.first + static_cast<long>(window.p.size())) * interval(window.mesh);
}

}  // namespace

Interval LawOnLattice::p_above(const Interval& x) const {
  const LatticeWindow window = this->window();
  Interval sum = mass_at_infinity();
  const Interval above = sum + window.above;
  sum = certainly_less(x, beyond(window)) ? above : hull(sum, above);
  const auto mass = [&](std::size_t i, const Interval&) { return window.p[i]; };
  return add_above(x, window, mass, sum) ? hull(sum, sum + window.below) : sum;
}

Interval LawOnLattice::q_above(const Interval& x) const {
  const LatticeWindow window = this->window();
  Interval sum = hull(interval(0), window.above * exp(-beyond(window)));
  const auto mass = [&](std::size_t i, const Interval& point) { return window.p[i] * exp(-point); };
  return add_above(x, window, mass, sum) ? hull(sum, q_mass()) : sum;
}

template <class Type>
const Type& Arguments::typed(std::string_view name) const {
  for (const auto& [known, value] : values_) {
    if (known != name) continue;
    if (const auto* found = std::get_if<Type>(&value)) return *found;
    throw std::invalid_argument("the parameter " + known + " is of another kind");
  }
  throw std::invalid_argument("there is no parameter " + std::string(name));
}

const Number& Arguments::operator[](std::string_view name) const { return typed<Number>(name); }
const std::string& Arguments::text(std::string_view name) const { return typed<std::string>(name); }
const Composition& Arguments::mechanism(std::string_view name) const {
  return typed<Composition>(name);
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

// Integrals along a path by the trapezoidal rule in a strip. Theorems:
// docs/certificates/lines.md#strips
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "accountants/proof/arithmetic/budget.hpp"
#include "verification/checker/laws/reader.hpp"
#include "verification/checker/paths/paths.hpp"

namespace plaudit::proof {

/// A line y + i eta, points j d for first <= j <= last, half-width v of the strip.
struct Rule {
  Interval eta;
  Interval v;
  Interval d;
  long first;
  long last;
  bool on_axis;

  explicit Rule(Fields fields);
  Interval first_point() const { return first * d; }
  Interval last_point() const { return last * d; }
  /// 1 / (e^{2 pi v / d} - 1)
  Interval share() const;
};

/// The rules that a choice gives for one integral; where one is missing, a bound without quadrature
/// takes its place.
class Rules {
 public:
  /// Takes "line", "axis", "decay", "right", "left" and "moment" where they are.
  explicit Rules(Fields& fields);
  const Rule* find(const std::string& name) const;

 private:
  std::map<std::string, Rule> rules_;
};

/// An integral whose path is made anew for each real order.
class PathIntegral {
 public:
  using Maker = std::function<PathPointer(const Interval& order)>;
  PathIntegral(Maker maker, Fields& fields) : maker_(std::move(maker)), rules_(fields) {}

  /// Boxes of int F_r e^{ikh log g}, k = 0 .. nodes.
  std::vector<Complex> values(const Interval& r, const Interval& h, long nodes,
                              Budget& budget) const;
  /// An upper bound of |int F_r e^{is' log g}| for all s' >= s.
  Interval beyond(const Interval& r, const Interval& s, Budget& budget) const;
  /// An upper bound of int F_r by the rule of that name.
  Interval moment(const Interval& r, const std::string& name, Budget& budget) const;
  bool has(const std::string& name) const { return rules_.find(name) != nullptr; }

 private:
  const Interval& axis(const Interval& r, Budget& budget) const;

  Maker maker_;
  Rules rules_;
  mutable std::map<std::pair<Rational, Rational>, Interval> axes_;
};

}  // namespace plaudit::proof

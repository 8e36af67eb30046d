// Compositions for hyperbolas, and plans of them.
#pragma once

#include <cmath>
#include <string>

#include "accountants/contour/hyperbola_contour.hpp"
#include "accountants/cumulants/cumulant_table.hpp"
#include "mechanisms/language/spec.hpp"

namespace plaudit::test {

inline ComposedLoss loss_of_spec(const std::string& spec, Direction direction) {
  return ComposedLoss(parse_spec(spec), direction);
}

inline HyperbolaContour::Place place_of(const ComposedLoss& loss, double epsilon, double digits) {
  CumulantTable table(loss);
  const double saddle = table.saddle(epsilon);
  return {epsilon, digits, table.log_delta(epsilon, saddle), saddle};
}

inline HyperbolaContour contour_of(const ComposedLoss& loss, double epsilon, double digits) {
  return HyperbolaContour(loss, place_of(loss, epsilon, digits));
}

}  // namespace plaudit::test

// Pictures of the program, as SVG: a curve, and a comparison of accountants.
#pragma once

#include <string>
#include <vector>

#include "cli/question.hpp"
#include "verification/crosscheck/comparison.hpp"
#include "verification/pictures/curve_picture.hpp"

namespace plaudit::cli {

/// One point of a curve, as it is printed and drawn.
struct Point {
  std::string argument;
  std::string lower;
  std::string upper;
  bool certified = true;
  bool reached = false;
  std::string accountant;
  double seconds = 0;
  /// Places in the picture, of deltas by their decimal logarithms; NaN is not drawn.
  double x = 0;
  double y_lower = 0;
  double y_upper = 0;
};

/// Both ends of the band over the argument, with the spec and its adjacency as title.
std::string curve_svg(const ReadSpec& spec, pictures::CurveKind kind,
                      const std::vector<Point>& points);

/// Every answer as an interval on one axis.
std::string compare_svg(const Question& question, const std::vector<ComparedAnswer>& answers);

}  // namespace plaudit::cli

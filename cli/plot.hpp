// A privacy curve as SVG, drawn by gnuplot.
#pragma once

#include <string>
#include <vector>

#include "accountants/answer.hpp"

namespace plaudit::cli {

/// One point of a curve.
struct Point {
  Rational argument;
  Answer answer;
};

/// gnuplot is on the PATH.
bool have_gnuplot();

/// Writes the picture to `file`. @throws UsageError when gnuplot fails or the file cannot be
/// written.
void plot_svg(const std::string& file, const Composition& composition, Quantity quantity,
              const std::vector<Point>& points);

}  // namespace plaudit::cli

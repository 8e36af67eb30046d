// Pictures of curves and comparisons as SVG text, the same that the program writes with --svg.
//
//   plaudit::Session session(run);
//   std::vector<plaudit::CurvePoint> points;
//   for (double e = 0; e <= 4; e += 0.1) points.push_back({e, session.delta(e)});
//   std::ofstream("curve.svg") << plaudit::curve_svg(run, plaudit::Curve::delta, points);
//
// Positions are doubles: a picture proves nothing. Colours follow the reader's light or dark mode.
#pragma once

#include <string>
#include <vector>

#include "plaudit/catalogue.hpp"
#include "plaudit/plaudit.hpp"

namespace plaudit {

inline namespace v0 {

/// What is drawn over what: delta over epsilon, epsilon over delta, or the Renyi divergence over
/// its order.
enum class Curve { delta, epsilon, divergence };

/// One point of a curve: the epsilon, delta or order that was asked about, and the answer.
struct CurvePoint {
  Number argument;
  Band band;
};

struct PictureOptions {
  double width = 800;  ///< in pixels, from 320 to 4000
};

/// The bands, from end to end, over their arguments, which should increase. The frame contains
/// every finite end. @throws std::invalid_argument for a width outside of its domain.
std::string curve_svg(const Composition& run, Curve kind, const std::vector<CurvePoint>& points,
                      const PictureOptions& options = {});

/// The answer of each accountant as an interval on one axis, in front of a strip that is the
/// intersection of the certified bands; estimates and claims have other shapes, and refuted claims
/// are marked. @throws std::invalid_argument for a width outside of its domain.
std::string compare_svg(const Comparison& comparison, const PictureOptions& options = {});

}  // namespace v0
}  // namespace plaudit

#include "verification/pictures/roc_picture.hpp"

#include <algorithm>
#include <cmath>

#include "lib/exact/checked_integer.hpp"
#include "verification/pictures/escaped.hpp"
#include "verification/pictures/frame.hpp"

namespace plaudit::pictures {

namespace {

/// Where the test's own curve is for certain: at each rate from a corner's on, above the corner.
void draw_region(Canvas& canvas, const Frame& frame, const std::vector<RocCorner>& corners) {
  Places steps;
  for (const RocCorner& one : corners) {  // both of their rates increase
    if (!std::isfinite(one.tpr_lower)) continue;
    if (!steps.empty()) steps.emplace_back(one.fpr_upper, steps.back().second);
    steps.emplace_back(one.fpr_upper, one.tpr_lower);
  }
  if (steps.empty()) return;
  steps.emplace_back(0, steps.back().second);
  Places top = steps;
  for (auto& place : top) place.second = 0;
  frame.draw_area(canvas, "certified", steps, top);
  frame.draw_path(canvas, "gap", steps);
}

}  // namespace

std::string roc_svg(const RocPicture& picture, double width) {
  check_width(width);
  Canvas canvas(width, std::round(std::clamp(0.75 * width, 320.0, 900.0)));
  double y = 16 + font_size;
  const long in_a_line = clamped_integer((width - 32) / (0.62 * font_size), 8, 1000);
  for (const std::string& line : broken(picture.spec, static_cast<std::size_t>(in_a_line), 3)) {
    canvas.text(16, y, Anchor::start, line, "code");
    y += line_height;
  }
  for (const std::string& line : broken(picture.remark, static_cast<std::size_t>(in_a_line), 2)) {
    canvas.text(16, y, Anchor::start, line, "quiet");
    y += line_height;
  }
  y += line_height;
  Extent across;
  Extent up;
  Places lower;
  Places upper;
  for (const CurvePoint& point : picture.claimed) {
    across.include(point.argument);
    up.include(point.lower);
    lower.emplace_back(point.argument, point.lower);
    upper.emplace_back(point.argument, point.upper);
  }
  for (const RocCorner& one : picture.corners) up.include(one.tpr_lower);
  up.include(0);
  up.widen(0.03);
  const Frame frame({"false positive rate", across.low(), across.high(), true},
                    {"true positive rate", up.low(), up.high(), true},
                    {16, y, width - 16, canvas.height() - 8});
  frame.draw_axes(canvas);
  draw_region(canvas, frame, picture.corners);
  frame.draw_path(canvas, "curve", lower);
  frame.draw_path(canvas, "curve", upper);
  for (const RocCorner& one : picture.corners) {
    if (!std::isfinite(one.tpr_lower)) continue;
    canvas.mark(one.refuting ? Shape::diamond : Shape::disc, one.refuting ? "refuted" : "tight",
                frame.x(one.fpr_upper), frame.y(one.tpr_lower), "", one.refuting ? 6 : 4);
  }
  return canvas.file("true over false positive rate of " + picture.spec, picture.remark);
}

}  // namespace plaudit::pictures

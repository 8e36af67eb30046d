#include "verification/pictures/curve_picture.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "lib/exact/checked_integer.hpp"
#include "verification/pictures/escaped.hpp"
#include "verification/pictures/frame.hpp"

namespace plaudit::pictures {

namespace {

constexpr double least_width = 320;
constexpr double most_width = 4000;
constexpr double margin = 16;
constexpr double narrowest_with_key_beside = 540;
constexpr double code_width = 0.62;  ///< of a character, at a font size of 1
/// More points than that are too dense to be marked.
constexpr std::size_t most_marked = 120;

struct Names {
  const char* argument;
  const char* value;
  bool log_argument;
  bool log_value;
};

Names names_of(CurveKind kind) {
  switch (kind) {
    case CurveKind::epsilon_over_delta:
      return {"delta", "epsilon", true, false};
    case CurveKind::divergence_over_order:
      return {"order", "Renyi divergence", false, false};
    case CurveKind::trade_off:
      return {"false positive rate", "false negative rate", false, false};
    case CurveKind::trade_off_log_spaced:
      return {"false positive rate", "false negative rate", true, false};
    case CurveKind::delta_over_epsilon:
      break;
  }
  return {"epsilon", "delta", false, true};
}

/// Wider than the line that stands for the curve: then both ends are drawn.
bool wide(const Frame& frame, const CurvePoint& point) {
  return !(std::fabs(frame.y(point.upper) - frame.y(point.lower)) < 2);
}

/// A picture and what is said of it.
struct Drawn {
  Canvas canvas;
  std::string title;
  std::string description;
};

/// What the axes must show: all arguments, and all ends with a margin.
std::pair<Extent, Extent> extents_of(const CurvePicture& curve, bool log_value) {
  Extent across;
  Extent up;
  for (const CurvePoint& point : curve.points) {
    across.include(point.argument);
    up.include(point.lower);
    up.include(point.upper);
  }
  up.widen(0.04);
  if (!log_value && up.low() < 0) {
    Extent kept;  // none of these values is negative
    kept.include(0);
    kept.include(up.high());
    up = kept;
  }
  return {across, up};
}

/// The band, with a dot at each end that was computed. @return whether it is anywhere wider than a
/// line.
bool draw_band(Canvas& canvas, const Frame& frame, const CurvePicture& curve) {
  Places lower;
  Places upper;
  bool any_wide = false;
  for (const CurvePoint& point : curve.points) {
    const bool known = !std::isnan(point.lower) && !std::isnan(point.upper);
    lower.emplace_back(point.argument, point.lower);
    upper.emplace_back(point.argument, point.upper);
    any_wide = any_wide || (known && wide(frame, point));
  }
  const std::string line = curve.certified ? "curve" : "curve estimated";
  if (any_wide) frame.draw_area(canvas, "certified", lower, upper);
  frame.draw_path(canvas, line, lower);
  if (any_wide) frame.draw_path(canvas, line, upper);
  const auto dot = [&](const CurvePoint& point, double end) {
    if (!std::isfinite(end) || !std::isfinite(point.argument)) return;
    canvas.mark(Shape::disc, "proven", frame.x(point.argument), frame.y(end), "", 3.5);
  };
  for (const CurvePoint& point : curve.points) {
    if (curve.points.size() > most_marked) break;
    dot(point, point.lower);
    if (wide(frame, point)) dot(point, point.upper);
  }
  return any_wide;
}

Drawn drawn(const CurvePicture& curve, double width) {
  const Names names = names_of(curve.kind);
  Canvas canvas(width, std::round(std::clamp(0.62 * width, 320.0, 900.0)));
  double y = margin + font_size;
  const long in_a_line = clamped_integer((width - 2 * margin) / (code_width * font_size), 8, 1000);
  for (const std::string& line : broken(curve.spec, static_cast<std::size_t>(in_a_line), 3)) {
    canvas.text(margin, y, Anchor::start, line, "code");
    y += line_height;
  }
  canvas.text(margin, y, Anchor::start, curve.remark, "quiet");
  y += line_height;
  // The key stands beside the name of the axis, or above it where there is no room.
  const bool key_above = width < narrowest_with_key_beside;
  const double place_of_key = y;
  if (key_above) y += line_height;

  const auto [across, up] = extents_of(curve, names.log_value);
  const Frame frame({names.argument, across.low(), across.high(), names.log_argument},
                    {names.value, up.low(), up.high(), names.log_value},
                    {margin, y, width - margin, canvas.height() - 8});
  frame.draw_axes(canvas);
  const bool any_wide = draw_band(canvas, frame, curve);
  const std::string key = !curve.certified ? "estimates, nothing is certified"
                          : any_wide       ? "certified band: lower and upper end"
                                           : "certified; the band is thinner than the line";
  if (key_above) {
    canvas.text(margin, place_of_key, Anchor::start, key, "quiet");
  } else {
    canvas.text(frame.inside().right, frame.inside().top - 12, Anchor::end, key, "quiet");
  }
  return {std::move(canvas),
          std::string(names.value) + " over " + names.argument + " of " + curve.spec,
          std::string(names.value) + " over " + names.argument + ", " + curve.remark + ". " + key +
              ". Dots: what was computed; the lines between them join them and bound nothing."};
}

}  // namespace

void check_width(double width) {
  if (!(width >= least_width && width <= most_width)) {
    throw std::invalid_argument("width: must be from 320 to 4000");
  }
}

std::string curve_svg(const CurvePicture& curve, double width) {
  check_width(width);
  const Drawn picture = drawn(curve, width);
  return picture.canvas.file(picture.title, picture.description);
}

std::string curve_inlined(const CurvePicture& curve, double width, const std::string& css) {
  check_width(width);
  const Drawn picture = drawn(curve, width);
  return picture.canvas.inlined(picture.title, picture.description, css);
}

}  // namespace plaudit::pictures

#include "verification/pictures/claims_on_curve.hpp"

#include <algorithm>
#include <cmath>

#include "verification/pictures/frame.hpp"

namespace plaudit::pictures {

namespace {

/// Room on both sides of the marks, in units of their extent in epsilon: labels need it.
constexpr double share_beyond = 0.25;
/// Room above and below them, in units of their extent in log delta, and at least in decades.
constexpr double most_times = 1.0;
constexpr double least_decades = 2;

struct Extents {
  Extent epsilon;
  Extent log_delta;
};

Extents extents_of(const std::vector<ClaimedPoint>& points) {
  Extents extents;
  for (const ClaimedPoint& point : points) {
    extents.epsilon.include(point.epsilon);
    extents.log_delta.include(point.log_delta);
    for (const auto& [epsilon, log_delta] : point.certified) {
      extents.epsilon.include(epsilon);
      extents.log_delta.include(log_delta);
    }
  }
  return extents;
}

/// Labels keep clear of the curve.
void keep_clear(Canvas& canvas, const Frame& frame, const Places& curve) {
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const auto& [x1, y1] = curve[i - 1];
    const auto& [x2, y2] = curve[i];
    constexpr int parts = 6;
    for (int k = 0; k <= parts; ++k) {
      const double share = static_cast<double>(k) / parts;
      const double x = frame.x(x1 + share * (x2 - x1));
      const double y = frame.y(y1 + share * (y2 - y1));
      canvas.occupy({x - 3, y - 3, x + 3, y + 3});
    }
  }
}

/// An arrow from the claim to the nearest end of the certified band.
void draw_gap(Canvas& canvas, const Frame& frame, const ClaimedPoint& point) {
  if (point.certified.empty()) return;
  const double x = frame.x(point.epsilon);
  const double y = frame.y(point.log_delta);
  double end_x = x;
  double end_y = y;
  double nearest = HUGE_VAL;
  for (const auto& [epsilon, log_delta] : point.certified) {
    const double end_at_x = frame.x(epsilon);
    const double end_at_y = frame.y(log_delta);
    const double distance = std::hypot(end_at_x - x, end_at_y - y);
    if (!(distance < nearest)) continue;
    nearest = distance;
    end_x = end_at_x;
    end_y = end_at_y;
  }
  canvas.arrow("gap distance", x, y, end_x, end_y, false);
  canvas.occupy({std::min(x, end_x) - 3, std::min(y, end_y) - 3, std::max(x, end_x) + 3,
                 std::max(y, end_y) + 3});
  canvas.mark(Shape::disc, "proven", end_x, end_y, "certified", 3.5);
}

/// The long label where there is room for it, else the short one.
void write_label(Canvas& canvas, const Frame& frame, const ClaimedPoint& point) {
  if (point.label.empty()) return;
  const double x = frame.x(point.epsilon);
  const double y = frame.y(point.log_delta);
  const std::string look = "strong " + point.badge.css;
  if (!canvas.label(x, y, frame.inside(), point.long_label, look)) {
    canvas.label(x, y, frame.inside(), point.label, look);
  }
}

}  // namespace

View view_of(const std::vector<ClaimedPoint>& points) {
  const auto& [epsilon, log_delta] = extents_of(points);
  const double around =
      std::max(share_beyond * epsilon.length(), 0.05 + 0.1 * std::fabs(epsilon.high()));
  const double high = epsilon.high() + around;
  const double low = epsilon.low() - around;
  const double room = std::max(least_decades, most_times * log_delta.length());
  return {epsilon.low() >= 0 ? std::max(-0.04 * high, low) : low, high, log_delta.low() - room,
          std::min(log_delta.high() + room, std::max(log_delta.high() + 0.3, 0.0))};
}

std::string claims_on_curve_svg(const ClaimsOnCurve& picture, double width, double height,
                                const std::string& css) {
  const View view = view_of(picture.points);
  Extent up = extents_of(picture.points).log_delta;
  for (const auto& [epsilon, log_delta] : picture.curve) {
    up.include(std::clamp(log_delta, view.low_log_delta, view.high_log_delta));
  }
  up.widen(0.06);

  Canvas canvas(width, height);
  const Frame frame({"epsilon", view.low_epsilon, view.high_epsilon},
                    {"delta", up.low(), up.high(), true}, {4, 4, width - 6, height});
  frame.draw_axes(canvas);
  frame.draw_path(canvas, "curve", picture.curve);
  keep_clear(canvas, frame, picture.curve);
  for (const ClaimedPoint& point : picture.points) draw_gap(canvas, frame, point);
  for (const ClaimedPoint& point : picture.points) {
    canvas.mark(point.badge.shape, "claim " + point.badge.css, frame.x(point.epsilon),
                frame.y(point.log_delta), point.title);
  }
  for (const ClaimedPoint& point : picture.points) write_label(canvas, frame, point);
  return canvas.inlined("Claims on the certified curve of " + picture.spec,
                        "delta over epsilon: the line is the certified curve, each mark a claim, "
                        "the arrow from it the gap.",
                        css);
}

}  // namespace plaudit::pictures

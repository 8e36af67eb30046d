#include "verification/pictures/frame.hpp"

#include <algorithm>
#include <cmath>

#include "lib/exact/checked_integer.hpp"
#include "verification/pictures/escaped.hpp"

namespace plaudit::pictures {

namespace {

constexpr double between_ticks = 16;     ///< least room between two numbers of the axis of x
constexpr double room_for_numbers = 46;  ///< below the frame, the name of that axis included

double widest(const std::vector<Tick>& all) {
  double width = 0;
  for (const Tick& tick : all) width = std::max(width, font_size * text_width(tick.words));
  return width;
}

/// As many ticks as have room side by side.
std::vector<Tick> fitting_ticks(const Axis& axis, double room) {
  std::vector<Tick> found;
  for (long most = clamped_integer(room / 50, 2, 9); most >= 1; --most) {
    found = ticks(axis, static_cast<int>(most));
    const double needed = widest(found) + between_ticks;
    bool fits = true;
    for (std::size_t i = 1; i < found.size(); ++i) {
      const double share = (found[i].place - found[i - 1].place) / (axis.high - axis.low);
      fits = fits && share * room >= needed;
    }
    if (fits) break;
  }
  return found;
}

/// Leaves of the line from a to b its part within [low, high] in x, or in y. @return whether
/// there is one.
bool clipped(std::pair<double, double>& a, std::pair<double, double>& b, double low, double high,
             bool in_x) {
  const auto coordinate_of = [in_x](std::pair<double, double>& p) -> double& {
    return in_x ? p.first : p.second;
  };
  for (const auto& [limit, sign] : {std::pair(low, 1.0), std::pair(high, -1.0)}) {
    const bool a_out = sign * (coordinate_of(a) - limit) < 0;
    const bool b_out = sign * (coordinate_of(b) - limit) < 0;
    if (a_out && b_out) return false;
    if (!a_out && !b_out) continue;
    const double share = (limit - coordinate_of(a)) / (coordinate_of(b) - coordinate_of(a));
    const std::pair<double, double> crossed(a.first + share * (b.first - a.first),
                                            a.second + share * (b.second - a.second));
    (a_out ? a : b) = crossed;
    coordinate_of(a_out ? a : b) = limit;
  }
  return true;
}

}  // namespace

Frame::Frame(Axis x, Axis y, const Box& box)
    : x_(drawable(std::move(x))), y_(drawable(std::move(y))), inside_(box) {
  inside_.top += y_.name.empty() ? font_size / 2 : line_height + 6;
  inside_.bottom -= room_for_numbers;
  const long most = clamped_integer(inside_.height() / 44, 2, 8);
  y_ticks_ = ticks(y_, static_cast<int>(most));
  name_of_y_ = box.left;
  inside_.left += widest(y_ticks_) + 8;
  x_ticks_ = fitting_ticks(x_, inside_.width());
  if (!x_ticks_.empty()) {  // the last number must not stick out
    const double half = font_size * text_width(x_ticks_.back().words) / 2;
    inside_.right -= std::max(0.0, this->x(x_ticks_.back().place) + half - box.right);
  }
}

Frame::Frame(Axis x, const Box& box) : x_(drawable(std::move(x))), inside_(box), has_y_(false) {
  inside_.bottom -= room_for_numbers;
  x_ticks_ = fitting_ticks(x_, inside_.width());
}

double Frame::x(double value) const {
  return inside_.left + (value - x_.low) / (x_.high - x_.low) * inside_.width();
}

double Frame::y(double value) const {
  return inside_.top + (y_.high - value) / (y_.high - y_.low) * inside_.height();
}

void Frame::draw_axes(Canvas& canvas) const {
  for (const Tick& tick : x_ticks_) {
    const double place = x(tick.place);
    canvas.line("grid", place, inside_.top, place, inside_.bottom);
  }
  for (const Tick& tick : y_ticks_) {
    const double place = y(tick.place);
    canvas.line("grid", inside_.left, place, inside_.right, place);
    canvas.text(inside_.left - 8, place + 5, Anchor::end, tick.words, "quiet");
  }
  canvas.line("axis", inside_.left, inside_.bottom, inside_.right, inside_.bottom);
  if (has_y_) canvas.line("axis", inside_.left, inside_.top, inside_.left, inside_.bottom);
  for (const Tick& tick : x_ticks_) {
    const double half = font_size * text_width(tick.words) / 2;
    const double place = x(tick.place);
    if (place - half < 0 || place + half > canvas.width()) continue;
    canvas.text(place, inside_.bottom + 20, Anchor::middle, tick.words, "quiet");
  }
  canvas.text_within((inside_.left + inside_.right) / 2, inside_.bottom + 39,
                     has_y_ ? 0 : inside_.left, has_y_ ? canvas.width() : inside_.right, x_.name,
                     "strong");
  if (has_y_ && !y_.name.empty()) {
    canvas.text(name_of_y_, inside_.top - 12, Anchor::start, y_.name, "strong");
  }
}

void Frame::draw_path(Canvas& canvas, const std::string& css, const Places& data) const {
  Places run;
  const auto finish = [&] {
    canvas.path(css, run);
    run.clear();
  };
  for (std::size_t i = 1; i < data.size(); ++i) {
    std::pair<double, double> a = data[i - 1];
    std::pair<double, double> b = data[i];
    const bool finite = std::isfinite(a.first) && std::isfinite(a.second) &&
                        std::isfinite(b.first) && std::isfinite(b.second);
    if (!finite || !clipped(a, b, x_.low, x_.high, true) ||
        !clipped(a, b, y_.low, y_.high, false)) {
      finish();
      continue;
    }
    if (run.empty()) run.emplace_back(x(a.first), y(a.second));
    run.emplace_back(x(b.first), y(b.second));
    if (b != data[i]) finish();
  }
  finish();
}

void Frame::draw_area(Canvas& canvas, const std::string& css, const Places& lower,
                      const Places& upper) const {
  const auto place = [&](const std::pair<double, double>& one) {
    return std::pair(x(one.first), y(std::clamp(one.second, y_.low, y_.high)));
  };
  Places around;
  std::size_t first = 0;
  const auto finish = [&](std::size_t last) {
    if (last > first + 1) {
      around.clear();
      for (std::size_t i = first; i < last; ++i) around.push_back(place(upper[i]));
      for (std::size_t i = last; i-- > first;) around.push_back(place(lower[i]));
      canvas.path(css, around, true);
    }
    first = last + 1;
  };
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const bool drawn = std::isfinite(lower[i].first) && lower[i].first >= x_.low &&
                       lower[i].first <= x_.high && !std::isnan(lower[i].second) &&
                       !std::isnan(upper[i].second);
    if (!drawn) finish(i);
  }
  finish(lower.size());
}

}  // namespace plaudit::pictures

#include "verification/curve_picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "lib/work_limit.hpp"
#include "verification/sessions.hpp"

namespace plaudit {

namespace {

constexpr double ln10 = 2.302585092994045684;
constexpr int curve_points = 25;
constexpr long most_epsilon = 1'000'000'000;
constexpr double width = 640;
constexpr double height = 360;
constexpr double left = 64;
constexpr double right = 16;
constexpr double top = 16;
constexpr double bottom = 44;

/// Positions are estimates: a picture proves nothing.
struct Mark {
  double epsilon;
  double log_delta;  ///< decimal
  std::string verdict;
  std::string label;
};

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.5g", x);
  return text;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      default:
        result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return result;
}

/// A round step with about five of them in the range.
double step_of(double range) {
  const double rough = range / 5;
  const double scale = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * scale >= rough) return factor * scale;
  }
  return 10 * scale;
}

/// Linear maps from the data to the picture.
struct Frame {
  double low_x, high_x, low_y, high_y;
  double x(double value) const {
    return left + (value - low_x) / (high_x - low_x) * (width - left - right);
  }
  double y(double value) const {
    return top + (high_y - value) / (high_y - low_y) * (height - top - bottom);
  }
};

std::string axes(const Frame& frame) {
  std::string svg;
  const auto text = [&](double x, double y, const char* anchor, const std::string& words) {
    svg += "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\">" +
           words + "</text>";
  };
  const auto line = [&](double x1, double y1, double x2, double y2) {
    svg += "<line class=\"grid\" x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" +
           number(x2) + "\" y2=\"" + number(y2) + "\"/>";
  };
  const double step_x = step_of(frame.high_x - frame.low_x);
  for (double x = std::ceil(frame.low_x / step_x) * step_x; x <= frame.high_x; x += step_x) {
    line(frame.x(x), top, frame.x(x), height - bottom);
    text(frame.x(x), height - bottom + 16, "middle", number(std::fabs(x) < step_x / 2 ? 0 : x));
  }
  const double step_y = std::max(1.0, step_of(frame.high_y - frame.low_y));
  for (double y = std::ceil(frame.low_y / step_y) * step_y; y <= frame.high_y; y += step_y) {
    line(left, frame.y(y), width - right, frame.y(y));
    text(left - 6, frame.y(y) + 4, "end", "1e" + number(std::fabs(y) < step_y / 2 ? 0 : y));
  }
  text((left + width - right) / 2, height - 8, "middle", "epsilon");
  text(14, top + 10, "start", "delta");
  return svg;
}

/// Where a claim stands; nothing where a number is infinite, too large to draw, or delta is 0.
std::vector<Mark> marks_of(const Claim& claim, const Finding& finding) {
  std::vector<Mark> marks;
  const bool of_epsilon = claim.quantity == Quantity::epsilon;
  for (const Extended& value : claim.values) {
    const Rational& delta = of_epsilon ? claim.argument : value.value;
    const Rational& epsilon = of_epsilon ? value.value : claim.argument;
    if (value.infinite || delta <= 0 || abs(epsilon) > most_epsilon) continue;
    marks.push_back({estimate(epsilon), estimate_log(delta) / ln10, name_of(finding.verdict),
                     claim.id + ": " + name_of(finding.verdict)});
  }
  return marks;
}

}  // namespace

std::string curve_picture(const std::vector<Claim>& claims, const std::vector<Finding>& findings,
                          const std::vector<std::size_t>& members, double timeout_seconds) {
  std::vector<Mark> marks;
  for (const std::size_t i : members) {
    for (Mark& mark : marks_of(claims[i], findings[i])) marks.push_back(std::move(mark));
  }
  if (marks.empty()) return {};
  Frame frame{marks[0].epsilon, marks[0].epsilon, marks[0].log_delta, marks[0].log_delta};
  const auto include = [&](double x, double y) {
    frame.low_x = std::min(frame.low_x, x);
    frame.high_x = std::max(frame.high_x, x);
    frame.low_y = std::min(frame.low_y, y);
    frame.high_y = std::max(frame.high_y, y);
  };
  for (const Mark& mark : marks) include(mark.epsilon, mark.log_delta);
  const double margin =
      std::max(0.25 * (frame.high_x - frame.low_x), 0.1 + 0.1 * std::fabs(frame.high_x));
  const bool nonnegative = frame.low_x >= 0;
  frame.low_x -= margin;
  frame.high_x += margin;
  if (nonnegative) frame.low_x = std::max(0.0, frame.low_x);

  const Claim& first = claims[members[0]];
  std::vector<std::pair<double, double>> curve;
  try {
    Sessions sessions(*first.composition, first.direction, timeout_seconds);
    const WorkLimit limit(timeout_seconds);
    for (int i = 0; i < curve_points; ++i) {
      const double x = frame.low_x + (frame.high_x - frame.low_x) * i / (curve_points - 1);
      const Enclosure band = sessions.at(3).answer(Quantity::delta, Rational(x)).band;
      if (!reached(band, 2)) continue;
      const double y = band.upper.estimate_log() / ln10;
      if (std::isfinite(y)) curve.emplace_back(x, y);
    }
  } catch (const WorkLimitReached&) {  // what there is, is drawn
  }
  // The marks decide the height; the curve may leave the frame by a little.
  const double tallest = std::max(2.0, 0.5 * (frame.high_y - frame.low_y));
  const double low = frame.low_y - tallest;
  const double high = std::min(frame.high_y + tallest, std::max(frame.high_y + 0.5, 0.0));
  for (const auto& [x, y] : curve) include(x, std::clamp(y, low, high));
  frame.low_y -= 0.3;
  frame.high_y += 0.3;

  std::string path;
  for (const auto& [x, y] : curve) {
    if (y < frame.low_y || y > frame.high_y) continue;
    path += (path.empty() ? "M" : "L") + number(frame.x(x)) + ' ' + number(frame.y(y));
  }
  std::string svg =
      "<svg viewBox=\"0 0 640 360\" role=\"img\" aria-label=\"claims on the certified "
      "curve\">" +
      axes(frame);
  if (!path.empty()) svg += "<path class=\"curve\" d=\"" + path + "\"/>";
  for (const Mark& mark : marks) {
    svg += "<circle class=\"" + mark.verdict + "\" r=\"5\" cx=\"" + number(frame.x(mark.epsilon)) +
           "\" cy=\"" + number(frame.y(mark.log_delta)) + "\"><title>" + escaped(mark.label) +
           "</title></circle>";
  }
  return svg + "</svg>";
}

}  // namespace plaudit

#include "verification/audit/svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace plaudit::svg {

namespace {

constexpr int most_ticks = 20;
/// Beyond it, ends of axes are too large to be drawn apart.
constexpr double largest = 1e15;

/// A round step with about five of them in the range.
double step_of(double range) {
  const double rough = range / 5;
  const double scale = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * scale >= rough) return factor * scale;
  }
  return 10 * scale;
}

Axis drawable(Axis axis) {
  const auto finite = [](double x, double otherwise) {
    return std::isfinite(x) ? std::clamp(x, -largest, largest) : otherwise;
  };
  axis.low = finite(axis.low, 0);
  axis.high = finite(axis.high, axis.low);
  const double least = 1e-6 * std::max(1.0, std::fabs(axis.high));
  if (axis.high - axis.low < least) {
    axis.low -= least / 2;
    axis.high += least / 2;
  }
  return axis;
}

/// Places of an axis with what is written there.
std::vector<std::pair<double, std::string>> ticks(const Axis& axis) {
  double step = step_of(axis.high - axis.low);
  if (axis.logarithmic) step = std::max(1.0, step);
  std::vector<std::pair<double, std::string>> result;
  const double first = std::ceil(axis.low / step);
  for (int i = 0; i < most_ticks && (first + i) * step <= axis.high; ++i) {
    const double place = (first + i) * step;
    result.emplace_back(place, (axis.logarithmic ? "1e" : "") + number(place));
  }
  return result;
}

/// Of a UTF-8 text: how many bytes the character at `at` has, 0 where there is none that XML and
/// terminals can show as text.
std::size_t character(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = byte(at);
  if (first < 0x80) return first >= ' ' && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  unsigned code = first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0U) != 0x80) return 0;
    code = (code << 6) | (byte(at + i) & 0x3fU);
  }
  const bool shortest = code >= (length == 2 ? 0x80U : length == 3 ? 0x800U : 0x10000U);
  const bool c1 = code < 0xa0;
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  const bool reorders = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  const bool none = (code & 0xfffeU) == 0xfffeU || code > 0x10ffff;
  return shortest && !c1 && !surrogate && !reorders && !none ? length : 0;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character(text, at);
    switch (length == 0 ? '\0' : text[at]) {
      case '\0':
        result += ' ';
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += text.substr(at, length);
    }
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

std::string number(double x) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.5g", x == 0 ? 0.0 : x);
  return digits;
}

std::string text(double x, double y, const std::string& anchor, const std::string& words) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\">" +
         escaped(words) + "</text>";
}

Frame::Frame(Axis x, Axis y, Size size)
    : x_(drawable(std::move(x))), y_(drawable(std::move(y))), size_(size) {}

double Frame::x(double value) const {
  return size_.left +
         (value - x_.low) / (x_.high - x_.low) * (size_.width - size_.left - size_.right);
}

double Frame::y(double value) const {
  return size_.top +
         (y_.high - value) / (y_.high - y_.low) * (size_.height - size_.top - size_.bottom);
}

std::string Frame::axes() const {
  std::string svg;
  const auto line = [&](double x1, double y1, double x2, double y2) {
    svg += "<line class=\"grid\" x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" +
           number(x2) + "\" y2=\"" + number(y2) + "\"/>";
  };
  const double floor = size_.height - size_.bottom;
  for (const auto& [place, words] : ticks(x_)) {
    line(x(place), size_.top, x(place), floor);
    svg += text(x(place), floor + 16, "middle", words);
  }
  for (const auto& [place, words] : ticks(y_)) {
    line(size_.left, y(place), size_.width - size_.right, y(place));
    svg += text(size_.left - 6, y(place) + 4, "end", words);
  }
  svg += text((size_.left + size_.width - size_.right) / 2, size_.height - 8, "middle", x_.name);
  return svg + text(14, size_.top + 10, "start", y_.name);
}

std::string Frame::path(const std::string& css_class,
                        const std::vector<std::pair<double, double>>& points) const {
  std::string path;
  bool joined = false;
  for (const auto& [px, py] : points) {
    const bool inside = std::isfinite(px) && std::isfinite(py) && px >= x_.low && px <= x_.high &&
                        py >= y_.low && py <= y_.high;
    if (inside) path += (joined ? "L" : "M") + number(x(px)) + ' ' + number(y(py));
    joined = inside;
  }
  return path.empty() ? path : "<path class=\"" + css_class + "\" d=\"" + path + "\"/>";
}

}  // namespace plaudit::svg

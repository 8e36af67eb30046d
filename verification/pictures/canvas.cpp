#include "verification/pictures/canvas.hpp"

#include <algorithm>
#include <cmath>

#include "lib/text.hpp"
#include "verification/pictures/escaped.hpp"
#include "verification/pictures/style.hpp"

namespace plaudit::pictures {

namespace {

constexpr double arrow_head = 6;  ///< its length, where the arrow is at least three times as long

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + "\"";
}

/// The corners of a shape of radius 1 around (0, 0); none of a disc and a ring.
Places corners_of(Shape shape) {
  switch (shape) {
    case Shape::diamond:
      return {{0, -1.15}, {1.15, 0}, {0, 1.15}, {-1.15, 0}};
    case Shape::triangle:
      return {{0, -1.05}, {1.05, 0.85}, {-1.05, 0.85}};
    case Shape::square:
      return {{-0.85, -0.85}, {0.85, -0.85}, {0.85, 0.85}, {-0.85, 0.85}};
    case Shape::cross:
      return {{-1, -0.6}, {-0.6, -1}, {0, -0.4}, {0.6, -1}, {1, -0.6}, {0.4, 0},
              {1, 0.6},   {0.6, 1},   {0, 0.4},  {-0.6, 1}, {-1, 0.6}, {-0.4, 0}};
    case Shape::disc:
    case Shape::ring:
      break;
  }
  return {};
}

std::string outline(const Places& places, bool closed) {
  std::string path;
  for (const auto& [x, y] : places) {
    path += (path.empty() ? "M" : "L") + coordinate(x) + ' ' + coordinate(y);
  }
  return closed ? path + 'Z' : path;
}

std::string shape_path(Shape shape, double x, double y, double radius) {
  if (shape == Shape::disc || shape == Shape::ring) {
    const auto circle = [&](double r) {
      const std::string by = coordinate(r);
      return "M" + coordinate(x - r) + ' ' + coordinate(y) + "a" + by + ' ' + by + " 0 1 0 " +
             coordinate(2 * r) + " 0a" + by + ' ' + by + " 0 1 0 " + coordinate(-2 * r) + " 0Z";
    };
    return circle(radius) + (shape == Shape::ring ? circle(0.5 * radius) : "");
  }
  Places places = corners_of(shape);
  for (auto& [px, py] : places) {
    px = x + radius * px;
    py = y + radius * py;
  }
  return outline(places, true);
}

/// The width of bold letters in units of that of others.
constexpr double bold_share = 1.13;

double width_of(const std::string& words, const std::string& css) {
  const bool bold = css.find("strong") != css.npos || css.find("code") != css.npos;
  return font_size * text_width(words) * (bold ? bold_share : 1);
}

std::string opening(double width, double height, const std::string& css, const std::string& more) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"" + css + "\" viewBox=\"0 0 " +
         coordinate(width) + ' ' + coordinate(height) + "\"" + more + " role=\"img\">";
}

std::string words_for_all(const std::string& title, const std::string& description) {
  return "<title>" + escaped(title) + "</title><desc>" + escaped(description) + "</desc>";
}

}  // namespace

std::string coordinate(double x) {
  const double rounded = std::round(100 * x) / 100;
  return general_text(rounded == 0 ? 0.0 : rounded, 9);
}

std::string icon(Shape shape, const std::string& css) {
  return "<svg class=\"plaudit icon\" viewBox=\"0 0 16 16\" width=\"16\" height=\"16\" "
         "aria-hidden=\"true\"><path class=\"" +
         css + "\" fill-rule=\"evenodd\" d=\"" + shape_path(shape, 8, 8, 6) + "\"/></svg>";
}

void Canvas::line(const std::string& css, double x1, double y1, double x2, double y2) {
  body_ += "<line" + attribute("class", css) + attribute("x1", coordinate(x1)) +
           attribute("y1", coordinate(y1)) + attribute("x2", coordinate(x2)) +
           attribute("y2", coordinate(y2)) + "/>";
}

void Canvas::box(const std::string& css, const Box& box) {
  body_ += "<rect" + attribute("class", css) + attribute("x", coordinate(box.left)) +
           attribute("y", coordinate(box.top)) + attribute("width", coordinate(box.width())) +
           attribute("height", coordinate(box.height())) + "/>";
}

void Canvas::path(const std::string& css, const Places& places, bool area) {
  if (places.size() < 2) return;
  body_ += "<path" + attribute("class", css) + attribute("d", outline(places, area)) + "/>";
}

void Canvas::arrow(const std::string& css, double x1, double y1, double x2, double y2,
                   bool at_first) {
  const double length = std::hypot(x2 - x1, y2 - y1);
  std::string path = outline({{x1, y1}, {x2, y2}}, false);
  const double size = std::min(arrow_head, length / 3);
  if (size > 1) {
    const double ux = (x2 - x1) / length * size;
    const double uy = (y2 - y1) / length * size;
    const auto head_at = [&](double x, double y, double sign) {
      path += outline({{x - sign * ux - 0.6 * uy, y - sign * uy + 0.6 * ux},
                       {x, y},
                       {x - sign * ux + 0.6 * uy, y - sign * uy - 0.6 * ux}},
                      false);
    };
    head_at(x2, y2, 1);
    if (at_first) head_at(x1, y1, -1);
  }
  body_ += "<path" + attribute("class", css) + attribute("d", path) + "/>";
}

void Canvas::mark(Shape shape, const std::string& css, double x, double y, const std::string& title,
                  double radius) {
  body_ += "<path" + attribute("class", "mark " + css) + " fill-rule=\"evenodd\"" +
           attribute("d", shape_path(shape, x, y, radius)) +
           (title.empty() ? "/>" : "><title>" + escaped(title) + "</title></path>");
  const double room = radius + 2;
  occupy({x - room, y - room, x + room, y + room});
}

void Canvas::text(double x, double y, Anchor anchor, const std::string& words,
                  const std::string& css) {
  const char* names[] = {"start", "middle", "end"};
  body_ += "<text" + (css.empty() ? css : attribute("class", css)) + attribute("x", coordinate(x)) +
           attribute("y", coordinate(y)) +
           attribute("text-anchor", names[static_cast<std::size_t>(anchor)]) + ">" +
           escaped(words) + "</text>";
  occupy(box_of(x, y, anchor, width_of(words, css)));
}

void Canvas::text_within(double x, double y, double left, double right, const std::string& words,
                         const std::string& css) {
  const double half = width_of(words, css) / 2;
  const double room = right - left;
  if (2 * half >= room) return text(left, y, Anchor::start, words, css);
  text(std::clamp(x, left + half, right - half), y, Anchor::middle, words, css);
}

bool Canvas::label(double x, double y, const Box& within, const std::string& words,
                   const std::string& css) {
  struct Candidate {
    Anchor anchor;
    double x;
    double y;
  };
  const double width = width_of(words, css);
  for (const double far : {10.0, 18.0, 30.0, 46.0}) {
    const double up = y - far + 2;
    const double down = y + far + font_size - 5;
    const double level = y + 5;
    const Candidate candidates[] = {
        {Anchor::start, x + far, level},    {Anchor::start, x + far - 2, up},
        {Anchor::start, x + far - 2, down}, {Anchor::end, x - far, level},
        {Anchor::end, x - far + 2, up},     {Anchor::end, x - far + 2, down},
        {Anchor::middle, x, up - 2},        {Anchor::middle, x, down + 2},
    };
    for (const Candidate& each : candidates) {
      const Box box = box_of(each.x, each.y, each.anchor, width);
      const bool inside = box.left >= within.left && box.right <= within.right &&
                          box.top >= within.top && box.bottom <= within.bottom;
      if (!inside || !is_free(box)) continue;
      if (far > 20) line("hint", x, y, each.x, each.y - 5);
      text(each.x, each.y, each.anchor, words, css);
      return true;
    }
  }
  return false;
}

Box Canvas::box_of(double x, double y, Anchor anchor, double width) {
  const double left = anchor == Anchor::start ? x
                      : anchor == Anchor::end ? x - width
                                              : x - width / 2;
  return {left, y - 0.95 * font_size, left + width, y + 0.3 * font_size};
}

bool Canvas::is_free(const Box& box) const {
  return std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) {
    return box.left < other.right && other.left < box.right && box.top < other.bottom &&
           other.top < box.bottom;
  });
}

std::string Canvas::file(const std::string& title, const std::string& description) const {
  const std::string size =
      attribute("width", coordinate(width_)) + attribute("height", coordinate(height_));
  return opening(width_, height_, "plaudit", size) + words_for_all(title, description) +
         "<style>svg.plaudit{" + light_colours() +
         "max-width:100%;height:auto}@media(prefers-color-scheme:dark){svg.plaudit{" +
         dark_colours() + "}}" + picture_style() + "</style><rect class=\"ground\"" +
         attribute("width", coordinate(width_)) + attribute("height", coordinate(height_)) + "/>" +
         body_ + "</svg>\n";
}

std::string Canvas::inlined(const std::string& title, const std::string& description,
                            const std::string& css) const {
  return opening(width_, height_, "plaudit " + css, {}) + words_for_all(title, description) +
         body_ + "</svg>";
}

}  // namespace plaudit::pictures

// The one writer of SVG: shapes and texts on a page of fixed extent that knows what stands where,
// so that labels keep clear of each other. Positions are doubles: a picture proves nothing.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace plaudit::pictures {

struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

enum class Anchor { start, middle, end };
/// What tells verdicts apart beside colours.
enum class Shape { disc, diamond, cross, triangle, square, ring };

/// The font size of all texts; those of less than 14 px are hard to read on a phone.
inline constexpr double font_size = 14;
/// From the baseline of one line of text to the next.
inline constexpr double line_height = 19;

using Places = std::vector<std::pair<double, double>>;

class Canvas {
 public:
  Canvas(double width, double height) : width_(width), height_(height) {}

  double width() const { return width_; }
  double height() const { return height_; }

  void line(const std::string& css, double x1, double y1, double x2, double y2);
  void box(const std::string& css, const Box& box);
  /// The places joined; closed to an area where `area`.
  void path(const std::string& css, const Places& places, bool area = false);
  /// A line with an arrow head at its second end, and at its first one where `at_first`.
  void arrow(const std::string& css, double x1, double y1, double x2, double y2, bool at_first);
  /// @param title the <title> of the shape, which a browser shows under the pointer.
  void mark(Shape shape, const std::string& css, double x, double y, const std::string& title,
            double radius = 6);
  /// Text at this place, also where something else stands.
  void text(double x, double y, Anchor anchor, const std::string& words,
            const std::string& css = {});
  /// Text on one line, as near to x as the ends of the line allow.
  void text_within(double x, double y, double left, double right, const std::string& words,
                   const std::string& css = {});
  /// No label() is written here.
  void occupy(const Box& box) { taken_.push_back(box); }
  /// Text beside the place, within the box, where nothing else is written. @return whether there
  /// was room for it.
  bool label(double x, double y, const Box& within, const std::string& words,
             const std::string& css = {});

  /// A file of its own, with its style.
  std::string file(const std::string& title, const std::string& description) const;
  /// For a page that has the style. `css` is added to its classes.
  std::string inlined(const std::string& title, const std::string& description,
                      const std::string& css) const;

 private:
  static Box box_of(double x, double y, Anchor anchor, double width);
  bool is_free(const Box& box) const;

  double width_;
  double height_;
  std::string body_;
  std::vector<Box> taken_;
};

/// The shape alone, as wide as the text around it is high, for legends and badges in a page.
std::string icon(Shape shape, const std::string& css);

/// A coordinate, to a hundredth.
std::string coordinate(double x);

}  // namespace plaudit::pictures

// The one writer of SVG: axes and curves for the pictures of audits and of `plaudit curve`.
// Positions are estimates: a picture proves nothing.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace plaudit::svg {

/// Text between tags or in an attribute, of HTML and XML: what is no character of theirs is left
/// out, so that input cannot end the text or break the file.
std::string escaped(const std::string& text);

std::string number(double x);

struct Axis {
  std::string name;
  double low = 0;
  double high = 1;
  bool logarithmic = false;  ///< low and high are decimal logarithms
};

struct Size {
  double width = 640;
  double height = 360;
  double left = 64;
  double right = 16;
  double top = 16;
  double bottom = 44;
};

/// A rectangle with a grid; linear maps from the data into it.
class Frame {
 public:
  /// Axes of no extent, or without finite ends, are widened to ones that can be drawn.
  Frame(Axis x, Axis y, Size size);

  double x(double value) const;
  double y(double value) const;
  const Axis& x_axis() const { return x_; }
  const Axis& y_axis() const { return y_; }

  /// Grid lines of class "grid" with their numbers, and the names of the axes.
  std::string axes() const;
  /// The points joined, but for those outside of the frame or not finite.
  std::string path(const std::string& css_class,
                   const std::vector<std::pair<double, double>>& points) const;

 private:
  Axis x_;
  Axis y_;
  Size size_;
};

std::string text(double x, double y, const std::string& anchor, const std::string& words);

}  // namespace plaudit::svg

// The part of a picture in which data stand: its axes, and the maps from numbers to places.
#pragma once

#include <string>
#include <utility>

#include "verification/pictures/axis.hpp"
#include "verification/pictures/canvas.hpp"

namespace plaudit::pictures {

/// A rectangle with linear maps from the data into it. It is as large as the numbers at its axes
/// leave of the box that both share.
class Frame {
 public:
  /// With an axis of y at the left, its name above it.
  Frame(Axis x, Axis y, const Box& box);
  /// With the axis of x alone; places of y are those of the canvas.
  Frame(Axis x, const Box& box);

  double x(double value) const;
  double y(double value) const;
  /// What data may use.
  const Box& inside() const { return inside_; }

  /// Grid lines with their numbers, and the names of the axes.
  void draw_axes(Canvas& canvas) const;
  /// The data joined by lines, cut off at the edges of the frame, and interrupted where they are
  /// not finite.
  void draw_path(Canvas& canvas, const std::string& css, const Places& data) const;
  /// The area between two curves over the same places; an infinite end reaches the edge.
  void draw_area(Canvas& canvas, const std::string& css, const Places& lower,
                 const Places& upper) const;

 private:
  Axis x_;
  Axis y_;
  Box inside_;
  bool has_y_ = true;
  double name_of_y_ = 0;  ///< where its name starts
  std::vector<Tick> x_ticks_;
  std::vector<Tick> y_ticks_;
};

}  // namespace plaudit::pictures

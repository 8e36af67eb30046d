// Axes of pictures: their extent, and the round numbers written at them.
#pragma once

#include <string>
#include <vector>

namespace plaudit::pictures {

struct Axis {
  std::string name;
  double low = 0;
  double high = 1;
  bool logarithmic = false;  ///< low, high and all places are decimal logarithms
};

/// With finite ends that can be drawn apart: those of no extent, or without ends, are widened.
Axis drawable(Axis axis);

/// Collects the places that an axis must show; what is not finite is left out.
class Extent {
 public:
  void include(double place);
  bool empty() const { return low_ > high_; }
  double low() const { return low_; }
  double high() const { return high_; }
  double length() const { return empty() ? 0 : high_ - low_; }
  /// Both ends moved outward by a share of the length.
  void widen(double share);

 private:
  double low_ = 1;
  double high_ = 0;
};

/// A place of the axis, and the number there.
struct Tick {
  double place;
  std::string words;
};

/// Round numbers within the axis, about as many as `most` and no more, each told apart from the
/// next by its digits.
std::vector<Tick> ticks(const Axis& axis, int most);

}  // namespace plaudit::pictures

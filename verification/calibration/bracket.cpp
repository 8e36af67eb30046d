#include "verification/calibration/bracket.hpp"

#include <stdexcept>

namespace plaudit {

bool Bracket::note(Point&& point) {
  bool nearer = false;
  if (point.side == Side::undecided) {
    if (!doubt_low || point.x < doubt_low->x) doubt_low = point;
    if (!doubt_high || point.x > doubt_high->x) doubt_high = point;
  } else {
    std::optional<Point>& end = point.side == Side::low ? low : high;
    nearer = !end || (point.side == Side::low ? point.x > end->x : point.x < end->x);
    if (nearer) end = point;
    if (low && high && low->x >= high->x) {
      throw std::logic_error("the curve is not monotone in the parameter: " +
                             low->composition->spec() + " and " + high->composition->spec());
    }
  }
  point.session.reset();
  points.push_back(std::move(point));
  return nearer;
}

bool Bracket::is_inside(const Rational& x) const {
  return (!low || x > low->x) && (!high || x < high->x);
}

}  // namespace plaudit

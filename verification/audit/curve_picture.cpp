#include "verification/audit/curve_picture.hpp"

#include <algorithm>
#include <cmath>

#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/spec.hpp"
#include "verification/audit/svg.hpp"
#include "verification/sessions.hpp"

namespace plaudit {

namespace {

constexpr int curve_points = 25;
constexpr long most_epsilon = 1'000'000'000;

/// Positions are estimates: a picture proves nothing.
struct Mark {
  double epsilon;
  double log_delta;  ///< decimal
  std::string verdict;
  std::string label;
};

/// Where a claim stands; nothing where a number is infinite, too large to draw, or delta is 0.
std::vector<Mark> marks_of(const Claim& claim, const Finding& finding) {
  std::vector<Mark> marks;
  if (claim.subject != Subject::curve) return marks;
  const bool of_epsilon = claim.quantity == Quantity::epsilon;
  for (const Extended& value : claim.values) {
    const Rational& delta = of_epsilon ? claim.argument : value.value;
    const Rational& epsilon = of_epsilon ? value.value : claim.argument;
    if (value.infinite || delta <= 0 || abs(epsilon) > most_epsilon) continue;
    marks.push_back({estimate(epsilon), estimate_log(delta) / log_ten, name_of(finding.verdict),
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
  double low_x = marks[0].epsilon;
  double high_x = low_x;
  double low_y = marks[0].log_delta;
  double high_y = low_y;
  const auto include = [&](double x, double y) {
    low_x = std::min(low_x, x);
    high_x = std::max(high_x, x);
    low_y = std::min(low_y, y);
    high_y = std::max(high_y, y);
  };
  for (const Mark& mark : marks) include(mark.epsilon, mark.log_delta);
  const double margin = std::max(0.25 * (high_x - low_x), 0.1 + 0.1 * std::fabs(high_x));
  const bool nonnegative = low_x >= 0;
  low_x -= margin;
  high_x += margin;
  if (nonnegative) low_x = std::max(0.0, low_x);

  const Claim& first = claims[members[0]];
  std::vector<std::pair<double, double>> curve;
  try {
    Sessions sessions(parse_spec(first.spec), first.direction, timeout_seconds);
    const WorkLimit limit(timeout_seconds);
    for (int i = 0; i < curve_points; ++i) {
      const double x = low_x + (high_x - low_x) * i / (curve_points - 1);
      const Enclosure band =
          sessions.at(3).answer(Quantity::delta, checked_rational(x, "an epsilon")).band;
      if (!reached(band, 2)) continue;
      const double y = band.upper.estimate_log() / log_ten;
      if (std::isfinite(y)) curve.emplace_back(x, y);
    }
  } catch (const WorkLimitReached&) {  // what there is, is drawn
  }
  // The marks decide the height; the curve may leave the frame by a little.
  const double tallest = std::max(2.0, 0.5 * (high_y - low_y));
  const double low = low_y - tallest;
  const double high = std::min(high_y + tallest, std::max(high_y + 0.5, 0.0));
  for (const auto& [x, y] : curve) include(x, std::clamp(y, low, high));
  low_y -= 0.3;
  high_y += 0.3;

  const svg::Frame frame({"epsilon", low_x, high_x}, {"delta", low_y, high_y, true}, {});
  std::string picture =
      "<svg viewBox=\"0 0 640 360\" role=\"img\" aria-label=\"claims on the certified "
      "curve\">" +
      frame.axes() + frame.path("curve", curve);
  for (const Mark& mark : marks) {
    picture += "<circle class=\"" + mark.verdict + "\" r=\"5\" cx=\"" +
               svg::number(frame.x(mark.epsilon)) + "\" cy=\"" +
               svg::number(frame.y(mark.log_delta)) + "\"><title>" + svg::escaped(mark.label) +
               "</title></circle>";
  }
  return picture + "</svg>";
}

}  // namespace plaudit

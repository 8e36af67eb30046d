#include "cli/output/plot.hpp"

#include <algorithm>
#include <cmath>

#include "verification/audit/svg.hpp"

namespace plaudit::cli {

namespace {

constexpr std::size_t longest_title = 90;
constexpr const char* style =
    "text{font:13px sans-serif;fill:#333}.grid{stroke:#ddd}.upper{fill:none;stroke:#f2a6a0;"
    "stroke-width:5}.lower{fill:none;stroke:#17406d;stroke-width:1.5}";

struct Range {
  double low = INFINITY;
  double high = -INFINITY;

  void include(double x) {
    if (!std::isfinite(x)) return;
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

std::string legend(double y, const std::string& css_class, const std::string& words) {
  return "<path class=\"" + css_class + "\" d=\"M600 " + svg::number(y) + "L640 " + svg::number(y) +
         "\"/>" + svg::text(648, y + 4, "start", words);
}

}  // namespace

std::string curve_svg(const ReadSpec& spec, Quantity quantity, const std::vector<Point>& points) {
  Range across;
  Range up;
  std::vector<std::pair<double, double>> lower;
  std::vector<std::pair<double, double>> upper;
  for (const Point& point : points) {
    across.include(point.x);
    up.include(point.y_lower);
    up.include(point.y_upper);
    lower.emplace_back(point.x, point.y_lower);
    upper.emplace_back(point.x, point.y_upper);
  }
  const bool of_epsilon = quantity == Quantity::epsilon;
  const svg::Frame frame({argument_name(quantity), across.low, across.high, of_epsilon},
                         {name_of(quantity), up.low, up.high, !of_epsilon},
                         {800, 500, 80, 20, 60, 44});
  const std::string title =
      spec.spec.size() <= longest_title ? spec.spec : spec.spec.substr(0, longest_title) + "...";
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"800\" height=\"500\" viewBox=\"0 0 800 "
         "500\"><style>" +
         std::string(style) + "</style><rect width=\"800\" height=\"500\" fill=\"white\"/>" +
         svg::text(400, 22, "middle", title) +
         svg::text(400, 42, "middle", adjacency_line(spec.adjacency)) + frame.axes() +
         frame.path("upper", upper) + frame.path("lower", lower) +
         legend(76, "upper", "certified upper end") + legend(94, "lower", "certified lower end") +
         "</svg>\n";
}

}  // namespace plaudit::cli

// A privacy curve as a picture: both ends of its band over the argument.
#pragma once

#include <string>
#include <vector>

namespace plaudit::pictures {

/// Doubles: of deltas their decimal logarithms. NaN cannot be drawn.
struct CurvePoint {
  double argument = 0;
  double lower = 0;
  double upper = 0;  ///< may be infinite
};

enum class CurveKind {
  delta_over_epsilon,
  epsilon_over_delta,
  divergence_over_order,
  trade_off,            ///< false negative rate over false positive rate
  trade_off_log_spaced  ///< the same; of the false positive rates their decimal logarithms
};

struct CurvePicture {
  CurveKind kind = CurveKind::delta_over_epsilon;
  std::string spec;
  std::string remark;     ///< the adjacency: for what the curve holds
  bool certified = true;  ///< false: estimates
  std::vector<CurvePoint> points;
};

/// A file of SVG. @throws std::invalid_argument unless width is within [320, 4000].
std::string curve_svg(const CurvePicture& curve, double width);

/// For a page that has the style (page.hpp). @param css added to its classes
std::string curve_inlined(const CurvePicture& curve, double width, const std::string& css);

/// The width of pictures where nobody asks for another.
inline constexpr double usual_width = 800;
/// @throws std::invalid_argument unless width is within [320, 4000].
void check_width(double width);

}  // namespace plaudit::pictures

// Claims about one run on its certified curve: delta (logarithmic) over epsilon.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verification/pictures/canvas.hpp"
#include "verification/pictures/claim_picture.hpp"

namespace plaudit::pictures {

/// A point (epsilon, decimal logarithm of delta) that is claimed, and where the certified curve is
/// at the same delta, or at the same epsilon. Doubles: positions, not bounds.
struct ClaimedPoint {
  double epsilon = 0;
  double log_delta = 0;
  Badge badge;
  std::string label;       ///< short, beside the mark
  std::string long_label;  ///< in its place where there is room
  std::string title;
  /// The ends of the certified band, both along the same axis.
  std::vector<std::pair<double, double>> certified;
};

struct ClaimsOnCurve {
  std::vector<ClaimedPoint> points;
  Places curve;  ///< as far as it is known
  std::string spec;
};

/// The part of the plane that is drawn, as far as the curve passes through it.
struct View {
  double low_epsilon;
  double high_epsilon;
  double low_log_delta;
  double high_log_delta;
};
View view_of(const std::vector<ClaimedPoint>& points);

/// For a page that has the style of pictures. The frame contains each claimed point and the band of
/// each; the gap between them is drawn.
std::string claims_on_curve_svg(const ClaimsOnCurve& picture, double width, double height,
                                const std::string& css);

}  // namespace plaudit::pictures

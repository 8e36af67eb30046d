// What a test was seen to do against what a claim allows any test: true over false positive rates,
// both logarithmic.
#pragma once

#include <string>
#include <vector>

#include "verification/pictures/curve_picture.hpp"

namespace plaudit::pictures {

/// The test has no greater FPR and no smaller TPR: decimal logarithms, as doubles.
struct RocCorner {
  double fpr_upper = 0;
  double tpr_lower = 0;
  bool refuting = false;  ///< the claim allows no such test
};

struct RocPicture {
  std::string spec;
  std::string remark;
  /// Of the greatest TPR that the claim allows: a band over the FPR, decimal logarithms.
  std::vector<CurvePoint> claimed;
  std::vector<RocCorner> corners;
};

/// A file of SVG. @throws std::invalid_argument unless width is within [320, 4000].
std::string roc_svg(const RocPicture& picture, double width);

}  // namespace plaudit::pictures

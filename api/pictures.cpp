// The public interface: curves and comparisons as pictures.
#include "api/core.hpp"
#include "lib/constants.hpp"
#include "verification/pictures/curve_picture.hpp"

// After the inner names, see api/core.hpp.
#include "api/comparison_data.hpp"
#include "plaudit/pictures.hpp"

namespace plaudit::inline v0 {

namespace {

/// log10 in floating point also of positive numbers far outside of the range of doubles.
double log10_estimate(const Real& value) {
  if (value <= 0) return -infinity;
  return static_cast<double>(Real(log10(value)));
}

}  // namespace

std::string curve_svg(const Composition& run, Curve kind, const std::vector<CurvePoint>& points,
                      const PictureOptions& options) {
  pictures::CurvePicture picture;
  picture.kind = kind == Curve::delta     ? pictures::CurveKind::delta_over_epsilon
                 : kind == Curve::epsilon ? pictures::CurveKind::epsilon_over_delta
                                          : pictures::CurveKind::divergence_over_order;
  picture.spec = run.spec();
  picture.remark = "adjacency " + to_text(run.data().composition.adjacency());
  for (const CurvePoint& point : points) {
    const Rational argument = exact(point.argument, "argument");
    const auto end = [&](const Real& value) {
      return kind == Curve::delta ? log10_estimate(value) : static_cast<double>(value);
    };
    const double place =
        kind == Curve::epsilon ? estimate_log(argument) / log_ten : estimate(argument);
    picture.points.push_back({place, end(point.band.lower()), end(point.band.upper())});
    picture.certified = picture.certified && point.band.certified();
  }
  return pictures::curve_svg(picture, options.width);
}

std::string compare_svg(const Comparison& comparison, const PictureOptions& options) {
  return pictures::compare_svg(
      comparison.data ? comparison.data->picture : pictures::ComparisonPicture(), options.width);
}

}  // namespace plaudit::inline v0

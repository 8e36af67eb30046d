#include "cli/plot.hpp"

#include <algorithm>

#include "verification/crosscheck/comparison_picture.hpp"

namespace plaudit::cli {

std::string curve_svg(const ReadSpec& spec, pictures::CurveKind kind,
                      const std::vector<Point>& points) {
  pictures::CurvePicture picture{kind, spec.spec, adjacency_line(spec.adjacency), true, {}};
  for (const Point& point : points) {
    picture.points.push_back({point.x, point.y_lower, point.y_upper});
    picture.certified = picture.certified && point.certified;
  }
  return pictures::curve_svg(picture, pictures::usual_width);
}

std::string compare_svg(const Question& question, const std::vector<ComparedAnswer>& answers) {
  pictures::ComparisonPicture picture;
  picture.spec = question.spec;
  picture.quantity = name_of(question.quantity);
  picture.question = picture.quantity + " at " + argument_name(question.quantity) + " = " +
                     to_string(question.argument);
  picture.remark = adjacency_line(question.adjacency);
  add_intervals(picture, answers);
  return pictures::compare_svg(picture, pictures::usual_width);
}

}  // namespace plaudit::cli

// Every accountant side by side on one axis, with the certified band as a strip behind them.
#pragma once

#include <string>
#include <vector>

namespace plaudit::pictures {

/// How an interval came about; each has a shape and a colour of its own.
enum class Standing { certified, estimate, claimed, refuted };

/// Doubles: positions, not bounds.
struct ComparedInterval {
  std::string name;
  Standing standing = Standing::certified;
  double lower = 0;
  double upper = 0;    ///< may be infinite
  std::string remark;  ///< beside it: its width, or by what it is refuted
};

struct ComparisonPicture {
  std::string spec;
  std::string question;   ///< "epsilon at delta = 1e-5"
  std::string certified;  ///< "certified from 2.08 to 2.09": common to all certified intervals
  std::string remark;     ///< the adjacency
  std::string quantity;   ///< the name of the axis
  std::vector<ComparedInterval> intervals;
  /// Those without an interval, named below the picture.
  std::vector<std::string> absent;
};

/// A file of SVG. The frame contains every finite end. The strip is what all certified intervals
/// have in common. @throws std::invalid_argument unless width is within [320, 4000].
std::string compare_svg(const ComparisonPicture& comparison, double width);

}  // namespace plaudit::pictures

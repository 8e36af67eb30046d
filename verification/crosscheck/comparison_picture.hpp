// The answers of accountants as intervals of a picture.
#pragma once

#include <vector>

#include "verification/crosscheck/comparison.hpp"
#include "verification/pictures/comparison_picture.hpp"

namespace plaudit {

/// An interval of each answer, with its width or verdict beside it, and the names of those that
/// have none.
void add_intervals(pictures::ComparisonPicture& picture,
                   const std::vector<ComparedAnswer>& answers);

}  // namespace plaudit

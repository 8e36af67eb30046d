// What the picture of a comparison is made of.
#pragma once

#include "plaudit/catalogue.hpp"
#include "verification/pictures/comparison_picture.hpp"

namespace plaudit::inline v0 {

struct ComparisonData {
  pictures::ComparisonPicture picture;
};

}  // namespace plaudit::inline v0

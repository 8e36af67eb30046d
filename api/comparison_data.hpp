// The data behind the public Comparison: its picture, made while the answers are at hand.
#pragma once

#include "plaudit/catalogue.hpp"
#include "verification/pictures/comparison_picture.hpp"

namespace plaudit::inline v0 {

struct ComparisonData {
  pictures::ComparisonPicture picture;
};

}  // namespace plaudit::inline v0

// The colours of reports and pictures, light and dark, and the style of pictures.
#pragma once

#include <string>

namespace plaudit::pictures {

/// Declarations of the custom properties --ground, --ink, ..., for one rule of CSS.
std::string light_colours();
std::string dark_colours();

/// Rules for what is inside of an element of class "plaudit", and nothing else of the page. They
/// use the custom properties above.
std::string picture_style();

}  // namespace plaudit::pictures

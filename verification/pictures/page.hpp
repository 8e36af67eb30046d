// A page of HTML: one file, no script, nothing fetched; light and dark, wide and on a phone.
#pragma once

#include <string>

namespace plaudit::pictures {

/// @param title as text. @param body as HTML, in the classes of the style of this page.
std::string html_page(const std::string& title, const std::string& body);

}  // namespace plaudit::pictures

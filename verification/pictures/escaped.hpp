// Text that others wrote, as it may stand in HTML and XML, and about how wide it will be.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace plaudit::pictures {

/// Text between tags or in an attribute in double quotes, of HTML and XML: what is no character of
/// theirs becomes a space, so that input cannot end the text or break the file.
std::string escaped(const std::string& text);

/// The text in one cell of a table of Markdown: what is its markup is escaped, lines are joined.
std::string markdown(const std::string& text);

/// The text, or where it has more than `most` characters its first ones and an ellipsis.
std::string shortened(const std::string& text, std::size_t most);

/// The text in lines of at most `most` characters, broken after ' ', '*' and ',' where possible; at
/// most `lines` of them, the last one with an ellipsis where there is more.
std::vector<std::string> broken(const std::string& text, std::size_t most, std::size_t lines);

/// How wide the text is at a font size of 1, estimated from above for the usual sans-serif fonts.
double text_width(const std::string& text);

}  // namespace plaudit::pictures

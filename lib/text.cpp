#include "lib/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace plaudit {

namespace {

constexpr std::size_t longest_name = 60;  ///< longer names are compared with none: no suggestion
/// Characters of the least beginning that suggests a known name; fewer begin too many names.
constexpr std::size_t shortest_beginning = 3;

std::string text(double x, std::chars_format format, int precision) {
  std::array<char, 512> buffer;  // the longest: 309 digits before the point
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, format, precision).ptr;
  return std::string(buffer.data(), end);
}

/// Least number of characters to insert, leave out, change or swap with their neighbour, where no
/// character is touched twice (optimal string alignment).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> least(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) least[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) least[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      least[i][j] = std::min({least[i - 1][j] + 1, least[i][j - 1] + 1,
                              least[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        least[i][j] = std::min(least[i][j], least[i - 2][j - 2] + 1);
      }
    }
  }
  return least[a.size()][b.size()];
}

}  // namespace

std::string general_text(double x, int digits) {
  return text(x, std::chars_format::general, digits);
}

std::string fixed_text(double x) { return text(x, std::chars_format::fixed, 6); }

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string_view same_name(std::string_view name, const std::vector<std::string_view>& known) {
  if (const auto same = std::find(known.begin(), known.end(), name); same != known.end()) {
    return *same;
  }
  std::string_view found;
  for (const std::string_view each : known) {
    if (lower_case(each) != lower_case(name)) continue;
    if (!found.empty()) return {};
    found = each;
  }
  return found;
}

std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& known) {
  if (name.empty() || name.size() > longest_name) return {};
  const std::string given = lower_case(name);
  std::string_view nearest;
  std::string_view begun;
  std::size_t least = longest_name;
  for (const std::string_view each : known) {
    const std::string candidate = lower_case(each);
    const std::size_t apart = distance(given, candidate);
    if (apart < least && 3 * apart <= std::max(given.size(), candidate.size()) + 1) {
      nearest = each;
      least = apart;
    }
    if (begun.empty() && given.size() >= shortest_beginning && candidate.rfind(given, 0) == 0) {
      begun = each;
    }
  }
  return nearest.empty() ? begun : nearest;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& known) {
  const std::string_view nearest = nearest_name(name, known);
  return nearest.empty() ? "" : " (did you mean " + std::string(nearest) + "?)";
}

}  // namespace plaudit

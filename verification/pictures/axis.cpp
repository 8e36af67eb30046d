#include "verification/pictures/axis.hpp"

#include <algorithm>
#include <cmath>

#include "lib/text.hpp"

namespace plaudit::pictures {

namespace {

/// Beyond it, ends of axes are too large for arithmetic on them.
constexpr double largest = 1e300;
/// Of an axis' greatest number: doubles closer than that are not told apart well.
constexpr double least_share = 1e-9;
/// Below that many decades the ticks of a logarithmic axis are equally spaced numbers.
constexpr double few_decades = 1.2;

/// The least round step that is not below the wanted one.
double round_step(double wanted) {
  const double scale = std::pow(10, std::floor(std::log10(wanted)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * scale >= wanted * (1 - 1e-9)) return factor * scale;
  }
  return 10 * scale;
}

/// A number of an axis as text, with enough digits to tell it from those a step away.
std::string number_at(double x, double step) {
  if (std::fabs(x) < step / 100) return "0";
  const double digits = std::floor(std::log10(std::fabs(x))) - std::floor(std::log10(step)) + 1;
  std::string words = general_text(x, digits < 1 ? 1 : digits > 15 ? 15 : digits > 9 ? 12 : 9);
  const bool scientific = words.find('e') != std::string::npos;
  if (scientific) {  // 1e-07 is 1e-7, and 1e+12 is 1e12
    std::size_t place = words.find('e') + 1;
    if (words[place] == '+') words.erase(place, 1);
    if (words[place] == '-') ++place;
    while (words[place] == '0' && place + 1 < words.size()) words.erase(place, 1);
  }
  return words[0] == '-' ? "\u2212" + words.substr(1) : words;
}

/// Multiples of a step between two numbers; `place` says where a number stands.
template <class Place>
std::vector<Tick> multiples(double low, double high, int most, const Place& place) {
  std::vector<Tick> result;
  const double slack = 1e-9 * (high - low);
  for (double step = round_step((high - low) / most);; step = round_step(1.5 * step)) {
    result.clear();
    const double first = std::ceil((low - slack) / step);
    for (int i = 0; i <= most && (first + i) * step <= high + slack; ++i) {
      const double x = (first + i) * step;
      result.push_back({std::clamp(place(x), place(low), place(high)), number_at(x, step)});
    }
    if (static_cast<int>(result.size()) <= most) return result;
  }
}

}  // namespace

Axis drawable(Axis axis) {
  const auto finite = [](double x, double otherwise) {
    return std::isfinite(x) ? std::clamp(x, -largest, largest) : otherwise;
  };
  axis.low = finite(axis.low, 0);
  axis.high = finite(axis.high, axis.low);
  const double greatest = std::max(std::fabs(axis.low), std::fabs(axis.high));
  const double least = axis.logarithmic ? 1e-6 : greatest > 0 ? least_share * greatest : 1;
  if (axis.high - axis.low < least) {
    axis.low -= least / 2;
    axis.high += least / 2;
  }
  return axis;
}

void Extent::include(double place) {
  if (!std::isfinite(place)) return;
  const bool first = empty();
  low_ = first ? place : std::min(low_, place);
  high_ = first ? place : std::max(high_, place);
}

void Extent::widen(double share) {
  const double by = share * length();
  low_ -= by;
  high_ += by;
}

std::vector<Tick> ticks(const Axis& given, int most) {
  const Axis axis = given.low < given.high ? given : drawable(given);
  const double decades = axis.high - axis.low;
  if (!axis.logarithmic) {
    return multiples(axis.low, axis.high, most, [](double x) { return x; });
  }
  const bool powers_fit = std::fabs(axis.low) < 300 && std::fabs(axis.high) < 300;
  if (decades < few_decades && powers_fit) {
    std::vector<Tick> result = multiples(std::pow(10, axis.low), std::pow(10, axis.high), most,
                                         [](double x) { return std::log10(x); });
    return result;
  }
  const double step = std::max(1.0, round_step(decades / most));
  std::vector<Tick> result;
  const double first = std::ceil(axis.low / step - 1e-9);
  for (int i = 0; i <= most && (first + i) * step <= axis.high + 1e-9 * step; ++i) {
    const double place = (first + i) * step;
    const bool plain = std::fabs(place) <= 3;
    result.push_back(
        {place, plain ? general_text(std::pow(10, place), 6) : "1e" + general_text(place, 9)});
  }
  return result;
}

}  // namespace plaudit::pictures

#include "cli/range.hpp"

#include <array>
#include <cmath>
#include <cstdio>

#include "cli/options.hpp"
#include "cli/output/usage_error.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::cli {

namespace {

std::array<std::string, 3> split(const std::string& text, const std::string& usage) {
  const std::size_t first = text.find(':');
  const std::size_t second = first == std::string::npos ? first : text.find(':', first + 1);
  if (second == std::string::npos || text.find(':', second + 1) != std::string::npos) {
    throw UsageError(usage + ", not " + abbreviated(text));
  }
  return {text.substr(0, first), text.substr(first + 1, second - first - 1),
          text.substr(second + 1)};
}

/// 10^exponent to six significant digits.
Rational power_of_ten(double exponent) {
  const double whole = std::floor(exponent);
  char text[64];
  std::snprintf(text, sizeof text, "%.5fe%.0f", std::pow(10.0, exponent - whole), whole);
  return parse_rational(text);
}

}  // namespace

std::vector<Rational> stepped_range(const std::string& option, const std::string& text) {
  const auto [from, to, step] = split(text, option + " must be A:B:STEP");
  const Rational first = read_epsilon(option + " A of A:B:STEP", from);
  const Rational last = read_epsilon(option + " B of A:B:STEP", to);
  const Rational stride = read_epsilon(option + " STEP of A:B:STEP", step);
  if (stride <= 0) {
    throw UsageError(option + " STEP of A:B:STEP must be > 0, not " + abbreviated(step));
  }
  if (last < first) throw UsageError(option + " A:B:STEP must have A <= B");
  if ((last - first) / stride >= most_points) {
    throw UsageError(option + " A:B:STEP must have at most " + std::to_string(most_points) +
                     " points");
  }
  std::vector<Rational> points;
  for (Rational point = first; point <= last; point += stride) points.push_back(point);
  return points;
}

std::vector<Rational> log_spaced_range(const std::string& option, const std::string& name,
                                       const std::string& text) {
  const auto [from, to, count] = split(text, option + " must be A:B:POINTS");
  const Rational first = read_probability(option + " A of A:B:POINTS", name, from);
  const Rational last = read_probability(option + " B of A:B:POINTS", name, to);
  if (first == 0 || last == 0) {
    throw UsageError(option + " A:B:POINTS are log-spaced: A and B must be > 0");
  }
  const Rational points = read_epsilon(option + " POINTS of A:B:POINTS", count);
  if (points < 2 || points > most_points || denominator(points) != 1) {
    throw UsageError(option + " POINTS of A:B:POINTS must be an integer from 2 to " +
                     std::to_string(most_points) + ", not " + abbreviated(count));
  }
  const double start = estimate_log(first) / std::log(10.0);
  const double end = estimate_log(last) / std::log(10.0);
  const auto total = numerator(points).to<std::size_t>();
  std::vector<Rational> result{first};
  for (std::size_t i = 1; i + 1 < total; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(total - 1);
    const Rational point = power_of_ten(start + (end - start) * part);
    // Near 1 six digits may round up beyond it.
    result.push_back(point <= 1 ? point : Rational(1));
  }
  result.push_back(last);
  return result;
}

}  // namespace plaudit::cli

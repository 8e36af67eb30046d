#include "verification/certificates/proposals/wanted.hpp"
#include "lib/constants.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

namespace plaudit {

namespace {

constexpr long most_bits = 20000;  // that a certificate may ask for

double digits(const Rational& value) {
  const std::string text = to_string(value);
  const auto end = text.find_first_of("e/");
  return static_cast<double>(std::count_if(
      text.begin(),
      end == std::string::npos ? text.end()
                               : text.begin() + static_cast<std::string::difference_type>(end),
      [](char c) { return c >= '0' && c <= '9'; }));
}

}  // namespace

double digits_of(const StatementQuestion& question) {
  // not those of the bound, which may be the argument plus 10^-60 of it (Writer::just_above)
  return std::clamp(std::min(digits(question.epsilon), 4096.0), 8.0, 4096.0);
}

std::vector<long> bits_to_try(const StatementQuestion& question) {
  // twice: the writer keeps 2^-(bits/2) to spare
  const double base = 2 * digits_of(question) * log_ten / log_two + 64;
  std::vector<long> result;
  for (const double factor : {1.0, 1.6, 3.0, 8.0}) {
    result.push_back(std::min(most_bits, whole(base * factor)));
  }
  return result;
}

std::vector<double> nats_to_try(const StatementQuestion& question) {
  const double base = digits_of(question) * log_ten;
  return {0.6 * base + 4, base + 8, 1.3 * base + 20, 2 * base + 60};
}

}  // namespace plaudit

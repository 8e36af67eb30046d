// Laws as a certificate states them (docs/certificates.md, "Laws"): a name and exact numbers. Long
// lists of numbers stand there by their SHA-256.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/exact/rational.hpp"
#include "verification/checker/laws/laws.hpp"

namespace plaudit::proof {

/// In lowest terms, with lower-case digits: "-1f/20".
std::string hexadecimal(const Rational& x);

/// "1/2 3", or "1001 numbers, SHA-256 ..." where these take more than 2048 bits.
std::string numbers_text(const std::vector<Rational>& numbers);
std::string number_text(const Rational& number);

/// "NAME(key = value; key = value)".
std::string law_text(std::string_view name,
                     const std::vector<std::pair<std::string, std::string>>& parameters);

std::string text_of(const Law& law);

}  // namespace plaudit::proof

// Exact numbers as certificates have them: read strictly, with what the checker asks of integers.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lib/exact/rational.hpp"

namespace plaudit::proof {

/// floor(sqrt(x)), x >= 0; exact.
Integer root_of(const Integer& x);
/// In digits, or where there are over 20 as a power of two that it reaches.
std::string shown(const Integer& x);
/// The nearest end of the range of long where it does not fit.
long to_long(const Integer& x);

/// number := ['-'] digits ['.' digits] ['e' ['+'|'-'] digits], or a quotient of two, the lower one
/// positive. At most 10000 characters, exponents within +-100000. @throws Rejected naming `what`.
Rational read_number(std::string_view text, const std::string& what);

/// The same of a number in `laws`: each of its decimals has at most 1000 characters and an exponent
/// within +-1000.
Rational read_law_number(std::string_view text, const std::string& what);

/// By halves, which keeps the denominators small.
Rational sum(std::span<const Rational> terms);

/// `text` for a message: its beginning, with nothing unprintable.
std::string in_quotes(std::string_view text, std::size_t most = 60);

}  // namespace plaudit::proof

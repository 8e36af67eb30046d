// The place of a spec that a question mark leaves open: `gaussian(sigma=?)^10`, `laplace(2)^?`.
//
// The mark is found in the text, which is parsed only once a number stands in its place. So what
// the language allows for a number there, shorthand included, it allows for the mark.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lib/exact/rational.hpp"

namespace plaudit {

struct FreeParameter {
  std::string text;       ///< the spec with its mark
  std::size_t place = 0;  ///< of the mark
  /// The call whose argument it is, in lower case; empty where it is a power.
  std::string call = {};
  std::string key = {};        ///< as written, in lower case; empty where the argument has none
  std::size_t position = 0;    ///< of the argument within the call
  bool in_list = false;        ///< an entry of a list
  bool in_expression = false;  ///< a part of the integer expression of a power
  bool falls = false;          ///< that expression subtracts or divides
  std::vector<std::string> keys = {};    ///< of all arguments of the call, as far as they have one
  std::size_t arguments = 0;             ///< how many there are
  std::vector<std::string> around = {};  ///< the calls around that one, outermost first

  bool is_power() const { return call.empty(); }
  /// The spec with a value in place of the mark.
  std::string with(const Rational& value) const;
};

/// @throws SpecError: there is no mark, more than one, or it does not stand for a number.
FreeParameter find_free_parameter(std::string_view text);

}  // namespace plaudit

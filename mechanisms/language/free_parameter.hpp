// The places of a spec that question marks leave open: `gaussian(sigma=?)^10`, `laplace(2)^?`.
// Several marks are one number; a mark may be scaled: `laplace(scale=?) * gaussian(sigma=2*?)`.
//
// The text is searched for the mark, and parsed only with a number in its place. So the mark may
// stand for any number of the language, also inside of shorthand such as dpsgd(...).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lib/exact/rational.hpp"

namespace plaudit {

struct FreeParameter {
  std::string text;       ///< the spec with its mark
  std::size_t place = 0;  ///< of the mark in the text
  /// The call whose argument it is, in lower case; empty where it is a power.
  std::string call = {};
  std::string key = {};        ///< as written, in lower case; empty where the argument has none
  std::size_t position = 0;    ///< of the argument within the call
  bool in_list = false;        ///< an entry of a list
  bool in_expression = false;  ///< a part of the integer expression of a power
  bool falls = false;          ///< that expression subtracts or divides
  std::vector<std::string> keys = {};    ///< of the arguments of the call that have one
  std::size_t arguments = 0;             ///< how many the call has
  std::vector<std::string> around = {};  ///< the calls around that one, outermost first

  bool scaled = false;                     ///< times or over a positive number: 2*?, ?*0.5, ?/3
  std::vector<FreeParameter> others = {};  ///< further marks, in the order of the text

  bool is_power() const { return call.empty(); }
  /// The spec with a value in place of all marks.
  std::string with(const Rational& value) const;
};

/// The first one. @throws SpecError: there is no mark, or one does not stand for a number.
FreeParameter find_free_parameter(std::string_view text);

}  // namespace plaudit

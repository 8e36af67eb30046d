// The canonical form of specs as a tree:
//
//   spec      := factor (' * ' factor)*
//   factor    := call ['^' integer above 1]
//   call      := name '(' argument (', ' argument)* ')'
//   argument  := [name '='] value
//   value     := number | name | call | '"' text '"' | list | '[' list (', ' list)* ']'
//   list      := '[' number (', ' number)* ']'
//
// Nothing else is read: the checker prints what it understood and compares the texts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "accountants/proof/arithmetic/numbers.hpp"

namespace plaudit::proof {

struct Call;

struct Name {
  std::string text;
};
struct Quoted {
  std::string text;
};

using Value = std::variant<Rational, std::vector<Rational>, std::vector<std::vector<Rational>>,
                           Name, Quoted, std::shared_ptr<const Call>>;

struct Argument {
  std::string key;  ///< empty where there is none
  Value value;
};

struct Call {
  std::string name;
  std::vector<Argument> arguments;
};

struct Power {
  std::shared_ptr<const Call> call;
  std::uint64_t count = 1;
};

inline constexpr std::size_t longest_spec = 100'000;
inline constexpr std::uint64_t most_steps = 1'000'000'000'000;

/// @throws Rejected with the position of what is not in this form.
std::vector<Power> parse_spec_text(std::string_view text);

}  // namespace plaudit::proof

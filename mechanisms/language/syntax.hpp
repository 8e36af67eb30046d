// From the text of a spec to a tree. The grammar knows no mechanism; names are looked up later.
//
//   composition := factor ('*' factor)*
//   factor      := atom (('^' | '**') count)?
//   atom        := mechanism | '(' composition ')'
//   count       := integer | ('' | 'ceil' | 'floor') '(' sum ')'    must be an integer
//   sum         := product (('+' | '-') product)*                   all exact
//   product     := term (('*' | '/') term)*
//   term        := decimal | ('' | 'ceil' | 'floor' | 'sqrt') '(' sum ')'
//   mechanism   := name '(' [argument (',' argument)*] ')'
//   argument    := [key '='] value
//   value       := number | word | mechanism | text | list | '[' list (',' list)* ']'
//   list        := '[' [number (',' number)*] ']'
//   text        := '"' printable ASCII without '"' '"'         for file names
//   number      := decimal '%' | decimal ['/' decimal] | sum   read as an exact rational, or as a
//                                                              root of one: 2*sqrt(2)
//   decimal     with underscores between digits or without
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lib/exact/rational.hpp"
#include "lib/exact/square_root.hpp"

namespace plaudit::syntax {

/// Longest spec, deepest nesting of brackets, longest number and its largest decimal exponent: with
/// them any input is parsed far within a second and on a small stack.
inline constexpr std::size_t longest_spec = 100'000;
inline constexpr int deepest_nesting = 100;
inline constexpr std::size_t longest_number = longest_decimal;
inline constexpr long largest_exponent = largest_decimal_exponent;

struct Call;

/// A bare name in the place of a value.
struct Word {
  std::string text;
};

/// A text in double quotes.
struct Quoted {
  std::string text;
};

/// A list of lists.
using Vectors = std::vector<std::vector<Rational>>;

/// A Root is irrational.
using Value = std::variant<Rational, std::vector<Rational>, Vectors, Word, Quoted,
                           std::shared_ptr<const Call>, Root>;

struct Argument {
  std::string key;  ///< empty where the argument is positional
  Value value;
};

/// name(argument, ...)
struct Call {
  std::string name;
  std::vector<Argument> arguments;
};

/// call^count
struct Power {
  std::shared_ptr<const Call> call;
  std::uint64_t count = 1;
};

/// The composition with its brackets multiplied out: (A^2 * B)^3 gives A^6, B^3.
/// @throws SpecError, with the position of what was not understood.
std::vector<Power> parse(std::string_view text);

/// A text that is one number, as people type it: a decimal or a quotient, 10_000, 1.67%. Commas
/// are refused: 0,001 is a thousandth to many. @throws NumberError as parse_rational does.
Rational typed_number(std::string_view text);
/// A positive integer without the commas between its groups of three digits, for what can be a
/// count alone; any other text as it is.
std::string without_groups(std::string_view text);

/// One number of the spec language, exactly. @throws SpecError starting with `what`.
Rational parse_number(std::string_view text, const std::string& what);

}  // namespace plaudit::syntax

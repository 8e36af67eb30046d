// Shorthands of the spec language: names that stand for compositions of other mechanisms. A
// shorthand may be a factor, but not an argument of a mechanism; its canonical form shows what it
// stands for.
#pragma once

#include <string_view>
#include <vector>

#include "mechanisms/language/arguments.hpp"

namespace plaudit {

struct Shorthand {
  std::string_view name;
  std::string_view summary;  ///< what it is shorthand for
  std::vector<Parameter> parameters;
  std::string_view adjacency;
  std::string_view theorem;
  std::string_view example;
  /// The factors that it stands for. @throws SpecError
  std::vector<syntax::Power> (*steps)(const Arguments& arguments);
};

/// All of them; X_shorthand() is defined in the file of its name.
const std::vector<Shorthand>& shorthands();

/// The one of this name, in capitals or not; null where there is none.
const Shorthand* shorthand_named(std::string_view name);

/// `poisson(gaussian(level), rate)` as a tree, the level under the name `noise`.
std::shared_ptr<const syntax::Call> sampled_gaussian_call(std::string_view noise, Rational level,
                                                          Rational rate);

}  // namespace plaudit

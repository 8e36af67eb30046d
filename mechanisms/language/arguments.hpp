// Typed access to the arguments of one mechanism (or the settings of one accountant). Every failure
// is a SpecError that names the mechanism, the parameter and its domain.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lib/exact/rational.hpp"
#include "lib/exact/square_root.hpp"
#include "mechanisms/language/syntax.hpp"
#include "mechanisms/mechanism.hpp"

namespace plaudit {

/// A parameter as documented and as read. Positional arguments follow the order of declaration.
struct Parameter {
  std::string_view name;
  std::string_view domain;         ///< completes "name must be ..."
  std::string_view fallback = {};  ///< the default, a number or a word; empty: it is required
  std::vector<std::string_view> aliases = {};
};

/// What an argument can be once the mechanisms inside are built.
using ArgumentValue = std::variant<Rational, std::vector<Rational>, syntax::Vectors, syntax::Word,
                                   syntax::Quoted, MechanismPointer, Root>;

/// Key (empty where the argument is positional) and value.
using GivenArgument = std::pair<std::string, ArgumentValue>;

/// The level of Gaussian noise: exact, also where sigma is irrational.
struct NoiseLevel {
  Rational variance;
  std::optional<Rational> sigma;  ///< where it is rational

  /// `sigma=2`, or where that is irrational `variance=2`.
  std::string text() const;
};

/// The arguments of one call, matched to the mechanism's parameters.
class Arguments {
 public:
  /// @throws SpecError for an unknown key, a parameter given twice, a positional argument after a
  /// named one, too many arguments, and a required one that is missing.
  Arguments(std::string_view mechanism, const std::vector<Parameter>& parameters,
            std::vector<GivenArgument> given);

  /// Whether a parameter was given under this name or alias, whatever its capitals.
  bool given_as(std::string_view key) const;

  /// Whether the parameter was given, under its name or an alias.
  bool given(std::string_view name) const;

  Rational number(std::string_view name) const;
  Rational positive(std::string_view name) const;
  /// The square of a number > 0 whose square is rational.
  Rational positive_square(std::string_view name) const;
  /// What was given as `sigma`, or under its alias `variance` as the square.
  NoiseLevel noise_level() const;
  /// In (0, 1].
  Rational positive_probability(std::string_view name) const;
  /// An integer from 1 to `most`.
  std::uint64_t count(std::string_view name, std::uint64_t most) const;
  /// One of the allowed words.
  std::string word(std::string_view name, const std::vector<std::string_view>& allowed) const;
  /// A text in quotes.
  const std::string& text(std::string_view name) const;
  const std::vector<Rational>& list(std::string_view name) const;
  /// A list of lists; null where the argument is something else.
  const syntax::Vectors* vectors(std::string_view name) const;
  const MechanismPointer& mechanism(std::string_view name) const;

  /// Throws "mechanism: name must be <its domain>, not <found>"; `found` may be empty.
  [[noreturn]] void reject(std::string_view name, const std::string& found) const;

 private:
  struct Bound {
    std::string key;
    ArgumentValue value;
    bool given = false;
  };

  std::size_t index(std::string_view name) const;
  const ArgumentValue& value(std::string_view name) const { return bound_[index(name)].value; }
  template <class Type>
  const Type& typed(std::string_view name) const;
  std::string_view mechanism_;
  const std::vector<Parameter>& parameters_;
  std::vector<Bound> bound_;
};

/// `value` for a message: exactly where that takes at most 40 characters, else its beginning.
std::string shown(const Rational& value);

/// "[0.5, 2]", as in specs.
std::string list_text(const std::vector<Rational>& numbers);

}  // namespace plaudit

#include "mechanisms/language/arguments.hpp"

#include <algorithm>
#include <cctype>

#include "lib/text.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

std::string copy(std::string_view view) { return std::string(view); }

std::string names_of(const std::vector<Parameter>& parameters) {
  std::string names;
  for (const Parameter& parameter : parameters) {
    if (!names.empty()) names += ", ";
    names += parameter.name;
  }
  return names;
}

/// Names and aliases.
std::vector<std::string_view> names_in(const std::vector<Parameter>& parameters) {
  std::vector<std::string_view> names;
  for (const Parameter& parameter : parameters) {
    names.push_back(parameter.name);
    names.insert(names.end(), parameter.aliases.begin(), parameter.aliases.end());
  }
  return names;
}

/// Which parameter has this name or alias, and the name as it is documented; empty where none has.
std::pair<std::size_t, std::string_view> place_of(std::string_view key,
                                                  const std::vector<Parameter>& parameters) {
  const std::string_view name = same_name(key, names_in(parameters));
  for (std::size_t i = 0; i < parameters.size() && !name.empty(); ++i) {
    const std::vector<std::string_view> own = names_in({parameters[i]});
    if (std::find(own.begin(), own.end(), name) != own.end()) return {i, name};
  }
  return {0, {}};
}

std::string described(const ArgumentValue& value) {
  if (const auto* number = std::get_if<Rational>(&value)) return shown(*number);
  if (const auto* root = std::get_if<Root>(&value)) {
    return abbreviated(to_string(*root)) +
           ", which is irrational: a decimal on the side of less privacy is taken";
  }
  if (const auto* word = std::get_if<syntax::Word>(&value)) return abbreviated(word->text);
  if (const auto* quoted = std::get_if<syntax::Quoted>(&value)) return abbreviated(quoted->text);
  if (const auto* mechanism = std::get_if<MechanismPointer>(&value)) {
    return abbreviated((*mechanism)->spec());
  }
  return std::holds_alternative<syntax::Vectors>(value) ? "a list of lists" : "a list";
}

/// Numbers have to be such that the canonical spec, which contains them exactly, can be read back.
void check_moderate(const std::string& what, const Rational& number) {
  if (is_moderate(to_string(number))) return;
  throw SpecError(what + " must be a quotient of two decimals with at most " +
                  std::to_string(longest_decimal) + " characters and exponents within +-" +
                  std::to_string(largest_decimal_exponent));
}

void check_numbers(const std::string& what, const ArgumentValue& value) {
  if (const auto* number = std::get_if<Rational>(&value)) check_moderate(what, *number);
  if (const auto* root = std::get_if<Root>(&value)) check_moderate(what, root->square());
  if (const auto* list = std::get_if<std::vector<Rational>>(&value)) {
    for (const Rational& number : *list) check_moderate(what, number);
  }
  if (const auto* vectors = std::get_if<syntax::Vectors>(&value)) {
    for (const std::vector<Rational>& vector : *vectors) {
      for (const Rational& number : vector) check_moderate(what, number);
    }
  }
}

}  // namespace

std::string list_text(const std::vector<Rational>& numbers) {
  std::string text = "[";
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    text += (i > 0 ? ", " : "") + to_string(numbers[i]);
  }
  return text + ']';
}

std::string shown(const Rational& value) {
  const std::string exact = to_string(value);
  return exact.size() <= 40 ? exact : exact.substr(0, 40) + "...";
}

std::string NoiseLevel::text() const {
  return sigma ? "sigma=" + to_string(*sigma) : "variance=" + to_string(variance);
}

Arguments::Arguments(std::string_view mechanism, const std::vector<Parameter>& parameters,
                     std::vector<GivenArgument> given)
    : mechanism_(mechanism), parameters_(parameters), bound_(parameters.size()) {
  const std::string prefix = copy(mechanism) + ": ";
  bool named = false;
  for (std::size_t position = 0; position < given.size(); ++position) {
    auto& [key, value] = given[position];
    std::size_t target = position;
    if (key.empty()) {
      if (named) throw SpecError(prefix + "positional arguments must come before named ones");
      if (parameters.empty()) throw SpecError(prefix + "takes no arguments");
      if (position >= parameters.size()) {
        throw SpecError(prefix + "takes at most " + std::to_string(parameters.size()) +
                        " arguments: " + names_of(parameters));
      }
    } else {
      named = true;
      const auto [found, name] = place_of(key, parameters);
      if (name.empty()) {
        throw SpecError(prefix + "has no parameter " + abbreviated(key) +
                        (parameters.empty() ? ": it takes no arguments"
                                            : did_you_mean(key, names_in(parameters)) + ", but " +
                                                  names_of(parameters)));
      }
      target = found;
      key = name;
    }
    Bound& bound = bound_[target];
    if (bound.given) throw SpecError(prefix + copy(parameters[target].name) + " is given twice");
    check_numbers(prefix + copy(parameters[target].name), value);
    bound = {std::move(key), std::move(value), true};
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (bound_[i].given) continue;
    if (parameters[i].fallback.empty()) {
      throw SpecError(prefix + "the argument " + copy(parameters[i].name) +
                      " is missing: " + copy(parameters[i].domain));
    }
    const std::string fallback(parameters[i].fallback);
    if (std::isalpha(static_cast<unsigned char>(fallback.front())) != 0) {
      bound_[i].value = syntax::Word{fallback};
    } else {
      bound_[i].value = parse_rational(fallback);
    }
  }
}

std::size_t Arguments::index(std::string_view name) const {
  const auto found = std::find_if(parameters_.begin(), parameters_.end(),
                                  [&](const Parameter& p) { return p.name == name; });
  if (found == parameters_.end()) {
    throw std::logic_error("no parameter " + copy(name) + " in " + copy(mechanism_));
  }
  return static_cast<std::size_t>(found - parameters_.begin());
}

void Arguments::reject(std::string_view name, const std::string& found) const {
  const std::size_t i = index(name);
  const std::string typed = bound_[i].key.empty() ? copy(name) : bound_[i].key;  // as it was named
  throw SpecError(copy(mechanism_) + ": " + typed + " must be " + copy(parameters_[i].domain) +
                  (found.empty() ? "" : ", not " + found));
}

template <class Type>
const Type& Arguments::typed(std::string_view name) const {
  const auto* result = std::get_if<Type>(&value(name));
  if (result == nullptr) reject(name, described(value(name)));
  return *result;
}

bool Arguments::given_as(std::string_view key) const {
  return std::any_of(bound_.begin(), bound_.end(),
                     [&](const Bound& bound) { return bound.given && bound.key == key; });
}

Rational Arguments::number(std::string_view name) const { return typed<Rational>(name); }

Rational Arguments::positive(std::string_view name) const {
  Rational result = number(name);
  if (result <= 0) reject(name, shown(result));
  return result;
}

Rational Arguments::positive_square(std::string_view name) const {
  const auto* root = std::get_if<Root>(&value(name));
  if (root == nullptr) {
    const Rational given = positive(name);
    return given * given;
  }
  if (root->factor < 0) reject(name, abbreviated(to_string(*root)));
  return root->square();
}

NoiseLevel Arguments::noise_level() const {
  if (!given_as("variance")) {
    const Rational variance = positive_square("sigma");
    return {variance, rational_root(variance)};
  }
  const Rational variance = positive("sigma");
  return {variance, rational_root(variance)};
}

Rational Arguments::positive_probability(std::string_view name) const {
  Rational result = number(name);
  if (result <= 0 || result > 1) reject(name, shown(result));
  return result;
}

std::uint64_t Arguments::count(std::string_view name, std::uint64_t most) const {
  const Rational result = number(name);
  if (result < 1 || result > most || denominator(result) != 1) reject(name, shown(result));
  return numerator(result).to<std::uint64_t>();
}

std::string Arguments::word(std::string_view name,
                            const std::vector<std::string_view>& allowed) const {
  const std::string& given = typed<syntax::Word>(name).text;
  const std::string_view meant = same_name(given, allowed);
  if (meant.empty()) reject(name, abbreviated(given) + did_you_mean(given, allowed));
  return copy(meant);
}

bool Arguments::given(std::string_view name) const { return bound_[index(name)].given; }

const std::string& Arguments::text(std::string_view name) const {
  return typed<syntax::Quoted>(name).text;
}

const std::vector<Rational>& Arguments::list(std::string_view name) const {
  return typed<std::vector<Rational>>(name);
}

const syntax::Vectors* Arguments::vectors(std::string_view name) const {
  return std::get_if<syntax::Vectors>(&value(name));
}

const MechanismPointer& Arguments::mechanism(std::string_view name) const {
  return typed<MechanismPointer>(name);
}

}  // namespace plaudit

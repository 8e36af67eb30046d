#include "mechanisms/language/spec.hpp"

#include "mechanisms/language/shorthand.hpp"
#include "mechanisms/language/syntax.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

MechanismPointer build(const syntax::Call& call) {
  if (const Shorthand* shorthand = shorthand_named(call.name)) {
    throw SpecError("spec: " + std::string(shorthand->name) +
                    " is a composition of steps, not a mechanism that others take");
  }
  return make_mechanism(call.name, given_arguments(call));
}

/// The power with shorthand written out: the counts are multiplied.
std::vector<syntax::Power> written_out(const syntax::Power& power) {
  const Shorthand* shorthand = shorthand_named(power.call->name);
  if (shorthand == nullptr) return {power};
  const Arguments arguments(shorthand->name, shorthand->parameters, given_arguments(*power.call));
  std::vector<syntax::Power> steps = shorthand->steps(arguments);
  for (syntax::Power& each : steps) {
    if (each.count > most_steps / power.count) {
      throw SpecError("spec: the steps of " + std::string(shorthand->name) +
                      " times its power must be at most 10^12");
    }
    each.count *= power.count;
  }
  return steps;
}

}  // namespace

std::vector<GivenArgument> given_arguments(const syntax::Call& call) {
  std::vector<GivenArgument> given;
  for (const syntax::Argument& argument : call.arguments) {
    ArgumentValue value;
    if (const auto* inner = std::get_if<std::shared_ptr<const syntax::Call>>(&argument.value)) {
      value = build(**inner);
    } else if (const auto* number = std::get_if<Rational>(&argument.value)) {
      value = *number;
    } else if (const auto* list = std::get_if<std::vector<Rational>>(&argument.value)) {
      value = *list;
    } else if (const auto* vectors = std::get_if<syntax::Vectors>(&argument.value)) {
      value = *vectors;
    } else if (const auto* quoted = std::get_if<syntax::Quoted>(&argument.value)) {
      value = *quoted;
    } else if (const auto* root = std::get_if<Root>(&argument.value)) {
      value = *root;
    } else {
      value = std::get<syntax::Word>(argument.value);
    }
    given.emplace_back(argument.key, std::move(value));
  }
  return given;
}

Composition parse_spec(std::string_view text) {
  std::vector<Factor> factors;
  for (const syntax::Power& each : syntax::parse(text)) {
    for (const syntax::Power& power : written_out(each)) {
      factors.push_back({build(*power.call), power.count});
    }
  }
  Composition composition(factors);
  const std::size_t length = composition.spec().size();
  if (length > syntax::longest_spec) {  // it could not be read back
    throw SpecError("spec: its canonical form has " + std::to_string(length) +
                    " characters, at most " + std::to_string(syntax::longest_spec) + " are read");
  }
  return composition;
}

MechanismPointer example_of(const MechanismKind& kind) {
  if (kind.build_example != nullptr) return kind.build_example();
  return parse_spec(kind.example).factors().front().mechanism;
}

}  // namespace plaudit

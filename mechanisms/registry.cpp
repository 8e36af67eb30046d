#include "mechanisms/registry.hpp"

#include "mechanisms/language/spec_error.hpp"

// One line per mechanism; X_kind() is defined in the file of its name.
#define PLAUDIT_MECHANISMS(X) \
  X(gaussian)                 \
  X(mixture)                  \
  X(poisson)                  \
  X(group)                    \
  X(without_replacement)      \
  X(with_replacement)         \
  X(pair)                     \
  X(laplace)                  \
  X(discrete_laplace)         \
  X(discrete_gaussian)        \
  X(randomized_response)      \
  X(pure)                     \
  X(approximate)              \
  X(pld)

namespace plaudit {

#define PLAUDIT_DECLARE(name) MechanismKind name##_kind();
PLAUDIT_MECHANISMS(PLAUDIT_DECLARE)
#undef PLAUDIT_DECLARE

const std::vector<MechanismKind>& mechanism_kinds() {
#define PLAUDIT_LIST(name) name##_kind(),
  static const std::vector<MechanismKind> kinds{PLAUDIT_MECHANISMS(PLAUDIT_LIST)};
#undef PLAUDIT_LIST
  return kinds;
}

MechanismPointer make_mechanism(std::string_view name, std::vector<GivenArgument> given) {
  std::string known;
  for (const MechanismKind& kind : mechanism_kinds()) {
    if (kind.name == name) return kind.build(Arguments(name, kind.parameters, std::move(given)));
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  throw SpecError("spec: unknown mechanism " + abbreviated(name) + ", known are " + known);
}

std::string signature(const MechanismKind& kind) {
  std::string text(kind.name);
  text += '(';
  for (const Parameter& parameter : kind.parameters) {
    if (text.back() != '(') text += ", ";
    text += parameter.name;
    if (!parameter.fallback.empty()) text += '=' + std::string(parameter.fallback);
  }
  return text + ')';
}

}  // namespace plaudit

// The table of kinds.
#include "verification/checker/kinds.hpp"

#include "verification/checker/rejected.hpp"

namespace plaudit::checker {

Proof prove_straight(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget);

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"straight", prove_straight},
  };
  return all;
}

const Kind& kind_called(const std::string& name) {
  for (const Kind& kind : kinds()) {
    if (name == kind.name) return kind;
  }
  throw Rejected("there is no kind of proof called " + in_quotes(name));
}

}  // namespace plaudit::checker

// The table of kinds.
#include "verification/checker/kinds.hpp"

#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

Proof prove_cut(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget);
Proof prove_moments(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget);
Proof prove_bent(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget);
Proof prove_straight(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget);
Proof prove_pinch(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget);
Proof prove_ends(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget);
Proof prove_threshold(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget);
Proof prove_lattice(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget);
Proof prove_laplace(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget);
Proof prove_atoms(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget);
Proof prove_ends_at_infinity(Fields& choices, const Run& run, Budget& budget);

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"straight", prove_straight},   {"ends", prove_ends, prove_ends_at_infinity, true},
      {"threshold", prove_threshold}, {"lattice", prove_lattice},
      {"laplace", prove_laplace},     {"atoms", prove_atoms},
      {"moments", prove_moments},     {"cut", prove_cut},
      {"bent", prove_bent},           {"pinch", prove_pinch},
  };
  return all;
}

const Kind& kind_called(const std::string& name) {
  for (const Kind& kind : kinds()) {
    if (name == kind.name) return kind;
  }
  throw Rejected("there is no kind of proof called " + in_quotes(name));
}

}  // namespace plaudit::proof

// The checker's law of partition selection against the coins of all groups.
#include "verification/checker/laws/partition_law.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "lib/balls/precision.hpp"
#include "verification/forms/closed_forms.hpp"

using namespace plaudit;

TEST_CASE("partition selection: the curve of the checker's law is the greatest over all groups") {
  const PrecisionScope scope(400);
  for (const auto& [epsilon, delta] :
       {std::pair{"1", "1e-5"}, std::pair{"0.3", "1/7"}, std::pair{"3", "0.4"},
        std::pair{"2", "0.5"}, std::pair{"0.01", "1e-9"}}) {
    for (const bool removes : {true, false}) {
      const proof::Finite law =
          proof::partition_law(parse_rational(epsilon), parse_rational(delta),
                               removes ? proof::Direction::remove : proof::Direction::add);
      const proof::Finite::Masses masses = law.masses();
      proof::Interval p_mass = masses.infinite;
      proof::Interval q_mass = 0;
      for (const proof::Atom& atom : masses.atoms) {
        p_mass += atom.p;
        q_mass += atom.q;
      }
      const auto near = [](const proof::Interval& a, const Rational& low, const Rational& high) {
        return proof::upper(a) >= low && proof::lower(a) <= high &&
               proof::upper(a) - proof::lower(a) < parse_rational("1e-40");
      };
      CHECK(near(p_mass, 1, 1));
      CHECK(near(q_mass, proof::lower(masses.q_mass), proof::upper(masses.q_mass)));
      const std::string spec =
          std::string("partition_selection(epsilon=") + epsilon + ", delta=" + delta + ")";
      for (const char* at : {"-2", "-0.2", "0", "0.005", "0.25", "1.5", "4"}) {
        CAPTURE(spec);
        CAPTURE(removes);
        CAPTURE(at);
        const proof::Interval x = proof::exp(proof::Interval(parse_rational(at)));
        proof::Interval sum = masses.infinite;
        for (const proof::Atom& atom : masses.atoms) sum += proof::max(atom.p - x * atom.q, 0);
        const auto form = closed_form_delta(spec, removes ? Direction::remove : Direction::add,
                                            parse_rational(at));
        REQUIRE(form);
        CHECK(near(sum, form->exact_lower(), form->exact_upper()));
      }
    }
  }
}

// Mechanisms of which only bounds of the moments are known, by their definitions.
// Proof: docs/proofs/bounded_moments.md#moments
#include "verification/checker/specs/builders.hpp"

namespace plaudit::proof {

namespace {

Mechanism of_moments(std::string text, Bounded bounds) {
  Mechanism result;
  result.text = std::move(text);
  set_law(result, law(std::move(bounds)));
  return result;
}

}  // namespace

// Proof: docs/proofs/bounded_moments.md#zcdp
Mechanism zcdp(const Arguments& arguments) {
  const Rational rho = arguments.positive("rho");
  return of_moments("zcdp(rho=" + to_string(rho) + ")", {rho, rho, std::nullopt});
}

// Proof: docs/proofs/bounded_moments.md#zcdp
Mechanism tcdp(const Arguments& arguments) {
  const Rational rho = arguments.positive("rho");
  const Rational omega = arguments.number("omega");
  if (omega <= 1) arguments.fail("omega", "must exceed 1");
  return of_moments("tcdp(rho=" + to_string(rho) + ", omega=" + to_string(omega) + ")",
                    {rho, rho, omega});
}

// Proof: docs/proofs/bounded_moments.md#cdp
Mechanism cdp(const Arguments& arguments) {
  const Rational mu = arguments.number("mu");
  if (mu < 0) arguments.fail("mu", "must not be negative");
  const Rational tau = arguments.positive("tau");
  return of_moments("cdp(mu=" + to_string(mu) + ", tau=" + to_string(tau) + ")",
                    {mu, tau * tau / 2, std::nullopt});
}

}  // namespace plaudit::proof

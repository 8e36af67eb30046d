// The curves that have a closed form, by an arithmetic that shares nothing with the accountants.
//
// Evaluated from the text of the spec (pairs.hpp: none of the mechanisms' code) by intervals of
// MPFR with directed rounding (none of Arb), so that a value is certified. A composition is some
// law of finitely many losses beside one block: Gaussians, one step of a mixture, n steps of
// Laplace noise or of bounded range, one sample, one label. Proof:
// docs/proofs/closed_forms.md#mixture Proof: docs/proofs/closed_forms.md#binomial Proof:
// docs/proofs/closed_forms.md#boxes
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verification/forms/directed.hpp"
#include "verification/forms/pairs.hpp"

namespace plaudit {

/// H_x of the losses N(mu, 2 mu): Phi((mu - eps) / r) - x Phi((-mu - eps) / r), r = sqrt(2 mu), eps
/// = log x.
Directed gaussian_curve(const Rational& mu, const Directed& x);

/// Which closed form a composition has.
enum class Shape { gaussians, mixture, boxes, sample, label, atoms, atoms_and_one, none };
Shape shape_of(const std::vector<pairs::Step>& steps);

/// Encloses delta(epsilon); relative width below 10^-15 where 3200 bits suffice. Nothing where no
/// form applies, or it has too many terms.
std::optional<Directed> closed_delta(const std::vector<pairs::Step>& steps,
                                     const Rational& epsilon);
/// The same as a binomial sum, of equal two-point losses with any masses at infinity.
std::optional<Directed> binomial_delta(const std::vector<pairs::Step>& steps,
                                       const Rational& epsilon);
/// The same by the sum over subsets of Murtagh and Vadhan (TCC 2016-A, Theorem 1.5), of two-point
/// losses of any epsilons and deltas.
std::optional<Directed> subsets_delta(const std::vector<pairs::Step>& steps,
                                      const Rational& epsilon);
/// Encloses the Renyi divergence of this order > 1, a sum over the steps: of Gaussians, Laplace
/// noise, bounded range, atoms, and for integers of mixtures against one Gaussian.
std::optional<Directed> closed_renyi(const std::vector<pairs::Step>& steps, const Rational& order);

/// One of these of delta, of this direction of a spec.
std::optional<Directed> closed_form_delta(const std::string& spec, Direction direction,
                                          const Rational& epsilon);

}  // namespace plaudit

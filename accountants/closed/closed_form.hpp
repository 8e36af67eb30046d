// Accountant `closed_form`: curves that are finite expressions, to any number of digits.
//
// It applies to compositions of Gaussians only, whose loss is N(mu, 2 mu) with mu = sum n_i mu_i:
//   delta(eps) = Phi((mu - eps) / r) - e^eps Phi((-mu - eps) / r),   r = sqrt(2 mu),
// and to a single step of any mechanism: delta(eps) = P(L > eps) - e^eps Q(L > eps).
// Proof: docs/proofs/hockey_stick.md#gaussian, docs/proofs/hockey_stick.md#one-step
// Gaussians and most laws are evaluated by accountants/proof/kinds/threshold.hpp, others by their
// own P(L > eps) and Q(L > eps). Errors: rounding; and for mixtures the bracket of the place where
// dP/dQ = e^eps, whose width changes delta by its square. Precision is raised until the digits are
// there.
#pragma once

#include "accountants/accountant.hpp"

namespace plaudit {

std::shared_ptr<const Accountant> closed_form_accountant();

/// Encloses the curve of N(mu, 2 mu), mu > 0, at the working precision.
Ball gaussian_delta(const Rational& mu, const Ball& epsilon);

}  // namespace plaudit

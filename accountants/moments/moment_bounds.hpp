// Bounds of the privacy curve from finitely many moments M(t) = E_P[e^{tL}; L < inf].
//
// In this file delta means the finite part of the curve, the total less P(L = inf); m0 = M(0), q0 =
// M(-1), and c(t) is the factor of cumulants/chernoff_factor.hpp. The orders and the width are
// exact doubles chosen by heuristics; whatever they are, the bounds hold.
#pragma once

#include "accountants/moments/moment_table.hpp"
#include "lib/balls/error_term.hpp"

namespace plaudit {

// Upper bounds (Lemma 1, Chernoff; the optimal conversion from Renyi divergences).

/// c(t) M(t) e^{-t eps} >= delta(eps), t > 0.
Ball chernoff_upper(MomentTable& moments, double t, const Ball& epsilon);

/// m0 - q0 e^eps + c(u-1) M(-u) e^{u eps} >= delta(eps), u > 1: the lesser one for eps < 0 and for
/// delta near 1. Proof: docs/proofs/chernoff.md#chernoff-complement
Ball complement_upper(MomentTable& moments, double u, const Ball& epsilon);

/// The eps at which chernoff_upper(t) equals delta > 0: delta(eps') <= delta for all eps' >= eps.
Ball chernoff_epsilon(MomentTable& moments, double t, const Ball& finite_delta);

// Lower bounds (docs/proofs/moments_lower.md#concave with exponentials in place of the parabola).

/// Orders t0 < t1 < t2, t1 > 0, and the width w > 0 of the window behind eps.
/// With k1 = t2 - t1, k2 = t1 - t0, b(x) = 1 - A e^{k1 x} - B e^{-k2 x} the concave function that
/// vanishes at 0 and w (A, B > 0, A + B = 1), and alpha <= e^{-t1 x} (1 - e^{-x}) / b(x), 0<x<w:
///   delta(eps) >= alpha [M(t1) e^{-t1 eps} - A M(t2) e^{-t2 eps} - B M(t0) e^{-t0 eps}].
struct LowerForm {
  double t0;
  double t1;
  double t2;
  double w;
  auto operator<=>(const LowerForm&) const = default;
};

/// The constants of a form: enclosures of A and B, a certified alpha (exact).
struct LowerConstants {
  Ball a;
  Ball b;
  Ball alpha;
};

LowerConstants lower_constants(const LowerForm& form);

/// The bound, minus what is charged to the ledger (may be negative: then it says nothing).
Ball concave_lower(MomentTable& moments, const LowerForm& form, const LowerConstants& constants,
                   const Ball& epsilon, Ledger& ledger);

// Their choice, in floating point.

/// Of a moment's quadrature: a few milliseconds.
constexpr double most_points_of_moment = 3000;
/// Of more laws than these every stride-th counts: whatever is done with all of them takes longer.
constexpr std::size_t most_laws_looked_at = 16;
double points_of_moment(const ComposedLoss& loss, double order);

/// A good form at eps, or w = 0 where none was found.
LowerForm choose_lower_form(MomentTable& moments, double epsilon);
/// log of the form's bound, -inf where it is not positive; the alpha is the estimated one.
double estimate_log_lower(MomentTable& moments, const LowerForm& form, double epsilon);

extern const ErrorTerm moments_chernoff;
extern const ErrorTerm moments_concave;

}  // namespace plaudit

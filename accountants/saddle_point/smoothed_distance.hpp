// How far a tilted law is from a normal one, or from one with Edgeworth's terms, by the law's own
// characteristic function, and what that says of delta.
//
// With X = (L - m) / d as in tilted_line.hpp, F its distribution function under P_t, G the signed
// law of density sum_j c_j He_j(x) phi(x), c_0 = 1, and g(X) = e^{-t(L-eps)} (1 - e^{eps-L})_+:
//   |delta - e^{K - t eps} int g dG|  <=  e^{K - t eps} min(2 c(t) D, E),
// where D >= sup |F - G| by Prawitz' smoothing inequality, and E >= |int g dF - int g dG| by the
// transform of g, for all eps. D is the better bound where t d is small, E where it is large.
// Proof: docs/proofs/berry_esseen.md#smoothed-band
#pragma once

#include <array>

#include "accountants/saddle_point/tilted_line.hpp"

namespace plaudit {

/// c_0 .. c_9: exact doubles; c_0 is 1.
using HermiteCoefficients = std::array<double, 10>;

/// The smoothing has the height T, the product of `cells`, h and `beyond`. phi is taken from its
/// values in the first `cells` cells; where beyond > 1, these are all cells of the line.
struct SmoothingHeight {
  std::size_t cells;
  double beyond;  ///< >= 1
};

/// Upper bounds D and E; not finite where the height says nothing.
struct FormErrors {
  Ball distance;
  Ball smooth;
};
FormErrors form_errors(const TiltedLine& line, const HermiteCoefficients& c,
                       const SmoothingHeight& height);

/// Upper bounds of u |K(u)| on the cell from a to b, 0 <= a < b <= 1, K being Prawitz' kernel.
Ball kernel_weight(const Ball& a, const Ball& b);

/// Upper bounds of the square root of the mean of |phi - gamma|^2 / s^2 over each cell.
std::vector<Ball> cell_norms(const TiltedLine& line, const HermiteCoefficients& c,
                             std::size_t cells);

/// Upper bounds of the integrals of |gamma| over s > 0, and of |gamma| / s over s > H.
struct FormIntegrals {
  Ball all;
  Ball beyond;
};
FormIntegrals form_integrals(const HermiteCoefficients& c, const Ball& height);

/// min(2 c(t) D, E).
Ball form_error(const TiltedLine& line, const FormErrors& errors);

/// Encloses e^{K - t eps} int g dG, t > 0.
Ball hermite_delta(const TiltedLine& line, const HermiteCoefficients& c, const Ball& epsilon);

}  // namespace plaudit

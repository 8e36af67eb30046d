// The curve of one step of Gaussian noise, of a mixture of Gaussians, of noise of bounded range, or
// of a sample of these, by exponentials and normal distribution functions of 33 digits: what a
// convolution integrates over. An estimate, as all that quadrature_forms.hpp has.
#pragma once

#include <optional>

#include "verification/forms/pairs.hpp"
#include "verification/forms/quadrature.hpp"

namespace plaudit {

/// The hockey-stick divergence at e^epsilon = x; nothing of other laws, or where doubles do not
/// have the standard deviation. As a function of the place that parts the outputs, P - x Q beyond
/// it is greatest where densities cross, so that an error d of that place moves the value by about
/// d^2.
std::optional<Float> known_curve(const pairs::Law& law, const Float& x);

}  // namespace plaudit

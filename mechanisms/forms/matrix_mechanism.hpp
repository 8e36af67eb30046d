// The class behind matrix mechanisms: matrix, toeplitz and tree.
#pragma once

#include <string>

#include "mechanisms/forms/encoder.hpp"
#include "mechanisms/language/arguments.hpp"
#include "mechanisms/mechanism.hpp"

namespace plaudit {

/// `first`, and the parameters that all of them end with: sigma, sensitivity, participations,
/// min_separation.
std::vector<Parameter> matrix_parameters(std::vector<Parameter> first);

/// N(0, sigma^2) noise on the rows of an encoder with this Gram matrix. @param spec the canonical
/// form up to the encoder, with its bracket open. @throws SpecError in the name of `mechanism`.
MechanismPointer matrix_mechanism(const char* mechanism, std::string spec, std::size_t steps,
                                  const Gram& gram, const Arguments& arguments);

}  // namespace plaudit

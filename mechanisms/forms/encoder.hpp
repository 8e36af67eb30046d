// The encoder of a matrix mechanism: a matrix of exact numbers, from the spec or from a JSON file.
#pragma once

#include <string>
#include <vector>

#include "mechanisms/forms/participation.hpp"

namespace plaudit {

using EncoderRows = std::vector<std::vector<Rational>>;

/// A JSON list of rows, each a list of numbers as texts ("0.1", "1/3") or integers. @throws
/// SpecError
EncoderRows read_encoder(const std::string& path);
EncoderRows parse_encoder(const std::string& text, const std::string& name);

/// @throws SpecError unless the encoder has rows, is square and lower triangular, and takes at most
/// 3*10^7 products of entries. Proof: docs/proofs/matrix.md#adaptive
void check_encoder(const EncoderRows& rows);

/// The Gram matrix of the columns of a checked encoder.
Gram gram_of(const EncoderRows& rows);
/// That of the lower triangular Toeplitz matrix of this first column, of `steps` rows.
Gram gram_of_toeplitz(const std::vector<Rational>& column, std::size_t steps);
/// That of the tree of all complete dyadic intervals of steps: an entry counts the intervals that
/// contain both steps.
Gram gram_of_tree(std::size_t steps);

}  // namespace plaudit

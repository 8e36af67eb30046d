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

/// Square, without an entry above the diagonal and none without an entry in its column.
/// @throws SpecError. Proof: docs/proofs/matrix.md#adaptive
void check_encoder(const EncoderRows& rows);

/// Of the columns of a checked encoder.
Gram gram_of(const EncoderRows& rows);
/// Of the lower triangular Toeplitz matrix of this first column, of `steps` rows.
Gram gram_of_toeplitz(const std::vector<Rational>& column, std::size_t steps);
/// Of all complete dyadic intervals of steps: the entries count the intervals that two steps share.
Gram gram_of_tree(std::size_t steps);

}  // namespace plaudit

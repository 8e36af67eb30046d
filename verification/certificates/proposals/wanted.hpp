// How accurate a proposal should be, read off the numbers that it is to separate. Heuristics: what
// the checker finds decides.
#pragma once

#include <vector>

#include "verification/certificates/proposals/question.hpp"

namespace plaudit {

/// Decimal digits in which the statement's epsilon is written, at least 8 and at most 4096.
double digits_of(const StatementQuestion& question);

/// Precisions for an expression that has no other error, in the order in which to try them.
std::vector<long> bits_to_try(const StatementQuestion& question);

/// Relative accuracies e^-nats of delta, in the order in which to try them.
std::vector<double> nats_to_try(const StatementQuestion& question);

}  // namespace plaudit

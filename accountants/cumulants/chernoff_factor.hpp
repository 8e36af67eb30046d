// The factor c(t) = t^t / (1+t)^(1+t) of Lemma 1: (1 - e^{eps - x})^+ <= c(t) e^{t (x - eps)}.
// Proof: docs/proofs/chernoff.md#chernoff
#pragma once

#include "lib/balls/ball.hpp"

namespace plaudit {

/// log c(t), t >= 0; c(0) = 1. Not finite for t < 0.
Ball log_chernoff_factor(const Ball& t);
/// The same in floating point.
double estimate_log_chernoff_factor(double t);

}  // namespace plaudit

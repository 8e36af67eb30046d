// P-masses of the cells of a lattice: differences of the distribution function of the loss.
#pragma once

#include <functional>

#include "mechanisms/composition.hpp"

namespace plaudit {

/// Calls sink(j, p) for j = first .. last with p enclosing P((j - 1/2) d < l <= (j + 1/2) d), where
/// l = log f is the mixture over the noise alone: L in the remove direction, -L in the other, where
/// P is the noise alone.
/// @throws std::domain_error where the end of a cell has no enclosure.
void mixture_cells(const GaussianMixture& mixture, Direction direction, const Ball& d, long first,
                   long last, const std::function<void(long, const Ball&)>& sink);

/// P((j - 1/2) d < L <= (j + 1/2) d) of any loss, j = first .. last.
std::vector<Ball> loss_cells(const PrivacyLoss& loss, Direction direction, const Ball& d,
                             long first, long last);

}  // namespace plaudit

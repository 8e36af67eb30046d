// A discrete privacy loss distribution exported from another library, and its delta curve.
//
// Mass p_k at the loss (lower_loss + k) * interval, k = 0, 1, ..., and infinity_mass at infinity.
// Its curve is delta(eps) = infinity_mass + sum_{l_k > eps} p_k (1 - e^(eps - l_k)): with
// u = e^eps, linear in u between grid points, and constant beyond the last one.
#pragma once

#include <string>
#include <vector>

#include "lib/balls/ball.hpp"
#include "lib/exact/rational.hpp"
#include "verification/claims/exact_json.hpp"

namespace plaudit {

struct DiscretePld {
  Rational interval;
  long lower_loss = 0;  ///< index of the first mass
  std::vector<Rational> probabilities;
  Rational infinity_mass;

  long last_loss() const { return lower_loss + static_cast<long>(probabilities.size()) - 1; }
  Rational loss(long index) const { return interval * index; }
  std::string summary() const;
};

/// {"discretization_interval": 1e-4, "lower_loss": -500, "probabilities": [...],
/// "infinity_mass": 1e-12}. @throws InputError
DiscretePld discrete_pld(const Json& fields);

/// Its curve at every grid point from index `first` to the last mass, enclosed at the working
/// precision; empty where no mass is at `first` or later.
std::vector<Ball> pld_curve(const DiscretePld& pld, long first);

}  // namespace plaudit

#include "accountants/cumulants/chernoff_factor.hpp"

#include <cmath>

namespace plaudit {

// t log t - (1+t) log(1+t) = -t log(1 + 1/t) - log(1+t), without cancellation
Ball log_chernoff_factor(const Ball& t) {
  if (t.is_exact_zero()) return Ball(0);
  return -t * log1p(Ball(1) / t) - log1p(t);
}

double estimate_log_chernoff_factor(double t) {
  if (t <= 0) return 0;
  return -t * std::log1p(1 / t) - std::log1p(t);
}

}  // namespace plaudit

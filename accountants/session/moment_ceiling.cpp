#include "accountants/session/moment_ceiling.hpp"

#include <stdexcept>

#include "accountants/moments/moment_bounds.hpp"
#include "accountants/proof/evidence.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/mutant.hpp"
#include "lib/text.hpp"

namespace plaudit {

namespace {

constexpr long spare_bits = 48;       ///< for delta less the mass at infinity, nearly as large
constexpr long bits_of_ceiling = 32;  ///< of log M: an x nearer to the ceiling stays undecided

/// The moment of this order would cost more than a few milliseconds.
bool is_costly(const ComposedLoss& loss, double order) {
  return !(points_of_moment(loss, order) <= most_points_of_moment);
}

double log_moment_bound(MomentTable& moments, double t) {
  return estimate_log_chernoff_factor(t) + moments.estimate(t).value;
}

}  // namespace

// Proof: docs/proofs/chernoff.md#ceiling
std::optional<Enclosure> moment_ceiling(const ComposedLoss& loss, Quantity quantity,
                                        const Rational& argument, const Ball& x) {
  if (lack_of_moments("moments", loss)) return std::nullopt;
  MomentTable moments(loss, bits_of_ceiling);
  const PrecisionScope scope(moments.bits() + spare_bits);  // deltas that nearly cancel
  const Ball infinite = loss.mass_at_infinity();
  const double goal = x.estimate();
  Ball ceiling;
  double order = 0;
  if (quantity == Quantity::epsilon) {
    const Ball finite =
        PLAUDIT_BOUND("moment_ceiling.finite_part", Ball(argument) - infinite, Ball(argument));
    if (!certainly_positive(finite)) return std::nullopt;
    const double log_delta = finite.estimate_log();
    order = rounded_order(chernoff_order_at_delta(moments.estimates(), log_delta));
    const double promised = (log_moment_bound(moments, order) - log_delta) / order;
    if (!(promised < goal) || is_costly(loss, order)) return std::nullopt;
    ceiling = max(Ball(0), chernoff_epsilon(moments, order, finite)).upper();
  } else {
    const double near = estimate(argument);
    order = rounded_order(chernoff_order_at_epsilon(moments.estimates(), near));
    const double promised = log_moment_bound(moments, order) - order * near;
    if (!(promised < x.estimate_log()) || is_costly(loss, order)) return std::nullopt;
    ceiling = (chernoff_upper(moments, order, Ball(argument)) +
               PLAUDIT_BOUND("moment_ceiling.mass_at_infinity", infinite, Ball(0)))
                  .upper();
  }
  if (!ceiling.is_finite() ||
      !PLAUDIT_BOUND("moment_ceiling.certain", certainly_less_equal(ceiling, x), true)) {
    return std::nullopt;
  }
  Enclosure band = quantity == Quantity::epsilon ? trivial_epsilon(loss, argument)
                                                 : trivial_delta(loss, argument);
  narrow(band, band.lower, ceiling);
  band.accountant = "moments";
  band.evidence = std::make_shared<proof::Evidence>(proof::Evidence{proof::MomentChoices{order}});
  band.method = "order " + general_text(order, 4);
  return band;
}

}  // namespace plaudit

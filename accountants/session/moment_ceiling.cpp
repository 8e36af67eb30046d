#include "accountants/session/moment_ceiling.hpp"

#include <cmath>
#include <stdexcept>

#include "accountants/moments/moment_bounds.hpp"
#include "accountants/proof/evidence.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/checked_integer.hpp"
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

/// delta less the mass at infinity, for a ceiling of epsilon.
Ball finite_part(const Rational& delta, const Ball& infinite) {
  return PLAUDIT_BOUND("moment_ceiling.finite_part", Ball(delta) - infinite, Ball(delta));
}

}  // namespace

// Proof: docs/proofs/chernoff.md#ceiling
std::optional<Enclosure> ceiling_by(const KnownMoment& moment, const ComposedLoss& loss,
                                    Quantity quantity, const Rational& argument, const Ball& x) {
  MomentTable moments(loss, bits_of_ceiling);
  moments.know(moment.order, moment.log_mgf);
  const PrecisionScope scope(moments.bits() + spare_bits);  // deltas that nearly cancel
  const Ball infinite = loss.mass_at_infinity();
  Ball ceiling;
  if (quantity == Quantity::epsilon) {
    const Ball finite = finite_part(argument, infinite);
    if (!certainly_positive(finite)) return std::nullopt;
    ceiling = max(Ball(0), chernoff_epsilon(moments, moment.order, finite)).upper();
  } else {
    ceiling = (chernoff_upper(moments, moment.order, Ball(argument)) +
               PLAUDIT_BOUND("moment_ceiling.mass_at_infinity", infinite, Ball(0)))
                  .upper();
  }
  if (!ceiling.is_finite() ||
      !PLAUDIT_BOUND("moment_ceiling.certain", certainly_less_equal(ceiling, x), true)) {
    return std::nullopt;
  }
  Enclosure band;
  band.lower = Ball(0);
  band.upper = ceiling;
  if (quantity == Quantity::delta) band.lower = max(Ball(0), -expm1(Ball(argument))).lower();
  band.accountant = "moments";
  band.evidence =
      std::make_shared<proof::Evidence>(proof::Evidence{proof::MomentChoices{moment.order}});
  band.method = "order " + general_text(moment.order, 4);
  return band;
}

KnownMoment with_terms(KnownMoment moment, const std::vector<ComposedLoss::Term>& more,
                       double steps) {
  const PrecisionScope scope(bits_of_ceiling + precision_bits(std::ceil(std::log2(1 + steps))));
  for (const ComposedLoss::Term& term : more) {
    moment.log_mgf +=
        PLAUDIT_BOUND("moment_ceiling.more_terms",
                      Ball(term.count) * term.loss->log_mgf(Ball(moment.order)), Ball(0));
  }
  return moment;
}

std::optional<Enclosure> moment_ceiling(const ComposedLoss& loss, Quantity quantity,
                                        const Rational& argument, const Ball& x,
                                        std::optional<KnownMoment>* used) {
  if (lack_of_moments("moments", loss)) return std::nullopt;
  MomentTable moments(loss, bits_of_ceiling);
  const PrecisionScope scope(moments.bits() + spare_bits);
  double order = 0;
  if (quantity == Quantity::epsilon) {
    const Ball finite = finite_part(argument, loss.mass_at_infinity());
    if (!certainly_positive(finite)) return std::nullopt;
    const double log_delta = finite.estimate_log();
    order = rounded_order(chernoff_order_at_delta(moments.estimates(), log_delta));
    const double promised = (log_moment_bound(moments, order) - log_delta) / order;
    if (!(promised < x.estimate()) || is_costly(loss, order)) return std::nullopt;
  } else {
    const double near = estimate(argument);
    order = rounded_order(chernoff_order_at_epsilon(moments.estimates(), near));
    const double promised = log_moment_bound(moments, order) - order * near;
    if (!(promised < x.estimate_log()) || is_costly(loss, order)) return std::nullopt;
  }
  const KnownMoment moment{order, moments.log_mgf(order)};
  if (used != nullptr) *used = moment;
  std::optional<Enclosure> found = ceiling_by(moment, loss, quantity, argument, x);
  if (!found) return std::nullopt;
  const Enclosure trivial = quantity == Quantity::epsilon ? trivial_epsilon(loss, argument)
                                                          : trivial_delta(loss, argument);
  narrow(*found, trivial.lower, trivial.upper);
  return found;
}

}  // namespace plaudit

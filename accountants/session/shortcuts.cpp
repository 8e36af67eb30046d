// What one direction of a composition answers without asking all accountants: numbers that are
// known exactly, and comparisons that trivial bounds, one moment, or few digits of one accountant
// decide.
#include <stdexcept>

#include "accountants/refusals.hpp"
#include "accountants/registry.hpp"
#include "accountants/session/direction_session.hpp"
#include "accountants/session/moment_ceiling.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/balls/precision.hpp"
#include "lib/exact/simplest_rational.hpp"
#include "lib/mutant.hpp"
#include "lib/work/given_up.hpp"

namespace plaudit {

namespace {

constexpr int digits_of_look = 2;

/// The band of a number that is known exactly.
Enclosure exact_band(const ExactValue& value, int digits) {
  Enclosure band;
  band.accountant = "exact";
  if (value.infinite) {
    band.lower = band.upper = positive_infinity();
    return band;
  }
  const PrecisionScope scope(128 + 4L * digits);
  const Ball x(value.value);
  band.lower = x.lower();
  band.upper = x.upper();
  band.exact = value.value;
  band.method = "a rational number";
  return band;
}

/// The simplest rational in the band if 1000 (denominator)^2 (width) < 1, which chance rarely does.
std::optional<Rational> suspect(const Enclosure& band) {
  if (!band.lower.is_finite() || !band.upper.is_finite()) return std::nullopt;
  const Rational low = exact_rational(band.lower);
  const Rational high = exact_rational(band.upper);
  if (low < 0 || low > high) return std::nullopt;
  const Rational simplest = simplest_between(low, high);
  const Integer below = denominator(simplest);
  return 1000 * below * below * (high - low) < 1 ? std::optional(simplest) : std::nullopt;
}

}  // namespace

/// The band of the number that is asked for, where little work makes it known exactly.
std::optional<Enclosure> DirectionSession::known(Quantity quantity,
                                                 const Rational& argument) const {
  std::optional<ExactValue> value;
  if (quantity == Quantity::epsilon) {
    value = ties_->epsilon(argument, Ties::little_work);
  } else if (const auto delta = ties_->delta(argument, Ties::little_work)) {
    value = ExactValue{false, *delta};
  }
  return value ? std::optional(exact_band(*value, options_.digits)) : std::nullopt;
}

/// The exact epsilon where a simple rational in the band is one.
std::optional<Enclosure> DirectionSession::tied(const Enclosure& band,
                                                const Rational& delta) const {
  try {
    const std::optional<Rational> simple = suspect(band);
    if (simple && compare(Quantity::epsilon, delta, *simple, Ties::little_work) == 0) {
      return exact_band({false, *simple}, options_.digits);
    }
  } catch (...) {  // the band stands
    given_up_unless_contradiction();
  }
  return std::nullopt;
}

std::optional<int> DirectionSession::compare(Quantity quantity, const Rational& argument,
                                             const Rational& x, double work) const {
  try {
    return quantity == Quantity::delta ? ties_->compare_delta(argument, x, work)
                                       : ties_->compare_epsilon(argument, x, work);
  } catch (...) {
    given_up_unless_contradiction();
    return std::nullopt;
  }
}

bool DirectionSession::is_trivially_below(Quantity quantity, const Rational& argument,
                                          const Ball& x) const {
  try {
    const Enclosure band = quantity == Quantity::delta ? trivial_delta(loss_, argument)
                                                       : trivial_epsilon(loss_, argument);
    return certainly_less_equal(band.upper, x);
  } catch (...) {
    given_up_unless_contradiction();
    return false;
  }
}

std::optional<Enclosure> DirectionSession::below(Quantity quantity, const Rational& argument,
                                                 const Ball& x, double share) {
  if (!options_.automatic()) return std::nullopt;
  try {
    const WorkShare part(share);
    if (known(quantity, argument)) return std::nullopt;
    Enclosure band = quantity == Quantity::delta ? trivial_delta(loss_, argument)
                                                 : trivial_epsilon(loss_, argument);
    if (certainly_less_equal(band.upper, x)) {
      band.method = trivial_method;
      return band;
    }
    return moment_ceiling(loss_, quantity, argument, x, &moment_);
  } catch (...) {  // the moment has no enclosure, or not in that time
    given_up_unless_contradiction();
  }
  return std::nullopt;
}

// Proof: docs/proofs/inversion.md#crossing
std::optional<Enclosure> DirectionSession::below_by(const std::string& name, Quantity quantity,
                                                    const Rational& argument, const Ball& x,
                                                    double share) const {
  if (!options_.automatic() || options_.digits <= few_digits || !x.is_finite()) return std::nullopt;
  try {
    const WorkShare part(share);
    const std::shared_ptr<const Accountant> quick = accountant(name);
    if (quick->claim() || refusal_of(*quick, loss_)) return std::nullopt;
    const bool of_epsilon = quantity == Quantity::epsilon;
    Enclosure band = quick->open(loss_, Goal{digits_of_look, true})
                         ->delta(of_epsilon ? exact_rational(x) : argument);
    const bool below =
        band.certified && certainly_less_equal(band.upper, of_epsilon ? Ball(argument) : x);
    if (!PLAUDIT_BOUND("session.below", below, band.certified)) return std::nullopt;
    if (!of_epsilon) return band;
    Enclosure found = trivial_epsilon(loss_, argument);
    narrow(found, found.lower, x);
    found.accountant = band.accountant;
    found.method = band.method + ", delta at the epsilon of the other direction";
    found.ledger = std::move(band.ledger);
    found.evidence = std::move(band.evidence);
    return found;
  } catch (const std::invalid_argument&) {  // the name of no accountant, or one that refuses
  } catch (...) {
    given_up_unless_contradiction();
  }
  return std::nullopt;
}

}  // namespace plaudit

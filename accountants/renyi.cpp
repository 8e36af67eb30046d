#include "accountants/renyi.hpp"

#include <stdexcept>

#include "accountants/inversion.hpp"
#include "accountants/trivial_bounds.hpp"
#include "lib/refine.hpp"

namespace plaudit {

// Proof: docs/proofs/chernoff.md#renyi
Enclosure renyi_divergence(const ComposedLoss& loss, const Rational& order, int digits) {
  if (order <= 0 || order == 1) throw std::invalid_argument("a Renyi order must be > 0 and not 1");
  Enclosure band;
  band.lower = Ball(0);
  band.upper = positive_infinity();
  band.accountant = "moments";
  const Rational t = order - 1;
  const bool finite = loss.mass_at_infinity().is_exact_zero();
  if (t > 0 && !finite) {
    if (certainly_positive(loss.mass_at_infinity())) band.lower = positive_infinity();
    band.method = "mass at infinity";
    return band;
  }
  const long bits = bits_of_digits(digits);
  try {
    const bool done = refine(bits + 40, 8 * bits + 4000, [&] {
      Ball moment = loss.log_mgf(Ball(t)) / Ball(t);
      narrow(band, moment.lower(), moment.upper());
      return missing_bits(band.lower, band.upper, bits);
    });
    if (!done) band.remark = "precision limit reached";
  } catch (const WorkLimitReached&) {
    band.remark = "time limit reached";
  } catch (const std::domain_error& error) {
    band.remark = error.what();
  }
  band.method = "order " + to_string(order);
  return band;
}

}  // namespace plaudit

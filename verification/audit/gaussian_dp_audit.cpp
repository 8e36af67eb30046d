#include "verification/audit/gaussian_dp_audit.hpp"

#include <cmath>

#include "accountants/session/band_of.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"
#include "lib/text.hpp"
#include "lib/work/work_limit.hpp"
#include "verification/audit/examination.hpp"
#include "verification/meaning/dominating_mu.hpp"

namespace plaudit {

namespace {

// At which epsilons delta is asked. Fewer of them leave more false claims undecided.
constexpr int digits_of_scan = 4;       ///< of delta
constexpr long bits_of_curve = 512;     ///< working precision for delta_mu
constexpr int shown_digits_of_mu = 12;  ///< of the two deltas of a witness, which must show it
constexpr int most_points = 60;         ///< up to an epsilon of some 59000 mu
constexpr double first_step = 0.25;     ///< from epsilon 0 to the next, in units of mu
constexpr double growth_of_step = 1.2;  ///< of each step to the one before

/// delta_mu(eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu).
Ball gaussian_curve(const Rational& mu, const Rational& epsilon) {
  const Ball half(Rational(mu / 2));
  const Ball ratio(Rational(epsilon / mu));
  return normal_cdf(half - ratio) - exp(Ball(epsilon)) * normal_cdf(-half - ratio);
}

/// The witness of one epsilon, where the curve is certainly above that of the claimed mu.
std::optional<Witness> violation(const Answer& answer, const Rational& mu,
                                 const Rational& epsilon) {
  const PrecisionScope scope(bits_of_curve);
  const Ball allowed = gaussian_curve(mu, epsilon).upper();
  const DirectionAnswer& best = larger_direction(answer);
  if (!allowed.is_finite() || !certainly_less(allowed, best.band.lower)) return std::nullopt;
  Witness witness;
  witness.direction = name_of(best.direction);
  witness.epsilon = to_string(epsilon);
  witness.delta_lower = decimal_below(best.band.lower, shown_digits_of_mu);
  witness.claimed_delta = decimal_above(allowed, shown_digits_of_mu);
  if (parse_rational(witness.delta_lower) <= parse_rational(witness.claimed_delta)) {
    return std::nullopt;
  }
  witness.event = "{L > " + witness.epsilon +
                  "}: mu-GDP allows delta(epsilon) <= claimed_delta there, the curve of N(mu, 1)";
  return witness;
}

}  // namespace

void audit_gaussian_dp(const Claim& claim, Sessions& sessions, const AuditOptions& options,
                       Finding& finding) {
  finding.digits = digits_of_scan;
  const Extended& claimed = *claim.at_most;
  if (claimed.infinite || claimed.value <= 0) {
    finding.verdict = claimed.infinite && !claimed.below ? Verdict::valid : Verdict::error;
    if (finding.verdict == Verdict::error) finding.reason = "mu must be above 0";
    return;
  }
  finding.reason = "time ran out before an epsilon was found that refutes it";
  const Rational& mu = claimed.value;
  const std::optional<Rational> dominating = dominating_mu_squared(*claim.composition);
  if (dominating && *dominating <= mu * mu) {
    finding.verdict = Verdict::valid;
    finding.reason = "dominated by Gaussian mechanisms (sampling left aside) of this mu or less";
    return;
  }
  const double step = first_step * estimate(mu);
  double epsilon = 0;
  double by = step;
  const WorkLimit limit(options.timeout_seconds);
  for (int i = 0; i < most_points; ++i) {
    const Rational at = parse_rational(general_text(epsilon, 3));
    Answer answer = sessions.at(digits_of_scan).answer(Quantity::delta, at);
    if (!claim.about_pair) answer = for_claims(std::move(answer));
    if (auto witness = violation(answer, mu, at)) {
      finding.verdict = Verdict::refuted;
      finding.reason.clear();
      finding.direction = witness->direction;
      finding.witness = std::move(witness);
      return;
    }
    epsilon += by;
    by *= growth_of_step;
  }
  if (work_seconds_left() > 0) {
    finding.reason = "no epsilon tried refutes it, and no proof that none does is known here";
  }
}

}  // namespace plaudit

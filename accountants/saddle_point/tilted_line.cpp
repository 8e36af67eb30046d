#include "accountants/saddle_point/tilted_line.hpp"

#include <cmath>
#include <stdexcept>

#include "lib/analysis/fixed/complex_powers.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/mutant.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr double nats_of_bounds = 4;  ///< of an upper bound, beyond factor_nats()
constexpr double more_nats = 8;       ///< per value: sums over the values, quotients by small s
constexpr long spare_bits_of_line = 40;

/// Multiplies the values by those of the steps of one law, to the power of their count.
void multiply(std::vector<ComplexBall>& values, const std::vector<ComplexBall>& line,
              std::uint64_t count) {
  const ComplexBall inverse = ComplexBall(Ball(1) / line[0].real());
  std::vector<ComplexBall> ratios;
  ratios.reserve(line.size());
  for (const ComplexBall& value : line) ratios.push_back(value * inverse);
  const std::vector<ComplexBall> powers = complex_powers(ratios, count);
  for (std::size_t k = 1; k < values.size(); ++k) {
    if (!ratios[k].may_be_zero()) {
      values[k] *= powers[k];
    } else {  // only its size is known: the disk of radius |M / M(t)|^n
      const Ball size = power(abs(ratios[k]).upper(), count);
      values[k] *= disk(PLAUDIT_BOUND("tilted_line.disk", size, Ball(0)));
    }
  }
}

/// Upper bound of E e^{wX} at w = R times the sign.
Ball moment_above(const ComposedLoss& loss, const TiltedLine& line, double sign) {
  const LineChoice& choice = line.choice;
  const Ball reach(sign * choice.reach);
  Ball sum = -reach * Ball(choice.mean) - line.log_mgf;
  for (const ComposedLoss::Term& term : loss.terms()) {
    const double nats = loss.factor_nats(term) + nats_of_bounds;
    sum += Ball(term.count) * log(term.loss->mgf_upper(Ball(choice.t) + reach, nats));
  }
  return exp(sum).upper();
}

}  // namespace

// Proof: docs/proofs/berry_esseen.md#line
TiltedLine tilted_line(const ComposedLoss& loss, const LineChoice& choice) {
  TiltedLine result;
  result.choice = choice;
  const double steps = std::log(loss.steps() * static_cast<double>(loss.terms().size()));
  const double size = std::fabs(choice.mean) + std::fabs(loss.estimate_cumulant(choice.t).value);
  result.bits = precision_bits((choice.nats + more_nats + steps) / log_two + std::log2(1 + size)) +
                spare_bits_of_line;
  const PrecisionScope scope(result.bits);
  const Ball t(choice.t);
  const Ball step(choice.step);
  result.mesh = step * Ball(choice.deviation);
  result.radius = Ball(choice.reach) * Ball(choice.deviation);
  const std::size_t count = choice.cells + points_of_cell / 2;
  result.values.assign(count, ComplexBall(Ball(1)));
  const Ball last = step * Ball(static_cast<long>(choice.cells));
  Ball log_beyond;
  for (const ComposedLoss::Term& term : loss.terms()) {
    check_work_limit();
    const double nats = choice.nats + more_nats + loss.factor_nats(term);
    const LineValues line =
        term.loss->mgf_on_line(t, step, count, LineAccuracy(nats, static_cast<double>(term.count)));
    const Ball whole = line.values[0].real();
    result.log_mgf += Ball(term.count) * log(whole);
    multiply(result.values, line.values, term.count);
    const Ball bound = term.loss->mgf_bound_beyond_below(
        t, last.lower(), loss.factor_nats(term) + nats_of_bounds, whole.upper());
    log_beyond += Ball(term.count) * log(bound / whole);
  }
  const Ball angle = -step * Ball(choice.mean);
  for (std::size_t k = 1; k < count; ++k) {
    const Ball turned = angle * Ball(static_cast<long>(k));
    result.values[k] *= ComplexBall(cos(turned), sin(turned));
  }
  result.beyond = PLAUDIT_BOUND("tilted_line.beyond", exp(log_beyond).upper(), Ball(0));
  const Ball above = moment_above(loss, result, 1);
  const Ball below = moment_above(loss, result, -1);
  result.cosh_moment = ldexp(PLAUDIT_BOUND("tilted_line.moment_above", above, Ball(0)) +
                                 PLAUDIT_BOUND("tilted_line.moment_below", below, Ball(0)),
                             -1)
                           .upper();
  if (!result.log_mgf.is_finite() || !result.cosh_moment.is_finite()) {
    throw std::domain_error("moments on either side of this order have no enclosure");
  }
  return result;
}

}  // namespace plaudit

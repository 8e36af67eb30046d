#include "accountants/contour/line_inversion.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "accountants/inversion.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

constexpr int most_newtons = 12;
constexpr double last_newton = 1e-6;     ///< relative step after which there is no other
constexpr double log_rough_slope = -11;  ///< log of the slope's relative error after Newton's rule
constexpr int most_secants = 12;
constexpr long spare_bits_of_root = 14;  ///< beyond those of the digits

/// Where the sum of a line in floating point crosses delta, and the slope of its log there; nothing
/// where Newton's rule leads nowhere.
std::optional<std::pair<double, double>> rough_root(const StraightContour& line, double guess,
                                                    double log_target) {
  const std::optional<RoughLine> rough = line.rough();
  if (!rough) return std::nullopt;
  double x = guess;
  double before = infinity;
  for (int i = 0; i < most_newtons; ++i) {
    const RoughLine::Value here = rough->at(x, log_target);
    const double step = -here.log / here.slope;
    if (!(here.slope < 0) || !(std::fabs(step) < before)) break;
    x += step;
    if (!(x > 0)) break;
    // the next step would be about the square of this one, 1e-12: as good as the sum in doubles
    if (std::fabs(step) < last_newton * x) return std::pair(x, -here.slope);
    before = std::fabs(step);
  }
  return std::nullopt;
}

}  // namespace

Ball root_of_line(const StraightContour& line, const Rational& delta, double guess, double slope,
                  int digits) {
  const PrecisionScope scope(line.bits());
  const Ball log_target = log(Ball(delta));
  const auto height = [&](const Ball& x) { return (log(line.middle(x)) - log_target).middle(); };
  const auto rough = rough_root(line, guess, estimate_log(delta));
  // by the secant rule each error is about the product of those of the two points before it
  const double enough = -log_two * static_cast<double>(bits_of_digits(digits) + spare_bits_of_root);
  Ball former(rough ? rough->first : guess);
  Ball above = height(former);
  Ball step = (above / Ball(rough ? rough->second : slope)).middle();
  if (rough && step.is_exact_zero()) return former;
  if (rough && step.estimate_log() + log_rough_slope - former.estimate_log() < enough) {
    return (former + step).middle();
  }
  for (int i = 0; i < most_secants; ++i) {
    check_work_limit();
    const Ball x = (former + step).middle();
    if (!certainly_positive(x)) break;
    const Ball here = height(x);
    const Ball next = (here * step / (above - here)).middle();
    if (!next.is_finite()) break;
    if (next.is_exact_zero() ||
        next.estimate_log() + step.estimate_log() - 2 * x.estimate_log() < enough) {
      return (x + next).middle();
    }
    former = x;
    above = here;
    step = next;
  }
  return Ball(guess);
}

}  // namespace plaudit

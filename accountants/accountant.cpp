#include "accountants/accountant.hpp"

#include <stdexcept>

#include "api/plaudit/errors.hpp"
#include "lib/balls/decimal.hpp"
#include "lib/balls/precision.hpp"

namespace plaudit {

std::string decimal_below(const Enclosure& band, int digits) {
  return band.exact ? decimal_below(*band.exact, digits) : decimal_below(band.lower, digits);
}

std::string decimal_above(const Enclosure& band, int digits) {
  return band.exact ? decimal_above(*band.exact, digits) : decimal_above(band.upper, digits);
}

std::string both_trusted(const std::string& one, const std::string& other) {
  if (one.empty() || other.empty()) return one + other;
  return (", " + one + ", ").find(", " + other + ", ") == std::string::npos ? one + ", " + other
                                                                            : one;
}

bool reached(const Enclosure& band, int digits) {
  if (!band.upper.is_finite()) return !band.lower.is_finite();
  const PrecisionScope scope(64 + 4 * static_cast<long>(digits));
  const Ball scale = power(Ball(10), static_cast<std::uint64_t>(digits));
  const PrecisionScope exact(4096 + 64 * static_cast<long>(digits));
  return certainly_less_equal((band.upper - band.lower) * scale, abs(band.upper));
}

std::optional<int> digits_reached(const Enclosure& band) {
  if (!band.upper.is_finite() && band.lower.is_finite()) return 0;
  if (band.exact || !band.upper.is_finite() || (band.upper - band.lower).is_exact_zero()) {
    return std::nullopt;
  }
  int beyond = 1;  // not reached
  while (reached(band, beyond)) beyond *= 2;
  int least = beyond / 2;  // reached, or 0
  while (beyond - least > 1) {
    const int middle = least + (beyond - least) / 2;
    (reached(band, middle) ? least : beyond) = middle;
  }
  return least;
}

void stop_at_usual_width(Enclosure& band) {
  band.remark = "its usual width, for no digits were asked for";
  band.cause = Cause::width;
}

std::optional<std::string> lack_of_moments(std::string_view accountant, const ComposedLoss& loss) {
  const ComposedLoss::Term* term = loss.without_moments();
  if (term == nullptr) return std::nullopt;
  return std::string(accountant) +
         " needs the moment generating function of every factor; that of " +
         term->loss->describe() + " is not stated";
}

std::unique_ptr<PrivacyCurve> Accountant::open(const ComposedLoss& loss, const Goal& goal) const {
  if (const auto reason = refusal(loss)) throw NotApplicable(*reason);
  return curve(loss, goal);
}

const std::vector<Parameter>& Accountant::parameters() const {
  static const std::vector<Parameter> none;
  return none;
}

std::shared_ptr<const Accountant> Accountant::with(const Arguments&) const {
  throw std::logic_error(std::string(name()) + " takes no settings");
}

}  // namespace plaudit

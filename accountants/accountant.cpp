#include "accountants/accountant.hpp"

#include <stdexcept>

#include "lib/precision.hpp"

namespace plaudit {

bool reached(const Enclosure& band, int digits) {
  if (!band.upper.is_finite()) return !band.lower.is_finite();
  const PrecisionScope scope(64 + 4 * static_cast<long>(digits));
  const Ball scale = power(Ball(10), static_cast<std::uint64_t>(digits));
  const PrecisionScope exact(4096 + 64 * static_cast<long>(digits));
  return certainly_less_equal((band.upper - band.lower) * scale, abs(band.upper));
}

const std::vector<Parameter>& Accountant::parameters() const {
  static const std::vector<Parameter> none;
  return none;
}

std::shared_ptr<const Accountant> Accountant::with(const Arguments&) const {
  throw std::logic_error(std::string(name()) + " takes no settings");
}

}  // namespace plaudit

#include "accountants/refusals.hpp"

#include "mechanisms/laws/bounded_loss.hpp"

namespace plaudit {

std::optional<std::string> refusal_of(const Accountant& accountant, const ComposedLoss& loss) {
  const BoundedLoss* bounded = bounded_factor(loss);
  if (bounded != nullptr && accountant.name() != accountant_of_bounds) {
    return std::string(accountant.name()) + " needs the law of every factor; of " +
           bounded->describe() + " only bounds of moments are known (moments applies)";
  }
  return accountant.refusal(loss);
}

}  // namespace plaudit

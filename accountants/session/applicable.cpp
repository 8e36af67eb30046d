#include "accountants/session/applicable.hpp"

#include "accountants/refusals.hpp"
#include "accountants/registry.hpp"

namespace plaudit {

namespace {

bool applies(const Accountant& accountant, const Composition& composition) {
  return !refusal_of(accountant, ComposedLoss(composition, Direction::remove)) &&
         !refusal_of(accountant, ComposedLoss(composition, Direction::add));
}

}  // namespace

Applicable accountants_for(const MechanismPointer& mechanism) {
  const Composition one({{mechanism, 1}});
  const Composition many({{mechanism, 100}});
  Applicable result;
  for (const auto& accountant : all_accountants()) {
    const bool to_one = applies(*accountant, one);
    const bool to_many = applies(*accountant, many);
    if (!to_one && !to_many) continue;
    (to_one && to_many ? result.always
     : to_one          ? result.one_step
                       : result.many_steps)
        .emplace_back(accountant->name());
  }
  return result;
}

}  // namespace plaudit

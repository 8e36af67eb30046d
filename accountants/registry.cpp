#include "accountants/registry.hpp"

#include <stdexcept>
#include <string>

#include "mechanisms/language/spec.hpp"
#include "mechanisms/language/spec_error.hpp"

// One line per accountant; X_accountant() is defined in the file of its name.
#define PLAUDIT_ACCOUNTANTS(X) \
  X(closed_form)               \
  X(contour)                   \
  X(laplace_sum)               \
  X(laplace_folded)            \
  X(fourier)                   \
  X(atom_sum)                  \
  X(moments)                   \
  X(moments_integer)           \
  X(privacy_buckets)           \
  X(prv)                       \
  X(saddle_point)              \
  X(berry_esseen)              \
  X(saddle_point_msd)          \
  X(saddle_point_clt)          \
  X(gaussian_limit)            \
  X(optimal_composition)       \
  X(advanced_composition)      \
  X(basic_composition)         \
  X(vadhan_group)

namespace plaudit {

#define PLAUDIT_DECLARE(name) std::shared_ptr<const Accountant> name##_accountant();
PLAUDIT_ACCOUNTANTS(PLAUDIT_DECLARE)
#undef PLAUDIT_DECLARE

const std::vector<std::shared_ptr<const Accountant>>& accountants() {
#define PLAUDIT_LIST(name) name##_accountant(),
  static const std::vector<std::shared_ptr<const Accountant>> all = {
      PLAUDIT_ACCOUNTANTS(PLAUDIT_LIST)};
#undef PLAUDIT_LIST
  return all;
}

std::shared_ptr<const Accountant> accountant(std::string_view text) {
  const std::string_view name = text.substr(0, text.find('('));
  std::string known;
  for (const auto& candidate : accountants()) {
    known += (known.empty() ? "" : ", ") + std::string(candidate->name());
    if (candidate->name() != name) continue;
    if (name.size() == text.size()) return candidate;
    const std::vector<syntax::Power> parsed = syntax::parse(text);
    if (parsed.size() != 1 || parsed[0].count != 1) {
      throw SpecError("accountant: a name with settings in brackets is wanted");
    }
    const Arguments settings(candidate->name(), candidate->parameters(),
                             given_arguments(*parsed[0].call));
    return candidate->parameters().empty() ? candidate : candidate->with(settings);
  }
  throw std::invalid_argument("accountant " + abbreviated(std::string(name)) +
                              " is unknown; known are auto, " + known);
}

}  // namespace plaudit

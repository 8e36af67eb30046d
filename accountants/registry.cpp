#include "accountants/registry.hpp"

#include <stdexcept>
#include <string>

#include "accountants/closed_form.hpp"
#include "accountants/contour.hpp"
#include "accountants/moments.hpp"

namespace plaudit {

const std::vector<std::shared_ptr<const Accountant>>& accountants() {
  static const std::vector<std::shared_ptr<const Accountant>> all = {
      closed_form_accountant(),
      contour_accountant(),
      moments_accountant(),
      moments_integer_accountant(),
  };
  return all;
}

const Accountant& accountant(std::string_view name) {
  std::string known;
  for (const auto& candidate : accountants()) {
    if (candidate->name() == name) return *candidate;
    known += (known.empty() ? "" : ", ") + std::string(candidate->name());
  }
  throw std::invalid_argument("accountant '" + std::string(name.substr(0, 40)) +
                              "' is unknown; known are auto, " + known);
}

}  // namespace plaudit

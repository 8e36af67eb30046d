#include "accountants/registry.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "lib/text.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/spec_error.hpp"

// One line per accountant; X_accountant() is defined in the file of its name (saddle_point_msd and
// saddle_point_clt in saddle_point_estimate.cpp).
#define PLAUDIT_ACCOUNTANTS(X) \
  X(closed_form)               \
  X(contour)                   \
  X(laplace_sum)               \
  X(laplace_folded)            \
  X(laplace_product)           \
  X(two_steps)                 \
  X(largest_draw)              \
  X(sampled_laplace)           \
  X(turned_laplace)            \
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

namespace {

/// Accountants that there were, and those that have taken over what they answered.
constexpr std::pair<std::string_view, std::string_view> retired[] = {
    {"laplace_product_folded", "laplace_folded"},
    {"rare_draws", "largest_draw"},
    {"lattice_atoms", "atom_sum"},
};

std::string_view present_name(std::string_view name) {
  for (const auto& [former, successor] : retired) {
    if (name == former) return successor;
  }
  return name;
}

/// Those added at run time.
struct Added {
  std::mutex mutex;
  std::vector<std::shared_ptr<const Accountant>> accountants;
};

Added& added() {
  static Added all;
  return all;
}

/// Names that bands or options have without an accountant of that name, and retired ones.
bool is_reserved(std::string_view name) {
  return name == "auto" || name == "exact" || name == "none" || name == "closed_forms" ||
         name == "floating_forms" || present_name(name) != name;
}

bool is_among(const std::vector<std::shared_ptr<const Accountant>>& all, std::string_view name) {
  return std::any_of(all.begin(), all.end(),
                     [&](const auto& each) { return each->name() == name; });
}

}  // namespace

std::vector<std::shared_ptr<const Accountant>> all_accountants() {
  std::vector<std::shared_ptr<const Accountant>> all = accountants();
  const std::lock_guard<std::mutex> lock(added().mutex);
  all.insert(all.end(), added().accountants.begin(), added().accountants.end());
  return all;
}

bool is_free_accountant_name(std::string_view name) {
  return !is_reserved(name) && !is_among(all_accountants(), name);
}

void add_accountant(std::shared_ptr<const Accountant> accountant) {
  const std::lock_guard<std::mutex> lock(added().mutex);
  const std::string_view name = accountant->name();
  if (is_reserved(name) || is_among(accountants(), name) || is_among(added().accountants, name)) {
    throw std::invalid_argument("accountant " + abbreviated(std::string(name)) +
                                ": the name is taken");
  }
  added().accountants.push_back(std::move(accountant));
}

std::shared_ptr<const Accountant> accountant(std::string_view text) {
  const std::string_view name = text.substr(0, text.find('('));
  if (const std::string_view now = present_name(name); now != name) {
    return accountant(std::string(now) + std::string(text.substr(name.size())));
  }
  std::string known;
  std::vector<std::string_view> names;
  const auto all = all_accountants();  // holds what the names are of
  for (const auto& candidate : all) {
    names.push_back(candidate->name());
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
  names.emplace_back("auto");
  throw std::invalid_argument("accountant " + abbreviated(std::string(name)) + " is unknown" +
                              did_you_mean(name, names) + "; known are auto, " + known);
}

}  // namespace plaudit

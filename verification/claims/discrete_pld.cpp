#include "verification/claims/discrete_pld.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "mechanisms/language/syntax.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr std::size_t most_masses = 1'000'000;
constexpr long largest_index = 1'000'000;
constexpr std::string_view pld_field_names[] = {"discretization_interval", "lower_loss",
                                                "infinity_mass", "probabilities"};

Rational number(const Json& value, const std::string& name) {
  if (!value.is_string()) throw InputError("pld: " + name + " must be a number");
  try {
    return syntax::parse_number(value.get_ref<const std::string&>(), "pld: " + name + " must be");
  } catch (const SpecError&) {
    throw InputError("pld: " + name + " must be a number of the spec language: at most 1000 " +
                     "characters, exponents within +-1000");
  }
}

const Json& law_field(const Json& fields, const char* name) {
  const auto place = fields.find(name);
  if (place == fields.end()) throw InputError(std::string("pld: ") + name + " is missing");
  return *place;
}

}  // namespace

std::string DiscretePld::summary() const {
  return std::to_string(probabilities.size()) + " masses, interval " + to_string(interval) +
         ", infinity mass " + to_string(infinity_mass);
}

DiscretePld discrete_pld(const Json& fields) {
  if (!fields.is_object()) throw InputError("pld must be an object");
  for (const auto& item : fields.items()) {
    if (std::find(std::begin(pld_field_names), std::end(pld_field_names), item.key()) ==
        std::end(pld_field_names)) {
      throw InputError("pld: unknown field " + abbreviated(item.key()));
    }
  }
  DiscretePld pld;
  pld.interval = number(law_field(fields, "discretization_interval"), "discretization_interval");
  if (pld.interval <= 0) throw InputError("pld: discretization_interval must be positive");
  const Rational lower = number(law_field(fields, "lower_loss"), "lower_loss");
  if (denominator(lower) != 1 || abs(lower) > largest_index) {
    throw InputError("pld: lower_loss must be an integer of at most a million");
  }
  pld.lower_loss = numerator(lower).to<long>();
  pld.infinity_mass = number(law_field(fields, "infinity_mass"), "infinity_mass");
  const Json& masses = law_field(fields, "probabilities");
  if (!masses.is_array() || masses.empty() || masses.size() > most_masses) {
    throw InputError("pld: probabilities must be a list of 1 to 1000000 numbers");
  }
  pld.probabilities.reserve(masses.size());
  for (const Json& mass : masses) {
    // A transform's rounding may leave tiny negative masses: they are part of what was exported.
    pld.probabilities.push_back(number(mass, "probabilities"));
  }
  return pld;
}

std::vector<Ball> pld_curve(const DiscretePld& pld, long first) {
  const long last = pld.last_loss();
  if (last < first) return {};
  std::vector<Ball> curve(static_cast<std::size_t>(last - first) + 1);
  // With T_k = sum_{j > k} p_j e^(l_k - l_j) and S_k = sum_{j > k} p_j:
  // T_(k-1) = (T_k + p_k) e^(-interval), delta(l_k) = infinity_mass + S_k - T_k.
  const Ball decay = exp(-Ball(pld.interval));
  Ball above(pld.infinity_mass);
  Ball discounted(0);
  for (long k = last; k >= first; --k) {
    curve[static_cast<std::size_t>(k - first)] = above - discounted;
    if (k < pld.lower_loss) {
      discounted *= decay;
      continue;
    }
    const Ball mass(pld.probabilities[static_cast<std::size_t>(k - pld.lower_loss)]);
    above += mass;
    discounted = (discounted + mass) * decay;
  }
  return curve;
}

}  // namespace plaudit

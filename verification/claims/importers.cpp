#include "verification/claims/importers.hpp"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <vector>

#include "mechanisms/language/spec_error.hpp"

namespace plaudit {

namespace {

/// Characters of a number in the spec language, so that a field cannot smuggle in anything else.
std::string number_text(const Json& value, const std::string& what) {
  const bool plain = value.is_string() && !value.get_ref<const std::string&>().empty() &&
                     value.get_ref<const std::string&>().find_first_not_of("0123456789+-.eE/") ==
                         std::string::npos;
  if (!plain) throw InputError(what + " must be a number");
  return value.get<std::string>();
}

std::string field(const Json& event, const std::string& type, const char* name) {
  const auto place = event.find(name);
  if (place == event.end()) throw InputError(type + ": " + name + " is missing");
  return number_text(*place, type + ": " + name);
}

std::string list_text(const Json& event, const std::string& type, const char* name) {
  const auto place = event.find(name);
  if (place == event.end() || !place->is_array() || place->empty()) {
    throw InputError(type + ": " + name + " must be a list of numbers");
  }
  std::string text;
  for (const Json& each : *place) {
    text += (text.empty() ? "" : ", ") + number_text(each, type + ": " + name);
  }
  return "[" + text + "]";
}

constexpr const char* type_names[] = {"type", "class", "__class__"};

std::string type_of(const Json& event) {
  std::string under;
  std::string type;
  for (const char* name : type_names) {
    const auto place = event.find(name);
    if (place == event.end()) continue;
    if (!place->is_string()) throw InputError(std::string("a DpEvent's ") + name + " must be text");
    if (!under.empty() && *place != type) {
      throw InputError("a DpEvent is " + abbreviated(type) + " by " + under + " and " +
                       abbreviated(place->get_ref<const std::string&>()) + " by " + name);
    }
    under = name;
    type = place->get<std::string>();
  }
  if (under.empty()) throw InputError("a DpEvent needs its class name under \"type\"");
  return type;
}

/// A field that the event does not have may have been meant: "count" beside a list of events, or
/// the "sensitivity" of noise.
void check_fields_of(const Json& event, const std::string& type,
                     std::initializer_list<const char*> known) {
  for (const auto& item : event.items()) {
    const auto is_it = [&](const char* name) { return item.key() == name; };
    if (std::none_of(known.begin(), known.end(), is_it) &&
        std::none_of(std::begin(type_names), std::end(type_names), is_it)) {
      throw InputError(type + " has no field " + abbreviated(item.key()));
    }
  }
}

enum class Adjacency { add_remove, replace };

/// Centres differ by C under add/remove and by up to 2 C under replacement, while dp_accounting
/// defines the noise multiplier as deviation / C: so the sensitivity is 2 there.
std::string noise(const Json& event, Adjacency adjacency) {
  const std::string type = type_of(event);
  const char* doubled = adjacency == Adjacency::replace ? ", sensitivity=2" : "";
  if (type == "GaussianDpEvent") {
    check_fields_of(event, type, {"noise_multiplier"});
    return "gaussian(sigma=" + field(event, type, "noise_multiplier") + doubled + ")";
  }
  if (type == "LaplaceDpEvent") {
    check_fields_of(event, type, {"noise_multiplier"});
    return "laplace(scale=" + field(event, type, "noise_multiplier") + doubled + ")";
  }
  if (type == "MixtureOfGaussiansDpEvent" && adjacency == Adjacency::add_remove) {
    check_fields_of(event, type, {"standard_deviation", "sensitivities", "sampling_probs"});
    return "mixture(sigma=" + field(event, type, "standard_deviation") +
           ", sensitivities=" + list_text(event, type, "sensitivities") +
           ", probabilities=" + list_text(event, type, "sampling_probs") + ")";
  }
  return {};
}

const Json& inner(const Json& event, const std::string& type) {
  const auto place = event.find("event");
  if (place == event.end() || !place->is_object()) throw InputError(type + ": event is missing");
  return *place;
}

constexpr std::size_t longest_spec = 100'000;

struct Translation {
  std::vector<std::string> factors;
  bool add_remove = false;
  bool replace = false;
  std::size_t length = 0;

  void add(std::string factor, const std::string& count, bool replaces) {
    (replaces ? replace : add_remove) = true;
    if (replace && add_remove) {
      throw InputError(
          "SampledWithoutReplacementDpEvent is under replacement, the other events under add or "
          "remove: together they have no common adjacency");
    }
    factor += count;
    length += factor.size();
    if (length > longest_spec) throw InputError("the event is too long for a spec");
    factors.push_back(std::move(factor));
  }
};

/// `count`: "" or "^n", what surrounds the event.
void translate(const Json& event, const std::string& count, Translation& out);

void translate_composed(const Json& event, const std::string& type, const std::string& count,
                        Translation& out) {
  check_fields_of(event, type, {"events"});
  const auto place = event.find("events");
  if (place == event.end() || !place->is_array()) throw InputError(type + ": events is missing");
  for (const Json& each : *place) translate(each, count, out);
}

void translate_self_composed(const Json& event, const std::string& type, const std::string& count,
                             Translation& out) {
  check_fields_of(event, type, {"event", "count"});
  const std::string times = field(event, type, "count");
  if (times.find_first_not_of("0123456789") != std::string::npos) {
    throw InputError(type + ": count must be an integer");
  }
  if (times.find_first_not_of('0') == std::string::npos) {
    Translation nothing;  // what did not run must be readable too
    translate(inner(event, type), "", nothing);
    return;
  }
  if (count.empty()) {
    translate(inner(event, type), "^" + times, out);
    return;
  }
  // Nested: the spec language multiplies brackets out.
  Translation within;
  translate(inner(event, type), "^" + times, within);
  for (const std::string& factor : within.factors) {
    out.add("(" + factor + ")", count, within.replace);
  }
}

void translate_poisson(const Json& event, const std::string& type, const std::string& count,
                       Translation& out) {
  check_fields_of(event, type, {"event", "sampling_probability"});
  const Json& sampled = inner(event, type);
  const std::string mechanism = noise(sampled, Adjacency::add_remove);
  if (mechanism.empty()) {
    throw InputError(type + " of " + abbreviated(type_of(sampled)) +
                     " is not supported: only of Gaussian, Laplace and mixture events");
  }
  out.add("poisson(" + mechanism + ", rate=" + field(event, type, "sampling_probability") + ")",
          count, false);
}

void translate_without_replacement(const Json& event, const std::string& type,
                                   const std::string& count, Translation& out) {
  check_fields_of(event, type, {"event", "sample_size", "source_dataset_size"});
  const Json& sampled = inner(event, type);
  const std::string mechanism = noise(sampled, Adjacency::replace);
  if (mechanism.empty()) {
    throw InputError(type + " of " + abbreviated(type_of(sampled)) + " is not supported");
  }
  out.add("without_replacement(" + mechanism + ", batch=" + field(event, type, "sample_size") +
              ", population=" + field(event, type, "source_dataset_size") + ", adjacency=replace)",
          count, true);
}

void translate(const Json& event, const std::string& count, Translation& out) {
  if (!event.is_object()) throw InputError("a DpEvent must be an object");
  const std::string type = type_of(event);
  if (type == "NoOpDpEvent") return check_fields_of(event, type, {});
  if (type == "ComposedDpEvent") return translate_composed(event, type, count, out);
  if (type == "SelfComposedDpEvent") return translate_self_composed(event, type, count, out);
  if (type == "PoissonSampledDpEvent") return translate_poisson(event, type, count, out);
  if (type == "SampledWithoutReplacementDpEvent") {
    return translate_without_replacement(event, type, count, out);
  }
  const std::string mechanism = noise(event, Adjacency::add_remove);
  if (mechanism.empty()) throw InputError("DpEvent " + abbreviated(type) + " is not supported");
  out.add(mechanism, count, false);
}

std::string joined(const std::vector<std::string>& factors) {
  if (factors.empty()) throw InputError("nothing was run: there is no guarantee to audit");
  std::string spec;
  for (const std::string& factor : factors) spec += (spec.empty() ? "" : " * ") + factor;
  return spec;
}

}  // namespace

std::string opacus_spec(const Json& history) {
  if (!history.is_array()) throw InputError("an Opacus history must be a list");
  std::vector<std::string> factors;
  for (const Json& step : history) {
    if (!step.is_array() || step.size() != 3) {
      throw InputError("an Opacus history has entries [noise_multiplier, sample_rate, steps]");
    }
    const std::string noise_multiplier = number_text(step[0], "history: noise_multiplier");
    const std::string sample_rate = number_text(step[1], "history: sample_rate");
    const std::string steps = number_text(step[2], "history: steps");
    if (steps == "0") continue;
    factors.push_back("poisson(gaussian(sigma=" + noise_multiplier + "), rate=" + sample_rate +
                      ")^" + steps);
  }
  return joined(factors);
}

std::string dp_event_spec(const Json& event) {
  Translation translation;
  translate(event, "", translation);
  return joined(translation.factors);
}

}  // namespace plaudit

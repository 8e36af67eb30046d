#include "verification/claims/dp_events.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "lib/text.hpp"
#include "mechanisms/spec_error.hpp"
#include "verification/claims/event_fields.hpp"

namespace plaudit {

namespace {

/// An event and its fields in the order of its class, which is that of its tuple.
struct EventKind {
  std::string_view type;
  std::vector<std::string_view> fields;
};

/// Those that are read.
const std::vector<EventKind>& event_kinds() {
  static const std::vector<EventKind> kinds = {
      {"NoOpDpEvent", {}},
      {"GaussianDpEvent", {"noise_multiplier"}},
      {"LaplaceDpEvent", {"noise_multiplier"}},
      {"DiscreteLaplaceDpEvent", {"noise_parameter", "sensitivity"}},
      {"DiscreteGaussianDpEvent", {"sigma", "sensitivity", "dimension"}},
      {"MixtureOfGaussiansDpEvent", {"standard_deviation", "sensitivities", "sampling_probs"}},
      {"RandomizedResponseDpEvent", {"noise_parameter", "num_buckets"}},
      {"EpsilonDeltaDpEvent", {"epsilon", "delta"}},
      {"ZCDpEvent", {"rho", "xi"}},
      {"ExponentialMechanismDpEvent", {"epsilon"}},
      {"PermuteAndFlipDpEvent", {"epsilon"}},
      {"ComposedDpEvent", {"events"}},
      {"SelfComposedDpEvent", {"event", "count"}},
      {"PoissonSampledDpEvent", {"sampling_probability", "event"}},
      {"SampledWithReplacementDpEvent", {"source_dataset_size", "sample_size", "event"}},
      {"SampledWithoutReplacementDpEvent", {"source_dataset_size", "sample_size", "event"}},
      {"TruncatedSubsampledGaussianDpEvent",
       {"dataset_size", "sampling_probability", "truncated_batch_size", "noise_multiplier"}},
      {"SingleEpochTreeAggregationDpEvent", {"noise_multiplier", "step_counts"}},
  };
  return kinds;
}

const EventKind* kind_of(std::string_view type) {
  for (const EventKind& kind : event_kinds()) {
    if (kind.type == type) return &kind;
  }
  return nullptr;
}

[[noreturn]] void refuse_event(const std::string& type) {
  std::vector<std::string_view> names;
  for (const EventKind& kind : event_kinds()) names.push_back(kind.type);
  throw InputError("DpEvent " + abbreviated(type) + " is not supported" +
                   did_you_mean(type, names));
}

constexpr const char* type_names[] = {"class_name", "type", "class", "__class__"};

bool is_module_of_events(const Json& name) {
  if (!name.is_string()) return false;
  const std::string& text = name.get_ref<const std::string&>();
  return text.substr(text.rfind('.') + 1) == "dp_event";
}

/// Classes of the same name in other modules may mean something else.
void check_module(const Json& name) {
  if (is_module_of_events(name)) return;
  throw InputError("a DpEvent's module_name must be dp_accounting.dp_event, not " +
                   abbreviated(name.is_string() ? name.get<std::string>() : ""));
}

/// A tuple that was written as a list becomes the object of its fields, in all depths.
Json with_names(Json value) {
  if (value.is_object() || value.is_array()) {
    for (Json& each : value) each = with_names(std::move(each));
  }
  const bool tuple = value.is_array() && value.size() >= 2 && is_module_of_events(value[0]) &&
                     value[1].is_string();
  if (!tuple) return value;
  const std::string type = value[1].get<std::string>();
  const EventKind* kind = kind_of(type);
  if (kind == nullptr) refuse_event(type);
  if (value.size() > kind->fields.size() + 2) {
    throw InputError(type + " has at most " + std::to_string(kind->fields.size()) + " fields");
  }
  Json object = {{"module_name", value[0]}, {"class_name", type}};
  for (std::size_t i = 2; i < value.size(); ++i) {
    object[std::string(kind->fields[i - 2])] = std::move(value[i]);
  }
  return object;
}

std::string type_of(const Json& event) {
  if (!event.is_object()) throw InputError("a DpEvent must be an object");
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
  if (under.empty()) {
    throw InputError("a DpEvent needs its class name under \"class_name\" or \"type\"");
  }
  return type;
}

/// A field that the event does not have may have been meant: "count" beside a list of events, or
/// the "sensitivity" of noise.
void check_fields_of(const Json& event, const std::string& type) {
  const EventKind* kind = kind_of(type);
  if (kind == nullptr) refuse_event(type);
  for (const auto& item : event.items()) {
    const std::string& key = item.key();
    if (key == "module_name") {
      check_module(item.value());
    } else if (std::find(kind->fields.begin(), kind->fields.end(), key) == kind->fields.end() &&
               std::find(std::begin(type_names), std::end(type_names), key) ==
                   std::end(type_names)) {
      throw InputError(type + " has no field " + abbreviated(key) +
                       did_you_mean(key, kind->fields));
    }
  }
}

/// A field with a default, which may also be written as null.
bool stated(const Json& event, const char* name) {
  const auto place = event.find(name);
  return place != event.end() && !place->is_null();
}

/// What a noise multiplier or a sampling scheme says of the neighbours: those that differ by one
/// record, by a replaced one, or what the user states.
enum class Neighbours { as_stated, add_remove, replace };

/// A mechanism that is no composition.
struct Step {
  std::string spec;
  Neighbours neighbours = Neighbours::as_stated;
  /// Its pair is for one record that joins or leaves, so that a Poisson sample of it has one.
  bool sampled = true;
  std::string bound = {};  ///< as in ImportedSpec
};

std::string count_text(const Json& event, const std::string& type, const char* name) {
  std::string text = field(event, type, name);
  if (text.find_first_not_of("0123456789") != std::string::npos) {
    throw InputError(type + ": " + name + " must be an integer");
  }
  return text;
}

/// e^{-a |x|} is e^{-|x| / scale}. Of vectors of L1 norm C one coordinate is worst.
/// Proof: docs/proofs/discrete.md#coordinates
Step discrete_laplace(const Json& event, const std::string& type) {
  const Rational parameter = number_field(event, type, "noise_parameter");
  if (parameter <= 0) throw InputError(type + ": noise_parameter must be above 0");
  return {"discrete_laplace(scale=" + to_string(1 / parameter) +
              ", sensitivity=" + count_text(event, type, "sensitivity") + ")",
          Neighbours::add_remove};
}

/// One coordinate: the mechanism of that name. Several, or an unknown number of them: it is
/// s^2 / (2 sigma^2)-zCDP in any dimension, but its pair is not that of one coordinate.
/// Proof: docs/proofs/discrete.md#vectors
Step discrete_gaussian(const Json& event, const std::string& type) {
  const Rational sigma = number_field(event, type, "sigma");
  const Rational sensitivity =
      stated(event, "sensitivity") ? number_field(event, type, "sensitivity") : Rational(1);
  if (sigma <= 0 || sensitivity <= 0) {
    throw InputError(type + ": sigma and sensitivity must be above 0");
  }
  const bool one =
      stated(event, "dimension") && number_field(event, type, "dimension") == Rational(1);
  if (one) {
    return {"discrete_gaussian(sigma=" + to_string(sigma) +
            ", sensitivity=" + to_string(sensitivity) + ")"};
  }
  const Rational rho = sensitivity * sensitivity / (2 * sigma * sigma);
  return {
      "zcdp(rho=" + to_string(rho) + ")", Neighbours::as_stated, false,
      type + " of several or unknown dimensions is bounded by zcdp(rho=" + to_string(rho) + ")"};
}

/// The true bucket has probability 1 - p + p/k, any other p/k. A respondent who is not there gives
/// no answer: the quotients are those of a replaced record.
Step randomized_response(const Json& event, const std::string& type) {
  const Rational p = number_field(event, type, "noise_parameter");
  const Rational k = number_field(event, type, "num_buckets");
  if (p <= 0 || p >= 1) throw InputError(type + ": noise_parameter must be between 0 and 1");
  if (k < 2 || denominator(k) != 1) {
    throw InputError(type + ": num_buckets must be an integer of at least 2");
  }
  const std::string categories = k == 2 ? "" : ", categories=" + to_string(k);
  return {
      "randomized_response(probability=" + to_string(Rational(1 - p + p / k)) + categories + ")",
      Neighbours::replace, false};
}

/// D_alpha <= xi + rho alpha <= (xi + rho) alpha for alpha > 1.
Step concentrated(const Json& event, const std::string& type) {
  const Rational rho = number_field(event, type, "rho");
  const Rational xi = stated(event, "xi") ? number_field(event, type, "xi") : Rational(0);
  if (rho < 0 || xi < 0) throw InputError(type + ": rho and xi must be at least 0");
  const std::string spec = "zcdp(rho=" + to_string(Rational(rho + xi)) + ")";
  return {spec, Neighbours::as_stated, false,
          xi == 0 ? "" : type + " with xi > 0 is bounded by " + spec};
}

/// A selection as the mechanism `name` of the same epsilon. @param only_bounded that mechanism is
/// another one, whose upper ends hold for the selection.
Step selection(const Json& event, const std::string& type, const std::string& name,
               bool only_bounded = false) {
  const std::string spec = name + "(epsilon=" + field(event, type, "epsilon") + ")";
  return {spec, Neighbours::as_stated, true, only_bounded ? type + " is bounded by " + spec : ""};
}

/// `population` bounds the size of the smaller data set. In dp_accounting that may be dataset_size:
/// the other data set may have one record more.
Step truncated(const Json& event, const std::string& type) {
  const std::string spec =
      "truncated_poisson(gaussian(sigma=" + field(event, type, "noise_multiplier") +
      "), rate=" + field(event, type, "sampling_probability") +
      ", cap=" + count_text(event, type, "truncated_batch_size") +
      ", population=" + count_text(event, type, "dataset_size") + ")";
  return {spec, Neighbours::add_remove, false};
}

/// Each record is in one step of one of the trees: that of the most steps is worst.
/// Proof: docs/proofs/matrix.md#tree
Step tree(const Json& event, const std::string& type) {
  const auto place = event.find("step_counts");
  std::string steps;
  if (place != event.end() && place->is_array() && !place->empty()) {
    Rational most = 0;
    for (const Json& each : *place) {
      const std::string count = count_text({{"step_counts", each}}, type, "step_counts");
      most = std::max(most, parse_rational(count));
    }
    steps = to_string(most);
  } else {
    steps = count_text(event, type, "step_counts");
  }
  return {"tree(steps=" + steps + ", sigma=" + field(event, type, "noise_multiplier") + ")",
          Neighbours::add_remove, false};
}

/// Nothing where the event is a sampling or a composition.
std::optional<Step> step_of(const Json& event, const std::string& type) {
  if (type == "GaussianDpEvent") {
    return Step{"gaussian(sigma=" + field(event, type, "noise_multiplier") + ")",
                Neighbours::add_remove};
  }
  if (type == "LaplaceDpEvent") {
    return Step{"laplace(scale=" + field(event, type, "noise_multiplier") + ")",
                Neighbours::add_remove};
  }
  if (type == "MixtureOfGaussiansDpEvent") {
    return Step{"mixture(sigma=" + field(event, type, "standard_deviation") +
                    ", sensitivities=" + list_field(event, type, "sensitivities") +
                    ", probabilities=" + list_field(event, type, "sampling_probs") + ")",
                Neighbours::add_remove};
  }
  if (type == "EpsilonDeltaDpEvent") {
    return Step{"approximate(epsilon=" + field(event, type, "epsilon") +
                ", delta=" + field(event, type, "delta") + ")"};
  }
  if (type == "DiscreteLaplaceDpEvent") return discrete_laplace(event, type);
  if (type == "DiscreteGaussianDpEvent") return discrete_gaussian(event, type);
  if (type == "RandomizedResponseDpEvent") return randomized_response(event, type);
  if (type == "ZCDpEvent") return concentrated(event, type);
  if (type == "ExponentialMechanismDpEvent") return selection(event, type, "exponential");
  if (type == "PermuteAndFlipDpEvent") return selection(event, type, "permute_and_flip");
  if (type == "TruncatedSubsampledGaussianDpEvent") return truncated(event, type);
  if (type == "SingleEpochTreeAggregationDpEvent") return tree(event, type);
  return std::nullopt;
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
  std::string bound;

  void add(const Step& step, const std::string& count) {
    add_remove = add_remove || step.neighbours == Neighbours::add_remove;
    replace = replace || step.neighbours == Neighbours::replace;
    if (replace && add_remove) {
      throw InputError(
          "batches of fixed size and randomized response are under replacement of a record, noise "
          "multipliers without such batches and Poisson samples under add or remove: together they "
          "have no common adjacency");
    }
    if (bound.empty()) bound = step.bound;
    factors.push_back(step.spec + count);
    length += factors.back().size();
    if (length > longest_spec) throw InputError("the event is too long for a spec");
  }
};

/// `count`: "" or "^n", what surrounds the event.
void translate(const Json& event, const std::string& count, Translation& out);

void translate_composed(const Json& event, const std::string& type, const std::string& count,
                        Translation& out) {
  const auto place = event.find("events");
  if (place == event.end() || !place->is_array()) throw InputError(type + ": events is missing");
  for (const Json& each : *place) translate(each, count, out);
}

void translate_self_composed(const Json& event, const std::string& type, const std::string& count,
                             Translation& out) {
  const std::string times = count_text(event, type, "count");
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
  const Neighbours neighbours = within.replace      ? Neighbours::replace
                                : within.add_remove ? Neighbours::add_remove
                                                    : Neighbours::as_stated;
  for (const std::string& factor : within.factors) {
    out.add({"(" + factor + ")", neighbours, true, within.bound}, count);
  }
}

void translate_poisson(const Json& event, const std::string& type, const std::string& count,
                       Translation& out) {
  const Json& sampled = inner(event, type);
  const std::string inner_type = type_of(sampled);
  check_fields_of(sampled, inner_type);
  std::optional<Step> step = step_of(sampled, inner_type);
  // of its own pair there is no law of the sample
  if (inner_type == "ExponentialMechanismDpEvent")
    step = selection(sampled, inner_type, "pure", true);
  if (!step || !step->sampled) {
    throw InputError(type + " of " + abbreviated(inner_type) +
                     " is not supported: only of one mechanism whose pair is for one record");
  }
  out.add({"poisson(" + step->spec + ", rate=" + field(event, type, "sampling_probability") + ")",
           Neighbours::add_remove, true, step->bound},
          count);
}

/// Centres differ by C under add/remove and by up to 2 C under replacement, while dp_accounting
/// defines the noise multiplier as deviation / C: so the sensitivity is 2 here.
void translate_batch(const Json& event, const std::string& type, const std::string& count,
                     Translation& out) {
  const Json& sampled = inner(event, type);
  const std::string inner_type = type_of(sampled);
  check_fields_of(sampled, inner_type);
  if (inner_type != "GaussianDpEvent") {
    throw InputError(type + " of " + abbreviated(inner_type) +
                     " is not supported: only of GaussianDpEvent");
  }
  const bool without = type == "SampledWithoutReplacementDpEvent";
  out.add({std::string(without ? "without_replacement" : "with_replacement") +
               "(gaussian(sigma=" + field(sampled, inner_type, "noise_multiplier") +
               ", sensitivity=2), batch=" + field(event, type, "sample_size") + ", population=" +
               field(event, type, "source_dataset_size") + (without ? ", adjacency=replace)" : ")"),
           Neighbours::replace},
          count);
}

void translate(const Json& event, const std::string& count, Translation& out) {
  const std::string type = type_of(event);
  check_fields_of(event, type);
  if (type == "NoOpDpEvent") return;
  if (type == "ComposedDpEvent") return translate_composed(event, type, count, out);
  if (type == "SelfComposedDpEvent") return translate_self_composed(event, type, count, out);
  if (type == "PoissonSampledDpEvent") return translate_poisson(event, type, count, out);
  if (const std::optional<Step> step = step_of(event, type)) return out.add(*step, count);
  translate_batch(event, type, count, out);
}

}  // namespace

ImportedSpec dp_event_spec(const Json& event) {
  Translation translation;
  translate(event.is_array() || event.is_object() ? with_names(event) : event, "", translation);
  return {product_of(translation.factors), translation.bound};
}

}  // namespace plaudit

// Runs as Opacus and dp_accounting write them: what is imported is a spec of the parts that were
// named and of no others, with as many steps as were stated.
#include <nlohmann/json.hpp>
#include <set>

#include "mechanisms/language/spec.hpp"
#include "mechanisms/spec_error.hpp"
#include "tests/fuzz/harness.hpp"
#include "verification/claims/importers.hpp"

using namespace plaudit;
using fuzz::demand;

namespace {

/// Steps of an event, by its documented fields; 0 for what is no event.
Rational steps_of(const Json& event) {
  Rational steps = 0;
  if (event.is_array()) {
    for (const Json& each : event) steps += parse_rational(each[2].get<std::string>());
    return steps;
  }
  if (event.contains("history")) return steps_of(event["history"]);
  if (event.contains("events")) {
    for (const Json& each : event["events"]) steps += steps_of(each);
  } else if (event.contains("count")) {
    steps = parse_rational(event["count"].get<std::string>()) * steps_of(event["event"]);
  } else {
    for (const char* name : {"type", "class", "__class__", "class_name"}) {
      if (event.contains(name) && event[name] != "NoOpDpEvent") steps = 1;
    }
  }
  return steps;
}

void demand_what_was_named(const Json& event, const Composition& run) {
  static const std::set<std::string> known{"gaussian",
                                           "laplace",
                                           "mixture",
                                           "poisson",
                                           "without_replacement",
                                           "with_replacement",
                                           "discrete_gaussian",
                                           "zcdp",
                                           "pure",
                                           "discrete_laplace",
                                           "randomized_response",
                                           "approximate",
                                           "truncated_poisson",
                                           "tree",
                                           "exponential",
                                           "permute_and_flip"};
  Rational steps = 0;
  for (const Factor& factor : run.factors()) {
    const std::string spec = factor.mechanism->spec();
    demand(known.count(spec.substr(0, spec.find('('))) == 1, "imported " + spec);
    steps += factor.count;
  }
  demand(steps == steps_of(event), "other steps in " + run.spec());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Json event = parse_exact_json(fuzz::text_of(data, size));
    const Composition run = parse_spec(imported_spec(event).spec);
    const bool tuples = event.dump().find("[\"dp_event\"") != std::string::npos ||
                        event.dump().find(".dp_event\",") != std::string::npos;
    if (!tuples) demand_what_was_named(event, run);
  } catch (const InputError& error) {
    fuzz::demand_message(error.what());
  } catch (const SpecError& error) {
    fuzz::demand_message(error.what());
  }
  return 0;
}

// Specs: what is read prints a canonical form that reads back as itself, and the checker, whose
// reader shares no code, understands the same or refuses.
#include "mechanisms/language/spec.hpp"

#include "accountants/proof/arithmetic/rejected.hpp"
#include "mechanisms/spec_error.hpp"
#include "tests/fuzz/harness.hpp"
#include "verification/checker/specs/specs.hpp"

using namespace plaudit;
using fuzz::demand;

namespace {

void demand_read_alike(const Composition& ours, const proof::Spec& theirs) {
  demand(ours.spec() == theirs.text, "two canonical forms: " + ours.spec() + ", " + theirs.text);
  demand(to_text(ours.adjacency()) == to_text(theirs.adjacency),
         "two adjacencies of " + theirs.text);
  demand(ours.symmetric() == theirs.symmetric, "two symmetries of " + theirs.text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  fuzz::forbid_files();
  std::optional<Composition> ours;
  try {
    ours.emplace(parse_spec(text));
    const std::string canonical = ours->spec();
    fuzz::demand_message(canonical.substr(0, 1000));
    demand(parse_spec(canonical).spec() == canonical, "not a fixed point: " + canonical);
  } catch (const SpecError& error) {
    demand(!ours, "the canonical form is refused: " + std::string(error.what()));
    fuzz::demand_message(error.what());
  }
  proof::Budget budget({.timeout = 2, .operations = 1e6});
  try {
    const proof::Spec theirs = proof::read_spec(ours ? ours->spec() : text, {}, &budget);
    demand(ours.has_value(), "only the checker reads it");
    demand_read_alike(*ours, theirs);
  } catch (const proof::Rejected& error) {
    fuzz::demand_message(error.what());
  }
  return 0;
}

// Law files: read or refused with one line; the checker, whose reader shares no code, reads no law
// that is refused here but for the length of a number, where certificates have other limits, and
// what both read is for the same neighbours.
#include "mechanisms/forms/pld_file.hpp"

#include <optional>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/spec_error.hpp"
#include "tests/fuzz/harness.hpp"
#include "verification/checker/specs/specs.hpp"

using namespace plaudit;
using fuzz::demand;

namespace {

struct Read {
  WrittenPair pair;
  std::shared_ptr<const PrivacyLoss> remove;
  std::shared_ptr<const PrivacyLoss> add;
};

std::optional<Read> read(std::string_view text, std::string& reason) {
  try {
    Read result{parse_pld(std::string(text), "law.json"), nullptr, nullptr};
    result.remove = loss_of(result.pair.remove, "remove");
    result.add = loss_of(result.pair.add, "add");
    return result;
  } catch (const SpecError& error) {
    reason = error.what();
    fuzz::demand_message(reason);
    return std::nullopt;
  }
}

/// Of a law: every mass is enclosed in [0, 1], the ends are in order.
void demand_law(const PrivacyLoss& loss) {
  const PrecisionScope scope(64);
  demand(!certainly_less(loss.greatest_loss(), loss.least_loss()), "ends out of order");
  for (const Ball& each : {loss.mass_at_infinity(), loss.q_mass(), loss.p_above(Ball(0)),
                           loss.q_above(Ball(0)), loss.delta(Ball(0))}) {
    demand(!certainly_less(each, Ball(0)) && !certainly_greater(each, Ball(1)),
           "no probability: " + each.to_string(6));
  }
}

void run(std::string_view text) {
  std::string reason;
  const std::optional<Read> ours = read(text, reason);
  if (ours) {
    demand_law(*ours->remove);
    demand_law(*ours->add);
  }
  try {
    proof::Budget budget{proof::Limits{}};
    const proof::WrittenLaws theirs = proof::read_laws(proof::parse(text), "law.json", budget);
    if (reason.find("must be a number of the spec language") != std::string::npos) return;
    demand(ours.has_value(), "only the checker reads it: " + reason);
    demand(theirs.symmetric == ours->pair.symmetric, "two symmetries");
    demand(to_text(theirs.adjacency) == to_text(ours->pair.adjacency), "two adjacencies");
  } catch (const proof::Rejected& error) {
    fuzz::demand_message(error.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run(fuzz::text_of(data, size));
  flint_cleanup();  // FLINT keeps large integers for later, where no leak checker finds them
  return 0;
}

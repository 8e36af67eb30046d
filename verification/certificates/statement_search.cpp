#include "verification/certificates/statement_search.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "lib/work/interruption.hpp"
#include "lib/work/work_limit.hpp"

namespace plaudit {

namespace {

using Json = nlohmann::ordered_json;
using Verb = StatementQuestion::Verb;

/// Of the work that is left: one kind that takes long must leave some to the others.
constexpr double share_of_one_kind = 0.5;
/// Nominal seconds of an interval operation of the checker at 128 bits (measured 2026-11).
constexpr double seconds_of_operation = 2e-7;

Json statement(const StatementQuestion& question, const Proposal& proposal) {
  return {{"direction", std::string(name_of(question.direction))},
          {"epsilon", question.at_infinity ? "inf" : to_string(question.epsilon)},
          {verb_name(question.verb), to_string(question.bound)},
          {"kind", proposal.kind},
          {"bits", proposal.bits},
          {"choices", proposal.choices}};
}

enum class Outcome { proven, too_weak, false_statement };

/// Proof::varies is kept to spare so many times over: the two checkers' errors that depend on the
/// order of operations differed by a factor of 8 at most (measured 2026-11). A smaller number makes
/// certificates that the checker in Python rejects.
constexpr long times_varying = 16;

Outcome judge(const StatementQuestion& question, const Proposal& proposal,
              const proof::Evaluation& found) {
  const Rational bound = question.bound;
  Rational spare = times_varying * found.varies;
  if (!proposal.exact)
    spare += bound / pow(Integer(2), static_cast<unsigned long>(proposal.bits / 2));
  if (question.verb == Verb::exceeds_before) {
    return found.before && *found.before >= bound ? Outcome::proven : Outcome::too_weak;
  }
  if (question.upper()) {
    if (found.high + spare <= bound) return Outcome::proven;
    return found.low > bound ? Outcome::false_statement : Outcome::too_weak;
  }
  if (found.low - spare >= bound) return Outcome::proven;
  return found.high < bound ? Outcome::false_statement : Outcome::too_weak;
}

}  // namespace

const char* verb_name(Verb verb) {
  return verb == Verb::at_most ? "at_most" : verb == Verb::at_least ? "at_least" : "exceeds_before";
}

Json StatementSearch::run(std::optional<Proposal>& known) {
  reasons_.clear();
  for (const Proposer& proposer : proposers()) {
    // where only bounds of moments are known, the others would ask for values that do not exist
    const std::string_view kind(proposer.kind);
    if (!question_.spec.has_pair && kind != "moments") continue;
    try {
      const WorkShare share(share_of_one_kind * work_seconds_left());
      for (const Proposal& proposal : proposer.propose(question_)) {
        Json result = tried(proposal);
        if (!result.is_null()) known = proposal;
        if (!result.is_null() || is_false_) return result;
      }
    } catch (const std::invalid_argument& refusal) {
      note(proposer.kind, refusal.what());
    } catch (const std::logic_error& missing) {  // moments, of a law that states its tails alone
      if (question_.loss.without_moments() == nullptr) throw;
      note(proposer.kind, missing.what());
    } catch (const WorkShareReached&) {
      note(proposer.kind, "takes too long");
    }
  }
  return nullptr;
}

Json StatementSearch::tried(const Proposal& proposal) {
  check_work_limit();
  Json result = statement(question_, proposal);
  proof::Limits limits;
  limits.timeout = std::min(wall_seconds_left(), limits.timeout);
  limits.work = work_seconds_left() / seconds_of_operation;
  limits.look = check_interruption;
  const proof::Evaluation found = proof::evaluate(question_.spec, result, limits);
  count_work(found.operations * seconds_of_operation);
  check_work_limit();
  return proven(proposal, found) ? result : Json();
}

bool StatementSearch::proven(const Proposal& proposal, const proof::Evaluation& found) {
  if (!found.valid) {
    note(proposal.kind, found.reason);
    return false;
  }
  const Outcome outcome = judge(question_, proposal, found);
  if (outcome == Outcome::false_statement) {
    is_false_ = true;
    note(proposal.kind, "the statement is false");
  } else if (outcome == Outcome::too_weak) {
    note(proposal.kind, "does not reach so narrow a band");
  }
  return outcome == Outcome::proven;
}

void StatementSearch::note(const std::string& kind, const std::string& reason) {
  const std::string text = kind + ": " + reason;
  if (reasons_.find(text) != std::string::npos) return;
  reasons_ += (reasons_.empty() ? "" : "; ") + text;
}

}  // namespace plaudit

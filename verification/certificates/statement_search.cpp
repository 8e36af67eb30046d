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
/// Of the checker's (measured 2026-11).
constexpr double seconds_of_operation = 2e-7;

Json statement(const StatementQuestion& question, const Proposal& proposal) {
  return {{"direction", std::string(name_of(question.direction))},
          {"epsilon", question.at_infinity ? "inf" : to_string(question.epsilon)},
          {verb_name(question.verb), to_string(question.bound)},
          {"kind", proposal.kind},
          {"bits", proposal.bits},
          {"errors", Json::object()},
          {"choices", proposal.choices}};
}

enum class Outcome { proven, too_weak, false_statement };

/// The checkers group and round the ranges of a contour each in its own way: their errors are
/// stated so many times over, and kept to spare in the bound.
constexpr long times_ranges = 16;
bool of_ranges(const std::string& error) { return error.ends_with("ranges"); }

Outcome judge(const StatementQuestion& question, const Proposal& proposal,
              const proof::Evaluation& found) {
  const Rational bound = question.bound;
  Rational spare = 0;
  for (const auto& [name, size] : found.errors) {
    if (of_ranges(name)) spare += Rational(3 * times_ranges * parse_rational(size));
  }
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
  std::vector<Proposer> kinds = proposers();
  if (question_.pinched) {
    std::stable_partition(kinds.begin(), kinds.end(), [](const Proposer& proposer) {
      return std::string_view(proposer.kind) == "pinch";
    });
  }
  for (const Proposer& proposer : kinds) {
    // the others would ask the law of the program, or the checker, what it has no answer to
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
  if (!proven(proposal, found)) return nullptr;
  if (question_.verb == Verb::exceeds_before) return result;
  for (const auto& [name, size] : found.errors) {
    const bool varies = !proposal.varying_error.empty() && name.ends_with(proposal.varying_error);
    const long times = of_ranges(name) ? times_ranges : varies ? 4 : 1;
    result["errors"][name] = times > 1 ? to_string(Rational(times * parse_rational(size))) : size;
  }
  return result;
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

#include "verification/crosscheck/comparison.hpp"

#include <stdexcept>

#include "accountants/refusals.hpp"
#include "accountants/registry.hpp"
#include "accountants/session/contradiction.hpp"
#include "lib/work/given_up.hpp"

namespace plaudit {

namespace {

/// Why the accountant does not apply to a direction asked for, if so.
std::optional<std::string> refusal(const Accountant& accountant, const Composition& composition,
                                   DirectionChoice choice) {
  for (const Direction one : {Direction::remove, Direction::add}) {
    const bool asked = choice == DirectionChoice::both ||
                       (choice == DirectionChoice::remove) == (one == Direction::remove);
    if (!asked) continue;
    if (auto reason = refusal_of(accountant, ComposedLoss(composition, one))) return reason;
  }
  return std::nullopt;
}

std::string verdict_of(const ComparedAnswer& compared) {
  const Answer& answer = *compared.answer;
  if (!answer.band.certified && compared.claim && *compared.claim != ClaimForm::estimate) {
    const std::string form(name_of(*compared.claim));
    return "claims " + (*compared.claim == ClaimForm::band ? "a band" : "the " + form + " end");
  }
  return !answer.band.certified ? "estimate" : answer.reached ? "reached" : "wider";
}

bool disjoint(const ComparedAnswer& a, const ComparedAnswer& b) {
  if (!a.answer || !b.answer || a.claim || b.claim) return false;
  const Enclosure& x = a.answer->band;
  const Enclosure& y = b.answer->band;
  return x.certified && y.certified &&
         (certainly_less(x.upper, y.lower) || certainly_less(y.upper, x.lower));
}

/// Of the claim by the proven answer: in a direction that both answer, or for both together.
std::optional<Contradiction> contradiction_of(const ComparedAnswer& claim,
                                              const ComparedAnswer& proven) {
  for (const DirectionAnswer& claimed : claim.answer->directions) {
    for (const DirectionAnswer& known : proven.answer->directions) {
      if (claimed.direction != known.direction) continue;
      if (!contradicts(known.band, claimed.band, *claim.claim)) continue;
      return Contradiction{proven.accountant, std::string(name_of(known.direction)), claimed.band,
                           known.band};
    }
  }
  if (!contradicts(proven.answer->band, claim.answer->band, *claim.claim)) return std::nullopt;
  return Contradiction{proven.accountant, "both", claim.answer->band, proven.answer->band};
}

void refuse(ComparedAnswer& answer, const std::string& reason) {
  answer.refused = true;
  answer.verdict = "refused: " + reason;
}

/// Width, to find the band that says most.
double width_of(const Contradiction& contradiction) {
  return (contradiction.proven.upper - contradiction.proven.lower).upper_double();
}

}  // namespace

ComparedAnswer compared_answer(const Composition& composition, const AnswerOptions& options,
                               Quantity quantity, const Rational& argument) {
  ComparedAnswer result{options.accountant, std::nullopt, {}, false};
  try {
    if (!options.automatic()) {
      const auto chosen = accountant(options.accountant);
      result.claim = chosen->claim();
      if (const auto reason = refusal(*chosen, composition, options.direction)) {
        refuse(result, *reason);
        return result;
      }
    }
    result.answer = Session(composition, options).answer(quantity, argument);
    result.verdict = verdict_of(result);
  } catch (const PluginError&) {  // no refusal: the plug-in is broken
    throw;
  } catch (const std::invalid_argument& error) {
    refuse(result, error.what());
  } catch (...) {  // one accountant's failure must not hide the others
    const GivenUp why = given_up();
    result.failed = why.cause == Cause::defect || why.cause == Cause::contradiction;
    result.verdict = result.failed              ? why.words
                     : why.cause == Cause::time ? "no band within the time limit"
                                                : "no band: " + why.words;
  }
  return result;
}

bool mark_disjoint(std::vector<ComparedAnswer>& answers) {
  bool found = false;
  for (ComparedAnswer& a : answers) {
    for (const ComparedAnswer& b : answers) {
      if (!disjoint(a, b)) continue;
      a.verdict = "disjoint from " + b.accountant;
      found = true;
    }
  }
  return found;
}

bool mark_refuted(std::vector<ComparedAnswer>& answers) {
  bool found = false;
  for (ComparedAnswer& claim : answers) {
    if (!claim.claim || !claim.answer) continue;
    std::optional<Contradiction>& best = claim.contradiction;
    for (const ComparedAnswer& proven : answers) {
      if (proven.claim || !proven.answer || !proven.answer->band.certified) continue;
      auto contradiction = contradiction_of(claim, proven);
      if (!contradiction) continue;
      if (!best || width_of(*contradiction) < width_of(*best)) best = std::move(contradiction);
    }
    if (!best) continue;
    claim.verdict = "refuted by " + best->accountant;
    found = true;
  }
  return found;
}

}  // namespace plaudit

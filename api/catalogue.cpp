// The public interface: the registries, and every accountant side by side.
#include "accountants/contradiction.hpp"
#include "accountants/registry.hpp"
#include "lib/balls/ball.hpp"
#include "mechanisms/language/spec_error.hpp"
#include "mechanisms/registry.hpp"

#include "api/core.hpp"
#include "lib/work/work_limit.hpp"
#include "plaudit/catalogue.hpp"

namespace plaudit::inline v0 {

namespace {

std::string text(std::string_view view) { return std::string(view); }

std::vector<ParameterEntry> entries_of(const std::vector<Parameter>& parameters) {
  std::vector<ParameterEntry> entries;
  for (const Parameter& parameter : parameters) {
    ParameterEntry entry{
        text(parameter.name), text(parameter.domain), text(parameter.fallback), {}};
    for (const std::string_view alias : parameter.aliases) entry.aliases.push_back(text(alias));
    entries.push_back(std::move(entry));
  }
  return entries;
}

/// An answer with what comparing needs: the ends exactly.
struct Answered {
  Comparison::Entry entry;
  std::optional<Enclosure> band;
  std::optional<ClaimForm> claim = {};  ///< of an accountant that is not ours
};

std::optional<std::string> refusal(const Accountant& accountant,
                                   const core::Composition& composition, DirectionChoice choice) {
  for (const core::Direction one : {core::Direction::remove, core::Direction::add}) {
    const bool asked = choice == DirectionChoice::both ||
                       (choice == DirectionChoice::remove) == (one == core::Direction::remove);
    if (!asked) continue;
    if (auto reason = accountant.refusal(core::ComposedLoss(composition, one))) return reason;
  }
  return std::nullopt;
}

/// It claims a band or one end of it: no proof, no estimate.
bool says_something(const Answered& one) { return one.claim && *one.claim != ClaimForm::estimate; }

Answered asked(const std::string& name, const core::Composition& composition,
               const CompareOptions& options, Quantity quantity, const Rational& argument) {
  Answered result{{name, std::nullopt, {}}, std::nullopt};
  try {
    const auto chosen = accountant(name);
    result.claim = chosen->claim();
    if (const auto why = refusal(*chosen, composition, options.direction)) {
      result.entry.verdict = "refused: " + *why;
      return result;
    }
    const core::AnswerOptions how =
        core_options({options.digits, name, options.direction, options.timeout_seconds,
                      options.threads, options.memory_bytes});
    const core::Answer answer = core::Session(composition, how).answer(quantity, argument);
    result.band = answer.band;
    result.entry.band = to_band(answer);
    result.entry.verdict = !answer.band.certified
                               ? (says_something(result) ? "claimed" : "estimate")
                           : answer.reached ? "reached"
                                            : "wider";
  } catch (const std::invalid_argument& error) {
    result.entry.verdict = std::string("refused: ") + error.what();
  } catch (const WorkLimitReached&) {
    result.entry.verdict = "no band within the time limit";
  } catch (const std::exception& error) {  // one accountant's failure must not hide the others
    result.entry.verdict = std::string("internal error: ") + error.what();
  }
  return result;
}

bool disjoint(const Answered& a, const Answered& b) {
  if (a.claim || b.claim) return false;
  if (!a.band || !b.band || !a.band->certified || !b.band->certified) return false;
  return certainly_less(a.band->upper, b.band->lower) ||
         certainly_less(b.band->upper, a.band->lower);
}

/// What one claims is certainly not so, as the other one proves.
bool refuted(const Answered& claim, const Answered& proven) {
  if (!claim.claim || proven.claim || !claim.band || !proven.band) return false;
  return proven.band->certified && contradicts(*proven.band, *claim.band, *claim.claim);
}

Comparison compare(const Composition& composition, const CompareOptions& options, Quantity quantity,
                   const Rational& argument) {
  std::vector<std::string> names = options.accountants;
  for (const std::string& name : names) accountant(name);  // refused where there is none
  if (names.empty()) {
    for (const auto& each : all_accountants()) names.emplace_back(each->name());
  }
  core_options({options.digits, "auto", options.direction, options.timeout_seconds, options.threads,
                options.memory_bytes});  // refused before the work
  std::vector<Answered> answers;
  for (const std::string& name : names) {
    answers.push_back(asked(name, composition.data().composition, options, quantity, argument));
  }
  Comparison result;
  for (const Answered& one : answers) {
    Comparison::Entry entry = one.entry;
    for (const Answered& other : answers) {
      if (refuted(one, other)) {
        entry.verdict = "refuted by " + other.entry.accountant;
        result.refuted = true;
      }
      if (!disjoint(one, other)) continue;
      entry.verdict = "disjoint from " + other.entry.accountant;
      result.contradiction = true;
    }
    result.entries.push_back(std::move(entry));
  }
  return result;
}

}  // namespace

std::vector<MechanismEntry> list_mechanisms() {
  std::vector<MechanismEntry> entries;
  std::vector<MechanismKind> kinds = mechanism_kinds();
  for (const auto& kind : added_mechanism_kinds()) kinds.push_back(*kind);
  for (const MechanismKind& kind : kinds) {
    entries.push_back({text(kind.name), signature(kind), text(kind.summary),
                       entries_of(kind.parameters), text(kind.adjacency), text(kind.theorem),
                       text(kind.example)});
  }
  return entries;
}

std::vector<AccountantEntry> list_accountants() {
  std::vector<AccountantEntry> entries;
  for (const auto& each : all_accountants()) {
    entries.push_back({text(each->name()), text(each->summary()), entries_of(each->parameters()),
                       text(each->theorem()), !each->estimates_only() && !each->claim()});
  }
  return entries;
}

Comparison compare_epsilon(const Composition& composition, const Number& delta,
                           const CompareOptions& options) {
  const Rational argument = exact(delta, "delta");
  if (argument < 0 || argument > 1) throw SpecError("delta: must lie in [0, 1]");
  return compare(composition, options, Quantity::epsilon, argument);
}

Comparison compare_delta(const Composition& composition, const Number& epsilon,
                         const CompareOptions& options) {
  return compare(composition, options, Quantity::delta, exact(epsilon, "epsilon"));
}

}  // namespace plaudit::inline v0

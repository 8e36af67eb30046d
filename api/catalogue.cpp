// The public interface: the registries, and every accountant side by side.
#include "api/core.hpp"
#include "mechanisms/language/shorthand.hpp"
#include "mechanisms/spec_error.hpp"

#include "verification/crosscheck/comparison_picture.hpp"

// After the inner names, see api/core.hpp.
#include "api/comparison_data.hpp"
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

Comparison compare(const Composition& composition, const CompareOptions& options, Quantity quantity,
                   const Rational& argument) {
  std::vector<std::string> names = options.accountants;
  for (const std::string& name : names) accountant(name);  // refused where there is none
  if (names.empty()) {
    for (const auto& each : all_accountants()) names.emplace_back(each->name());
  }
  core::AnswerOptions how =
      core_options({options.digits, "auto", options.direction, options.timeout_seconds,
                    options.threads, options.memory_bytes});  // refused before the work
  how.attack = false;
  core::make_laws(composition.data().composition);
  std::vector<core::ComparedAnswer> answers;
  for (const std::string& name : names) {
    how.accountant = name;
    answers.push_back(
        core::compared_answer(composition.data().composition, how, quantity, argument));
    if (options.told) options.told(answers.size(), names.size());
  }
  Comparison result;
  result.refuted = core::mark_refuted(answers);
  result.contradiction = core::mark_disjoint(answers);
  for (const core::ComparedAnswer& one : answers) {
    const bool claimed = one.claim && *one.claim != ClaimForm::estimate && one.answer;
    Comparison::Entry entry{one.accountant, std::nullopt,
                            claimed && !one.contradiction ? "claimed" : one.verdict};
    if (one.answer) entry.band = to_band(*one.answer);
    result.entries.push_back(std::move(entry));
  }
  const bool of_epsilon = quantity == Quantity::epsilon;
  auto data = std::make_shared<ComparisonData>();
  data->picture.spec = composition.spec();
  data->picture.quantity = of_epsilon ? "epsilon" : "delta";
  data->picture.question =
      (of_epsilon ? "epsilon at delta = " : "delta at epsilon = ") + to_string(argument);
  data->picture.remark = "adjacency " + to_text(composition.data().composition.adjacency());
  add_intervals(data->picture, answers);
  result.data = std::move(data);
  return result;
}

}  // namespace

std::vector<MechanismEntry> list_mechanisms() {
  std::vector<MechanismEntry> entries;
  for (const MechanismKind& kind : all_mechanism_kinds()) {
    entries.push_back({text(kind.name), signature(kind), text(kind.summary),
                       entries_of(kind.parameters), text(kind.adjacency), theorems_of(kind),
                       text(kind.example)});
  }
  return entries;
}

std::vector<MechanismEntry> list_shorthands() {
  std::vector<MechanismEntry> entries;
  for (const Shorthand& each : shorthands()) {
    entries.push_back({text(each.name), text(each.name) + "(...)", text(each.summary),
                       entries_of(each.parameters), text(each.adjacency), text(each.theorem),
                       text(each.example)});
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

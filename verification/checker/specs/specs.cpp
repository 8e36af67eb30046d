#include "verification/checker/specs/specs.hpp"

#include <limits>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/laws/law_text.hpp"
#include "verification/checker/specs/mechanism.hpp"

namespace plaudit::proof {

namespace {

/// What is stated must be the same for all factors; what is not stated goes with anything.
Adjacency common(const Adjacency& a, const Adjacency& b) {
  const bool a_is_open = a.kind == Adjacency{}.kind;
  const bool b_is_open = b.kind == Adjacency{}.kind;
  require(a_is_open || b_is_open || a.kind == b.kind,
          "the spec: factors for different adjacencies do not compose");
  require(!a.group || !b.group || *a.group == *b.group,
          "the spec: factors for different group sizes do not compose");
  return {a_is_open ? b.kind : a.kind, a.group ? a.group : b.group, a.guarantee && b.guarantee};
}

void collect_files(const Call& call, std::set<std::string>& paths) {
  for (const Argument& argument : call.arguments) {
    if (const auto* inner = std::get_if<std::shared_ptr<const Call>>(&argument.value)) {
      collect_files(**inner, paths);
    }
    if (const auto* path = std::get_if<Quoted>(&argument.value)) paths.insert(path->text);
  }
}

}  // namespace

Json law_list(const Spec& spec) {
  const auto of = [](const Run& run) {
    Json result = Json::array();
    for (const Factor& factor : run.factors) {
      result.push_back({{"law", text_of(*factor.law)}, {"count", factor.count}});
    }
    return result;
  };
  if (spec.symmetric) return {{"both", of(spec.remove)}};
  return {{"remove", of(spec.remove)}, {"add", of(spec.add)}};
}

std::set<std::string> files_named(std::string_view text) {
  std::set<std::string> paths;
  for (const Power& power : parse_spec_text(text)) collect_files(*power.call, paths);
  return paths;
}

Spec read_spec(std::string_view text, const LawFiles& files, Budget* budget,
               const StatedCurves& curves) {
  const std::vector<Power> powers = parse_spec_text(text);
  const std::set<std::string> paths = files_named(text);
  for (const auto& [path, content] : files) {
    require(paths.count(path) == 1, "files: the spec does not name " + in_quotes(path));
  }
  Budget unlimited(
      Limits{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()});
  Supplied supplied(curves);
  Spec spec;
  for (const auto& [path, content] : files) {
    supplied.files.emplace(path, read_laws(content, path, budget != nullptr ? *budget : unlimited));
    spec.laws.push_back(supplied.files.at(path).summary);
  }
  spec.remove.direction = Direction::remove;
  spec.add.direction = Direction::add;
  std::set<std::string> names;
  for (const Power& power : powers) {
    if (budget != nullptr) budget->spend(0);
    const Mechanism mechanism = build(*power.call, supplied);
    if (budget != nullptr) {
      budget->announce(mechanism.operations);
      budget->keep(values_of(*mechanism.remove));
      if (mechanism.beside) budget->keep(values_of(*mechanism.beside->law));
    }
    spec.has_pair = spec.has_pair && !std::holds_alternative<Bounded>(*mechanism.remove) &&
                    !(mechanism.beside && std::holds_alternative<Bounded>(*mechanism.beside->law));
    require(names.insert(mechanism.text).second,
            "the spec is not in canonical form: a mechanism occurs twice");
    spec.adjacency = common(spec.adjacency, mechanism.adjacency);
    spec.symmetric = spec.symmetric && mechanism.symmetric;
    const std::string& own = mechanism.beside ? mechanism.beside->first : mechanism.text;
    spec.remove.factors.push_back({own, mechanism.remove, power.count});
    spec.add.factors.push_back({own, mechanism.add, power.count});
    if (mechanism.beside) {  // the same law in both directions
      const auto& [first, second, law] = *mechanism.beside;
      for (Run* run : {&spec.remove, &spec.add}) run->factors.push_back({second, law, power.count});
    }
    if (!spec.text.empty()) spec.text += " * ";
    spec.text += mechanism.text;
    if (power.count > 1) spec.text += "^" + std::to_string(power.count);
  }
  require(spec.text == text,
          "the spec is not in canonical form, which would be " + in_quotes(spec.text));
  spec.from_above = !supplied.promises().empty();
  if (budget != nullptr) {
    for (const Supplied::Promise& each : supplied.promises()) budget->announce(each.operations);
    for (const Supplied::Promise& each : supplied.promises()) each.prove(*budget);
  }
  return spec;
}

}  // namespace plaudit::proof

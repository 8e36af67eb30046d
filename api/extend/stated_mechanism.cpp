#include "api/extend/stated_mechanism.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "api/extend/names.hpp"
#include "api/extend/stated_loss.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::inline v0 {

namespace {

std::string words_of(const extend::Parameter& parameter) {
  switch (parameter.domain) {
    case extend::Domain::positive:
      return "a number > 0";
    case extend::Domain::probability:
      return "a number in (0, 1]";
    case extend::Domain::count:
      return "an integer from 1 to 10^12";
    case extend::Domain::word: {
      std::string text;
      for (const std::string& word : parameter.words) text += (text.empty() ? "" : " or ") + word;
      return text;
    }
    case extend::Domain::text:
      return "a text in quotes";
    case extend::Domain::mechanism:
      return "a mechanism";
    case extend::Domain::number:
      break;
  }
  return "a number";
}

Rational number_of(const plaudit::Arguments& given, const extend::Parameter& parameter) {
  switch (parameter.domain) {
    case extend::Domain::positive:
      return given.positive(parameter.name);
    case extend::Domain::probability:
      return given.positive_probability(parameter.name);
    case extend::Domain::count:
      return Rational(given.count(parameter.name, most_steps));
    default:
      return given.number(parameter.name);
  }
}

/// The parameter's exact value, within its domain, and its text in a spec.
std::pair<extend::Arguments::Value, std::string> value_of(const plaudit::Arguments& given,
                                                          const extend::Parameter& parameter) {
  switch (parameter.domain) {
    case extend::Domain::word: {
      const std::string word =
          given.word(parameter.name, {parameter.words.begin(), parameter.words.end()});
      return {word, word};
    }
    case extend::Domain::text: {
      const std::string& text = given.text(parameter.name);
      return {text, '"' + text + '"'};
    }
    case extend::Domain::mechanism: {
      const MechanismPointer& mechanism = given.mechanism(parameter.name);
      return {composed({{mechanism, 1}}), mechanism->spec()};
    }
    default: {
      const std::string number = to_string(number_of(given, parameter));
      return {Number(number), number};
    }
  }
}

core::Adjacency to_core(const Adjacency& stated, const std::string& name) {
  using Kind = core::Adjacency;
  for (const char* kind : {Kind::add_remove, Kind::replace, Kind::zero_out}) {
    if (stated.kind != kind) continue;
    if (stated.group_size < 1) throw SpecError(name + " (plug-in): the group size must be >= 1");
    return {kind, stated.group_size, stated.guarantee};
  }
  if (stated.kind == Kind::as_stated && stated.group_size == 1) {
    return {Kind::as_stated, std::nullopt, stated.guarantee};
  }
  throw SpecError(name +
                  " (plug-in): the adjacency must be add_remove, replace, zero_out or "
                  "as_stated (of group size 1), not " +
                  abbreviated(stated.kind));
}

class StatedMechanism final : public plaudit::Mechanism {
 public:
  StatedMechanism(std::string spec, core::Adjacency adjacency,
                  std::shared_ptr<const core::PrivacyLoss> remove,
                  std::shared_ptr<const core::PrivacyLoss> add, std::string attained)
      : spec_(std::move(spec)),
        adjacency_(std::move(adjacency)),
        remove_(std::move(remove)),
        add_(std::move(add)),
        attained_(std::move(attained)) {}

  std::string spec() const override { return spec_; }
  std::shared_ptr<const core::PrivacyLoss> loss(core::Direction direction) const override {
    return direction == core::Direction::remove ? remove_ : add_;
  }
  bool symmetric() const override { return remove_ == add_; }
  core::Adjacency adjacency() const override { return adjacency_; }
  Attainment attainment() const override {
    if (!attained_.empty()) return {Attained::yes, attained_ + " (as the plug-in states)"};
    return {Attained::unknown,
            "the plug-in states that the pair dominates, not that it is attained"};
  }

 private:
  std::string spec_;
  core::Adjacency adjacency_;
  std::shared_ptr<const core::PrivacyLoss> remove_;
  std::shared_ptr<const core::PrivacyLoss> add_;
  std::string attained_;  ///< by which data sets, as the plug-in says
};

/// The plug-in's mechanism with the texts that `kind` refers to as string views.
struct Held {
  std::shared_ptr<const extend::Mechanism> stated;
  std::string name;
  std::string summary;
  std::string theorem;
  std::string example;
  std::vector<extend::Parameter> parameters;
  std::vector<std::string> domains;    ///< of the parameters, in words
  std::vector<std::string> fallbacks;  ///< as value_of() writes them; empty where there is none
  MechanismKind kind;
};

MechanismPointer built(const Held& held, const plaudit::Arguments& given) {
  std::vector<std::pair<std::string, extend::Arguments::Value>> values;
  std::string spec = held.name + '(';
  for (std::size_t i = 0; i < held.parameters.size(); ++i) {
    const std::string& name = held.parameters[i].name;
    auto [value, text] = value_of(given, held.parameters[i]);
    values.emplace_back(name, std::move(value));
    if (text == held.fallbacks[i]) continue;
    if (spec.back() != '(') spec += ", ";
    spec += name;
    spec += '=';
    spec += text;
  }
  spec += ')';
  const extend::Arguments arguments(std::move(values));
  extend::Laws laws;
  Adjacency adjacency;
  std::string attained;
  try {
    laws = held.stated->laws(arguments);
    adjacency = held.stated->adjacency(arguments);
    attained = held.stated->attained(arguments);
  } catch (const WorkLimitReached&) {
    throw;
  } catch (const std::exception& error) {
    throw SpecError(held.name + " (plug-in): " + error.what());
  }
  if (!laws.remove) throw SpecError(held.name + " (plug-in): it has no law for remove");
  const auto remove = stated_loss(laws.remove, held.name + (laws.add ? ", remove" : ""));
  const auto add = laws.add ? stated_loss(laws.add, held.name + ", add") : remove;
  return std::make_shared<StatedMechanism>(std::move(spec), to_core(adjacency, held.name), remove,
                                           add, std::move(attained));
}

/// The default as value_of() writes it. @throws SpecError where there may be none of this kind.
std::string fallback_of(const extend::Parameter& parameter, const std::string& mechanism) {
  const std::string& fallback = parameter.fallback;
  const auto refuse = [&](const std::string& what) {
    throw SpecError(mechanism + " (plug-in): the default of " + parameter.name + " must be " +
                    what + ", not " + abbreviated(fallback));
  };
  if (fallback.empty()) return {};
  switch (parameter.domain) {
    case extend::Domain::text:
    case extend::Domain::mechanism:
      refuse("empty");
      break;
    case extend::Domain::word:
      if (std::count(parameter.words.begin(), parameter.words.end(), fallback) == 0) {
        refuse(words_of(parameter));
      }
      return fallback;
    default:
      break;
  }
  try {
    return to_string(parse_rational(fallback));
  } catch (const NumberError&) {
    refuse("a number");
  }
  return {};
}

void read_parameters(Held& held) {
  held.parameters = held.stated->parameters();
  for (std::size_t i = 0; i < held.parameters.size(); ++i) {
    const extend::Parameter& parameter = held.parameters[i];
    check_name(parameter.name, "the parameter");
    for (std::size_t j = 0; j < i; ++j) {
      if (held.parameters[j].name == parameter.name) {
        throw SpecError(held.name + " (plug-in): two parameters are called " + parameter.name);
      }
    }
    for (const std::string& word : parameter.words) check_name(word, "a word");
    if (parameter.words.empty() != (parameter.domain != extend::Domain::word)) {
      throw SpecError(held.name + " (plug-in): words are for a parameter that is a word, not for " +
                      parameter.name);
    }
    held.domains.push_back(words_of(parameter));
    held.fallbacks.push_back(fallback_of(parameter, held.name));
  }
}

}  // namespace

std::shared_ptr<const MechanismKind> stated_kind(
    std::shared_ptr<const extend::Mechanism> mechanism) {
  auto held = std::make_shared<Held>();
  held->stated = std::move(mechanism);
  held->name = held->stated->name();
  check_name(held->name, "the mechanism");
  held->summary = held->stated->summary();
  held->theorem = held->stated->theorem();
  held->example = held->stated->example();
  read_parameters(*held);
  MechanismKind& kind = held->kind;
  kind.name = held->name;
  kind.summary = held->summary;
  kind.theorem = held->theorem;
  kind.adjacency = "the one that the plug-in states";
  kind.example = held->example;
  for (std::size_t i = 0; i < held->parameters.size(); ++i) {
    const extend::Parameter& parameter = held->parameters[i];
    kind.parameters.push_back({parameter.name, held->domains[i], parameter.fallback, {}});
  }
  const Held* self = held.get();  // no shared pointer: held owns the kind, and may not own itself
  kind.build = [self](const plaudit::Arguments& given) { return built(*self, given); };

  const std::vector<syntax::Power> example = syntax::parse(held->example);
  if (example.size() != 1 || example[0].count != 1 || example[0].call->name != held->name) {
    throw SpecError(held->name + " (plug-in): its example must be one mechanism of that name");
  }
  kind.build(plaudit::Arguments(held->name, kind.parameters, given_arguments(*example[0].call)));
  return {held, &held->kind};
}

}  // namespace plaudit::inline v0

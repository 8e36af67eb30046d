// plaudit list accountants|mechanisms.
#include <iostream>
#include <nlohmann/json.hpp>

#include "accountants/registry.hpp"
#include "accountants/session/applicable.hpp"
#include "accountants/session/contradiction.hpp"
#include "cli/commands.hpp"
#include "cli/output/report.hpp"
#include "cli/output/table.hpp"
#include "cli/output/usage_error.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/language/shorthand.hpp"
#include "mechanisms/language/spec.hpp"

namespace plaudit::cli {

namespace {

std::string text(std::string_view view) { return std::string(view); }

std::string argument_text(const Parameter& parameter) {
  std::string result = text(parameter.name) + ": " + text(parameter.domain);
  if (!parameter.fallback.empty() && parameter.fallback != "none")
    result += " (default " + text(parameter.fallback) + ")";
  for (std::size_t i = 0; i < parameter.aliases.size(); ++i) {
    result += (i == 0 ? "; also called " : ", ") + text(parameter.aliases[i]);
  }
  return result;
}

std::string joined(const std::vector<std::string>& names) {
  std::string result;
  for (const std::string& name : names) result += (result.empty() ? "" : ", ") + name;
  return result;
}

std::string accountants_text(const Applicable& applicable) {
  std::string result = joined(applicable.always);
  if (!applicable.one_step.empty()) result += "; one step: " + joined(applicable.one_step);
  if (!applicable.many_steps.empty()) result += "; many steps: " + joined(applicable.many_steps);
  return result;
}

/// Whether the lower ends of bands bound the mechanism or only its pair, in words.
std::string lower_ends_text(const Mechanism& mechanism) {
  const Attainment attainment = mechanism.attainment();
  std::string result = attainment.attained == Attained::yes ? "of the mechanism" : "of the pair";
  if (attainment.attained == Attained::each_epsilon) result = "of the mechanism for one step";
  result += " (" + attainment.why + ")";
  if (attainment.attack) result += "; attack: " + attainment.attack->spec();
  return result;
}

/// What the answers of an accountant prove, in words.
std::string proves(const Accountant& accountant) {
  if (!accountant.claim()) return accountant.estimates_only() ? "nothing: an estimate" : "a band";
  if (*accountant.claim() == ClaimForm::estimate) return "nothing: an estimate by a plug-in";
  const std::string_view form = name_of(*accountant.claim());
  return "nothing: a plug-in claims " +
         (*accountant.claim() == ClaimForm::band ? "a band" : "the " + text(form) + " end");
}

void print_mechanisms() {
  for (const MechanismKind& kind : all_mechanism_kinds()) {
    std::cout << signature(kind) << '\n';
    std::vector<std::vector<std::string>> rows{{"meaning", text(kind.summary)}};
    for (const Parameter& parameter : kind.parameters) {
      rows.push_back({rows.size() == 1 ? "arguments" : "", argument_text(parameter)});
    }
    rows.push_back({"adjacency", text(kind.adjacency)});
    rows.push_back({"theorem", theorems_of(kind)});
    rows.push_back({"example", text(kind.example)});
    const MechanismPointer example = example_of(kind);
    rows.push_back({"lower ends", lower_ends_text(*example)});
    rows.push_back({"accountants", accountants_text(accountants_for(example))});
    print_table(std::cout, rows, 2);
  }
  for (const Shorthand& shorthand : shorthands()) {
    std::cout << text(shorthand.name) << "(...)\n";
    std::vector<std::vector<std::string>> rows{{"meaning", text(shorthand.summary)}};
    for (const Parameter& parameter : shorthand.parameters) {
      rows.push_back({rows.size() == 1 ? "arguments" : "", argument_text(parameter)});
    }
    rows.push_back({"adjacency", text(shorthand.adjacency)});
    rows.push_back({"theorem", text(shorthand.theorem)});
    rows.push_back({"example", text(shorthand.example)});
    print_table(std::cout, rows, 2);
  }
}

Json parameters_json(const std::vector<Parameter>& parameters) {
  Json list = Json::array();
  for (const Parameter& parameter : parameters) {
    Json item = {{"name", text(parameter.name)}, {"domain", text(parameter.domain)}};
    if (!parameter.fallback.empty()) item["default"] = text(parameter.fallback);
    item["aliases"] = Json::array();
    for (const std::string_view alias : parameter.aliases) item["aliases"].push_back(text(alias));
    list.push_back(std::move(item));
  }
  return list;
}

Json mechanisms_json() {
  Json list = Json::array();
  for (const MechanismKind& kind : all_mechanism_kinds()) {
    const MechanismPointer example = example_of(kind);
    const Applicable applicable = accountants_for(example);
    const Attainment attainment = example->attainment();
    list.push_back({{"name", text(kind.name)},
                    {"signature", signature(kind)},
                    {"summary", text(kind.summary)},
                    {"arguments", parameters_json(kind.parameters)},
                    {"adjacency", text(kind.adjacency)},
                    {"theorem", theorems_of(kind)},
                    {"example", text(kind.example)},
                    {"attained", name_of(attainment.attained)},
                    {"attained_why", attainment.why},
                    {"accountants", applicable.always},
                    {"accountants_one_step", applicable.one_step},
                    {"accountants_many_steps", applicable.many_steps}});
  }
  return list;
}

void print_accountants() {
  for (const auto& accountant : all_accountants()) {
    std::cout << accountant->name() << '\n';
    std::vector<std::vector<std::string>> rows{{"summary", text(accountant->summary())}};
    for (const Parameter& parameter : accountant->parameters()) {
      rows.push_back({rows.size() == 1 ? "settings" : "", argument_text(parameter)});
    }
    rows.push_back({"theorem", text(accountant->theorem())});
    rows.push_back({"proves", proves(*accountant)});
    print_table(std::cout, rows, 2);
  }
}

Json accountants_json() {
  Json list = Json::array();
  for (const auto& accountant : all_accountants()) {
    list.push_back({{"name", text(accountant->name())},
                    {"summary", text(accountant->summary())},
                    {"settings", parameters_json(accountant->parameters())},
                    {"certified", !accountant->estimates_only() && !accountant->claim()},
                    {"theorem", text(accountant->theorem())}});
    if (accountant->claim()) list.back()["claim"] = name_of(*accountant->claim());
  }
  return list;
}

}  // namespace

void add_list_command(CommandLine& line) {
  struct ListOptions {
    std::string what;
    bool json = false;
  };
  const auto options = std::make_shared<ListOptions>();
  Command command = line.command("list", "the mechanisms or the accountants there are", [options] {
    const bool mechanisms = options->what == "mechanisms";
    if (options->json) {
      std::cout << printed(mechanisms ? mechanisms_json() : accountants_json()) << '\n';
    } else if (mechanisms) {
      print_mechanisms();
    } else {
      print_accountants();
    }
    return int{exit_done};
  });
  command.option("WHAT", options->what, "accountants or mechanisms")
      .required()
      .one_of({"accountants", "mechanisms"});
  command.flag("--json", options->json, "print JSON");
  command.examples({"plaudit list mechanisms", "plaudit list accountants --json"});
}

}  // namespace plaudit::cli

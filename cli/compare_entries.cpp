#include "cli/compare_entries.hpp"

#include <nlohmann/json.hpp>

#include "cli/answer_message.hpp"

namespace plaudit::cli {

std::string message_of(const Entry& entry) {
  Json json = {{"verdict", entry.verdict}, {"failed", entry.failed}, {"refused", entry.refused}};
  if (entry.claim) json["claim"] = static_cast<int>(*entry.claim);
  if (entry.answer) json["answer"] = json_of(*entry.answer);
  return one_line(json);
}

Entry entry_of(const std::string& name, const std::string& message) {
  const Json json = Json::parse(message);
  Entry entry{name, std::nullopt, json["verdict"], json["failed"]};
  entry.refused = json["refused"];
  if (json.contains("claim")) entry.claim = static_cast<ClaimForm>(json["claim"].get<int>());
  if (json.contains("answer")) entry.answer = answer_of(json["answer"]);
  return entry;
}

std::string refutation_text(const Entry& entry, const Question& question) {
  const Contradiction& found = *entry.contradiction;
  const std::string quantity = name_of(question.quantity);
  const std::string lower = lower_text(found.claimed, question.digits);
  const std::string upper = upper_text(found.claimed, question.digits);
  const std::string claimed = *entry.claim == ClaimForm::upper ? quantity + " <= " + upper
                              : *entry.claim == ClaimForm::lower
                                  ? quantity + " >= " + lower
                                  : quantity + " in [" + lower + ", " + upper + "]";
  return entry.accountant + " claims " + claimed + " at " + argument_name(question.quantity) +
         " = " + to_string(question.argument) + ", direction " + found.direction + "; " +
         found.accountant + " proves that it is in [" + lower_text(found.proven, question.digits) +
         ", " + upper_text(found.proven, question.digits) + "]";
}

Json refutation_json(const Contradiction& found, int digits) {
  return {{"accountant", found.accountant},
          {"direction", found.direction},
          {"lower", lower_text(found.proven, digits)},
          {"upper", upper_text(found.proven, digits)}};
}

}  // namespace plaudit::cli

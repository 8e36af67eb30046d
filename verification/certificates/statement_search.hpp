// The search for a proof of one statement: the kinds are asked in turn, and what the checker says
// of a proposal decides. Nothing that is found here is trusted by anyone.
#pragma once

#include <optional>
#include <string>

#include "verification/certificates/proposals/question.hpp"
#include "verification/checker/statements.hpp"

namespace plaudit {

/// As it is called in certificates.
const char* verb_name(StatementQuestion::Verb verb);

class StatementSearch {
 public:
  explicit StatementSearch(const StatementQuestion& question) : question_(question) {}

  /// The statement as a certificate has it, or null. @param known becomes what proved it.
  nlohmann::ordered_json run(std::optional<Proposal>& known);
  /// The same by this proposal alone.
  nlohmann::ordered_json tried(const Proposal& proposal);
  /// Whether the checker found the opposite.
  bool is_false() const { return is_false_; }
  /// Why each of the kinds failed.
  const std::string& reasons() const { return reasons_; }

 private:
  bool proven(const Proposal& proposal, const proof::Evaluation& found);
  void note(const std::string& kind, const std::string& reason);

  const StatementQuestion& question_;
  std::string reasons_;
  bool is_false_ = false;
};

}  // namespace plaudit

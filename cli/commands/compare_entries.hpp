// What `plaudit compare` knows of each accountant: its answer, and what the others make of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accountants/answer.hpp"
#include "cli/output/report.hpp"

namespace plaudit::cli {

/// The proven band of another accountant that a claim is not in.
struct Refutation {
  std::string accountant;
  std::string direction;  ///< "remove", "add", or "both" where the directions are not told apart
  Enclosure claimed;
  Enclosure proven;
};

struct Entry {
  std::string accountant;
  std::optional<Answer> answer;  ///< nothing where it was refused or ran out of time
  std::string verdict;
  bool failed = false;
  std::optional<ClaimForm> claim = {};  ///< of an accountant that is not ours
  std::optional<Refutation> refutation = {};
};

/// An entry as it passes between processes: the ends exactly, since entries are compared.
std::string message_of(const Entry& entry);
Entry entry_of(const std::string& name, const std::string& message);

/// Marks disjoint bands of ours: at least one of them is wrong.
bool mark_disjoint(std::vector<Entry>& entries);
/// Marks the claims that a proven band contradicts.
bool mark_refuted(std::vector<Entry>& entries);

/// "liar claims epsilon <= 1.1, remove; contour proves [2.08, 2.09] at delta = 1e-5"
std::string refutation_text(const Entry& entry, const Question& question);
Json refutation_json(const Refutation& refutation, int digits);

}  // namespace plaudit::cli

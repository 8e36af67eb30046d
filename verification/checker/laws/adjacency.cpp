#include "verification/checker/laws/adjacency.hpp"

#include <set>

#include "accountants/proof/arithmetic/numbers.hpp"

namespace plaudit::proof {

std::string to_text(const Adjacency& adjacency) {
  static const std::set<std::string> words = {"as_stated", "add_remove", "replace", "zero_out",
                                              "none"};
  const bool is_word = words.count(adjacency.kind) == 1;
  std::string text = is_word ? adjacency.kind : in_quotes(adjacency.kind, longest_adjacency);
  if (adjacency.group_size() != 1) {
    text += ", groups of up to " + std::to_string(adjacency.group_size()) + " records";
  }
  if (!adjacency.guarantee) text += ", no privacy guarantee";
  return text;
}

}  // namespace plaudit::proof

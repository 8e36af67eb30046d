// The choices of the laws of a public label.
#pragma once

#include <vector>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/laws/laws.hpp"
#include "verification/checker/laws/reader.hpp"

namespace plaudit::proof {

/// One for each label: by their names, or a list.
inline std::vector<Fields> label_choices(const PublicLabel& law, Fields& choices) {
  std::vector<Fields> result;
  for (const std::string& name : law.names) result.push_back(choices.object(name));
  if (!law.names.empty()) return result;
  const std::size_t size = law.laws->each.size();
  result = choices.objects("labels", size);
  require(result.size() == size, "labels: one entry for each label of the law");
  return result;
}

}  // namespace plaudit::proof

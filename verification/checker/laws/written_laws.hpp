// Laws that a file states (docs/mechanisms.md, "pld").
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "accountants/proof/arithmetic/budget.hpp"
#include "verification/checker/laws/adjacency.hpp"
#include "verification/checker/laws/law_summary.hpp"
#include "verification/checker/laws/laws.hpp"
#include "verification/checker/laws/reader.hpp"

namespace plaudit::proof {

/// The content of the files that a spec names, by their paths.
using LawFiles = std::map<std::string, Json>;

/// A law file (docs/mechanisms.md, "pld").
struct WrittenLaws {
  std::shared_ptr<const Law> remove;
  std::shared_ptr<const Law> add;
  bool symmetric = false;
  Adjacency adjacency;
  LawSummary summary;
};
WrittenLaws read_laws(const Json& content, const std::string& path, Budget& budget);

/// Those that a spec names, by their paths.
using NamedLaws = std::map<std::string, WrittenLaws>;

}  // namespace plaudit::proof

// From the text of a spec to the exact laws of its factors, by docs/mechanisms.md.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "verification/checker/arithmetic/budget.hpp"
#include "verification/checker/laws/laws.hpp"
#include "verification/checker/laws/reader.hpp"

namespace plaudit::checker {

/// What the guarantee is for (docs/mechanisms.md, "Adjacency").
struct Adjacency {
  std::string kind = "as_stated";
  std::optional<std::uint64_t> group = std::nullopt;  ///< none: part of what is stated
  bool guarantee = true;                              ///< false: nothing is proven of data sets

  std::uint64_t group_size() const { return group.value_or(1); }
  bool operator==(const Adjacency&) const = default;
};

/// "add_remove", "replace, groups of up to 4 records", "none, no privacy guarantee".
std::string to_text(const Adjacency& adjacency);

struct Spec {
  std::string text;  ///< canonical
  Adjacency adjacency;
  bool symmetric = true;  ///< one law of the loss for both directions
  Run remove;
  Run add;

  const Run& run(Direction direction) const {
    return direction == Direction::remove ? remove : add;
  }
};

/// The paths of the law files that a spec names.
std::set<std::string> files_named(std::string_view text);

/// The content of the files that a spec names, by their paths.
using LawFiles = std::map<std::string, Json>;

/// @throws Rejected where the text is not in canonical form or stands for no run; where a file it
/// names is not given, or one is given that it does not name; and where the time of `budget` is
/// over: a long spec may ask for many large laws.
Spec read_spec(std::string_view text, const LawFiles& files, Budget* budget = nullptr);

/// A law file (docs/mechanisms.md, "pld").
struct WrittenLaws {
  std::shared_ptr<const Law> remove;
  std::shared_ptr<const Law> add;
  bool symmetric = false;
  Adjacency adjacency;
};
WrittenLaws read_laws(const Json& content, const std::string& path);

}  // namespace plaudit::checker

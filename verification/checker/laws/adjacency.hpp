// Between which data sets a guarantee holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace plaudit::proof {

/// What the guarantee is for (docs/mechanisms.md, "Adjacency").
struct Adjacency {
  std::string kind = "as_stated";
  std::optional<std::uint64_t> group = std::nullopt;  ///< none: part of what is stated
  bool guarantee = true;                              ///< false: nothing is proven of data sets

  std::uint64_t group_size() const { return group.value_or(1); }
  bool operator==(const Adjacency&) const = default;
};

/// The longest that a file may state.
inline constexpr std::size_t longest_adjacency = 200;

/// "add_remove", "replace, groups of up to 4 records", "none, no privacy guarantee".
std::string to_text(const Adjacency& adjacency);

}  // namespace plaudit::proof

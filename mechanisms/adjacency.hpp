// Adjacencies: which data sets count as neighbours, and whether those of two factors agree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "lib/exact/rational.hpp"

namespace plaudit {

/// The adjacency of a mechanism or of a composition (docs/mechanisms.md, "Adjacency").
struct Adjacency {
  static constexpr const char* as_stated = "as_stated";
  static constexpr const char* add_remove = "add_remove";
  static constexpr const char* replace = "replace";
  static constexpr const char* zero_out = "zero_out";
  /// Of pairs of laws that are evaluated without a claim that they dominate any mechanism.
  static constexpr const char* none = "none";

  /// One data set, that at hand, against each of its neighbours: no guarantee, for others are
  /// worse, and what is computed from private data is private.
  static constexpr const char* this_data_set = "this_data_set";

  /// One of the above, or what the file of a written law says.
  std::string kind = as_stated;
  /// The most records that change together; nothing where what the user states implies it.
  std::optional<std::uint64_t> group = std::nullopt;
  /// False where nothing is proven of data sets, only of the pair itself.
  bool guarantee = true;
  /// Of samples of what is `as_stated`: the neighbours for which that is taken to hold, in words.
  std::string reading = {};

  std::uint64_t group_size() const { return group.value_or(1); }

  static Adjacency of_one_record(std::string kind) { return {std::move(kind), 1, true, {}}; }

  /// The same neighbours; `reading` is not compared.
  bool operator==(const Adjacency& other) const {
    return kind == other.kind && group == other.group && guarantee == other.guarantee;
  }
};

/// The adjacency of both together: `as_stated` goes with any kind, no group size with any size;
/// what both have must be equal, otherwise there is none.
std::optional<Adjacency> common(const Adjacency& a, const Adjacency& b);

/// "add_remove", "replace, groups of up to 4 records", "none, no privacy guarantee": one line of
/// printable text.
std::string to_text(const Adjacency& adjacency);

/// "" where there is a guarantee; ", no privacy guarantee", of one data set with "; the number is
/// private".
std::string words_without_guarantee(const Adjacency& adjacency);

/// The message by which `user` refuses a noise multiplier under replace, with both readings of it.
std::string two_readings(const std::string& user, const Rational& noise_multiplier);

}  // namespace plaudit

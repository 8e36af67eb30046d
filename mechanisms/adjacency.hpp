// Which data sets are neighbours: what a guarantee is for, and which factors compose.
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
  /// Of laws that are evaluated without any claim that they dominate.
  static constexpr const char* none = "none";

  /// One of the above, or what the file of a written law says.
  std::string kind = as_stated;
  /// The most records that change together; nothing where that is part of what the user states.
  std::optional<std::uint64_t> group = std::nullopt;
  /// False where nothing is proven of data sets, only of the pair itself.
  bool guarantee = true;
  /// How what is `as_stated` is read in a sample, in words; empty where nothing is.
  std::string reading = {};

  std::uint64_t group_size() const { return group.value_or(1); }

  static Adjacency of_one_record(std::string kind) { return {std::move(kind), 1, true, {}}; }

  /// The same neighbours, however they were read.
  bool operator==(const Adjacency& other) const {
    return kind == other.kind && group == other.group && guarantee == other.guarantee;
  }
};

/// That of both together, where there is one: `as_stated` goes with any, and an unstated group size
/// with any; what is stated must be the same.
std::optional<Adjacency> common(const Adjacency& a, const Adjacency& b);

/// "add_remove", "replace, groups of up to 4 records", "none, no privacy guarantee": one line of
/// printable text.
std::string to_text(const Adjacency& adjacency);

/// Why `user` refuses a noise multiplier under replace adjacency, with both readings of it.
std::string two_readings(const std::string& user, const Rational& noise_multiplier);

}  // namespace plaudit

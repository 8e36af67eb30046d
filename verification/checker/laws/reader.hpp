// Strict reading of certificates: JSON within limits, and fields that are all taken, each of the
// type it must have.
#pragma once

#include <istream>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "accountants/proof/arithmetic/numbers.hpp"

namespace plaudit::proof {

using Json = nlohmann::json;

inline constexpr std::size_t longest_file = 8 << 20;
inline constexpr std::size_t deepest_nesting = 16;

/// The whole of a file or pipe. @throws Unread as soon as it is longer than longest_file.
std::string read_all(std::istream& stream);

/// @throws Unread for what is not JSON in UTF-8, for duplicate keys, for nesting beyond
/// deepest_nesting, and for numbers that are no integers within 64 bits.
Json parse(std::string_view text);

/// The fields of one object. Each is taken with its type; `done` refuses what was not taken.
class Fields {
 public:
  /// @param where the path of the object, for messages.
  Fields(const Json& object, std::string where);

  bool has(const std::string& name) const;
  /// An exact number as text.
  Rational exact(const std::string& name);
  /// [m, e] for m 2^e: |m| <= 2^53, |e| <= 1100.
  Rational dyadic(const std::string& name);
  long integer(const std::string& name, long least, long most);
  bool boolean(const std::string& name);
  std::string text(const std::string& name);
  /// One of the words.
  std::string word(const std::string& name, const std::vector<std::string>& words);
  Fields object(const std::string& name);
  /// A list of objects, of integers; at most `most` long.
  std::vector<Fields> objects(const std::string& name, std::size_t most);
  std::vector<long> integers(const std::string& name, std::size_t most, long least, long greatest);
  /// All fields, whatever was taken.
  const Json& json() const { return *object_; }
  /// The value as it is.
  const Json& raw(const std::string& name);

  /// @throws Rejected naming a field that was not taken.
  void done() const;
  const std::string& where() const { return where_; }
  [[noreturn]] void fail(const std::string& name, const std::string& must) const;

 private:
  const Json& list(const std::string& name, std::size_t most);

  const Json* object_;
  std::string where_;
  std::set<std::string> taken_;
};

}  // namespace plaudit::proof

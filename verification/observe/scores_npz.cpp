// Scores in numpy's .npz: a zip of arrays as np.savez writes it, each stored as it is (APPNOTE 6.3,
// sections 4.3 and 4.4; numpy.lib.format). Numbers are read exactly; nothing here is rounded.
#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "mechanisms/spec_error.hpp"
#include "verification/claims/csv.hpp"
#include "verification/observe/scores.hpp"

namespace plaudit {

namespace {

[[noreturn]] void fail(const std::string& what) { throw InputError("npz: " + what); }

std::string_view part(std::string_view bytes, std::size_t at, std::size_t length) {
  if (at > bytes.size() || length > bytes.size() - at) fail("the file is cut off");
  return bytes.substr(at, length);
}

/// A number of so many bytes, the least significant one first.
std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t length) {
  std::uint64_t value = 0;
  for (std::size_t i = length; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(part(bytes, at, length)[i]);
  }
  return value;
}

std::uint64_t crc32(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320U : 0U);
  }
  return crc ^ 0xFFFFFFFF;
}

/// The files of the archive by their names, as its directory has them.
std::map<std::string, std::string_view> files_of(std::string_view zip) {
  const std::size_t end = zip.rfind("PK\x05\x06");
  if (end == zip.npos) fail("the directory of the archive is missing");
  const std::uint64_t count = number(zip, end + 10, 2);
  std::size_t at = number(zip, end + 16, 4);
  std::map<std::string, std::string_view> files;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (part(zip, at, 4) != "PK\x01\x02") fail("the directory of the archive is broken");
    const std::size_t length = number(zip, at + 28, 2);
    const std::string name(part(zip, at + 46, length));
    const std::size_t size = number(zip, at + 24, 4);
    const std::size_t local = number(zip, at + 42, 4);
    if (number(zip, at + 10, 2) != 0) {
      fail("is compressed; write it by np.savez, without compression");
    }
    if (part(zip, local, 4) != "PK\x03\x04") fail("the head of a file is broken");
    const std::size_t from = local + 30 + number(zip, local + 26, 2) + number(zip, local + 28, 2);
    const std::string_view content = part(zip, from, size);
    if (crc32(content) != number(zip, at + 16, 4)) fail("a checksum is wrong");
    if (!files.emplace(name, content).second) fail("has a file twice");
    at += 46 + length + number(zip, at + 30, 2) + number(zip, at + 32, 2);
  }
  return files;
}

/// What stands behind 'key': in the head of an array, up to the comma or bracket that ends it.
std::string_view after(std::string_view head, const std::string& key, char last) {
  const std::size_t found = head.find("'" + key + "': ");
  if (found == head.npos) fail("the head of an array has no " + key);
  const std::size_t from = found + key.size() + 4;
  return head.substr(from, head.find(last, from) - from);
}

Score element(std::string_view bytes, char kind) {
  const std::size_t size = bytes.size();
  const std::uint64_t bits = number(bytes, 0, size);
  if (kind == 'f' && size == 8) return score_of(std::bit_cast<double>(bits));
  if (kind == 'f') {
    return score_of(double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))});
  }
  const bool negative = kind == 'i' && (bits >> (8 * size - 1)) != 0;
  const Rational value(bits);
  return {0, negative ? Rational(value - Rational(Integer(1) << (8 * size))) : value};
}

std::vector<Score> array_of(std::string_view npy) {
  if (part(npy, 0, 6) != "\x93NUMPY") fail("an array does not begin as numpy's do");
  const bool first_version = number(npy, 6, 1) == 1;
  const std::size_t start = first_version ? 10 : 12;
  const std::size_t length = number(npy, 8, first_version ? 2 : 4);
  const std::string_view head = part(npy, start, length);
  const std::string_view type = after(head, "descr", ',');  // '<f8'
  static const std::array<std::string_view, 11> known = {"'<f8'", "'<f4'", "'<i8'", "'<i4'",
                                                         "'<i2'", "'|i1'", "'<u8'", "'<u4'",
                                                         "'<u2'", "'|u1'", "'|b1'"};
  if (std::find(known.begin(), known.end(), type) == known.end()) {
    fail("arrays must be of floats of 32 or 64 bits, integers or booleans");
  }
  const auto size = static_cast<std::size_t>(type[3] - '0');
  const std::string_view shape = after(head, "shape", ')');  // (1000,
  if (shape.find(',') != shape.size() - 1) fail("arrays must have one dimension");
  const std::string_view data = part(npy, start + length, npy.size() - start - length);
  if (std::string(shape) != "(" + std::to_string(data.size() / size) + "," ||
      data.size() % size != 0) {
    fail("an array is not as long as its head says");
  }
  std::vector<Score> scores;
  for (std::size_t at = 0; at < data.size(); at += size) {
    scores.push_back(element(data.substr(at, size), type[2]));
  }
  return scores;
}

}  // namespace

Scores scores_from_npz(std::string_view bytes) {
  const std::map<std::string, std::string_view> files = files_of(bytes);
  const auto has = [&](const char* name) { return files.count(name) > 0; };
  const auto array = [&](const char* name) { return array_of(files.at(name)); };
  if (has("in.npy") && has("out.npy") && files.size() == 2) {
    return {array("in.npy"), array("out.npy")};
  }
  if (!has("scores.npy") || !has("members.npy") || has("in.npy") || has("out.npy")) {
    fail("must have the arrays in and out, or scores and members");
  }
  const std::vector<Score> all = array("scores.npy");
  const std::vector<Score> members = array("members.npy");
  if (all.size() != members.size()) fail("scores and members must be as many");
  Scores scores;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool member = members[i] == Score{0, 1};
    if (!member && !(members[i] == Score{0, 0})) fail("members must be 0 or 1");
    (member ? scores.with_record : scores.without_record).push_back(all[i]);
  }
  return scores;
}

}  // namespace plaudit

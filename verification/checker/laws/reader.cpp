#include "verification/checker/laws/reader.hpp"

#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

namespace {

/// Builds the tree while it looks for what a certificate never has. The library's own tree reader
/// would take the last of two equal keys, and follow brackets as deep as they go.
class Builder : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return refuse("the file contains null"); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<number_unsigned_t>(INT64_MAX)) {
      return refuse("the file contains an integer beyond 64 bits");
    }
    return add(static_cast<number_integer_t>(value));
  }
  bool number_float(number_float_t, const string_t&) override {
    return refuse("the file contains a number that is neither text nor an integer of 64 bits");
  }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return refuse("the file is not JSON"); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (open_.back()->contains(name)) return refuse("the key " + in_quotes(name) + " occurs twice");
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return refuse("the file is not JSON");
  }

  const std::string& problem() const { return problem_; }
  Json take() { return std::move(root_); }

 private:
  bool refuse(const std::string& problem) {
    if (problem_.empty()) problem_ = problem;
    return false;
  }
  Json* place(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    return &(parent[key_] = std::move(value));
  }
  bool add(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json value) {
    if (open_.size() == deepest_nesting) return refuse("brackets are nested over 16 deep");
    open_.push_back(place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json root_;
  std::vector<Json*> open_;
  std::string key_;
  std::string problem_;
};

Rational dyadic_of(const Json& value, const Fields& fields, const std::string& name) {
  constexpr long long most = 1LL << 53;
  const char* must = "must be two integers [m, e], |m| <= 2^53 and |e| <= 1100, for m 2^e";
  if (!value.is_array() || value.size() != 2 || !value[0].is_number_integer() ||
      !value[1].is_number_integer()) {
    fields.fail(name, must);
  }
  const auto mantissa = value[0].get<long long>();
  const auto exponent = value[1].get<long long>();
  if (mantissa < -most || mantissa > most || exponent < -1100 || exponent > 1100) {
    fields.fail(name, must);
  }
  const Integer factor =
      pow(Integer(2), static_cast<unsigned>(exponent < 0 ? -exponent : exponent));
  return exponent < 0 ? Rational(Integer(static_cast<long>(mantissa)), factor)
                      : Rational(Integer(static_cast<long>(mantissa)) * factor);
}

long integer_of(const Json& value, long least, long most, const Fields& fields,
                const std::string& name) {
  const bool fits =
      value.is_number_integer() && value.get<long>() >= least && value.get<long>() <= most;
  if (!fits) {
    fields.fail(name,
                "must be an integer from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value.get<long>();
}

}  // namespace

std::string read_all(std::istream& stream) {
  std::string content;
  std::array<char, 1 << 16> block;
  while (stream.read(block.data(), block.size()) || stream.gcount() > 0) {
    content.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (content.size() > longest_file) throw Unread("the file has over 8 MiB");
  }
  require(!stream.bad(), "the file cannot be read");
  return content;
}

Json parse(std::string_view text) {
  if (text.size() > longest_file) throw Unread("the file has over 8 MiB");
  if (text.substr(0, 3) == "\xef\xbb\xbf") {
    throw Unread("the file is not JSON: it begins with a byte order mark");
  }
  // the library would take a NUL for the end of the file
  if (text.find('\0') != std::string_view::npos) {
    throw Unread("the file is not JSON: it contains a NUL");
  }
  Builder builder;
  const bool whole = Json::sax_parse(text.begin(), text.end(), &builder);
  if (!whole) throw Unread(builder.problem().empty() ? "the file is not JSON" : builder.problem());
  return builder.take();
}

Fields::Fields(const Json& object, std::string where) : object_(&object), where_(std::move(where)) {
  if (!object.is_object()) throw Rejected(where_ + " must be an object");
}

void Fields::fail(const std::string& name, const std::string& must) const {
  throw Rejected(where_ + ": " + in_quotes(name) + " " + must);
}

bool Fields::has(const std::string& name) const { return object_->contains(name); }

const Json& Fields::raw(const std::string& name) {
  const auto found = object_->find(name);
  if (found == object_->end()) fail(name, "is missing");
  taken_.insert(name);
  return *found;
}

std::string Fields::text(const std::string& name) {
  const Json& value = raw(name);
  if (!value.is_string()) fail(name, "must be a text");
  return value.get<std::string>();
}

Rational Fields::exact(const std::string& name) {
  return read_number(text(name), where_ + ": " + in_quotes(name));
}

Rational Fields::dyadic(const std::string& name) { return dyadic_of(raw(name), *this, name); }

long Fields::integer(const std::string& name, long least, long most) {
  return integer_of(raw(name), least, most, *this, name);
}

bool Fields::boolean(const std::string& name) {
  const Json& value = raw(name);
  if (!value.is_boolean()) fail(name, "must be true or false");
  return value.get<bool>();
}

std::string Fields::word(const std::string& name, const std::vector<std::string>& words) {
  std::string value = text(name);
  std::string all;
  for (const std::string& word : words) {
    if (word == value) return value;
    all += (all.empty() ? "" : " or ") + word;
  }
  fail(name, "must be " + all);
}

Fields Fields::object(const std::string& name) {
  const Json& value = raw(name);
  return Fields(value, where_ + "." + name);
}

const Json& Fields::list(const std::string& name, std::size_t most) {
  const Json& value = raw(name);
  if (!value.is_array() || value.size() > most) {
    fail(name, "must be a list of at most " + std::to_string(most));
  }
  return value;
}

std::vector<Fields> Fields::objects(const std::string& name, std::size_t most) {
  std::vector<Fields> result;
  for (const Json& each : list(name, most)) {
    result.emplace_back(each, where_ + "." + name + "[" + std::to_string(result.size()) + "]");
  }
  return result;
}

std::vector<long> Fields::integers(const std::string& name, std::size_t most, long least,
                                   long greatest) {
  std::vector<long> result;
  for (const Json& each : list(name, most)) {
    result.push_back(integer_of(each, least, greatest, *this, name));
  }
  return result;
}

void Fields::done() const {
  for (const auto& item : object_->items()) {
    if (taken_.count(item.key()) == 0) fail(item.key(), "is no field of a certificate there");
  }
}

}  // namespace plaudit::proof

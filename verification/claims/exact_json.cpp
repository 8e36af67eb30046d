#include "verification/claims/exact_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "lib/work/interruption.hpp"
#include "mechanisms/language/json_size.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr std::size_t deepest = 200;
constexpr std::size_t most_values = 2'000'000;

/// Why the parser stopped, where it did at a word for a number that JSON does not have; else
/// nothing.
std::string written_at(std::string_view text, std::size_t end) {
  end = std::min(end, text.size());  // where the text ended too early, it is one behind it
  for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
    // the parser stops within the word, or at the character after it
    for (std::size_t start = end >= word.size() ? end - word.size() : 0; start <= end; ++start) {
      if (text.substr(start, word.size()) == word) {
        return std::string(word) + " is no JSON number (an infinity is written \"inf\")";
      }
    }
  }
  return {};
}

class Builder final : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(std::string_view text) : text_(text) {}
  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(std::int64_t value) override { return put(std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) override { return put(std::to_string(value)); }
  bool number_float(double, const std::string& written) override { return put(written); }
  bool string(std::string& value) override { return put(std::move(value)); }
  bool binary(Json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    if (!keys_.back().insert(name).second) {
      throw InputError("the key " + abbreviated(name) + " is there twice in one object" + place());
    }
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    const std::string word = written_at(text_, position);
    throw InputError("not JSON: " + (word.empty() ? "something is wrong" : word) +
                     " at character " + std::to_string(position));
  }

  Json result;

 private:
  /// ", entry 3 of the list": where in the outermost list, which is that of the claims.
  std::string place() const {
    for (const Json* each : stack_) {
      if (each->is_array()) return ", entry " + std::to_string(each->size()) + " of the list";
    }
    return {};
  }
  Json* put_at_place(Json value) {
    check_interruption();
    if (stack_.empty()) {
      result = std::move(value);
      return &result;
    }
    Json& parent = *stack_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    // the key is new: looking for it again would take quadratic time
    auto& members = parent.get_ref<Json::object_t&>();
    members.Json::object_t::Container::emplace_back(std::move(key_), std::move(value));
    return &members.back().second;
  }
  bool put(Json value) {
    put_at_place(std::move(value));
    return true;
  }
  bool open(Json value) {
    if (stack_.size() >= deepest) throw InputError("nested too deeply");
    stack_.push_back(put_at_place(std::move(value)));
    keys_.emplace_back();
    return true;
  }
  bool close() {
    stack_.pop_back();
    keys_.pop_back();
    return true;
  }

  std::string_view text_;
  std::vector<Json*> stack_;
  std::vector<std::set<std::string>> keys_;  ///< seen in each open object
  std::string key_;
};

}  // namespace

Json parse_exact_json(std::string_view text) {
  if (json_size(text).values > most_values) {
    throw InputError("JSON with over " + std::to_string(most_values) + " values");
  }
  Builder builder(text);
  if (!Json::sax_parse(text, &builder)) throw InputError("not JSON");
  return std::move(builder.result);
}

}  // namespace plaudit

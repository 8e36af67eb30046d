#include "verification/exact_json.hpp"

#include <vector>

namespace plaudit {

namespace {

constexpr std::size_t deepest = 200;

class Builder final : public nlohmann::json_sax<Json> {
 public:
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
    if (stack_.back()->contains(name)) throw InputError("the key '" + name + "' is there twice");
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    throw InputError("not JSON: something is wrong at character " + std::to_string(position));
  }

  Json result;

 private:
  Json* place(Json value) {
    if (stack_.empty()) {
      result = std::move(value);
      return &result;
    }
    Json& parent = *stack_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    Json& member = parent[key_];
    member = std::move(value);
    return &member;
  }
  bool put(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json value) {
    if (stack_.size() >= deepest) throw InputError("nested too deeply");
    stack_.push_back(place(std::move(value)));
    return true;
  }
  bool close() {
    stack_.pop_back();
    return true;
  }

  std::vector<Json*> stack_;
  std::string key_;
};

}  // namespace

Json parse_exact_json(std::string_view text) {
  Builder builder;
  if (!Json::sax_parse(text, &builder)) throw InputError("not JSON");
  return std::move(builder.result);
}

}  // namespace plaudit

#include "verification/checker/specs/syntax.hpp"

#include "accountants/proof/arithmetic/rejected.hpp"

namespace plaudit::proof {

namespace {

constexpr int deepest_call = 100;  // of brackets, as in the spec language

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }
bool in_number(char c) {
  return is_digit(c) || c == '.' || c == 'e' || c == '-' || c == '+' || c == '/';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::vector<Power> spec() {
    std::vector<Power> factors{factor()};
    while (accept(" * ")) factors.push_back(factor());
    if (at_ != text_.size()) fail();
    return factors;
  }

 private:
  Power factor() {
    Power result{call(name()), 1};
    if (accept("^")) result.count = count();
    return result;
  }

  std::uint64_t count() {
    std::uint64_t value = 0;
    const std::size_t start = at_;
    for (; at_ < text_.size() && is_digit(text_[at_]) && value <= most_steps; ++at_) {
      value = 10 * value + static_cast<std::uint64_t>(text_[at_] - '0');
    }
    if (at_ == start || value < 1 || value > most_steps) fail();
    return value;
  }

  std::shared_ptr<const Call> call(std::string name) {
    require(++depth_ <= deepest_call, "the spec is nested too deep");
    auto result = std::make_shared<Call>();
    result->name = std::move(name);
    expect("(");
    do {
      result->arguments.push_back(argument());
    } while (accept(", "));
    expect(")");
    --depth_;
    return result;
  }

  Argument argument() {
    if (!at_letter()) return {"", value()};
    std::string first = name();
    if (accept("=")) return {std::move(first), value()};
    return {"", named(std::move(first))};
  }

  Value value() {
    if (at_letter()) return named(name());
    if (accept("\"")) return text();
    if (!accept("[")) return number();
    if (!accept("[")) return rest_of_list();
    std::vector<std::vector<Rational>> lists{rest_of_list()};
    while (accept(", ")) {
      expect("[");
      lists.push_back(rest_of_list());
    }
    expect("]");
    return lists;
  }

  std::vector<Rational> rest_of_list() {
    std::vector<Rational> list;
    do {
      list.push_back(number());
    } while (accept(", "));
    expect("]");
    return list;
  }

  Value named(std::string first) {
    if (at_ < text_.size() && text_[at_] == '(') return call(std::move(first));
    return Name{std::move(first)};
  }

  Quoted text() {
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] < ' ' || text_[at_] > '~') fail();
      ++at_;
    }
    const std::string_view inside = text_.substr(start, at_ - start);
    expect("\"");
    return {std::string(inside)};
  }

  Rational number() {
    const std::size_t start = at_;
    while (at_ < text_.size() && in_number(text_[at_])) ++at_;
    const std::string_view text = text_.substr(start, at_ - start);
    require(is_moderate(text),
            "a number of the spec has over 1000 characters or too large an exponent");
    return read_number(text, "a number of the spec");
  }

  std::string name() {
    if (!at_letter()) fail();
    const std::size_t start = at_;
    while (at_letter()) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  bool at_letter() const { return at_ < text_.size() && is_letter(text_[at_]); }
  bool accept(std::string_view wanted) {
    if (text_.substr(at_, wanted.size()) != wanted) return false;
    at_ += wanted.size();
    return true;
  }
  void expect(std::string_view wanted) {
    if (!accept(wanted)) fail();
  }
  [[noreturn]] void fail() const {
    throw Rejected("the spec is not in canonical form at character " + std::to_string(at_ + 1) +
                   ": " + in_quotes(text_.substr(at_)));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::vector<Power> parse_spec_text(std::string_view text) {
  require(text.size() <= longest_spec, "the spec is too long");
  return Parser(text).spec();
}

}  // namespace plaudit::proof

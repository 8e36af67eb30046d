#include "mechanisms/language/syntax.hpp"

#include <optional>

#include "lib/text.hpp"
#include "mechanisms/composition.hpp"
#include "mechanisms/language/arguments.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit::syntax {

namespace {

// The locale must not decide what a letter is.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool starts_number(char c) { return is_digit(c) || c == '.' || c == '+' || c == '-'; }

/// @throws SpecError for a decimal that is too long or has too large an exponent: before
/// arithmetic, so that a short text cannot ask for numbers of megabytes.
void check_size(std::string_view decimal, const std::string& what) {
  if (decimal.size() > longest_number) {
    throw SpecError(what + ' ' + abbreviated(decimal) + " has more than " +
                    std::to_string(longest_number) + " characters");
  }
  std::size_t at = decimal.find_first_of("eE");
  if (at == std::string_view::npos) return;
  long exponent = 0;
  for (++at; at < decimal.size(); ++at) {
    if (is_digit(decimal[at]) && exponent <= largest_exponent) {
      exponent = 10 * exponent + (decimal[at] - '0');
    }
  }
  if (exponent > largest_exponent) {
    throw SpecError(what + ' ' + abbreviated(decimal) + " has an exponent beyond +-" +
                    std::to_string(largest_exponent));
  }
}

constexpr const char* count_domain =
    "spec: the count after '^' must be an integer from 1 to 10^12, not";

/// Bits of numerators and denominators in an integer expression, so that the longest spec is still
/// parsed far within a second.
constexpr std::size_t longest_bits = 10'000;

/// Functions that people write whose values are no rational numbers, nor roots of some.
bool is_irrational(std::string_view function) { return function == "exp" || function == "log"; }

/// Without underscores between digits, as in 60_000.
std::string without_separators(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool between =
        i > 0 && i + 1 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]);
    if (text[i] != '_' || !between) result += text[i];
  }
  return result;
}

/// One recursive function per rule of the grammar; `at_` is the next character.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::vector<Power> parse_all() {
    skip_spaces();
    if (at_ == text_.size()) throw SpecError("spec: is empty, e.g. gaussian(sigma=1) is one");
    std::vector<Power> factors = composition();
    if (at_ != text_.size() && text_[at_] == '^') fail("one power, as in (A^2)^3 or A^6,");
    if (at_ != text_.size()) fail("'*', '^' or the end");
    return factors;
  }

 private:
  std::vector<Power> composition() {
    std::vector<Power> factors = factor();
    while (accept('*')) {
      std::vector<Power> more = factor();
      factors.insert(factors.end(), more.begin(), more.end());
    }
    return factors;
  }

  std::vector<Power> factor() {
    std::vector<Power> factors;
    if (accept('(')) {
      enter();
      factors = composition();
      expect(')', "'*', '^' or ')'");
      --depth_;
    } else if (at_ < text_.size() && is_letter(text_[at_])) {
      factors.push_back({call(word()), 1});
    } else {
      fail(after_power_ && at_ < text_.size() && starts_number(text_[at_])
               ? "a mechanism (a product in a power needs brackets, as in ^(60*234)),"
               : "a mechanism, e.g. gaussian(sigma=1),");
    }
    after_power_ = accept('^') || accept_twice('*');
    if (after_power_) {
      const std::uint64_t times = count();
      for (Power& power : factors) {
        if (times > most_steps / power.count) {
          throw SpecError("spec: nested powers must multiply to at most 10^12 steps");
        }
        power.count *= times;
      }
    }
    return factors;
  }

  /// An integer, or an integer expression in brackets, ceil(...) or floor(...).
  std::uint64_t count() {
    if (at_ == text_.size() || !(starts_number(text_[at_]) || starts_term())) {
      fail("an integer after '^'");
    }
    const std::size_t start = at_;
    const bool expression = starts_term();
    of_count_ = true;
    what_ = "the count after '^'";
    const Rational value = rational(term(), "");
    of_count_ = false;
    if (value >= 1 && value <= most_steps && denominator(value) == 1) {
      return numerator(value).to<std::uint64_t>();
    }
    std::string_view text = text_.substr(start, at_ - start);
    while (is_space(text.back())) text.remove_suffix(1);
    std::string message = count_domain + (' ' + abbreviated(text));
    if (expression && is_moderate(to_string(value))) message += " = " + shown(value);
    if (denominator(value) != 1) message += "; ceil(...) or floor(...) makes it an integer";
    throw SpecError(message);
  }

  bool starts_term() const {
    return at_ < text_.size() && (text_[at_] == '(' || is_letter(text_[at_]));
  }

  /// @param where with a space behind it.
  Rational rational(const Root& value, const std::string& where) const {
    if (value.rational()) return value.factor;
    throw SpecError("spec: " + what_ + ": " + where + "needs a rational number, not " +
                    abbreviated(to_string(value)));
  }

  // Expressions of numbers. All values are exact; `limited` keeps them short. What was read of one
  // already is its first term.

  Root limited(Root value) const {
    for (const Rational* part : {&value.factor, &value.radicand}) {
      if (msb(denominator(*part)) > longest_bits ||
          (*part != 0 && msb(numerator(*part)) > longest_bits)) {
        throw SpecError("spec: " + what_ + " has a part with more than " +
                        std::to_string(longest_bits) + " bits");
      }
    }
    return value;
  }

  Root sum(std::optional<Root> first = std::nullopt) {
    Root value = product(std::move(first));
    for (;;) {
      const bool more = accept('+');
      if (!more && !accept('-')) return value;
      Root next = product();
      if (!more) next.factor = -next.factor;
      const auto both = sum_of(value, next);
      if (!both) {
        throw SpecError("spec: " + what_ + ": the square of " +
                        abbreviated(to_string(value) + " + " + to_string(next)) +
                        " is irrational, and only numbers whose square is rational are exact here");
      }
      value = limited(*both);
    }
  }

  Root product(std::optional<Root> first = std::nullopt) {
    Root value = first ? std::move(*first) : term();
    for (;;) {
      if (accept('*')) {
        value = limited(value * term());
      } else if (accept('/')) {
        const Root divisor = term();
        if (divisor.factor == 0) throw SpecError("spec: " + what_ + " divides by 0");
        value = limited(value / divisor);
      } else {
        return value;
      }
    }
  }

  Root term() {
    if (at_ < text_.size() && starts_number(text_[at_])) return {decimal_term()};
    bool up = false;
    bool down = false;
    bool root = false;
    if (at_ < text_.size() && is_letter(text_[at_])) {
      const std::size_t start = at_;
      const std::string name = lower_case(word());
      up = name == "ceil";
      down = name == "floor";
      root = name == "sqrt";
      if (is_irrational(name)) {
        throw SpecError("spec: " + what_ + ": " + name +
                        "(...) is no rational number, and numbers are exact here: write a decimal "
                        "on the side of less privacy");
      }
      if (!up && !down && !root) at_ = start;
    }
    if (!accept('(')) fail("a number, '(', ceil(...) or floor(...) in " + what_);
    enter();
    Root value = sum();
    expect(')', "'+', '-', '*', '/' or ')'");
    --depth_;
    if (root) return root_of_term(rational(value, "sqrt(...) "));
    if (up) return {Rational(-floor_of(Root{-value.factor, value.radicand}))};
    return down ? Root{Rational(floor_of(value))} : value;
  }

  Root root_of_term(const Rational& square) const {
    if (square < 0) {
      throw SpecError("spec: " + what_ + ": sqrt(...) needs a number >= 0, not " + shown(square));
    }
    return root_of(square);
  }

  Rational decimal_term() {
    const std::string text = without_separators(decimal());
    if (!of_count_) return parse_number(text, what_);
    check_size(text, count_domain);
    try {
      return parse_rational(text);
    } catch (const NumberError&) {
      throw SpecError(count_domain + (' ' + abbreviated(text)));
    }
  }

  std::shared_ptr<const Call> call(std::string name) {
    auto result = std::make_shared<Call>();
    result->name = std::move(name);
    if (!accept('(')) fail("'(' after " + abbreviated(result->name));
    enter();
    if (!accept(')')) {
      do {
        result->arguments.push_back(argument(*result));
      } while (accept(','));
      const auto& last = result->arguments.back().value;
      if (std::holds_alternative<std::shared_ptr<const Call>>(last) && at_ < text_.size() &&
          (text_[at_] == '^' || text_[at_] == '*')) {
        throw SpecError("spec: " + abbreviated(result->name) +
                        " takes one mechanism as argument, not a composition");
      }
      expect(')', "',' or ')'");
    }
    --depth_;
    return result;
  }

  Argument argument(const Call& owner) {
    Argument result;
    if (at_ < text_.size() && is_letter(text_[at_]) && !starts_rounding()) {
      std::string name = word();
      if (!accept('=')) {
        result.value = named(std::move(name));
        return result;
      }
      result.key = std::move(name);
    }
    const std::string what =
        owner.name + ": " +
        (result.key.empty() ? "argument " + std::to_string(owner.arguments.size() + 1)
                            : result.key);
    result.value = value(what);
    return result;
  }

  Value value(const std::string& what) {
    if (at_ < text_.size() && is_letter(text_[at_]) && !starts_rounding()) return named(word());
    if (at_ < text_.size() && text_[at_] == '"') return quoted();
    if (!accept('[')) {
      Root single = number(what);
      return single.rational() ? Value(std::move(single.factor)) : Value(std::move(single));
    }
    if (at_ == text_.size() || text_[at_] != '[') return rest_of_list(what);
    Vectors vectors;
    do {
      expect('[', "'['");
      vectors.push_back(rest_of_list(what));
    } while (accept(','));
    expect(']', "',' or ']'");
    return vectors;
  }

  /// What follows a '['.
  std::vector<Rational> rest_of_list(const std::string& what) {
    std::vector<Rational> list;
    if (accept(']')) return list;
    do {
      list.push_back(rational(number(what), "a list "));
    } while (accept(','));
    expect(']', "',' or ']'");
    return list;
  }

  /// A word, or the mechanism that starts with it.
  Value named(std::string name) {
    if (at_ < text_.size() && text_[at_] == '(') return call(std::move(name));
    return Word{std::move(name)};
  }

  Quoted quoted() {
    const std::size_t start = ++at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] < ' ' || text_[at_] > '~') fail("printable ASCII between quotes");
      ++at_;
    }
    Quoted result{std::string(text_.substr(start, at_ - start))};
    expect('"', "a closing '\"'");
    return result;
  }

  /// p/q of any size, or an expression whose parts are limited.
  Root number(const std::string& what) {
    what_ = what;
    if (starts_rounding() || (at_ < text_.size() && text_[at_] == '(')) return sum();
    if (at_ == text_.size() || !starts_number(text_[at_])) fail("a value of " + what);
    std::string text = decimal();
    const std::size_t slash = at_;
    if (accept('/')) {
      if (at_ < text_.size() && starts_number(text_[at_])) {
        text += '/' + decimal();
      } else {
        at_ = slash;
      }
    }
    Rational first = parse_number(without_separators(text), what);
    if (text.find('/') == std::string::npos && accept('%')) return {first / 100};
    const bool more =
        at_ < text_.size() && std::string_view("+-*/").find(text_[at_]) != std::string_view::npos;
    return more ? sum(Root{std::move(first)}) : Root{std::move(first)};
  }

  /// Whether what follows is sqrt(...), ceil(...) or floor(...), or a function that is none here.
  bool starts_rounding() {
    if (at_ == text_.size() || !is_letter(text_[at_])) return false;
    const std::size_t start = at_;
    const std::string name = lower_case(word());
    const bool bracket = at_ < text_.size() && text_[at_] == '(';
    at_ = start;
    return bracket && (name == "ceil" || name == "floor" || name == "sqrt" || is_irrational(name));
  }

  /// The longest run that could be a decimal; whether it is one, parse_rational says.
  std::string decimal() {
    const std::size_t start = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool sign = c == '+' || c == '-';
      const bool sign_belongs = at_ == start || text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E';
      if (!(is_digit(c) || is_letter(c) || c == '.' || (sign && sign_belongs))) break;
      ++at_;
    }
    std::string result(text_.substr(start, at_ - start));
    skip_spaces();
    return result;
  }

  std::string word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    std::string result(text_.substr(start, at_ - start));
    skip_spaces();
    return result;
  }

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  bool accept(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    skip_spaces();
    return true;
  }

  bool accept_twice(char c) {
    if (at_ + 1 >= text_.size() || text_[at_] != c || text_[at_ + 1] != c) return false;
    ++at_;
    return accept(c);
  }

  void expect(char c, const std::string& wanted) {
    if (!accept(c)) fail(wanted);
  }

  void enter() {
    if (++depth_ > deepest_nesting) {
      throw SpecError("spec: brackets are nested more than " + std::to_string(deepest_nesting) +
                      " deep");
    }
  }

  [[noreturn]] void fail(const std::string& wanted) const {
    const std::string found =
        at_ == text_.size() ? "found its end" : "found " + abbreviated(text_.substr(at_), 20);
    throw SpecError("spec: expected " + wanted + " at character " + std::to_string(at_ + 1) + ", " +
                    found);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool after_power_ = false;  ///< the last factor had a power
  bool of_count_ = false;     ///< an expression of a count is being read
  std::string what_;          ///< the number that is being read, in messages
};

}  // namespace

std::vector<Power> parse(std::string_view text) {
  if (text.size() > longest_spec) {
    throw SpecError("spec: has " + std::to_string(text.size()) + " characters, at most " +
                    std::to_string(longest_spec) + " are read");
  }
  return Parser(text).parse_all();
}

std::string without_groups(std::string_view text) {
  std::string result(text);
  std::size_t digits = 0;  // since the last comma
  bool first = true;       // no comma was met
  for (const char c : text) {
    if (is_digit(c)) {
      ++digits;
    } else if (c == ',' && (digits == 3 || (first && digits > 0 && digits < 3))) {
      digits = 0;
      first = false;
    } else {
      return result;
    }
  }
  if (first || digits != 3 || text.front() == '0') return result;
  std::erase(result, ',');
  return result;
}

Rational typed_number(std::string_view text) {
  std::string plain = without_separators(text);
  const bool percent =
      !plain.empty() && plain.back() == '%' && plain.find('/') == std::string::npos;
  if (percent) plain.pop_back();
  const Rational value = parse_rational(plain);
  return percent ? Rational(value / 100) : value;
}

Rational parse_number(std::string_view text, const std::string& what) {
  const std::size_t slash = text.find('/');
  check_size(text.substr(0, slash), what);
  if (slash != std::string_view::npos) check_size(text.substr(slash + 1), what);
  try {
    return parse_rational(text);
  } catch (const NumberError& error) {
    throw SpecError(what + ' ' + abbreviated(text) + ' ' + error.what());
  }
}

}  // namespace plaudit::syntax

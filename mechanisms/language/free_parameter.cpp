#include "mechanisms/language/free_parameter.hpp"

#include <algorithm>
#include <utility>

#include "lib/text.hpp"
#include "mechanisms/language/syntax.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr char mark = '?';

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// An open bracket, and what was read inside of it so far.
struct Level {
  enum class Kind { composition, call, list, expression };  ///< expression: of the count of a power
  Kind kind;
  std::string name = {};               ///< of the call
  std::string key = {};                ///< of the argument that is being read
  std::size_t position = 0;            ///< of that argument
  std::vector<std::string> keys = {};  ///< of all arguments so far
  bool holds_mark = false;
  bool falls = false;  ///< the expression has a '-' or '/'
};

/// Finds the mark and the calls around it by brackets, names and keys; the parser checks the rest.
class Scanner {
 public:
  /// @param place of the mark: others are numbers like any other.
  Scanner(std::string_view text, std::size_t place) : text_(text), mark_(place) {
    found_.text = text;
  }

  FreeParameter scan() {
    for (at_ = 0; at_ < text_.size(); ++at_) step();
    while (!levels_.empty()) close();  // the parser will refuse an unclosed bracket
    return found_;
  }

 private:
  void step() {
    const char c = text_[at_];
    if (is_blank(c)) return;
    if (is_word(c)) {
      const std::size_t start = at_;
      while (at_ + 1 < text_.size() && is_word(text_[at_ + 1])) ++at_;
      word_ = lower_case(text_.substr(start, at_ + 1 - start));
    } else if (c == '"') {
      const std::size_t end = text_.find('"', at_ + 1);
      at_ = end == std::string_view::npos ? text_.size() : end;
      word_.clear();
    } else {
      sign(c);
      word_.clear();
    }
    last_ = c;
  }

  void sign(char c) {
    if (c == '(') {
      open();
    } else if (c == '[') {
      levels_.push_back({Level::Kind::list});
    } else if (c == ')' || c == ']') {
      if (!levels_.empty()) close();
    } else if (c == ',' && in(Level::Kind::call)) {
      ++levels_.back().position;
      levels_.back().key.clear();
    } else if (c == '=' && in(Level::Kind::call)) {
      levels_.back().key = word_;
      levels_.back().keys.push_back(word_);
    } else if ((c == '-' || c == '/') && in(Level::Kind::expression)) {
      levels_.back().falls = true;
    } else if (at_ == mark_) {
      note();
    }
  }

  bool in(Level::Kind kind) const { return !levels_.empty() && levels_.back().kind == kind; }

  void open() {
    const bool expression = in(Level::Kind::expression) || last_ == '^' || after_power_word();
    const auto kind = expression      ? Level::Kind::expression
                      : word_.empty() ? Level::Kind::composition
                                      : Level::Kind::call;
    levels_.push_back({kind, word_});
  }

  /// Whether the word before an opening bracket stands behind a '^': `^ceil(` and `^floor(`.
  bool after_power_word() const {
    if (word_.empty()) return false;
    std::size_t before = at_;
    while (before > 0 && is_blank(text_[before - 1])) --before;
    while (before > 0 && is_word(text_[before - 1])) --before;
    while (before > 0 && is_blank(text_[before - 1])) --before;
    return before > 0 && text_[before - 1] == '^';
  }

  void note() {
    const bool expression = in(Level::Kind::expression);
    const auto [before, behind] = in(Level::Kind::call) ? around_factors() : neighbours();
    const std::string_view before_it = expression ? "(+*-/" : "(,=^[";
    const std::string_view behind_it = expression ? ")+*-/" : last_ == '^' ? ")*,]" : "),]";
    const bool whole = before_it.find(before) != std::string_view::npos &&
                       behind_it.find(behind) != std::string_view::npos;
    const bool place = last_ == '^' || expression || in(Level::Kind::call) || in(Level::Kind::list);
    if (!whole || !place) {
      throw SpecError(
          "spec: ? must stand for a whole parameter or power, as in gaussian(sigma=?) "
          "or gaussian(sigma=2)^?, or for a part of a product with positive numbers, as in "
          "gaussian(sigma=2*?)");
    }
    found_.place = at_;
    found_.in_list = in(Level::Kind::list);
    found_.in_expression = expression;
    for (Level& level : levels_) {
      level.holds_mark = true;
      if (level.kind != Level::Kind::call) continue;
      found_.key = level.key;  // in the end those of the innermost call
      found_.position = level.position;
    }
    power_ = last_ == '^' || expression;
  }

  /// The characters beside the mark.
  std::pair<char, char> neighbours() const {
    std::size_t next = at_ + 1;
    while (next < text_.size() && is_blank(text_[next])) ++next;
    return {last_, next < text_.size() ? text_[next] : ')'};
  }

  /// The same beside the product with numbers that the mark is in; sets `scaled`.
  std::pair<char, char> around_factors() {
    const auto is_part = [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '/'; };
    auto [before, behind] = neighbours();
    if (before == '*') {
      std::size_t first = text_.rfind('*', at_);
      while (first > 0 && (is_part(text_[first - 1]) || is_blank(text_[first - 1]))) --first;
      before = first > 0 ? text_[first - 1] : ' ';
      found_.scaled = true;
    }
    if (behind == '*' || behind == '/') {
      std::size_t next = text_.find(behind, at_) + 1;
      while (next < text_.size() && (is_part(text_[next]) || is_blank(text_[next]))) ++next;
      behind = next < text_.size() ? text_[next] : ')';
      found_.scaled = true;
    }
    return {before, behind};
  }

  void close() {
    const Level level = std::move(levels_.back());
    levels_.pop_back();
    if (in(Level::Kind::expression) && level.falls) levels_.back().falls = true;
    if (!level.holds_mark) return;
    if (level.kind == Level::Kind::expression) found_.falls = found_.falls || level.falls;
    if (level.kind != Level::Kind::call) return;
    if (!power_ && !closed_) {
      closed_ = true;
      found_.call = level.name;
      found_.keys = level.keys;
      found_.arguments = level.position + 1;
    } else {
      found_.around.insert(found_.around.begin(), level.name);
    }
  }

  std::string_view text_;
  std::size_t mark_;
  std::size_t at_ = 0;
  char last_ = ' ';
  std::string word_;
  std::vector<Level> levels_;
  FreeParameter found_;
  bool power_ = false;
  bool closed_ = false;
};

}  // namespace

FreeParameter find_free_parameter(std::string_view text) {
  if (text.size() > syntax::longest_spec) {
    throw SpecError("spec: has " + std::to_string(text.size()) + " characters, at most " +
                    std::to_string(syntax::longest_spec) + " are read");
  }
  const std::size_t most_marks = 100;  // each one reads the text once
  std::vector<FreeParameter> found;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') quoted = !quoted;
    if (text[at] != mark || quoted) continue;
    if (found.size() == most_marks) {
      throw SpecError("spec: has more than " + std::to_string(most_marks) + " ?");
    }
    found.push_back(Scanner(text, at).scan());
  }
  if (found.empty()) {
    throw SpecError(
        "spec: needs one ? or several in the place of the parameter that is looked for, as in "
        "gaussian(sigma=?)");
  }
  FreeParameter first = found.front();
  first.others.assign(found.begin() + 1, found.end());
  return first;
}

std::string FreeParameter::with(const Rational& value) const {
  std::string result = text;
  const std::string number = to_string(value);
  const auto put = [&](const FreeParameter& at) {  // in an expression a quotient is one term
    result.replace(at.place, 1, at.in_expression ? '(' + number + ')' : number);
  };
  std::for_each(others.rbegin(), others.rend(), put);
  put(*this);
  return result;
}

}  // namespace plaudit

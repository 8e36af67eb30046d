// extend::arguments(): the arguments of a mechanism, read from its canonical text by
// syntax::parse().
#include "api/core.hpp"
#include "lib/exact/rational.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/language/syntax.hpp"
#include "mechanisms/spec_error.hpp"
#include "plaudit/extend.hpp"

namespace plaudit::inline v0::extend {

namespace {

std::vector<std::string> texts(const std::vector<Rational>& numbers) {
  std::vector<std::string> result;
  result.reserve(numbers.size());
  for (const Rational& number : numbers) result.push_back(to_string(number));
  return result;
}

std::string text_of(const syntax::Call& call);

struct Reader {
  using Kind = Argument::Kind;
  std::string name;

  Argument operator()(const Rational& number) const {
    return {name, Kind::number, to_string(number)};
  }
  Argument operator()(const std::vector<Rational>& list) const {
    return {.name = name, .kind = Kind::list, .list = texts(list)};
  }
  Argument operator()(const syntax::Vectors& vectors) const {
    Argument result{name, Kind::vectors};
    for (const std::vector<Rational>& each : vectors) result.vectors.push_back(texts(each));
    return result;
  }
  Argument operator()(const syntax::Word& word) const { return {name, Kind::word, word.text}; }
  Argument operator()(const syntax::Quoted& text) const { return {name, Kind::word, text.text}; }
  Argument operator()(const Root& root) const { return {name, Kind::word, to_string(root)}; }
  Argument operator()(const std::shared_ptr<const syntax::Call>& call) const {
    return {name, Kind::mechanism, text_of(*call)};
  }
};

std::string joined(const std::vector<std::string>& parts) {
  std::string result;
  for (const std::string& part : parts) result += (result.empty() ? "" : ", ") + part;
  return '[' + result + ']';
}

/// The text of a call, with the parameters named where the call names them.
std::string text_of(const syntax::Call& call) {
  std::string result = call.name + '(';
  for (const syntax::Argument& each : call.arguments) {
    const Argument read = std::visit(Reader{each.key}, each.value);
    if (&each != &call.arguments.front()) result += ", ";
    if (!each.key.empty()) result += each.key + '=';
    switch (read.kind) {
      case Argument::Kind::list:
        result += joined(read.list);
        break;
      case Argument::Kind::vectors: {
        std::vector<std::string> rows;
        for (const auto& row : read.vectors) rows.push_back(joined(row));
        result += joined(rows);
        break;
      }
      default:
        result +=
            std::holds_alternative<syntax::Quoted>(each.value) ? '"' + read.text + '"' : read.text;
    }
  }
  return result + ')';
}

/// The names of a mechanism's parameters, in the order in which unnamed arguments are taken.
std::vector<std::string> parameter_names(const std::string& mechanism) {
  std::vector<std::string> result;
  for (const MechanismKind& kind : all_mechanism_kinds()) {
    if (kind.name != mechanism) continue;
    for (const auto& each : kind.parameters) result.emplace_back(each.name);
  }
  return result;
}

}  // namespace

std::vector<Argument> arguments(const Composition& mechanism) {
  const auto parsed = syntax::parse(mechanism.spec());
  if (parsed.size() != 1 || parsed[0].count != 1) {
    throw SpecError("a single mechanism is wanted, not " + abbreviated(mechanism.spec()));
  }
  const syntax::Call& call = *parsed[0].call;
  const std::vector<std::string> names = parameter_names(call.name);
  std::vector<Argument> result;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const syntax::Argument& each = call.arguments[i];
    result.push_back(std::visit(Reader{each.key.empty() ? names.at(i) : each.key}, each.value));
  }
  return result;
}

}  // namespace plaudit::inline v0::extend

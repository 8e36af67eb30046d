// Certificates, checked with little work allowed: a verdict comes in time. What is accepted is
// accepted however its JSON is written, says all that was proven, and is true where a closed form
// (verification/forms/closed_forms, which shares no code with the checker) can tell.
#include <ctime>
#include <nlohmann/json.hpp>

#include "mechanisms/language/syntax.hpp"
#include "tests/fuzz/harness.hpp"
#include "verification/checker/statements.hpp"
#include "verification/forms/closed_forms.hpp"

using namespace plaudit;
using fuzz::demand;
using nlohmann::json;

namespace {

const proof::Limits limits{.timeout = 4, .operations = 1e5};

/// The same content in other words: keys in reverse order, blanks, escapes.
std::string rewritten(const json& value) {
  std::string text;
  if (value.is_array()) {
    for (const json& each : value) text += (text.empty() ? "" : " , ") + rewritten(each);
    return "[ " + text + " ]";
  }
  if (!value.is_object()) return value.dump(-1, ' ', true);
  for (const auto& item : value.items()) {
    text = "\n" + json(item.key()).dump(-1, ' ', true) + " : " + rewritten(item.value()) +
           (text.empty() ? "" : ",") + text;
  }
  return "{" + text + "}";
}

bool soon_told(const std::string& spec) {
  std::uint64_t steps = 0;
  bool gaussian = true;
  for (const syntax::Power& power : syntax::parse(spec)) {
    gaussian = gaussian && power.call->name == "gaussian";
    steps += power.count;
    if (steps > 300 && !gaussian) return false;
  }
  return spec.size() < 300;
}

/// delta(epsilon) of the direction that the claim is about, or of the worse one, where there are
/// closed forms.
std::optional<Directed> delta_of(const json& content, const Rational& epsilon) {
  const auto spec = content["spec"].get<std::string>();
  if (content.contains("direction")) {
    const bool removes = content["direction"] == "remove";
    return closed_form_delta(spec, removes ? Direction::remove : Direction::add, epsilon);
  }
  const auto remove = closed_form_delta(spec, Direction::remove, epsilon);
  const auto add = closed_form_delta(spec, Direction::add, epsilon);
  if (!remove || !add) return std::nullopt;
  return max(*remove, *add);
}

/// Proof: docs/proofs/hockey_stick.md; a curve is continuous and does not increase.
void demand_true(const json& content) {
  const auto number = [&](const char* name) {
    return parse_rational(content[name].get_ref<const std::string&>());
  };
  const auto spec = content["spec"].get<std::string>();
  const bool upper_is_finite = content["upper"] != "inf";
  const bool lower_is_finite = content["lower"] != "inf";
  const Rational argument = number("argument");
  if (upper_is_finite) demand(number("upper") >= 0, "no curve is below 0");
  if (content["quantity"] == "delta") demand(number("lower") <= 1, "no curve is above 1");
  if (!soon_told(spec)) return;
  if (content["quantity"] == "delta") {
    const auto delta = delta_of(content, argument);
    if (!delta) return;
    demand(!delta->certainly_less(Directed(number("lower"))), "a false lower bound is accepted");
    demand(!Directed(number("upper")).certainly_less(*delta), "a false upper bound is accepted");
    return;
  }
  if (lower_is_finite && number("lower") > 0) {
    const auto delta = delta_of(content, number("lower"));
    demand(!delta || !delta->certainly_less(Directed(argument)), "a false lower bound is accepted");
  }
  if (upper_is_finite) {
    const auto delta = delta_of(content, number("upper"));
    demand(!delta || !Directed(argument).certainly_less(*delta), "a false upper bound is accepted");
  }
}

void demand_of_accepted(std::string_view text, const proof::Verdict& verdict) {
  demand(verdict.reason.empty(), "accepted, but " + verdict.reason);
  demand(proof::problem_before_proofs(text).empty(), "accepted, but it does not follow");
  const json content = json::parse(text);
  demand(verdict.spec == content["spec"], "accepted for another spec");
  demand(verdict.statements.size() == content["statements"].size(), "statements left out");
  demand(proof::check(rewritten(content), limits).accepted, "accepted in one notation only");
  json more = content;
  more["beside"] = "the point";
  demand(!proof::check(more.dump(), limits).accepted, "a field more is accepted");
  demand_true(content);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const std::clock_t start = std::clock();  // of the processor: the machine may be busy
  const proof::Verdict verdict = proof::check(text, limits);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  demand(seconds < 4 * limits.timeout, "the time limit was not honoured");
  if (verdict.accepted) {
    demand_of_accepted(text, verdict);
  } else {
    fuzz::demand_message(verdict.reason);
  }
  return 0;
}

// Parameters that are words, texts and mechanisms, laws made of those of mechanisms, what is said
// of the pair, and long answers of accountants.
#include <plaudit/extend.hpp>
#include <plaudit/interruption.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>

using namespace plaudit;
using namespace plaudit::extend;

namespace {

/// A mechanism that is run by other means: its law is that of the mechanism it takes.
class Wrapped final : public extend::Mechanism {
 public:
  explicit Wrapped(std::string name, std::vector<Parameter> parameters = {})
      : name_(std::move(name)), parameters_(std::move(parameters)) {
    if (!parameters_.empty()) return;
    parameters_ = {{"mechanism", Domain::mechanism},
                   {"mode", Domain::word, "strict", {"strict", "turned"}},
                   {"times", Domain::positive, "1.0"}};
  }
  std::string name() const override { return name_; }
  std::string summary() const override { return "of a test"; }
  std::string theorem() const override { return "none"; }
  std::vector<Parameter> parameters() const override { return parameters_; }
  std::string example() const override { return name_ + "(gaussian(1))"; }
  Adjacency adjacency(const extend::Arguments& given) const override {
    return given.mechanism("mechanism").adjacency();
  }
  Laws laws(const extend::Arguments& given) const override {
    const auto remove = law_of(given.mechanism("mechanism"), Direction::remove);
    const auto add = law_of(given.mechanism("mechanism"), Direction::add);
    return given.text("mode") == "strict" ? Laws{remove, add} : Laws{add, reversed(add)};
  }
  std::string attained(const extend::Arguments& given) const override {
    return given.text("mode") == "strict" ? "two records have it" : "";
  }

 private:
  std::string name_;
  std::vector<Parameter> parameters_;
};

std::string refusal_of_spec(const std::string& spec) {
  try {
    parse(spec);
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return "";
}

std::string refusal_of_parameters(const std::vector<Parameter>& parameters) {
  try {
    add(std::make_shared<Wrapped>("never", parameters));
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return "";
}

#define CHECK_SAYS(text, words) CHECK_MESSAGE((text).find(words) != std::string::npos, text)

bool meet(const Band& a, const Band& b) { return a.lower() <= b.upper() && b.lower() <= a.upper(); }

}  // namespace

TEST_CASE("a mechanism and a word are parameters, and laws are made of laws") {
  add(std::make_shared<Wrapped>("wrapped"));
  CHECK(parse("wrapped(gaussian(1), mode=strict, times=1)").spec() ==
        "wrapped(mechanism=gaussian(sigma=1))");
  const Composition turned = parse("wrapped(poisson(gaussian(1), 0.25), turned)^20");
  CHECK(turned.spec() ==
        "wrapped(mechanism=poisson(gaussian(sigma=1), rate=0.25), mode=turned)^20");
  CHECK(parse(turned.spec()).spec() == turned.spec());
  CHECK(turned.adjacency().kind == "add_remove");
  CHECK(parse("wrapped(wrapped(laplace(2)))").spec() ==
        "wrapped(mechanism=wrapped(mechanism=laplace(scale=2)))");
  const std::vector<Argument> read = arguments(steps(turned)[0].mechanism);
  REQUIRE(read.size() == 2);
  CHECK(read[0].kind == Argument::Kind::mechanism);
  CHECK(parse(read[0].text).spec() == "poisson(gaussian(sigma=1), rate=0.25)");
  CHECK(read[1].text == "turned");

  const Band truth = epsilon(parse("poisson(gaussian(1), 0.25)^20"), "1e-5");
  const Band found = epsilon(turned, "1e-5", {.digits = 4});
  CHECK(found.reached());
  REQUIRE(truth.directions().size() == 2);
  REQUIRE(found.directions().size() == 2);
  for (const std::size_t i : {0U, 1U}) {  // turned: what adds is what removes
    CHECK(found.directions()[i].lower <= truth.directions()[1 - i].upper);
    CHECK(truth.directions()[1 - i].lower <= found.directions()[i].upper);
  }
  for (const char* inner : {"gaussian(2)", "laplace(4)", "randomized_response(1)",
                            "truncated_laplace(2, 3)", "discrete_gaussian(2)"}) {
    INFO(std::string(inner));
    const Composition mine = parse("wrapped(" + std::string(inner) + ")^3");
    const Composition theirs = parse(std::string(inner) + "^3");
    CHECK(meet(delta(mine, "0.4", {.digits = 4}), delta(theirs, "0.4")));
  }
}

TEST_CASE("what is no such parameter is refused") {
  CHECK_SAYS(refusal_of_spec("wrapped(3)"), "wrapped: mechanism must be a mechanism, not 3");
  CHECK_SAYS(refusal_of_spec("wrapped(gaussian(1), mode=lax)"),
             "wrapped: mode must be strict or turned, not 'lax'");
  CHECK_SAYS(refusal_of_spec("wrapped(gaussian(1), mode=\"strict\")"), "must be strict or turned");
  CHECK_SAYS(refusal_of_spec("wrapped(mode=strict)"), "mechanism is missing");
  CHECK_SAYS(refusal_of_parameters({{"mechanism", Domain::mechanism, "laplace"}}),
             "the default of mechanism must be empty");
  CHECK_SAYS(refusal_of_parameters({{"mode", Domain::word, "lax", {"strict"}}}),
             "the default of mode must be strict, not 'lax'");
  CHECK_SAYS(refusal_of_parameters({{"mode", Domain::word}}), "words are for");
  CHECK_SAYS(refusal_of_parameters({{"mode", Domain::number, "", {"one"}}}), "words are for");
  CHECK_SAYS(refusal_of_parameters({{"mode", Domain::word, "", {"Not one"}}}),
             "a word of a plug-in");

  const extend::Arguments given({{"a", Number(1)}, {"b", std::string("words")}});
  CHECK(given["a"].text() == "1");
  CHECK(given.text("b") == "words");
  CHECK_THROWS_WITH_AS(given["b"], "the parameter b is of another kind", std::invalid_argument);
  CHECK_THROWS_WITH_AS(given.mechanism("c"), "there is no parameter c", std::invalid_argument);
  CHECK_THROWS_AS(law_of(parse("gaussian(1)^2"), Direction::remove), std::invalid_argument);
}

TEST_CASE("a text in quotes is a parameter") {
  class Read final : public extend::Mechanism {
   public:
    std::string name() const override { return "read_from"; }
    std::string summary() const override { return "of a test"; }
    std::string theorem() const override { return "none"; }
    std::vector<Parameter> parameters() const override { return {{"file", Domain::text}}; }
    std::string example() const override { return "read_from(\"laplace(2)\")"; }
    Adjacency adjacency(const extend::Arguments&) const override { return {"as_stated"}; }
    Laws laws(const extend::Arguments& given) const override {
      return {law_of(parse(given.text("file")), Direction::remove)};
    }
  };
  add(std::make_shared<Read>());
  const Composition run = parse("read_from(\"laplace(4)\")");
  CHECK(run.spec() == "read_from(file=\"laplace(4)\")");
  CHECK(parse(run.spec()).spec() == run.spec());
  CHECK(meet(epsilon(run, "0.05"), epsilon(parse("laplace(4)"), "0.05")));
  CHECK_SAYS(refusal_of_spec("read_from(3)"), "read_from: file must be a text in quotes");
}

TEST_CASE("a pair that its author states to be attained bounds the mechanism from below") {
  const Band yes = delta(parse("wrapped(laplace(4))^3"), "0.25", {.digits = 3});
  CHECK(yes.attainment().mechanism);
  CHECK(yes.attainment().attained == "yes");
  CHECK_SAYS(yes.attainment().why, "two records have it (as the plug-in states)");
  const Band unknown = delta(parse("wrapped(laplace(4), turned)^3"), "0.25", {.digits = 3});
  CHECK_FALSE(unknown.attainment().mechanism);
  CHECK(unknown.attainment().attained == "unknown");
}

TEST_CASE("a long answer of an accountant ends with the limits of the question") {
  struct Stopped {};
  class Slow final : public extend::Accountant {
   public:
    std::string name() const override { return "slow"; }
    std::string summary() const override { return "of a test"; }
    ClaimKind claim() const override { return ClaimKind::upper; }
    Interval epsilon(const Composition&, Direction, const Number&) const override {
      CHECK(wanted_digits() == 7);
      CHECK(seconds_left() > 0);
      for (;;) look_at_limits();
    }
  };
  add(std::make_shared<Slow>());
  const auto start = std::chrono::steady_clock::now();
  const Band band = epsilon(parse("gaussian(1)"), "1e-5",
                            {.digits = 7, .accountant = "slow", .timeout_seconds = 0.2});
  CHECK_FALSE(band.stopped_by().empty());
  CHECK_FALSE(band.reached());
  int asked = 0;
  const Interruptible interruptible([&] {
    if (++asked > 1) throw Stopped();
  });
  CHECK_THROWS_AS(epsilon(parse("gaussian(1)"), "1e-5", {.digits = 7, .accountant = "slow"}),
                  Stopped);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
}

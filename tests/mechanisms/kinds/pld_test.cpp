// Laws from files: what is read, and what is refused with which words.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "mechanisms/forms/pld_file.hpp"
#include "mechanisms/laws/lattice_law.hpp"
#include "mechanisms/spec_error.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// A file that is gone with the object.
class File {
 public:
  explicit File(const std::string& text) {
    static int count = 0;
    name_ = (std::filesystem::temp_directory_path() / ("plaudit_pld_" + std::to_string(::getpid()) +
                                                       "_" + std::to_string(++count) + ".json"))
                .string();
    std::ofstream(name_) << text;
  }
  ~File() { std::remove(name_.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  std::string spec() const { return "pld(file=\"" + name_ + "\")"; }

 private:
  std::string name_;
};

std::string refusal(const std::string& text) {
  try {
    const WrittenPair pair = parse_pld(text, "x.json");
    loss_of(pair.remove, "");
    loss_of(pair.add, "");
  } catch (const SpecError& error) {
    const std::string message = error.what();
    CHECK(message.size() < 300);
    for (const char c : message) CHECK_MESSAGE((c >= ' ' && c <= '~'), message);
    return message;
  }
  return "accepted";
}

std::string with_law(const std::string& law) {
  return R"({"adjacency": "add/remove", "both": )" + law + "}";
}

#define CHECK_REFUSED(text, words) \
  CHECK_MESSAGE(refusal(text).find(words) != std::string::npos, refusal(text))

const char* const three = R"({
  "description": "three losses and a mass at infinity",
  "adjacency": "add/remove",
  "remove": {"losses": ["-1/2", "0", "0.25"], "masses": ["0.1", "1/5", "0.699"], "infinite": "1e-3"},
  "add": {"lattice": {"mesh": "1/4", "offset": "0.5", "first": -3},
          "masses": [["0.3", "0.4"], "0.2", ["0.4", "0.5"]]}
})";

}  // namespace

TEST_CASE("a law from a file") {
  const File file(three);
  const Composition composition = parse_spec(file.spec() + "^3");
  CHECK(composition.spec() == file.spec() + "^3");
  CHECK_FALSE(composition.symmetric());
  const PrecisionScope scope(128);
  const auto law = loss_from(file.spec(), Direction::remove).terms()[0].loss;
  CHECK_CONTAINS(law->mass_at_infinity(), "0.001");
  CHECK_CONTAINS(law->p_above(Ball(0)), "0.7");
  CHECK_CONTAINS(law->p_above(Ball(-0.25)), "0.9");
  CHECK_CONTAINS(law->p_atom(Ball(-0.5)), "0.1");
  CHECK_CONTAINS(law->delta(Ball(1)), "0.001");
  CHECK_OVERLAPS(law->delta(Ball(0)), Ball(parse_rational("0.001")) +
                                          Ball(parse_rational("0.699")) * -expm1(Ball(-0.25)));
  const auto lattice = law->lattice();
  REQUIRE(lattice);
  CHECK_CONTAINS(lattice->mesh, "0.25");
  CHECK(lattice->masses.size() == 4);
  CHECK(lattice->masses[1].is_exact_zero());
  CHECK_OVERLAPS(log(lattice->mgf(Ball(2))), law->log_mgf(Ball(2)));
  // intervals: every mass between the ends
  const auto wide = loss_from(file.spec(), Direction::add).terms()[0].loss;
  CHECK_CONTAINS(wide->least_loss(), "-0.25");
  CHECK_CONTAINS(wide->greatest_loss(), "0.25");
  CHECK_CONTAINS(wide->p_above(Ball(0)), "0.4");
  CHECK_CONTAINS(wide->p_above(Ball(0)), "0.5");
  CHECK(wide->p_above(Ball(0)).upper_double() < 0.51);
}

TEST_CASE("samples of a law from a file") {
  // an (eps, delta) pair: P puts 1/8 where Q vanishes, and Q has mass left where P vanishes
  const File file(with_law(R"({"losses": ["0.5"], "masses": ["7/8"], "infinite": "1/8"})"));
  const PrecisionScope scope(160);
  const Rational rate(1, 3);
  const Ball q_seen = Ball(Rational(7, 8)) * exp(Ball(-0.5));
  const std::string spec = "poisson(" + file.spec() + ", rate=1/3)";
  const auto remove = loss_from(spec, Direction::remove).terms()[0].loss;
  const auto add = loss_from(spec, Direction::add).terms()[0].loss;
  CHECK_OVERLAPS(remove->mass_at_infinity(), Ball(Rational(1, 24)));
  CHECK(add->mass_at_infinity().is_exact_zero());
  CHECK_OVERLAPS(remove->q_mass(), Ball(1));
  for (const double x : {-0.6, -0.3, -0.1, 0.0, 0.1, 0.3, 0.5}) {
    // outcomes: seen by both, by P only, by Q only
    const Ball p[] = {Ball(Rational(7, 8)), Ball(Rational(1, 8)), Ball(0)};
    const Ball q[] = {q_seen, Ball(0), Ball(1) - q_seen};
    Ball under_remove;
    Ball under_add;
    for (int i = 0; i < 3; ++i) {
      const Ball mixed = Ball(rate) * p[i] + Ball(Rational(1 - rate)) * q[i];
      under_remove += max(Ball(0), mixed - exp(Ball(x)) * q[i]);
      // the pair for addition is the file's own, (P, Q): (P, (1-g) P + g Q)
      const Ball other = Ball(rate) * q[i] + Ball(Rational(1 - rate)) * p[i];
      under_add += max(Ball(0), p[i] - exp(Ball(x)) * other);
    }
    CHECK_OVERLAPS(remove->delta(Ball(x)), under_remove);
    CHECK_OVERLAPS(add->delta(Ball(x)), under_add);
    CHECK_WIDTH_BELOW(remove->delta(Ball(x)) + Ball(1), 1e-40);
  }
  const File change(R"({"adjacency": "replace one", "both": {"losses": ["0.5"], "masses": [1]}})");
  CHECK_THROWS_WITH_AS(parse_spec("poisson(" + change.spec() + ", rate=1/3)"),
                       doctest::Contains("one record added or removed"), SpecError);
}

TEST_CASE("bad files are refused by field") {
  CHECK(refusal(three) == "accepted");
  CHECK_THROWS_WITH_AS(parse_spec("pld(file=\"no such file\")"),
                       doctest::Contains("readable file, not 'no such file'"), SpecError);
  CHECK_THROWS_WITH_AS(parse_spec("pld(file=\"/\")"), doctest::Contains("readable file"),
                       SpecError);
  CHECK_THROWS_WITH_AS(parse_spec("pld(file=name)"),
                       doctest::Contains("file must be a path in double quotes, not 'name'"),
                       SpecError);
  CHECK_THROWS_WITH_AS(parse_spec("pld(file=\"name"), doctest::Contains("a closing"), SpecError);
  CHECK_THROWS_WITH_AS(parse_spec("gaussian(\"1\")"), doctest::Contains("sigma must be"),
                       SpecError);
  CHECK_REFUSED("", "is not JSON");
  CHECK_REFUSED("{", "is not JSON");
  CHECK_REFUSED(std::string(100000, '['), "brackets at most 20 deep");
  CHECK_REFUSED("[]", "the file must be an object");
  CHECK_REFUSED("{}", "adjacency must be a text");
  CHECK_REFUSED(R"({"adjacency": "x"})", "either both, or remove and add");
  CHECK_REFUSED(R"({"adjacency": "x", "remove": {}})", "either both, or remove and add");
  CHECK_REFUSED(R"({"adjacency": "x", "both": {}, "add": {}})", "either both, or remove and add");
  CHECK_REFUSED(R"({"adjacency": "x", "boht": {}})", "an unknown field; known are");
  CHECK_REFUSED(R"({"adjacency": "x", "adjacency": "replace", "both": {}})", "no field twice");
  CHECK_REFUSED(with_law("3"), "both must be an object");
  CHECK_REFUSED(with_law(R"({"masses": [1]})"), "one of losses and lattice");
  CHECK_REFUSED(with_law(R"({"losses": [], "masses": []})"), "both.masses must be a list");
  CHECK_REFUSED(with_law(R"({"losses": [1, 2], "masses": [1]})"), "one loss for each of the 1");
  CHECK_REFUSED(with_law(R"({"losses": [2, 1], "masses": [0, 1]})"),
                "both.losses[1] must be above");
  CHECK_REFUSED(with_law(R"({"losses": [1, 1], "masses": [0, 1]})"),
                "both.losses[1] must be above");
  CHECK_REFUSED(with_law(R"({"losses": [0.1], "masses": [1]})"), "both.losses[0] must be a text");
  CHECK_REFUSED(with_law(R"({"losses": ["inf"], "masses": [1]})"),
                "losses[0] must be a number of the spec");
  CHECK_REFUSED(with_law(R"({"losses": ["0"], "masses": ["-1"]})"), "both.masses[0] must be >= 0");
  CHECK_REFUSED(with_law(R"({"losses": ["0"], "masses": ["2"]})"), "both.masses[0] must be <= 1");
  CHECK_REFUSED(with_law(R"({"losses": ["0"], "masses": [["1", "0"]]})"), "lower end first");
  CHECK_REFUSED(with_law(R"({"losses": ["0"], "masses": [["1"]]})"), "a mass or [lower, upper]");
  CHECK_REFUSED(with_law(R"({"losses": ["0"], "masses": ["0.9"]})"), "able to sum to exactly 1");
  CHECK_REFUSED(with_law(R"({"losses": ["1"], "masses": ["1"], "infinite": "1e-30"})"),
                "able to sum to exactly 1");
  CHECK_REFUSED(with_law(R"({"losses": ["-0.1"], "masses": [1]})"), "must leave Q");
  CHECK_REFUSED(with_law(R"({"losses": ["0"], "masses": [0], "infinite": 1})"),
                "positive at a finite loss");
  CHECK_REFUSED(with_law(R"({"lattice": {"mesh": 0}, "masses": [1]})"), "mesh must be > 0");
  CHECK_REFUSED(with_law(R"({"lattice": {"offset": 0}, "masses": [1]})"), "must have a mesh");
  CHECK_REFUSED(with_law(R"({"lattice": {"mesh": 1, "first": "1/2"}, "masses": [1]})"),
                "an integer");
  CHECK(refusal(with_law(R"({"lattice": {"mesh": 1, "first": 1}, "masses": [1]})")) == "accepted");
  CHECK(refusal(with_law(R"({"losses": ["0"], "masses": [["0.9", "1"]]})")) == "accepted");
}

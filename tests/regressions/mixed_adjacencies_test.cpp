// Factors for different adjacencies, or for groups of different sizes, were multiplied in silence
// and the product was called certified: without_replacement(..., adjacency=replace) * poisson(...),
// group(..., size=4) * poisson(...), pair(without_replacement, ...) * poisson(...). A noise
// multiplier was taken for sigma over the replace sensitivity where a batch's record is replaced.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "plaudit/plaudit.hpp"

using plaudit::Adjacency;
using plaudit::parse;

namespace {

const std::string poisson = "poisson(gaussian(sigma=1), rate=0.01)";
const std::string removed = "without_replacement(gaussian(1), 10, 1000, adjacency=add_remove)";
const std::string replaced = "without_replacement(gaussian(1), 10, 1000, adjacency=replace)";
const std::string drawn = "with_replacement(gaussian(1), 10, 1000)";
const std::string no_guarantee = "pair(without_replacement, sigma=1, rate=0.01)";

std::string group(const std::string& mechanism, int size) {
  return "group(" + mechanism + ", size=" + std::to_string(size) + ")";
}

std::string law(const std::string& name, const std::string& adjacency) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("mixed_adjacencies_" + name + ".json")).string();
  std::ofstream(file) << R"({"adjacency": ")" << adjacency
                      << R"(", "both": {"losses": ["-1/2", "1/4"], "masses": ["1/4", "3/4"]}})";
  return "pld(file=\"" + file + "\")";
}

std::string shown(const std::string& spec) {
  const Adjacency adjacency = parse(spec).adjacency();
  return adjacency.kind + " " + std::to_string(adjacency.group_size) +
         (adjacency.guarantee ? "" : " no guarantee");
}

void refused(const std::string& spec, const std::vector<std::string>& words) {
  try {
    parse(spec);
    FAIL_CHECK(spec << " is accepted");
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    for (const std::string& word : words) {
      CHECK_MESSAGE(message.find(word) != std::string::npos, spec, ": ", message);
    }
    CHECK(message.size() < 450);
    CHECK(message.find('\n') == std::string::npos);
  }
}

}  // namespace

TEST_CASE("every mechanism has its adjacency") {
  for (const char* plain :
       {"gaussian(1)", "laplace(1)", "discrete_laplace(1)", "discrete_gaussian(1)", "pure(1)",
        "approximate(1, 1e-9)", "randomized_response(1)", "gaussian(1)^3 * laplace(2)"}) {
    CHECK_MESSAGE(shown(plain) == "as_stated 1", plain);
  }
  CHECK(shown("mixture(1, [0, 1], [1/2, 1/2])") == "add_remove 1");
  CHECK(shown(poisson) == "add_remove 1");
  CHECK(shown("poisson(laplace(1), rate=1)") == "add_remove 1");
  CHECK(shown("poisson(" + poisson + ", 0.5)") == "add_remove 1");
  CHECK(shown(removed) == "add_remove 1");
  CHECK(shown(replaced) == "replace 1");
  CHECK(shown(drawn) == "replace 1");
  CHECK(shown(group("gaussian(1)", 4)) == "as_stated 4");
  CHECK(shown(group(poisson, 4)) == "add_remove 4");
  CHECK(shown(group(removed, 3)) == "add_remove 3");
  CHECK(shown(group(replaced, 3)) == "replace 3");
  CHECK(shown(group(drawn, 2)) == "replace 2");
  CHECK(shown("pair(poisson, sigma=1, rate=0.01)") == "add_remove 1");
  CHECK(shown(no_guarantee) == "none 1 no guarantee");
  CHECK(shown("pair(with_replacement, sigma=1, batch=2, population=9)") == "none 1 no guarantee");
}

TEST_CASE("the file of a law states its adjacency") {
  CHECK(shown(law("a", "add/remove")) == "add_remove 1");
  CHECK(shown(law("b", "add_remove")) == "add_remove 1");
  CHECK(shown(law("c", "replace")) == "replace 1");
  CHECK(shown(law("d", "zero_out")) == "zero_out 1");
  CHECK(shown(law("e", "zero-out")) == "zero_out 1");
  CHECK(shown(law("f", "as_stated")) == "as_stated 1");
  CHECK(shown(law("g", "none")) == "none 1 no guarantee");
  CHECK(shown(law("h", "my own")) == "my own 1");
  // What follows a zero byte is part of the text.
  CHECK(shown(law("i", "add_remove\\u0000x")) == std::string("add_remove\0x 1", 14));
  CHECK(shown("poisson(" + law("b", "add_remove") + ", 0.5)") == "add_remove 1");
  refused("poisson(" + law("c", "replace") + ", 0.5)", {"poisson: mechanism must be"});
  refused(law("j", ""), {"adjacency must be a text of 1 to 200 bytes"});
  CHECK(shown(law("h", "my own") + " * gaussian(1)") == "my own 1");
  CHECK(shown(law("h", "my own") + " * " + law("k", "my own")) == "my own 1");
  refused(law("h", "my own") + " * " + law("l", "My own"), {"'my own'", "'My own'"});
  refused(law("d", "zero_out") + " * " + poisson, {"zero_out", "add_remove"});
  refused(law("i", "add_remove\\u0000x") + " * " + poisson, {"'add_remove?x'", "add_remove"});
}

TEST_CASE("what compose are factors for one adjacency and one size of groups") {
  const std::string plain = "gaussian(1) * ";
  CHECK(shown(plain + poisson) == "add_remove 1");
  CHECK(shown(poisson + " * laplace(3)^7 * " + removed) == "add_remove 1");
  CHECK(shown(plain + replaced + " * " + drawn) == "replace 1");
  CHECK(shown(plain + group(poisson, 4)) == "add_remove 4");
  CHECK(shown(group(poisson, 4) + " * " + group("gaussian(1)", 4) + " * laplace(1)") ==
        "add_remove 4");
  CHECK(shown(group(replaced, 2) + " * " + group("gaussian(1)", 2)) == "replace 2");
  CHECK(shown(plain + no_guarantee) == "none 1 no guarantee");
  CHECK(shown("pair(with_replacement, sigma=1, batch=2, population=9) * " + no_guarantee) ==
        "none 1 no guarantee");

  refused(replaced + " * " + poisson,
          {"without_replacement", "is for replace", "poisson(", "is for add_remove"});
  refused(group(poisson, 4) + " * " + poisson,
          {"group(", "add_remove, groups of up to 4 records", "poisson("});
  refused(no_guarantee + " * " + poisson, {"pair(", "no privacy guarantee", "poisson("});
  refused(replaced + " * gaussian(1) * " + removed, {"is for replace", "is for add_remove"});
  refused(group(poisson, 2) + " * " + group(poisson, 3), {"up to 2 records", "up to 3 records"});
  refused(group("gaussian(1)", 4) + " * " + poisson, {"as_stated, groups of up to 4"});
  refused(group("gaussian(1)", 1) + " * " + group(poisson, 4), {"group(", "up to 4 records"});
  refused("(" + drawn + "^3 * pure(1))^2 * mixture(1, [0, 1], [1/2, 1/2])", {"mixture("});
  refused("without_replacement(poisson(gaussian(1), 1), 10, 1000, adjacency=replace)",
          {"without_replacement: mechanism must be gaussian"});
  CHECK_THROWS_AS(parse(replaced) * parse(poisson), std::invalid_argument);
}

TEST_CASE("a noise multiplier has two readings where records are replaced") {
  const std::string given = "gaussian(noise_multiplier=1.1)";
  const std::vector<std::string> readings{"noise_multiplier=1.1", "gaussian(sigma=1.1)",
                                          "gaussian(sigma=1.1, sensitivity=2)"};
  refused("without_replacement(" + given + ", 10, 1000, adjacency=replace)", readings);
  refused("with_replacement(" + given + ", 10, 1000)", readings);
  refused(given + " * " + replaced, readings);
  refused("gaussian(sigma=1.1) * " + drawn + " * " + given, readings);
  refused(group(given, 2) + " * " + group(replaced, 2), readings);
  refused(given + " * " + law("c", "replace"), readings);
  CHECK(shown("without_replacement(" + given + ", 10, 1000, adjacency=add_remove)") ==
        "add_remove 1");
  CHECK(shown("poisson(" + given + ", 0.5)") == "add_remove 1");
  CHECK(shown(given) == "as_stated 1");
}

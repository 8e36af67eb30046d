// Matrix mechanisms: the sensitivity against all patterns of few steps, and what is refused.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "mechanisms/forms/encoder.hpp"
#include "mechanisms/spec_error.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// D^2 / sigma^2, of a spec's Gaussian loss.
Rational square_of(const std::string& spec) {
  return 2 * parse_spec(spec)
                 .factors()[0]
                 .mechanism->loss(Direction::remove)
                 ->facts()
                 .gaussian_mean.value();
}

/// The greatest sum over all patterns, of the encoder itself: with signs of the records where
/// `signed`.
Rational by_enumeration(const EncoderRows& rows, std::size_t most, std::size_t separation) {
  const std::size_t n = rows.empty() ? 0 : rows[0].size();
  Rational greatest = 0;
  for (unsigned pattern = 1; pattern < 1U << n; ++pattern) {
    std::vector<std::size_t> places;
    bool apart = true;
    for (std::size_t j = 0; j < n; ++j) {
      if ((pattern >> j & 1U) == 0) continue;
      apart = apart && (places.empty() || j - places.back() >= separation);
      places.push_back(j);
    }
    if (!apart || places.size() > most) continue;
    for (unsigned signs = 0; signs < 1U << places.size(); ++signs) {  // records on a line
      Rational sum = 0;
      for (const std::vector<Rational>& row : rows) {
        Rational moved = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
          moved += (signs >> i & 1U) != 0 ? row[places[i]] : Rational(-row[places[i]]);
        }
        sum += moved * moved;
      }
      greatest = std::max(greatest, sum);
    }
  }
  return greatest;
}

EncoderRows toeplitz(const std::vector<Rational>& column, std::size_t n) {
  EncoderRows rows(n, std::vector<Rational>(n, Rational(0)));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      if (i - j < column.size()) rows[i][j] = column[i - j];
    }
  }
  return rows;
}

EncoderRows tree(std::size_t n) {
  EncoderRows rows;
  for (std::size_t width = 1; width <= n; width *= 2) {
    for (std::size_t from = 0; from + width <= n; from += width) {
      rows.emplace_back(n, Rational(0));
      for (std::size_t j = from; j < from + width; ++j) rows.back()[j] = 1;
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("matrices: no pattern of few steps moves the rows by more") {
  const std::vector<Rational> coefficients{1, Rational(1, 2), Rational(3, 8)};
  for (const std::size_t n : {1U, 4U, 7U}) {
    for (std::size_t most = 1; most <= 4; ++most) {
      for (std::size_t separation = 1; separation <= 4; ++separation) {
        INFO(n, " ", most, " ", separation);
        const Participation who{n, most, separation};
        const EncoderRows banded = toeplitz(coefficients, n);
        const Rational bound = greatest_square_sensitivity(who, gram_of(banded));
        const Rational truth = by_enumeration(banded, most, separation);
        CHECK(bound >= truth);
        CHECK(bound == greatest_square_sensitivity(who, gram_of_toeplitz(coefficients, n)));
        if (most == 1 || separation >= 3) CHECK(bound == truth);  // of three bands
        CHECK(bound <= 2 * truth);
        const Rational of_tree = by_enumeration(tree(n), most, separation);
        const Rational tree_bound = greatest_square_sensitivity(who, gram_of_tree(n));
        CHECK(tree_bound >= of_tree);
        if (most == 1) CHECK(tree_bound == of_tree);
        EncoderRows mixed = banded;  // signs
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < i; ++j)
            mixed[i][j] = Rational(static_cast<long>((3 * i + j) % 5)) - 2;
        }
        CHECK(greatest_square_sensitivity(who, gram_of(mixed)) >=
              by_enumeration(mixed, most, separation));
      }
    }
  }
}

TEST_CASE("matrices: the Gaussian pair of their sensitivity") {
  CHECK(square_of("matrix(encoder=[[1, 0], [0.5, 1]], sigma=2)") == Rational(5, 16));
  CHECK(square_of("matrix(encoder=[[1, 0], [0.5, 1]], sigma=2, sensitivity=3, participations=2)") ==
        Rational(13 * 9, 16));  // (1, 1) + (0.5, 1) -> (1, 1.5): 3.25
  CHECK(square_of("tree(steps=1000, sigma=1)") == 10);
  CHECK(square_of("tree(steps=1024, sigma=1)") == 11);
  CHECK(square_of("tree(steps=1023, sigma=2, sensitivity=1/2)") == Rational(10, 16));
  CHECK(square_of("toeplitz([1, 0.5, 0.375], 100, 4, participations=10, min_separation=10)") ==
        Rational(10) * (Rational(1) + Rational(1, 4) + Rational(9, 64)) / 16);
  CHECK(square_of("toeplitz([1], 50, 1, participations=7)") == 7);  // plain noise in each step
  const Composition run = parse_spec("toeplitz([1, 1/2], steps=9, sigma=4, k=3, b=2)^2");
  CHECK(run.spec() ==
        "toeplitz(coefficients=[1, 0.5], steps=9, sigma=4, participations=3, min_separation=2)^2");
  CHECK(parse_spec(run.spec()).spec() == run.spec());
  CHECK(run.adjacency() == Adjacency{});
  CHECK(run.symmetric());
  const PrecisionScope scope(100);
  CHECK_OVERLAPS(
      parse_spec("toeplitz([1], 9, 3, k=9)")
          .factors()[0]
          .mechanism->loss(Direction::add)
          ->delta(Ball(0.5)),
      parse_spec("gaussian(1)").factors()[0].mechanism->loss(Direction::add)->delta(Ball(0.5)));
}

TEST_CASE("matrices from files") {
  const std::string path =
      (std::filesystem::temp_directory_path() / "plaudit_encoder.json").string();
  const auto write = [&](const std::string& text) { std::ofstream(path) << text; };
  write(R"([[1, 0], ["1/2", "1.0"]])");
  const std::string spec = "matrix(encoder=\"" + path + "\", sigma=2)";
  CHECK(square_of(spec) == Rational(5, 16));
  CHECK(parse_spec(spec).spec() == spec);
  for (const char* text : {"", "{}", "[1, 2]", "[[1, 0], [0.5, 1]]", "[[1], [1, 1]]", "[[\"x\"]]",
                           "[[1, 1], [0, 1]]", "[[0]]", "[]", "[[[1]]]", "[[1e400]]"}) {
    write(text);
    CHECK_MESSAGE(refusal_of(spec) != "", text);
  }
  std::filesystem::remove(path);
  CHECK(refusal_of(spec) != "");
}

TEST_CASE("matrices that are refused") {
  for (const char* spec :
       {"matrix(encoder=[[1, 1], [0, 1]], sigma=2)", "matrix(encoder=[[1, 0]], sigma=2)",
        "matrix(encoder=[[0]], sigma=2)", "matrix(encoder=[1, 2], sigma=2)",
        "matrix(encoder=[[1]], sigma=0)", "matrix(encoder=[[1]], sigma=1, participations=0)",
        "matrix(encoder=[[1]], sigma=1, min_separation=1.5)", "toeplitz([], 3, 1)",
        "toeplitz([0, 1], 3, 1)", "toeplitz([1], 0, 1)", "tree(0, 1)", "tree(10, 0)",
        "toeplitz([1, 1], 100000, 1, k=100)", "tree(10000, 1, k=2)", "poisson(tree(10, 1), 0.1)",
        "group(tree(10, 1), 2)"}) {
    CHECK_MESSAGE(refusal_of(spec) != "", spec);
  }
  CHECK(refusal_of("matrix(encoder=\"no such file.json\", sigma=2)") ==
        "matrix: encoder must be a readable file, not 'no such file.json'");
  CHECK(refusal_of("matrix(encoder=[[1, 1], [0, 1]], sigma=2)") ==
        "matrix: encoder must be lower triangular: what a step adds is released in it or later");
}

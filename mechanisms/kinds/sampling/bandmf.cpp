// bandmf(coefficients or encoder, sigma, steps, rate, sensitivity, bands): shorthand for a banded
// matrix mechanism on cyclic Poisson samples (BandMF; Choquette-Choo et al., NeurIPS 2023).
//
// Each record has one of `bands` groups; step j takes each record of group j mod bands with
// probability `rate`, and the rows of the encoder times the sums are released with noise N(0,
// sigma^2). For a record of group r that is the composition of sampled Gaussians over the columns j
// = r mod bands, each moved by sensitivity times the norm of the column. It is written with the
// greatest norms of all groups, which have to be those of one group. Proof:
// docs/proofs/matrix.md#cyclic
#include <algorithm>
#include <functional>

#include "lib/mutant.hpp"
#include "mechanisms/forms/encoder.hpp"
#include "mechanisms/language/shorthand.hpp"
#include "mechanisms/spec_error.hpp"

namespace plaudit {

namespace {

constexpr std::uint64_t most_steps_of_bandmf = 1'000'000;
constexpr std::size_t most_coefficients = 2000;

struct Banded {
  Gram gram;
  std::size_t steps;
  std::size_t width;  ///< entries of the encoder are 0 where its row is this far below the diagonal
};

Banded toeplitz_of(const Arguments& arguments) {
  std::vector<Rational> coefficients = arguments.list("coefficients");
  while (coefficients.size() > 1 && coefficients.back() == 0) coefficients.pop_back();
  if (coefficients.empty() || coefficients.size() > most_coefficients || coefficients[0] == 0) {
    arguments.reject("coefficients", std::to_string(coefficients.size()) + " of them");
  }
  if (!arguments.given("steps")) throw SpecError("bandmf: steps is missing");
  const std::uint64_t steps = arguments.count("steps", most_steps_of_bandmf);
  return {gram_of_toeplitz(coefficients, steps), steps, coefficients.size()};
}

Banded matrix_of(const Arguments& arguments) {
  const syntax::Vectors* written = arguments.vectors("encoder");
  const EncoderRows rows = written != nullptr ? *written : read_encoder(arguments.text("encoder"));
  check_encoder(rows);
  if (arguments.given("steps") && arguments.count("steps", most_steps_of_bandmf) != rows.size()) {
    arguments.reject("steps", "another number than the rows of encoder");
  }
  std::size_t width = 1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (rows[i][j] != 0) width = std::max(width, i - j + 1);
    }
  }
  return {gram_of(rows), rows.size(), width};
}

/// The squares of the norms of the columns r, r + bands, ..., the greatest first.
std::vector<Rational> squares_of_group(const Banded& banded, std::size_t r, std::size_t bands) {
  std::vector<Rational> squares;
  for (std::size_t j = r; j < banded.steps; j += bands) {
    const Rational square = banded.gram.entry(j, j);
    if (square != 0) squares.push_back(square);
  }
  std::sort(squares.begin(), squares.end(), std::greater<>());
  return squares;
}

/// Those of a group that has, for each k, the greatest k-th of all. @throws SpecError if none has.
std::vector<Rational> greatest_squares(const Banded& banded, std::size_t bands,
                                       const Rational& rate) {
  std::vector<std::vector<Rational>> groups;
  std::vector<Rational> greatest;
  for (std::size_t r = 0; r < std::min(bands, banded.steps); ++r) {
    groups.push_back(squares_of_group(banded, r, bands));
    for (std::size_t k = 0; k < groups.back().size(); ++k) {
      if (k == greatest.size()) greatest.emplace_back(0);
      greatest[k] = PLAUDIT_BOUND("bandmf.greatest", std::max(greatest[k], groups.back()[k]),
                                  Rational(std::max(greatest[k], groups.back()[k]) * 999 / 1000));
    }
  }
  if (greatest.empty()) throw SpecError("bandmf: encoder must not be 0");
  if (std::find(groups.begin(), groups.end(), greatest) == groups.end()) {
    throw SpecError(
        "bandmf: no group of steps has all the greatest columns; for every group an "
        "upper end is that of poisson(gaussian(sigma, sensitivity=s), rate=" +
        shown(rate) + ")^" + std::to_string(greatest.size()) +
        " where s is sensitivity times the greatest norm of a column");
  }
  return greatest;
}

// Proof: docs/proofs/matrix.md#cyclic
std::vector<syntax::Power> bandmf_steps(const Arguments& arguments) {
  if (arguments.given("coefficients") == arguments.given("encoder")) {
    throw SpecError("bandmf: takes either coefficients or encoder");
  }
  const Banded banded = arguments.given("encoder") ? matrix_of(arguments) : toeplitz_of(arguments);
  const std::uint64_t bands =
      arguments.given("bands") ? arguments.count("bands", most_steps_of_bandmf) : banded.width;
  if (bands < banded.width) {
    arguments.reject(
        "bands", std::to_string(bands) + " where the encoder has " + std::to_string(banded.width));
  }
  const Rational rate = arguments.positive_probability("rate");
  if (arguments.given_as("noise_multiplier") && arguments.positive_square("sensitivity") != 1) {
    throw SpecError(
        "bandmf: sensitivity must be 1 where noise_multiplier is given: with another one it would "
        "mean two things");
  }
  const Rational variance =
      arguments.noise_level().variance / arguments.positive_square("sensitivity");
  std::vector<syntax::Power> steps;
  Rational last = 0;
  for (const Rational& square : greatest_squares(banded, bands, rate)) {
    if (square == last) {
      ++steps.back().count;
    } else {
      steps.push_back({sampled_gaussian_call("variance", variance / square, rate)});
      last = square;
    }
  }
  return steps;
}

}  // namespace

Shorthand bandmf_shorthand();
Shorthand bandmf_shorthand() {
  return {
      .name = "bandmf",
      .summary =
          "shorthand for the composition of poisson(gaussian(variance), rate) that a banded matrix "
          "mechanism on cyclic Poisson samples is for one record: either coefficients and steps, "
          "or "
          "encoder",
      .parameters =
          {{"coefficients",
            "a list of up to 2000 numbers, the first one not 0: those of a lower "
            "triangular Toeplitz matrix",
            "none"},
           {"sigma",
            "a number > 0",
            {},
            {"noise_multiplier", "std", "standard_deviation", "variance"}},
           {"steps", "an integer from 1 to 10^6", "none", {"num_steps", "iterations"}},
           {"rate",
            "a number in (0, 1]",
            {},
            {"sample_rate", "sampling_rate", "sampling_probability", "sampling_prob", "q"}},
           {"sensitivity", "a number > 0: what a record moves one step by", "1"},
           {"bands",
            "an integer from the bands of the encoder to 10^6: the number of groups of "
            "records",
            "none",
            {"groups", "cycle_length"}},
           {"encoder", "a list of rows, or the name of a JSON file of them", "none", {"matrix"}}},
      .adjacency = "add_remove: that of poisson",
      .theorem =
          "the columns of one group of records share no row, so that each is a sampled Gaussian of "
          "the norm of the column (docs/proofs/matrix.md#cyclic)",
      .example = "bandmf(coefficients=[1, 0.5, 0.375], sigma=2, steps=1000, rate=0.1)",
      .steps = bandmf_steps,
  };
}

}  // namespace plaudit

// Exact sums of counts against truths of 50 digits: what is proven just above them, and not below.
#include <doctest/doctest.h>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "accountants/proof/kinds/counts.hpp"
#include "lib/balls/precision.hpp"

using namespace plaudit;
using namespace plaudit::proof;

namespace {

template <class Claim>
bool proven(const Claim& claim) {
  Budget budget({});
  try {
    claim(budget);
    return true;
  } catch (const Rejected&) {
    return false;
  }
}

bool few(const Errors& errors, const char* rate, const char* most) {
  return proven([&](Budget& budget) {
    require_errors(errors, parse_rational(rate), parse_rational(most), "rate", budget);
  });
}

bool right(const GuessedRightly& guesses, const char* lambda, const char* delta, const char* most) {
  return proven([&](Budget& budget) {
    require_guesses(guesses, parse_rational(lambda), parse_rational(delta), parse_rational(most),
                    budget);
  });
}

}  // namespace

TEST_CASE("errors: the binomial sum, half of what is stated for each side") {
  CHECK(few({1, 2}, "1/2", "3/2"));
  CHECK_FALSE(few({1, 2}, "1/2", "1.4999"));
  // The limit of Clopper and Pearson of 3 in 1000 at 5e-7.
  CHECK(few({3, 1000}, "0.021937562898", "1e-6"));
  CHECK_FALSE(few({3, 1000}, "0.021937562896", "1e-6"));
  CHECK(few({688, 1000}, "0.756681029804", "1e-6"));
  CHECK_FALSE(few({688, 1000}, "0.756681029802", "1e-6"));
  CHECK(few({0, 1}, "1", "1e-9"));
  CHECK_FALSE(few({1, 1}, "1", "2"));
  CHECK_FALSE(few({0, 1}, "0", "2"));
  CHECK_FALSE(few({3, 10000000}, "0.021937562898", "1e-6"));  // longer sums than are made
}

TEST_CASE("guesses: the closed form of one line") {
  const GuessedRightly guesses{90, 100, 1000};
  CHECK(right(guesses, "3", "1e-5", "2.9910188547308e-4"));
  CHECK_FALSE(right(guesses, "3", "1e-5", "2.9910188547306e-4"));
  CHECK(right(guesses, "3", "0", "1.3710056316796e-4"));
  CHECK_FALSE(right(guesses, "3", "0", "1.3710056316794e-4"));
  CHECK_FALSE(right(guesses, "3", "1", "9/10"));
  CHECK_FALSE(right({0, 100, 1000}, "3", "0", "1/2"));
  CHECK_FALSE(right(guesses, "0", "0", "1/2"));
  CHECK(mean_of_directions(Rational(1, 2), Rational(1, 4)) == Rational(3, 8));
}

TEST_CASE("independent guesses: one binomial tail") {
  const auto independent = [](const GuessedRightly& guesses, const char* most) {
    return proven([&](Budget& budget) {
      require_independent(guesses, Rational(203, 256), parse_rational(most), budget);
    });
  };
  CHECK(independent({196, 200, 200}, "4.453989285976e-6"));
  CHECK_FALSE(independent({196, 200, 200}, "4.453989285974e-6"));
  CHECK_FALSE(independent({196, 200, 201}, "1/2"));
}

TEST_CASE("bets: an exact product, abstentions too") {
  const auto bets = [](const Bets& given, const char* stake, const Rational& p_value) {
    return proven([&](Budget& budget) {
      require_bets(given, 2, Rational(1, 20), parse_rational(stake), p_value, budget);
    });
  };
  const Rational above = 1 / parse_rational("425026.042957");
  const Rational below = 1 / parse_rational("425026.042959");
  CHECK(bets({120, 15, 0}, "1/5", above));
  CHECK_FALSE(bets({120, 15, 0}, "1/5", below));
  CHECK_FALSE(bets({120, 15, 1}, "1/5", above));
  CHECK_FALSE(bets({120, 0, 0}, "1/2", above));  // 1 / (lambda + delta) = 0.488
  CHECK_FALSE(bets({120, 0, 0}, "-1/5", 1));
}

TEST_CASE("lambda is at least e^epsilon") {
  const PrecisionScope precision(128);
  CHECK(exponential_at_most(1, parse_rational("2.7182818284590452354")));
  CHECK_FALSE(exponential_at_most(1, parse_rational("2.7182818284590452353")));
  CHECK(exponential_at_most(0, 1));
  CHECK_FALSE(exponential_at_most(0, parse_rational("0.9999999")));
}

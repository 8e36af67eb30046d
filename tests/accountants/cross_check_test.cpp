// Every accountant against every other one on random compositions.
//
// PLAUDIT_TEST_MULTIPLIER=20 makes it the soak of 500 compositions.
#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "accountants/answer.hpp"
#include "accountants/registry.hpp"
#include "lib/work_limit.hpp"
#include "support/curves.hpp"
#include "support/random.hpp"
#include "support/random_specs.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// Digits asked of an accountant: random, so that coarse and fine parameters are both met.
std::vector<Enclosure> bands_of_all(const ComposedLoss& loss, Quantity quantity,
                                    const Rational& argument, int digits) {
  std::vector<Enclosure> bands;
  for (const auto& accountant : accountants()) {
    if (accountant->estimates_only() || accountant->refusal(loss)) continue;
    INFO("accountant ", std::string(accountant->name()));
    const WorkLimit limit(0.25);
    try {
      const auto curve =
          accountant->open(loss, Goal{accountant->name() == "contour" ? 12 : digits});
      Enclosure band = quantity == Quantity::epsilon ? curve->epsilon(argument)
                                                     : curve->delta(argument);
      CHECK(band.certified);
      CHECK(certainly_less_equal(band.lower, band.upper));
      band.accountant = accountant->name();
      bands.push_back(std::move(band));
    } catch (const WorkLimitReached&) {  // nothing was claimed
    }
  }
  return bands;
}

}  // namespace

TEST_CASE("bands of all accountants meet on random compositions") {
  Random random(31);
  int compared = 0;
  int reached_twelve = 0;
  std::map<std::string, int> informative;  // bands with both ends better than trivial
  const int count = trials(25);
  for (int i = 0; i < count; ++i) {
    const std::string spec = random_spec(random, 4);
    const std::string delta = random_delta(random);
    const int digits = static_cast<int>(random.integer(2, 9));
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const ComposedLoss loss = loss_from(spec, direction);
      INFO("plaudit compare '", spec, "' --delta ", delta, " --digits ", digits, " --direction ",
           std::string(name_of(direction)));
      const auto epsilons = bands_of_all(loss, Quantity::epsilon, parse_rational(delta), digits);
      Rational at(1);
      for (const Enclosure& band : epsilons) {
        if (band.accountant != "contour") continue;
        reached_twelve += reached(band, 12) ? 1 : 0;
        if (band.upper.is_finite()) at = Rational(band.upper.estimate());
      }
      const auto deltas = bands_of_all(loss, Quantity::delta, at, digits);
      for (const auto* all : {&epsilons, &deltas}) {
        for (std::size_t a = 0; a < all->size(); ++a) {
          const Enclosure& one = (*all)[a];
          if (certainly_positive(one.lower) && one.upper.is_finite()) ++informative[one.accountant];
          for (std::size_t b = a + 1; b < all->size(); ++b) {
            ++compared;
            INFO("epsilon ", to_string(at), ": ", one.accountant, " and ", (*all)[b].accountant);
            CHECK_BANDS_OVERLAP(one, (*all)[b]);
          }
        }
      }
    }
  }
  CHECK(compared > count);
  CHECK(reached_twelve > count);  // of 2 count
  for (const auto& [name, times] : informative) MESSAGE(name << ": " << times << " two-sided bands");
}

// Two specs of one law have one curve: both sides at 30 digits, delta and epsilon, both directions.
#include <doctest/doctest.h>

#include <iterator>

#include "accountants/registry.hpp"
#include "accountants/session/answer.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/spec_error.hpp"
#include "support/curves.hpp"
#include "support/losses.hpp"
#include "support/slow.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

constexpr int digits_of_identities = 30;

/// Every mechanism but pld (a file): one spec of each kind and of each form that has its own law.
const char* const mechanisms[] = {
    "gaussian(sigma=2)",
    "mixture(sigma=2, sensitivities=[0, 1, 3], probabilities=[0.5, 0.3, 0.2])",
    "poisson(gaussian(sigma=2), rate=0.25)",
    "poisson(mixture(sigma=2, sensitivities=[1, 3], probabilities=[0.7, 0.3]), rate=0.5)",
    "poisson(laplace(scale=2), rate=0.25)",
    "poisson(discrete_laplace(scale=2, sensitivity=2), rate=0.25)",
    "poisson(discrete_gaussian(sigma=2), rate=0.25)",
    "poisson(pure(epsilon=0.5), rate=0.25)",
    "poisson(approximate(epsilon=0.5, delta=1e-6), rate=0.25)",
    "group(gaussian(sigma=4), size=3)",
    "group(poisson(gaussian(sigma=2), rate=0.25), size=3)",
    "group(without_replacement(gaussian(sigma=4), 3, 9, adjacency=replace), size=2)",
    "without_replacement(gaussian(sigma=4), batch=3, population=9, adjacency=add_remove)",
    "without_replacement(gaussian(sigma=2), batch=3, population=9, adjacency=replace)",
    "with_replacement(gaussian(sigma=2), batch=3, population=9)",
    "pair(poisson, sigma=2, rate=0.25)",
    "pair(without_replacement, sigma=2, rate=0.25)",
    "pair(with_replacement, sigma=2, batch=3, population=9)",
    "random_allocation(gaussian(sigma=2), steps=3)",
    "shuffled(gaussian(sigma=2), steps=9, adjacency=zero_out)",
    "averaged(gaussian(sigma=2), rate=0.25, population=5)",
    "random_participation([1, 0.5], sigma=4, steps=6, bins=3)",
    "laplace(scale=2)",
    "discrete_laplace(scale=2, sensitivity=2)",
    "discrete_gaussian(sigma=3)",
    "truncated_laplace(scale=2, bound=90)",
    "truncated_discrete_laplace(scale=2, bound=9, sensitivity=2)",
    "shuffle(epsilon=0.5, users=3)",
    "parallel(laplace(scale=2), laplace(scale=3))",
    "privacy_profile(epsilons=[0, 0.5, 1], deltas=[0.3, 0.1, 0.01])",
    "select(pure(epsilon=0.5), repeats=geometric, gamma=0.5)",
    "truncated_gaussian(sigma=3, bound=9)",
    "skellam(variance=5)",
    "discrete_gaussian_sum(parties=3, sigma=1)",
    "partition_selection(epsilon=0.5, delta=1e-6)",
    "laplace_threshold(scale=0.5, threshold=9)",
    "gaussian_threshold(sigma=2, threshold=9, groups=2)",
    "propose_test_release(gaussian(sigma=1), scale=1, miss=1e-3)",
    "staircase(epsilon=0.5, gamma=0.3)",
    "staircase(epsilon=0.5, gamma=0.8)",
    "poisson(gaussian(sigma=2), rate=0.25, adjacency=zero_out)",
    "poisson(gaussian(sigma=2, sensitivity=2), rate=0.25, adjacency=replace)",
    "truncated_poisson(gaussian(sigma=2), rate=0.25, cap=3, population=6)",
    "truncated_poisson(gaussian(sigma=2, sensitivity=2), 0.25, 3, 6, adjacency=replace)",
    "randomized_response(epsilon=0.5)",
    "randomized_response(epsilon=0.5, categories=4)",
    "matrix(encoder=[[1, 0], [0.5, 1]], sigma=2)",
    "toeplitz(coefficients=[1, 0.5], steps=9, sigma=4, participations=3, min_separation=2)",
    "tree(steps=100, sigma=4)",
    "joint(pure(epsilon=0.5), discrete_laplace(scale=2))",
    "joint(gaussian(sigma=2), laplace(scale=2))",
    "poisson(joint(gaussian(sigma=2), laplace(scale=2)), rate=0.25)",
    "poisson(gaussian(variance=5), rate=0.25)",
    "adaptive_clipping(noise_multiplier=2, count_noise=3, rate=0.25)",
    "bounded_range(epsilon=0.5)",
    "exponential(epsilon=0.5)",
    "permute_and_flip(epsilon=0.5)",
    "report_noisy_max(scale=4)",
    "sparse_vector(threshold_scale=4, query_scale=8)",
    "pure(epsilon=0.5)",
    "approximate(epsilon=0.5, delta=1e-6)"};

/// What is refused, by the words of the refusal; empty where it is accepted.
std::string refusal(const std::string& spec) {
  try {
    parse_spec(spec);
    return "";
  } catch (const SpecError& error) {
    return error.what();
  }
}

/// One direction of one law, by `auto` or by the first accountant that gives 30 digits, those first
/// that `auto` asks first.
Enclosure value(const ComposedLoss& loss, Quantity quantity, const Rational& argument,
                double seconds = 10) {
  Enclosure best;
  for (const bool early : {true, false}) {
    for (const auto& candidate : accountants()) {
      if (candidate->estimates_only() || candidate->refusal(loss)) continue;
      const Offer offer = candidate->offer(loss);
      if (offer.of != Offer::Of::digits || (offer.cost == Offer::Cost::small) != early) continue;
      const WorkShare limit(seconds);
      const auto curve = candidate->open(loss, Goal{digits_of_identities});
      best = quantity == Quantity::delta ? curve->delta(argument) : curve->epsilon(argument);
      if (reached(best, digits_of_identities)) return best;
    }
  }
  return best;
}

int compared = 0;

/// Bands of both sides overlap; `must`: both reach 30 digits.
void check_equal(const ComposedLoss& one, const ComposedLoss& other, bool must) {
  for (const Quantity quantity : {Quantity::delta, Quantity::epsilon}) {
    const Rational argument = parse_rational(quantity == Quantity::delta ? "0.25" : "1e-2");
    const Enclosure left = value(one, quantity, argument);
    const Enclosure right = value(other, quantity, argument);
    CHECK_BANDS_OVERLAP(left, right);
    if (!must) continue;
    ++compared;
    CHECK_MESSAGE(reached(left, digits_of_identities), show(left), " ", left.remark);
    CHECK_MESSAGE(reached(right, digits_of_identities), show(right), " ", right.remark);
  }
}

void check_equal(const std::string& one, const std::string& other, bool must = true) {
  for (const Direction direction : {Direction::remove, Direction::add}) {
    INFO(one, " and ", other, ", ", std::string(name_of(direction)));
    check_equal(loss_from(one, direction), loss_from(other, direction), must);
  }
}

bool starts_with(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

}  // namespace

TEST_CASE("the identities speak of every mechanism") {
  for (const MechanismKind& kind : mechanism_kinds()) {
    if (kind.name == "pld") continue;
    // bounds of moments have no law to compare: their identities are in bounded_moments_test.cpp
    if (kind.name == "zcdp" || kind.name == "tcdp" || kind.name == "cdp" ||
        kind.name == "renyi_profile" || kind.name == "gaussian_sparse_vector" ||
        kind.name == "pate") {
      continue;
    }
    const std::string name = std::string(kind.name) + "(";
    bool found = false;
    for (const char* spec : mechanisms) found = found || starts_with(spec, name.c_str());
    CHECK_MESSAGE(found, name);
  }
}

TEST_CASE("a sample at rate 1 is the mechanism itself, or is refused") {
  int refused = 0;
  compared = 0;
  for (const std::string spec : mechanisms) {
    const std::string sampled = "poisson(" + spec + ", rate=1)";
    const bool one_record = parse_spec(spec).factors()[0].mechanism->one_record();
    const std::string reason = refusal(sampled);
    INFO(sampled, ": ", reason);
    CHECK(one_record == reason.empty());
    if (reason.empty()) {
      check_equal(sampled, spec);
    } else {
      ++refused;
      CHECK(reason.find("one record added or removed") != std::string::npos);
      MESSAGE("no sample of " << spec);
    }
  }
  CHECK(refused == 28);
  CHECK(compared == 4 * (static_cast<int>(std::size(mechanisms)) - refused));
}

TEST_CASE("a group of one is the mechanism itself, or is refused") {
  int refused = 0;
  compared = 0;
  for (const std::string spec : mechanisms) {
    const std::string group = "group(" + spec + ", size=1)";
    const std::string reason = refusal(group);
    INFO(group, ": ", reason);
    const bool sample =
        starts_with(spec, "poisson(gaussian(sigma") && spec.find("adjacency") == std::string::npos;
    const bool known = starts_with(spec, "gaussian(") || sample ||
                       starts_with(spec, "without_replacement(") ||
                       starts_with(spec, "with_replacement(");
    CHECK(known == reason.empty());
    if (reason.empty()) {
      check_equal(group, spec);
    } else {
      ++refused;
      CHECK(reason.find("no pair is proven for groups of others") != std::string::npos);
      MESSAGE("no group of " << spec);
    }
  }
  CHECK(compared == 4 * (static_cast<int>(std::size(mechanisms)) - refused));
}

TEST_CASE("a mixture of 0 and 1 is the sampled Gaussian, for one step and many") {
  for (const char* power : {"", "^50", "^1000"}) {
    check_equal(
        std::string("mixture(sigma=2, sensitivities=[0, 1], probabilities=[0.75, 0.25])") + power,
        std::string("poisson(gaussian(sigma=2), rate=0.25)") + power);
  }
}

TEST_CASE("a power is its factors written out") {
  struct Powers {
    std::string whole;
    std::vector<std::string> parts;
    Rational epsilon;
  };
  const Powers many{"^100", {"", "^2", "^37", "^60"}, 3};
  const Powers few{"^4", {"", "^1", "^2"}, {1, 2}};  // combinations of infinitely many atoms
  const Powers two{"^2", {"", "^1"}, 1};             // many atoms on no lattice
  // of several steps a density with jumps takes minutes for 30 digits
  const Powers one{"", {}, 1};
  const Powers most{"^1000", {"", "^2", "^370", "^627"}, 12};  // atoms beside a curve
  int sharp = 0;
  int asked = 0;
  int of_two_laws = 0;
  std::size_t turn = 0;
  for (const std::string spec : mechanisms) {
    if (turn++ % 3 != 0 && !slow_tests()) continue;
    ++asked;
    // As text equal factors are merged; as terms, each with a law of its own, they are not.
    CHECK(parse_spec(spec + " * " + spec + "^2 * " + spec).spec() ==
          parse_spec(spec).spec() + "^4");
    // Of the products of finite laws no lattice is stated, so no transform gives many steps.
    const Powers& powers = starts_with(spec, "poisson(discrete_gaussian") ? few
                           : starts_with(spec, "joint(pure")              ? few
                           : starts_with(spec, "partition_selection")     ? few
                           : starts_with(spec, "shuffle")                 ? few
                           : starts_with(spec, "poisson(laplace")         ? most
                           : starts_with(spec, "truncated_laplace")       ? most
                           : starts_with(spec, "truncated_gaussian")      ? one
                           : starts_with(spec, "skellam")                 ? two
                           : starts_with(spec, "discrete_gaussian_sum")   ? two
                           : starts_with(spec, "laplace_threshold")       ? one
                           : starts_with(spec, "propose_test_release")    ? one
                           : starts_with(spec, "gaussian_threshold")      ? one
                                                                          : many;
    const Composition whole = parse_spec(spec + powers.whole);
    std::vector<Composition> parts;
    for (const std::string& part : powers.parts) parts.push_back(parse_spec(spec + part));
    const bool symmetric = whole.factors()[0].mechanism->symmetric();
    of_two_laws += symmetric ? 0 : 1;
    for (const Direction direction : {Direction::remove, Direction::add}) {
      // of symmetric mechanisms it is the same law again
      if (symmetric && direction == Direction::add && !slow_tests()) continue;
      const ComposedLoss power(whole, direction);
      std::vector<ComposedLoss::Term> terms;
      for (const Composition& part : parts) {
        terms.push_back(ComposedLoss(part, direction).terms()[0]);
      }
      for (const Quantity quantity : {Quantity::delta, Quantity::epsilon}) {
        // the search for an epsilon is the same in the other direction
        if (quantity == Quantity::epsilon && direction == Direction::add && !slow_tests()) continue;
        INFO(spec, powers.whole, ", ", std::string(name_of(direction)));
        const Rational argument =
            quantity == Quantity::delta ? powers.epsilon : parse_rational("1e-2");
        const Enclosure left = value(power, quantity, argument, 30);
        CHECK(certainly_positive(left.upper));
        ++sharp;
        CHECK_MESSAGE(reached(left, digits_of_identities), show(left), " ", left.remark);
        if (terms.empty()) continue;
        const ComposedLoss written(terms, direction);
        REQUIRE(written.terms().size() == powers.parts.size());
        const Enclosure right = value(written, quantity, argument, 30);
        CHECK_BANDS_OVERLAP(left, right);
        CHECK_MESSAGE(reached(right, digits_of_identities), show(right), " ", right.remark);
      }
    }
  }
  CHECK(sharp == usually(2, 4) * asked + usually(of_two_laws, 0));
}

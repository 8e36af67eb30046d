// Whether pairs are attained, and the pairs of two data sets where they are not: each attack beside
// the laws of its data sets, computed here in another way, and below the dominating pair.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "mechanisms/composition.hpp"
#include "mechanisms/language/registry.hpp"
#include "mechanisms/language/spec.hpp"

using namespace plaudit;

namespace {

constexpr double accuracy = 1e-9;  // of the doubles that stand beside the attacks
const double epsilons[] = {-1.5, -0.5, 0, 0.1, 0.25, 0.5, 1, 2};

Attainment of(const std::string& spec) {
  return parse_spec(spec).factors()[0].mechanism->attainment();
}

double delta(const Mechanism& mechanism, Direction direction, double epsilon) {
  return mechanism.loss(direction)->delta(Ball(parse_rational(std::to_string(epsilon)))).estimate();
}

/// Of a test that is "yes" with probability p under P and q under Q.
double of_answers(double p, double q, double epsilon) {
  const double x = std::exp(epsilon);
  return std::max(0.0, p - x * q) + std::max(0.0, 1 - p - x * (1 - q));
}

/// The attack on the spec has this delta in both directions, and the dominating pair no less.
void check_attack(const std::string& spec,
                  const std::function<double(Direction, double)>& expected) {
  CAPTURE(spec);
  const MechanismPointer mechanism = parse_spec(spec).factors()[0].mechanism;
  const MechanismPointer attack = mechanism->attainment().attack;
  REQUIRE(attack != nullptr);
  CHECK(attack->attainment().attained == Attained::yes);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    for (const double epsilon : epsilons) {
      CAPTURE(epsilon);
      const double found = delta(*attack, direction, epsilon);
      CHECK(std::abs(found - expected(direction, epsilon)) < accuracy);
      CHECK(found <= delta(*mechanism, direction, epsilon) + accuracy);
    }
  }
}

/// Candidate 1 before and after.
void check_two_answers(const std::string& spec, double before) {
  check_attack(spec, [&](Direction, double e) { return of_answers(before, 1 - before, e); });
}

/// P(X + Y > x), X and Y independent Laplace variables, by the rule of midpoints over X.
double two_laplace_tail(double a, double b, double x) {
  constexpr int steps = 2'000'000;
  const double reach = 40 * a;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double u = -reach + 2 * reach * (i + 0.5) / steps;
    const double rest = x - u;
    const double tail = rest > 0 ? std::exp(-rest / b) / 2 : 1 - std::exp(rest / b) / 2;
    sum += std::exp(-std::abs(u) / a) / (2 * a) * tail;
  }
  return sum * 2 * reach / steps;
}

double normal_above(double x) { return std::erfc(x / std::sqrt(2.0)) / 2; }

/// sum_k w_k N(c_k, 1) against N(0, 1): the best test is a half line, found by bisection.
double of_mixture(const std::vector<double>& w, const std::vector<double>& c, Direction direction,
                  double epsilon) {
  const double log_x = direction == Direction::remove ? epsilon : -epsilon;
  const auto log_ratio = [&](double y) {
    double sum = 0;
    for (std::size_t i = 0; i < w.size(); ++i) sum += w[i] * std::exp(c[i] * y - c[i] * c[i] / 2);
    return std::log(sum);
  };
  double low = -60;
  double high = 60;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (log_ratio(middle) > log_x ? high : low) = middle;
  }
  double p = 0;
  for (std::size_t i = 0; i < w.size(); ++i) p += w[i] * normal_above(low - c[i]);
  const double q = normal_above(low);
  const double x = std::exp(epsilon);
  return direction == Direction::remove ? p - x * q : (1 - q) - x * (1 - p);
}

}  // namespace

TEST_CASE("Every mechanism says whether its pair is attained, and why") {
  for (const MechanismKind& kind : mechanism_kinds()) {
    CAPTURE(std::string(kind.name));
    const Attainment attainment = example_of(kind)->attainment();
    CHECK(!attainment.why.empty());
    CHECK(attainment.why.back() != '.');
    if (attainment.attained == Attained::yes) CHECK(attainment.attack == nullptr);
  }
  const std::pair<const char*, Attained> expected[] = {
      {"gaussian(sigma=1)", Attained::yes},
      {"mixture(sigma=1, sensitivities=[0, 1], probabilities=[0.9, 0.1])", Attained::yes},
      {"mixture(sigma=1, sensitivities=[[3, 4], [6, 8]], probabilities=[0.9, 0.1])", Attained::yes},
      {"mixture(sigma=1, sensitivities=[[1, 0], [0.6, 0.8]], probabilities=[0.5, 0.5])",
       Attained::unknown},
      {"mixture(sigma=1, sensitivities=[[1], [-1]], probabilities=[0.5, 0.5])", Attained::unknown},
      {"mixture(sigma=1, sensitivities=[[1, 0], [0, 0.5]], probabilities=[0, 1])", Attained::yes},
      {"mixture(sigma=1, sensitivities=[[3, 4], [0, 1], [0, 0.5]], probabilities=[0, 0.5, 0.5])",
       Attained::yes},
      {"poisson(laplace(1), 0.1)", Attained::yes},
      {"poisson(gaussian(1), 0.1, adjacency=replace)", Attained::yes},
      {"poisson(permute_and_flip(1), 0.1)", Attained::each_epsilon},
      {"poisson(sparse_vector(2, 8), 0.1)", Attained::unknown},
      {"truncated_poisson(gaussian(1), 0.01, cap=130, population=10000)", Attained::unknown},
      {"truncated_poisson(gaussian(1), 0.01, cap=101, population=100)", Attained::yes},
      {"joint(pure(1), discrete_laplace(2))", Attained::yes},
      {"group(poisson(gaussian(1), 0.1), size=3)", Attained::yes},
      {"group(with_replacement(gaussian(1), 10, 100), size=3)", Attained::unknown},
      {"without_replacement(gaussian(1), 10, 100, adjacency=add_remove)", Attained::yes},
      {"without_replacement(gaussian(1), 10, 100, adjacency=replace)", Attained::each_epsilon},
      {"without_replacement(gaussian(1), 100, 100, adjacency=replace)", Attained::yes},
      {"with_replacement(gaussian(1), 10, 100)", Attained::unknown},
      {"with_replacement(gaussian(1), 1, 100)", Attained::each_epsilon},
      {"random_allocation(gaussian(2), steps=10)", Attained::yes},
      {"random_allocation(gaussian(2), steps=10, selected=10)", Attained::yes},
      {"random_allocation(gaussian(2), steps=10, selected=2, bound=blocks)", Attained::unknown},
      {"shuffled(gaussian(2), steps=10, adjacency=zero_out)", Attained::unknown},
      {"shuffled(gaussian(2), steps=10, adjacency=replace, order=once)", Attained::unknown},
      {"shuffled(gaussian(2), steps=10, adjacency=replace, order=fixed)", Attained::yes},
      {"shuffled(gaussian(2), steps=1, adjacency=replace)", Attained::yes},
      {"averaged(gaussian(0.2), 0.1, 100)", Attained::unknown},
      {"random_participation([1, 0.5], 2, 8, bins=4)", Attained::unknown},
      {"tree(steps=8, sigma=2)", Attained::yes},
      {"matrix(encoder=[[1, 0], [-1, 1]], sigma=1, participations=2)", Attained::unknown},
      {"matrix(encoder=[[1, 0], [1, 1]], sigma=1, participations=2)", Attained::yes},
      {"exponential(1)", Attained::each_epsilon},
      {"bounded_range(1)", Attained::each_epsilon},
      {"permute_and_flip(1)", Attained::each_epsilon},
      {"report_noisy_max(2)", Attained::unknown},
      {"sparse_vector(2, 8)", Attained::unknown},
      {"randomized_response(1, categories=4)", Attained::yes},
      {"shuffle(1, 9)", Attained::unknown},
      {"shuffle(1, 9, 4)", Attained::unknown},
      {"pate([90, 4], 20)", Attained::no_pair},
      {"parallel(pure(1), laplace(2))", Attained::yes},
      {"parallel(pure(0.5), approximate(0.1, 0.01))", Attained::each_epsilon},
      {"parallel(laplace(1), gaussian(1.25))", Attained::unknown},
      {"privacy_profile([0, 1], [0.3, 0.1])", Attained::yes},
      {"select(pure(1), poisson, 10)", Attained::unknown},
      {"select(gaussian(1), poisson, 10)", Attained::unknown},
      {"staircase(1, 0.3)", Attained::yes},
      {"truncated_gaussian(1, 3)", Attained::yes},
      {"skellam(4)", Attained::yes},
      {"discrete_gaussian_sum(3, 1)", Attained::yes},
      {"partition_selection(1, 0.01)", Attained::each_epsilon},
      {"laplace_threshold(1, 9)", Attained::unknown},
      {"gaussian_threshold(1, 9)", Attained::unknown},
      {"propose_test_release(gaussian(1), 2, 0.1)", Attained::unknown},
      {"gaussian_sparse_vector(1, 2, 9)", Attained::no_pair},
      {"gaussian(variance=2)", Attained::yes},
      {"adaptive_clipping(1, 2)", Attained::yes},
      {"adaptive_clipping(1, 2, 0.1)", Attained::yes},
      {"joint(gaussian(1), laplace(1))", Attained::yes},
      {"joint(gaussian(1), permute_and_flip(1))", Attained::unknown},
      {"truncated_laplace(1, 5)", Attained::yes},
      {"truncated_discrete_laplace(1, 5)", Attained::yes},
      {"pure(1)", Attained::yes},
      {"approximate(1, 1e-3)", Attained::yes},
      {"zcdp(0.1)", Attained::no_pair},
      {"tcdp(0.1, 10)", Attained::no_pair},
      {"cdp(0.1, 1)", Attained::no_pair},
  };
  for (const auto& each : expected) {
    const auto& spec = each.first;
    const auto& attained = each.second;
    CAPTURE(spec);
    CHECK(std::string(name_of(of(spec).attained)) == name_of(attained));
  }
}

TEST_CASE("Compositions: the weakest factor, and no attack beside what has no pair") {
  const auto attained = [](const std::string& spec) {
    return parse_spec(spec).attainment().attained;
  };
  CHECK(attained("exponential(1)") == Attained::each_epsilon);
  CHECK(attained("exponential(1)^2") == Attained::unknown);
  CHECK(attained("exponential(1) * gaussian(1)") == Attained::unknown);
  CHECK(attained("gaussian(1)^1000 * laplace(2)") == Attained::yes);
  CHECK(attained("zcdp(0.1) * approximate(1, 1e-3)") == Attained::no_pair);
  CHECK(!parse_spec("zcdp(0.1) * approximate(1, 1e-3)").attack());
  CHECK(!parse_spec("mixture(sigma=1, sensitivities=[[1], [-1]], probabilities=[0.5, 0.5])")
             .attack());
  // The longest vector has probability 0: the projections are those on the longest that is drawn.
  const auto projections =
      parse_spec("mixture(1, [[-9, 0], [1, 0], [0.6, 0.8]], [0, 0.5, 0.5])").attack();
  REQUIRE(projections);
  CHECK(projections->spec() ==
        "mixture(sigma=1, sensitivities=[0.6, 1], probabilities=[0.5, 0.5])");
  const auto attack = parse_spec("exponential(1)^50 * gaussian(3)^2").attack();
  REQUIRE(attack);
  CHECK(attack->spec() == "pure(epsilon=0.5)^50 * gaussian(sigma=3)^2");
  // One text may stand for vectors and for their norms: the weaker one counts.
  const std::string vectors =
      "mixture(sigma=1, sensitivities=[[1], [-1]], probabilities=[0.5, 0.5])";
  const std::string norms = "mixture(sigma=1, sensitivities=[1], probabilities=[1])";
  CHECK(attained(norms + " * " + vectors) == Attained::unknown);
  CHECK(attained(vectors + " * " + norms) == Attained::unknown);
}

TEST_CASE("Compositions: one number of other records for all factors") {
  const std::string capped = "truncated_poisson(gaussian(1), 0.5, cap=3, population=1000)";
  const auto fixed = [](const char* population) {
    return std::string("without_replacement(gaussian(1), batch=2, population=") + population +
           ", adjacency=add_remove)";
  };
  const auto of = [](const std::string& spec) { return parse_spec(spec).attainment().attained; };
  const auto attack = [](const std::string& spec) { return parse_spec(spec).attack()->spec(); };
  CHECK(of(fixed("100") + "^2 * gaussian(1)") == Attained::yes);
  CHECK(of(fixed("100") + " * " + fixed("200")) == Attained::unknown);
  CHECK(attack(fixed("100") + " * " + fixed("200")) == parse_spec(fixed("100")).spec());
  // With at most two other records no batch of the first reaches its cap.
  const std::string sampled = "poisson(gaussian(sigma=1), rate=0.5)";
  CHECK(attack(capped + " * " + fixed("2")) == sampled + " * " + parse_spec(fixed("2")).spec());
  CHECK(attack(capped + " * " + fixed("3")) == sampled);
  CHECK(attack(fixed("3") + " * " + capped) == parse_spec(fixed("3")).spec());
  const std::string never = "truncated_poisson(gaussian(1), 0.01, cap=101, population=100)";
  CHECK(of(never + " * " + fixed("100")) == Attained::yes);
  CHECK(of(never + " * " + fixed("101")) == Attained::unknown);
  CHECK(of("poisson(gaussian(1), 0.1, adjacency=replace) * "
           "without_replacement(gaussian(1), 100, 100, adjacency=replace)") == Attained::yes);
  CHECK(!parse_spec("exponential(1)^1000000000000 * pure(0.5)^1000000000000").attack());
}

TEST_CASE("Vectors of the same norms: one spec, and attacks of their own") {
  const std::string one =
      "mixture(sigma=1, sensitivities=[[1, 0], [0.6, 0.8]], probabilities=[0.5, 0.5])";
  const std::string other =
      "mixture(sigma=1, sensitivities=[[1, 0], [0.8, 0.6]], probabilities=[0.5, 0.5])";
  CHECK(parse_spec(one).spec() == parse_spec(other).spec());
  const Composition both = parse_spec(one + "^2 * " + other + "^3 * " + one);
  CHECK(both.factors().size() == 1);
  CHECK(both.stated() == one + "^3 * " + other + "^3");
  const auto attack = both.attack();
  REQUIRE(attack);
  const char* product =
      "mixture(sigma=1, sensitivities=[0.6, 1], probabilities=[0.5, 0.5])^3 * "
      "mixture(sigma=1, sensitivities=[0.8, 1], probabilities=[0.5, 0.5])^3";
  CHECK(attack->spec() == product);
  for (const std::string& text : {both.stated(), "poisson(" + one + ", rate=0.1)"}) {
    const Composition again = parse_spec(parse_spec(text).stated());
    CHECK(again.stated() == text);
    CHECK(again.spec() == parse_spec(text).spec());
    CHECK(again.attack()->spec() == parse_spec(text).attack()->spec());
  }
}

TEST_CASE("Attacks on selections are two candidates, on above-threshold answers one query") {
  for (const double epsilon : {0.01, 0.5, 1.0, 3.0}) {
    const std::string text = std::to_string(epsilon);
    const double half = std::exp(epsilon / 2);
    check_two_answers("exponential(" + text + ")", half / (half + 1));
    check_two_answers("bounded_range(" + text + ")", half / (half + 1));
    check_two_answers("permute_and_flip(" + text + ")", 1 - std::exp(-epsilon / 2) / 2);
    check_two_answers("report_noisy_max(scale=1, sensitivity=" + text + ")",
                      1 - two_laplace_tail(1, 1, epsilon));
    check_two_answers("sparse_vector(1, 2, sensitivity=" + text + ")",
                      1 - two_laplace_tail(1, 2, epsilon / 2));
    check_two_answers("sparse_vector(2, 2, sensitivity=" + text + ")",
                      1 - two_laplace_tail(2, 2, epsilon / 2));
    for (const char* scale : {"2.00000000000000000001", "1.99999999999999999999"}) {
      check_two_answers("sparse_vector(2, " + std::string(scale) + ", sensitivity=" + text + ")",
                        1 - two_laplace_tail(2, 2, epsilon / 2));
    }
  }
}

TEST_CASE(
    "Each delta of permute-and-flip and of the exponential mechanism is one of two candidates") {
  for (const double epsilon : {0.5, 2.0}) {
    const MechanismPointer flip =
        parse_spec("permute_and_flip(" + std::to_string(epsilon) + ")").factors()[0].mechanism;
    const MechanismPointer range =
        parse_spec("exponential(" + std::to_string(epsilon) + ")").factors()[0].mechanism;
    for (double e = -epsilon + 0.125; e < epsilon; e += 0.25) {
      double best_flip = 0;
      double best_range = 0;
      for (int i = 0; i <= 4000; ++i) {
        const double y = epsilon * i / 4000;
        best_flip =
            std::max(best_flip, of_answers(1 - std::exp(-y) / 2, std::exp(y - epsilon) / 2, e));
        const double a = -20 + 40.0 * i / 4000;
        best_range = std::max(
            best_range, of_answers(1 / (1 + std::exp(-a)), 1 / (1 + std::exp(epsilon - a)), e));
      }
      CHECK(std::abs(best_flip - delta(*flip, Direction::remove, e)) < 1e-5);
      CHECK(std::abs(best_range - delta(*range, Direction::remove, e)) < 1e-4);
    }
  }
}

TEST_CASE("Attacks on batches are the mixtures of two data sets") {
  // Binomial(3, 1/5) draws of the record.
  check_attack("with_replacement(gaussian(1), batch=3, population=5)",
               [](Direction direction, double e) {
                 return of_mixture({0.512, 0.384, 0.096, 0.008}, {0, 1, 2, 3}, direction, e);
               });
  // Two black balls among 3 of 10.
  check_attack("group(without_replacement(gaussian(1), 3, 10, adjacency=replace), size=2)",
               [](Direction direction, double e) {
                 return of_mixture({21 / 45.0, 21 / 45.0, 3 / 45.0}, {0, 1, 2}, direction, e);
               });
  const auto sampled = [](Direction direction, double e) {
    return of_mixture({0.7, 0.3}, {0, 1}, direction, e);
  };
  check_attack("without_replacement(gaussian(1), 3, 10, adjacency=replace)", sampled);
  check_attack("truncated_poisson(gaussian(1), 0.3, cap=2, population=10)", sampled);
  check_attack(
      "mixture(sigma=1, sensitivities=[[0, 0], [1, 0], [0.6, 0.8]], "
      "probabilities=[0.7, 0.2, 0.1])",
      [](Direction direction, double e) {
        return of_mixture({0.7, 0.2, 0.1}, {0, 1, 0.6}, direction, e);
      });
  // Many draws: levels far apart, each below the true count.
  const MechanismPointer many =
      parse_spec("with_replacement(gaussian(20), batch=500, population=5)").factors()[0].mechanism;
  for (const Direction direction : {Direction::remove, Direction::add}) {
    for (const double e : epsilons) {
      CHECK(delta(*many->attainment().attack, direction, e) <=
            delta(*many, direction, e) + accuracy);
    }
  }
}

TEST_CASE("Attacks by sums: random allocation and streams") {
  const auto gaussian = [](double ratio) {
    return [ratio](Direction, double e) {
      return normal_above(e / ratio - ratio / 2) -
             std::exp(e) * normal_above(e / ratio + ratio / 2);
    };
  };
  check_attack("random_allocation(gaussian(2), steps=8, selected=2, bound=blocks)",
               gaussian(2 / std::sqrt(8.0) / 2));
  // Columns (1, -1) and (0, 1): together (1, 0).
  check_attack("matrix(encoder=[[1, 0], [-1, 1]], sigma=1, participations=2)", gaussian(1));
}

TEST_CASE("Samples of attacks") {
  const double p = 1 - std::exp(-0.5) / 2;
  check_attack("poisson(permute_and_flip(1), 0.25)", [&](Direction direction, double e) {
    const double mixed_p = 0.25 * p + 0.75 * (1 - p);
    return direction == Direction::remove ? of_answers(mixed_p, 1 - p, e)
                                          : of_answers(p, 0.75 * p + 0.25 * (1 - p), e);
  });
}

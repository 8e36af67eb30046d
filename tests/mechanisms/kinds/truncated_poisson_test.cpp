// Poisson samples with a cap: all data sets of few records on a line by enumeration of all samples,
// the curve in closed form, and what is refused.
#include <doctest/doctest.h>

#include <cmath>

#include "mechanisms/spec_error.hpp"
#include "support/containment.hpp"
#include "support/losses.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

struct Centre {
  double at;
  double mass;
};

/// The law of the sum over the kept records: all samples, and all subsets that may be kept of them.
std::vector<Centre> sums(const std::vector<double>& records, double rate, int cap) {
  const unsigned all = 1U << records.size();
  const auto size_of = [](unsigned set) { return __builtin_popcount(set); };
  std::vector<Centre> law;
  for (unsigned drawn = 0; drawn < all; ++drawn) {
    double mass = 1;
    for (std::size_t i = 0; i < records.size(); ++i)
      mass *= (drawn >> i & 1U) != 0 ? rate : 1 - rate;
    const int kept_size = std::min(size_of(drawn), cap);
    std::vector<double> centres;
    for (unsigned kept = 0; kept < all; ++kept) {
      if ((kept & ~drawn) != 0 || size_of(kept) != kept_size) continue;
      double sum = 0;
      for (std::size_t i = 0; i < records.size(); ++i)
        sum += (kept >> i & 1U) != 0 ? records[i] : 0;
      centres.push_back(sum);
    }
    for (const double centre : centres) {
      law.push_back({centre, mass / static_cast<double>(centres.size())});
    }
  }
  return law;
}

double hockey_stick(const std::vector<Centre>& p, const std::vector<Centre>& q, double x) {
  const auto density = [](const std::vector<Centre>& law, double y) {
    double sum = 0;
    for (const Centre& each : law) sum += each.mass * std::exp(-(y - each.at) * (y - each.at) / 2);
    return sum;
  };
  const double step = 0.02;
  double sum = 0;
  for (double y = -16; y <= 16; y += step) sum += std::max(0.0, density(p, y) - x * density(q, y));
  return sum * step / std::sqrt(2 * std::acos(-1.0));
}

/// Data sets with `others` common records, of which a sample at `rate` is capped; s their greatest
/// size.
struct Setting {
  int others;
  int cap;
  double rate;
  double s;
};

/// How far the bound is above the curves of data sets with `others` common
/// records, each of them, and z and z', at -s, 0 or s.
struct Excess {
  double least = 1;
  double least_share = 1;  ///< of the bound that is attained, at its best
};

Excess excess(const std::string& adjacency, const Setting& at, double eps,
              const std::string& size = "at_most") {
  const int others = at.others;
  const int cap = at.cap;
  const double rate = at.rate;
  const double s = at.s;
  const std::string sensitivity = std::to_string(adjacency == "replace" ? 2 * s : s);
  const int population = adjacency == "add_remove" ? others : others + 1;
  const std::string spec = "truncated_poisson(gaussian(1, " + sensitivity + "), " +
                           std::to_string(rate) + ", " + std::to_string(cap) + ", " +
                           std::to_string(population) + ", " + adjacency + ", " + size + ")";
  const double remove = step_loss(spec)->delta(Ball(eps)).estimate();
  const double add = step_loss(spec, Direction::add)->delta(Ball(eps)).estimate();
  int sets = 1;
  for (int i = 0; i < others; ++i) sets *= 3;
  Excess result;
  for (int set = 0; set < sets; ++set) {
    std::vector<double> records;
    for (int i = 0, rest = set; i < others; ++i, rest /= 3) records.push_back(s * (rest % 3 - 1));
    for (const double z : {-s, s}) {
      std::vector<double> with = records;
      with.push_back(z);
      std::vector<double> without = records;
      if (adjacency == "zero_out") without.push_back(0);
      if (adjacency == "replace") without.push_back(-z);
      const auto p = sums(with, rate, cap);
      const auto q = sums(without, rate, cap);
      const double there = hockey_stick(p, q, std::exp(eps));
      const double back = hockey_stick(q, p, std::exp(eps));
      result.least = std::min({result.least, remove - there, add - back});
      result.least_share = std::min(result.least_share, (remove - there) / remove);
    }
  }
  return result;
}

}  // namespace

TEST_CASE("a cap: no data set of few records is above the pair") {
  for (const char* adjacency : {"add_remove", "zero_out", "replace"}) {
    for (const Setting& at : {Setting{3, 1, 0.25, 1.0},
                              {3, 2, 0.5, 0.75},
                              {2, 2, 0.75, 1.5},
                              {3, 1, 0.75, 1.0},
                              {3, 3, 0.25, 1.0}}) {
      for (const double eps : {-0.5, 0.1, 0.8}) {
        INFO(adjacency, " ", at.others, " ", at.cap, " ", at.rate, " ", eps);
        const Excess found = excess(adjacency, at, eps);
        CHECK(found.least > -1e-7);
        // and where the cap is rarely reached it is not far above either
        if (eps > 0 && at.cap == at.others && at.rate < 0.5) CHECK(found.least_share < 0.2);
      }
    }
  }
}

TEST_CASE("a cap: no data set of exactly so many records is above the pair for them") {
  for (const char* adjacency : {"zero_out", "replace"}) {
    for (const Setting& at : {Setting{3, 1, 0.75, 1.0}, {3, 2, 0.9, 0.75}, {2, 1, 0.95, 1.5}}) {
      for (const double eps : {-0.5, 0.1, 0.8}) {
        INFO(adjacency, " ", at.others, " ", at.cap, " ", at.rate, " ", eps);
        const Excess exact = excess(adjacency, at, eps, "exact");
        CHECK(exact.least > -1e-7);
        CHECK(exact.least_share < excess(adjacency, at, eps).least_share);
      }
    }
  }
}

TEST_CASE("a cap: the curve is the mean of two known ones") {
  const PrecisionScope scope(120);
  // K ~ Binomial(5, 1/4): P(K >= 3) = (10 * 9 + 5 * 3 + 1) / 4^5
  const Ball b(Rational(106, 1024));
  const auto mean = [&](const std::string& below, const std::string& reached, Direction direction,
                        double x) {
    return (Ball(1) - b) * step_loss(below, direction)->delta(Ball(x)) +
           b * step_loss(reached, direction)->delta(Ball(x));
  };
  // K ~ Binomial(29, 1/4): P(K < 3) = (3^29 + 29 * 3^28 + 406 * 3^27) / 4^29
  const Ball few(Rational(Integer(502 * pow(Integer(3), 27)), pow(Integer(4), 29)));
  const auto exactly_thirty = [&](const std::string& below, const std::string& reached, double x,
                                  Direction direction) {
    return few * step_loss(below, direction)->delta(Ball(x)) +
           (Ball(1) - few) * step_loss(reached, direction)->delta(Ball(x));
  };
  for (const Direction direction : {Direction::remove, Direction::add}) {
    for (const double x : {-0.2, 0.0, 0.05, 0.6}) {
      CHECK_OVERLAPS(
          step_loss("truncated_poisson(gaussian(2), 0.25, 3, 5)", direction)->delta(Ball(x)),
          mean("poisson(gaussian(2), 0.25)", "poisson(gaussian(2, 2), 0.25)", direction, x));
      CHECK_OVERLAPS(
          step_loss("truncated_poisson(gaussian(2), 0.25, 3, 6, zero_out)", direction)
              ->delta(Ball(x)),
          mean("poisson(gaussian(2), 0.25)",
               "without_replacement(gaussian(2, 2), 1, 4, adjacency=replace)", direction, x));
      CHECK_OVERLAPS(
          step_loss("truncated_poisson(gaussian(2, 2), 0.25, 3, 6, replace)", direction)
              ->delta(Ball(x)),
          mean("poisson(gaussian(2, 2), 0.25, replace)",
               "without_replacement(gaussian(2, 2), 1, 4, adjacency=replace)", direction, x));
      CHECK_OVERLAPS(
          step_loss("truncated_poisson(gaussian(2), 0.25, 3, 30, zero_out, exact)", direction)
              ->delta(Ball(x)),
          exactly_thirty("poisson(gaussian(2), 0.25)",
                         "without_replacement(gaussian(2, 2), 3, 30, adjacency=replace)", x,
                         direction));
      CHECK_OVERLAPS(
          step_loss("truncated_poisson(gaussian(2), 0.25, 3, 6, zero_out, exact)", direction)
              ->delta(Ball(x)),
          mean("poisson(gaussian(2), 0.25)",
               "without_replacement(gaussian(2, 2), 1, 4, adjacency=replace)", direction, x));
      // a cap that is never reached, and one that hardly ever is
      CHECK_OVERLAPS(
          step_loss("truncated_poisson(gaussian(2), 0.25, 6, 5)", direction)->delta(Ball(x)),
          step_loss("poisson(gaussian(2), 0.25)", direction)->delta(Ball(x)));
      CHECK_OVERLAPS(
          step_loss("truncated_poisson(gaussian(2), 0.25, 4000, 5000)", direction)->delta(Ball(x)),
          step_loss("poisson(gaussian(2), 0.25)", direction)->delta(Ball(x)) +
              widened(Ball(0), Ball(1e-100)));
    }
  }
}

TEST_CASE("a cap: canonical forms and refusals") {
  const Composition run = parse_spec(
      "truncated_poisson(gaussian(1), sampling_probability=0.1, truncated_batch_size=8, "
      "dataset_size=50)^3");
  CHECK(run.spec() == "truncated_poisson(gaussian(sigma=1), rate=0.1, cap=8, population=50)^3");
  CHECK(run.adjacency() == Adjacency::of_one_record(Adjacency::add_remove));
  CHECK(!run.symmetric());
  CHECK(parse_spec("truncated_poisson(gaussian(1), 0.1, 8, 50, replace)").symmetric());
  for (const char* spec :
       {"truncated_poisson(laplace(1), 0.1, 8, 50)", "truncated_poisson(gaussian(1), 0, 8, 50)",
        "truncated_poisson(gaussian(1), 1, 8, 50)", "truncated_poisson(gaussian(1), 0.1, 0, 50)",
        "truncated_poisson(gaussian(1), 0.1, 8.5, 50)", "truncated_poisson(gaussian(1), 0.1, 8)",
        "truncated_poisson(gaussian(1), 0.1, 8, 0)",
        "truncated_poisson(gaussian(1), 0.1, 8, 50, substitute)",
        "truncated_poisson(gaussian(1), 0.1, 8, 50, add_remove, exact)",
        "truncated_poisson(gaussian(1), 0.1, 8, 50, zero_out, size=some)",
        "truncated_poisson(poisson(gaussian(1), 0.5), 0.1, 8, 50)",
        "poisson(truncated_poisson(gaussian(1), 0.1, 8, 50), 0.5)",
        "group(truncated_poisson(gaussian(1), 0.1, 8, 50), 2)"}) {
    CHECK_MESSAGE(refusal_of(spec) != "", spec);
  }
  CHECK(refusal_of("truncated_poisson(gaussian(noise_multiplier=1), 0.1, 8, 50, replace)")
            .find("two readings") != std::string::npos);
}

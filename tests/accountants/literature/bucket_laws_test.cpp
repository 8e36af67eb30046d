// Laws on buckets in doubles against the same steps in balls of many bits, and privacy buckets by
// squaring against the contour.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "accountants/contour/contour.hpp"
#include "accountants/literature/bucket_laws.hpp"
#include "accountants/literature/bucket_squaring.hpp"
#include "accountants/registry.hpp"
#include "lib/balls/precision.hpp"
#include "support/curves.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

constexpr long many_bits = 400;
const Rational tilt(3, 2);
constexpr double mesh = 0x1p-5;

using Masses = std::vector<Ball>;

Masses exact(const std::vector<double>& masses, long exponent) {
  Masses result;
  for (const double mass : masses) result.push_back(ldexp(Ball(mass), exponent));
  return result;
}

Masses product(const Masses& a, const Masses& b) {
  Masses result(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) result[i + j] += a[i] * b[j];
  }
  return result;
}

std::vector<double> random_masses(std::mt19937_64& random, std::size_t count) {
  std::uniform_real_distribution<double> nats(-12, 0);
  std::vector<double> result(count);
  for (double& mass : result) mass = std::exp(nats(random));
  return result;
}

/// What is certainly above, resp. below; the numbers of entries where it is not.
int not_above(const std::vector<double>& masses, long exponent, const Masses& truth) {
  REQUIRE(masses.size() == truth.size());
  const Masses found = exact(masses, exponent);
  int count = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    count += certainly_greater_equal(found[i], truth[i]) ? 0 : 1;
  }
  return count;
}
int not_below(const std::vector<double>& masses, long exponent, const Masses& truth) {
  REQUIRE(masses.size() == truth.size());
  const Masses found = exact(masses, exponent);
  int count = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    count += certainly_less_equal(found[i], truth[i]) ? 0 : 1;
  }
  return count;
}

Enclosure squared(const ComposedLoss& loss, const char* epsilon, std::uint64_t buckets) {
  return squaring_curve(loss, {buckets, std::nullopt})->delta(parse_rational(epsilon));
}

Ball truth_of(const ComposedLoss& loss, const char* epsilon) {
  const auto exact = accountant("optimal_composition");
  if (loss.terms()[0].loss->facts().two_points != nullptr) {
    return band_of(exact->open(loss, Goal{15})->delta(parse_rational(epsilon)));
  }
  return band_of(contour_accountant()->open(loss, Goal{15})->delta(parse_rational(epsilon)));
}

}  // namespace

TEST_CASE("bucket laws: the sum of two is above and below the exact one") {
  const PrecisionScope scope(many_bits);
  std::mt19937_64 random(20261123);
  for (int round = 0; round < 10; ++round) {
    const std::vector<double> a = random_masses(random, 90);
    const std::vector<double> b = random_masses(random, 90);
    const std::vector<double> q = random_masses(random, 90);
    const std::vector<double> c = random_masses(random, 40);
    const std::vector<double> d = random_masses(random, 40);
    const std::vector<double> r = random_masses(random, 40);
    const BucketLaws one(-7, a, b, q);
    const BucketLaws other(3, c, d, r);
    const BucketLaws sum = BucketLaws::composed(one, other);
    CHECK(sum.first() == -4);
    CHECK(not_above(sum.above(), sum.exponent(), product(exact(a, 0), exact(c, 0))) == 0);
    CHECK(not_below(sum.below(), sum.exponent(), product(exact(b, 0), exact(d, 0))) == 0);
    CHECK(not_above(sum.below_q(), sum.exponent(), product(exact(q, 0), exact(r, 0))) == 0);
    const BucketLaws square = BucketLaws::composed(one, one);
    const Masses truth = product(exact(a, 0), exact(a, 0));
    const Masses truth_q = product(exact(q, 0), exact(q, 0));
    CHECK(not_above(square.above(), square.exponent(), truth) == 0);
    CHECK(not_below(square.below(), square.exponent(), product(exact(b, 0), exact(b, 0))) == 0);
    CHECK(not_above(square.below_q(), square.exponent(), truth_q) == 0);
    for (std::size_t i = 0; i < truth.size(); ++i) {  // and near
      CHECK(std::fabs(square.above()[i] - truth[i].estimate()) < 1e-11);
      CHECK(std::fabs(square.below_q()[i] - truth_q[i].estimate()) < 1e-11);
    }
  }
}

TEST_CASE("bucket laws: cut and put on twice the mesh") {
  const PrecisionScope scope(many_bits);
  std::mt19937_64 random(7);
  constexpr long half = 20;
  const Ball t(tilt);
  const Ball h(mesh);
  const auto at = [](long k) { return static_cast<std::size_t>(k + half); };
  // P- and Q-masses that move between buckets, tilted
  const auto shifted = [&](const Ball& b, long from, long to) {
    return b * exp(t * h * Ball(to - from));
  };
  const auto shifted_q = [&](const Ball& b, long from, long to) {
    return b * exp((t + Ball(1)) * h * Ball(to - from));
  };
  for (int round = 0; round < 10; ++round) {
    DecayTable decay(t, mesh, 2 * half + 1);
    const std::vector<double> a = random_masses(random, 76);
    BucketLaws laws(-37, a, a, a);
    Masses above(2 * half + 1);
    Masses below(2 * half + 1);
    Masses below_q(2 * half + 1);
    Ball infinite;
    for (long i = 0; i < 76; ++i) {
      const long j = i - 37;
      const Ball mass(a[static_cast<std::size_t>(i)]);
      if (j > half) {
        infinite += mass * exp(-t * h * Ball(j));
        below[at(half)] += shifted(mass, j, half);
        below_q[at(half)] += shifted_q(mass, j, half);
      } else if (j < -half) {
        above[at(-half)] += shifted(mass, j, -half);
      } else {
        for (Masses* each : {&above, &below, &below_q}) (*each)[at(j)] += mass;
      }
    }
    laws.set_scale(mesh, t);
    laws.cut(-half, half, decay);
    CHECK(not_above(laws.above(), laws.exponent(), above) == 0);
    CHECK(not_below(laws.below(), laws.exponent(), below) == 0);
    CHECK(not_above(laws.below_q(), laws.exponent(), below_q) == 0);
    CHECK(certainly_greater_equal(laws.infinite(), infinite));
    CHECK(certainly_less(laws.infinite(), infinite * Ball(1 + 1e-6)));

    const Masses fine_above = exact(laws.above(), laws.exponent());
    const Masses fine_below = exact(laws.below(), laws.exponent());
    const Masses fine_q = exact(laws.below_q(), laws.exponent());
    laws.coarsen();
    Masses coarse_above(half + 1);
    Masses coarse_below(half + 1);
    Masses coarse_q(half + 1);
    // In (P, Q): a at h (j - 1) and b at h (j + 1) of the mass 1 at h j, a + b = 1, a e^h + b / e^h
    // = 1.
    const Ball b = (Ball(1) - exp(h)) / (exp(-h) - exp(h));
    const Ball both(0.5);
    for (long j = -half; j <= half; ++j) {
      const Ball& p = fine_above[at(j)];
      const long down = (j + 1000) / 2 - 500;
      const auto low = static_cast<std::size_t>(down + half / 2);
      if (j % 2 == 0) {
        coarse_above[low] += p;
        coarse_below[low] += fine_below[at(j)];
        coarse_q[low] += fine_q[at(j)];
        continue;
      }
      for (const long end : {0, 1}) {
        const long to = 2 * (down + end);
        const auto place = low + static_cast<std::size_t>(end);
        coarse_above[place] += shifted(p * (end == 1 ? b : Ball(1) - b), j, to);
        coarse_below[place] += shifted(fine_below[at(j)] * both, j, to);
        coarse_q[place] += shifted_q(fine_q[at(j)] * both, j, to);
      }
    }
    CHECK(laws.first() == -half / 2);
    CHECK(not_above(laws.above(), laws.exponent(), coarse_above) == 0);
    CHECK(not_below(laws.below(), laws.exponent(), coarse_below) == 0);
    CHECK(not_above(laws.below_q(), laws.exponent(), coarse_q) == 0);
  }
}

// Either all mass of the law is raised to its bucket 8, so that its moments are those of what was
// raised, or it is split from odd buckets; then what is above bucket 1 is pushed to infinity.
TEST_CASE("bucket laws: moments bound what goes to infinity") {
  const PrecisionScope scope(many_bits);
  std::mt19937_64 random(20261127);
  constexpr long half = 16;
  const Ball t(tilt);
  const Ball h(mesh);
  for (int round = 0; round < 10; ++round) {
    for (const bool raised : {false, true}) {
      DecayTable decay(t, mesh, 2 * half + 1);
      LatticeLaw law;
      law.mesh = h;
      law.offset = Ball(0);
      law.first = raised ? -half : 1;
      for (const double mass : random_masses(random, half)) law.masses.emplace_back(mass);
      const Ball all = law.mgf(Ball(0));
      BucketLaws laws({law, law, Ball(0)}, mesh, t, {t, Ball(2)});
      Masses points(half + 1);  // of the buckets 0 .. half
      if (raised) {
        laws.cut(8, half, decay);
        points[8] = all;
      } else {
        std::copy(law.masses.begin(), law.masses.end(), points.begin() + 1);
      }
      laws.coarsen();
      decay.coarsen();
      const Ball b = (Ball(1) - exp(h)) / (exp(-h) - exp(h));
      Masses split(half / 2 + 1);
      for (std::size_t j = 0; j < points.size(); ++j) {
        split[j / 2] += j % 2 == 0 ? points[j] : points[j] * (Ball(1) - b);
        if (j % 2 != 0) split[j / 2 + 1] += points[j] * b;
      }
      Ball above;
      for (std::size_t j = 2; j < split.size(); ++j) above += split[j];
      laws.cut(-1, 1, decay);
      CHECK(certainly_greater_equal(laws.infinite(), above));
      CHECK(certainly_less(laws.infinite(), above * Ball(1 + 1e-6)));
    }
  }
}

TEST_CASE("bucket laws: tables of exponentials") {
  const PrecisionScope scope(many_bits);
  const Ball t(tilt);
  DecayTable decay(t, mesh, 41);
  for (int doublings = 0; doublings < 3; ++doublings) {
    const double h = std::ldexp(mesh, doublings);
    for (std::size_t m = 0; m < decay.least.size(); ++m) {
      const Ball truth = exp(-t * Ball(h) * Ball(std::uint64_t{m}));
      CHECK(certainly_less_equal(Ball(decay.least[m]), truth));
      CHECK(certainly_greater_equal(Ball(decay.greatest[m]), truth));
      CHECK(decay.greatest[m] < decay.least[m] * (1 + 1e-13));
    }
    decay.coarsen();
  }
  CHECK_THROWS_AS(DecayTable(Ball(1000), 1, 10), std::domain_error);
}

TEST_CASE("privacy buckets by squaring: bands hold the truth") {
  struct Query {
    const char* spec;
    Direction direction;
    const char* epsilon;
    std::uint64_t buckets;
    double width;  ///< relative
  };
  const Query queries[] = {
      {"poisson(gaussian(1), 0.02)^4096", Direction::remove, "4", 20000, 0.05},
      {"poisson(gaussian(1), 0.02)^4096", Direction::remove, "8", 50000, 0.05},  // a tilt of 3
      {"poisson(gaussian(1), 0.02)^4096", Direction::add, "2", 50000, 0.05},
      {"poisson(gaussian(2), 0.1)^1", Direction::remove, "0.2", 2000, 0.01},
      {"poisson(gaussian(2), 0.1)^77", Direction::remove, "1", 20000, 0.01},
      {"gaussian(3)^10", Direction::remove, "1", 20000, 0.01},
      {"gaussian(3)^10", Direction::remove, "0", 20000, 0.01},
      {"poisson(gaussian(2), 0.1)^77", Direction::remove, "-0.5", 20000, 0.01},
      {"poisson(gaussian(0.8), 0.004)^1000", Direction::add, "0.9", 20000, 0.1},
      {"laplace(2)^50", Direction::remove, "19", 10000, 0.01},
      {"randomized_response(0.1)^100", Direction::remove, "5", 5000, 0.02},
      {"laplace(1000)^1000000", Direction::remove, "5", 5000, 0.05},
      {"approximate(0.1, 1e-6)^30", Direction::remove, "1", 5000, 0.01},
  };
  for (const Query& query : queries) {
    const ComposedLoss loss = loss_from(query.spec, query.direction);
    const Enclosure band = squared(loss, query.epsilon, query.buckets);
    INFO(std::string(query.spec), " ", band.method, " ", band.remark);
    CHECK_BAND_HOLDS(band, truth_of(loss, query.epsilon));
    CHECK(relative_width(band.lower, band.upper) < query.width);
  }
}

// What lies above the buckets of one step (they end at 0.995) is composed as mass at infinity.
TEST_CASE("privacy buckets by squaring: a factor too small for one step") {
  for (const char* spec : {"gaussian(1)", "gaussian(1)^2", "gaussian(1)^5"}) {
    const ComposedLoss loss = loss_from(spec);
    const Ball truth = truth_of(loss, "1");
    const Enclosure band = squaring_curve(loss, {200, parse_rational("1.01")})->delta(Rational(1));
    INFO(band.method);
    CHECK_BAND_HOLDS(band, truth);
    CHECK(certainly_greater(band.upper, truth));
  }
}

TEST_CASE("privacy buckets by squaring: epsilon, factors, refusals") {
  const ComposedLoss loss = loss_from("poisson(gaussian(2), 0.1)^77");
  const auto curve = squaring_curve(loss, {50000, std::nullopt});
  const Enclosure band = curve->epsilon(parse_rational("1e-4"));
  const Enclosure truth =
      contour_accountant()->open(loss, Goal{15})->epsilon(parse_rational("1e-4"));
  INFO(band.method, " ", band.remark);
  CHECK_BAND_HOLDS(band, band_of(truth));
  CHECK(relative_width(band.lower, band.upper) < 0.1);
  // a factor that has to be squared many times
  const Enclosure fine =
      squaring_curve(loss, {20000, parse_rational("1.00001")})->delta(Rational(1));
  INFO(fine.method);
  CHECK_BAND_HOLDS(fine, truth_of(loss, "1"));
  CHECK(fine.method.find("squared 0 times") == std::string::npos);
  CHECK(squaring_refusal(loss_from("gaussian(1)^4 * gaussian(2)^3")));
  CHECK_FALSE(squaring_refusal(loss));
}

// prv: cells against the distribution function, the rounding undone, coupling bands against the
// contour accountant; no error term may be left out.
#include <doctest/doctest.h>

#include <cmath>

#include "accountants/contour/contour.hpp"
#include "accountants/prv/prv_cells.hpp"
#include "accountants/prv/prv_coupling.hpp"
#include "accountants/prv/prv_sampler.hpp"
#include "accountants/registry.hpp"
#include "lib/work/work_limit.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "support/curves.hpp"
#include "support/mixtures.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

struct Line {
  std::shared_ptr<const PrivacyLoss> loss;
  std::shared_ptr<LatticeRecord> record = std::make_shared<LatticeRecord>();
  LatticeLineLoss line;

  Line(const GaussianMixture& mixture, Direction direction)
      : loss(gaussian_mixture_loss(mixture, direction)),
        line(loss, direction, cell_sampler(), record) {}
};

int missing(const LineValues& found, const LineValues& exact) {
  int count = 0;
  for (std::size_t k = 0; k < found.values.size(); ++k) {
    if (!overlaps(found.values[k], exact.values[k])) ++count;
  }
  return count;
}

struct Query {
  const char* spec;
  Direction direction;
  bool epsilon;
  const char* argument;
};

Enclosure ask(const std::string& name, const Query& query, int digits) {
  const ComposedLoss loss = loss_from(query.spec, query.direction);
  const auto chosen = accountant(name);
  REQUIRE(!chosen->refusal(loss));
  const auto curve = chosen->open(loss, Goal{digits});
  const Rational argument = parse_rational(query.argument);
  return query.epsilon ? curve->epsilon(argument) : curve->delta(argument);
}

double width(const Enclosure& band) { return (band.upper - band.lower).upper_double(); }

}  // namespace

TEST_CASE("prv: what lies outside a tiny window is bounded by as great an order as it needs") {
  const auto loss = gaussian_mixture_loss({1'000'000, {1}, {1}}, Direction::remove);
  for (const double deviations : {6.0, 10.0}) {
    const Ball end(deviations * 1e-6);
    const WindowTails found = tails_outside(*loss, end, end);
    CHECK(certainly_less_equal(loss->p_above(end) * end, found.moment));
    CHECK(found.moment.upper_double() < 10 * std::exp(-deviations * deviations / 3) * 1e-6);
  }
}

TEST_CASE("prv: masses of cells are differences of the distribution function") {
  Random random(31);
  const PrecisionScope scope(160);
  for (int i = 0; i < trials(20); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const Direction direction = random.one_in(2) ? Direction::remove : Direction::add;
    const auto loss = gaussian_mixture_loss(mixture, direction);
    const Ball d(random.uniform(0.001, 0.4));
    CAPTURE(spec_of(mixture));
    const std::vector<Ball> cells = loss_cells(*loss, direction, d, -7, 9);
    REQUIRE(cells.size() == 17);
    for (long j = -7; j <= 9; ++j) {
      const Ball left = loss->p_above(d * Ball(2 * j - 1) / Ball(2));
      const Ball right = loss->p_above(d * Ball(2 * j + 1) / Ball(2));
      CHECK_OVERLAPS(cells[static_cast<std::size_t>(j + 7)], left - right);
      // roots of several exponentials come from one step of Newton's method in binary64
      CHECK(cells[static_cast<std::size_t>(j + 7)].radius().upper_double() < 1e-22);
    }
  }
}

TEST_CASE("prv: undoing the rounding gives the moment generating function") {
  Random random(32);
  const PrecisionScope scope(192);
  int computed = 0;
  for (int i = 0; i < trials(12); ++i) {
    const GaussianMixture mixture = random_mixture(random);
    const Direction direction = random.one_in(2) ? Direction::remove : Direction::add;
    const Line line(mixture, direction);
    const Ball t(random.uniform(-2.5, 3));
    const double deviation = std::sqrt(line.loss->estimate_cumulant(t.estimate()).variance);
    const Ball step(0.3 / deviation);
    const double nats = random.uniform(3, 30);
    CAPTURE(spec_of(mixture));
    CAPTURE(t.estimate());
    CAPTURE(nats);
    try {
      const LineValues found = line.line.mgf_on_line(t, step, 9, nats);
      const LineValues exact = line.loss->mgf_on_line(t, step, 9, nats + 80);
      for (std::size_t k = 0; k < 9; ++k) {
        CHECK(contains(found.values[k].real(), exact.values[k].real()));
        CHECK(contains(found.values[k].imaginary(), exact.values[k].imaginary()));
      }
      ++computed;
    } catch (const std::domain_error&) {  // small noise, rare sampling: too many cells
    }
  }
  MESSAGE("lines computed " << computed);
  CHECK(6 * computed > trials(12));
}

TEST_CASE("prv: the mean of the loss") {
  const PrecisionScope scope(128);
  const auto gaussian = loss_from("gaussian(sigma=2)").terms()[0].loss;
  CHECK_CONTAINS(finite_mean(*gaussian), Rational(1, 8));
  const ComposedLoss atoms = two_atoms(2, Rational(1, 4), -0.5, Rational(5, 8));
  CHECK_CONTAINS(finite_mean(*atoms.terms()[0].loss), Rational(1, 2) - Rational(5, 16));
  CHECK_WIDTH_BELOW(finite_mean(*gaussian), 1e-30);
}

TEST_CASE("prv: all modes hold the exact curve") {
  const Query queries[] = {
      {"poisson(gaussian(sigma=1.5), rate=0.05)^200", Direction::remove, false, "1"},
      {"poisson(gaussian(sigma=1.5), rate=0.05)^200", Direction::add, false, "0.5"},
      {"poisson(gaussian(sigma=1.5), rate=0.05)^200", Direction::remove, true, "1e-5"},
      {"poisson(gaussian(sigma=1.5), rate=0.05)^200", Direction::add, true, "1e-9"},
      {"gaussian(sigma=5)^20", Direction::remove, false, "-0.5"},
      {"gaussian(sigma=5)^7 * poisson(gaussian(sigma=2), rate=0.2)^40", Direction::remove, true,
       "1e-6"},
  };
  for (const Query& query : queries) {
    CAPTURE(std::string(query.spec));
    CAPTURE(std::string(query.argument));
    const Enclosure truth = ask("contour", query, 20);
    const Enclosure published = ask("prv(mode=published, eps_error=0.05)", query, 12);
    const Enclosure tight = ask("prv(mode=tight, eps_error=0.05)", query, 12);
    const Enclosure exact = ask("prv(mode=deconvolved)", query, 6);
    const Enclosure chosen = ask("prv(eps_error=0.05)", query, 12);
    INFO(published.remark, tight.remark, exact.remark);
    for (const Enclosure& band : {published, tight, exact, chosen}) {
      CHECK_BAND_HOLDS(band, band_of(truth));
      CHECK(band.certified);
      CHECK(band.accountant == "prv");
    }
    CHECK(published.method.rfind("published", 0) == 0);
    CHECK(reached(exact, 6));
    CHECK(width(tight) < 0.75 * width(published));
    if (query.epsilon) CHECK(width(published) < 0.101);
  }
}

namespace {

/// The published band of 0.1 either way: it holds the contour's, is no wider than its theorem makes
/// it, and its ledger says what the shift and the lattice are worth.
void check_published(const std::string& spec, Direction direction, const char* delta) {
  const Query query{spec.c_str(), direction, true, delta};
  CAPTURE(spec);
  CAPTURE(name_of(direction));
  CAPTURE(std::string(delta));
  const Enclosure truth = ask("contour", query, 8);
  const Enclosure band = ask("prv(mode=published, eps_error=0.1)", query, 12);
  INFO(band.method, band.remark);
  CHECK_BAND_HOLDS(band, band_of(truth));
  CHECK(width(band) < 0.22);
  const auto size = [&](const std::string& name) {
    for (const Ledger::Entry& entry : band.ledger.entries()) {
      if (entry.name == name) return entry.size.estimate();
    }
    return -1.0;
  };
  CHECK(size("prv.shift") > 0);
  CHECK(size("lattice.rounding") > 0);
  CHECK(size("lattice.rounding") < 1e-3 * size("prv.shift"));
}

}  // namespace

TEST_CASE("prv: published bands of up to a million steps are as wide as their theorem") {
  // a core of 2% of the cells; cells that end far before the window; a period above 2^22 points
  check_published("poisson(gaussian(sigma=1), rate=0.001)^1000000", Direction::remove, "1e-7");
  check_published("poisson(gaussian(sigma=1), rate=0.001)^1000000", Direction::add, "1e-7");
  check_published("poisson(gaussian(sigma=0.8), rate=0.004)^1000000", Direction::remove, "1e-7");
  check_published("poisson(laplace(scale=2), rate=0.05)^1000000", Direction::remove, "1e-7");
  // the saddle point misleads; so does the law itself, which rounding has changed
  check_published("poisson(gaussian(sigma=1.249), rate=0.000564)^10705", Direction::remove, "1e-7");
  check_published("poisson(laplace(scale=1.883), rate=0.001725)^7601", Direction::remove, "1e-9");
  Random random(77);
  for (int i = 0; i < trials(6); ++i) {
    const std::string law = i % 2 == 0 ? "gaussian" : "laplace";
    const auto steps = static_cast<long>(std::pow(10, random.uniform(4.5, 6.3)));
    const std::string noise = std::to_string(random.integer(8, 30)) + "/10";
    const std::string rate = std::to_string(random.integer(5, 100)) + "/10000";
    const Direction direction = random.one_in(2) ? Direction::remove : Direction::add;
    check_published("poisson(" + law + "(" + noise + "), " + rate + ")^" + std::to_string(steps),
                    direction, "1e-6");
  }
}

TEST_CASE("prv: the mean of rare sampling is known to what lies outside the window") {
  const Query query{"poisson(gaussian(sigma=2.187), rate=0.000997)^51074", Direction::add, true,
                    "1e-7"};
  const Enclosure truth = ask("contour", query, 8);
  const Enclosure band = ask("prv(mode=tight, eps_error=0.1)", query, 12);
  INFO(band.remark);
  CHECK_BAND_HOLDS(band, band_of(truth));
  CHECK(width(band) < 0.12);
}

TEST_CASE("prv: laws with atoms and mass at infinity") {
  const Query queries[] = {
      {"randomized_response(epsilon=0.3)^50", Direction::remove, false, "1.7"},
      {"randomized_response(epsilon=0.3)^50", Direction::add, true, "1e-3"},
      {"laplace(scale=5)^60", Direction::remove, true, "1e-5"},
  };
  for (const Query& query : queries) {
    CAPTURE(std::string(query.spec));
    std::optional<Enclosure> truth;
    try {
      truth = ask("contour", query, 12);
    } catch (const std::exception&) {
      continue;  // a mechanism that this build does not know
    }
    const Enclosure band = ask("prv(mode=published, eps_error=0.05)", query, 12);
    INFO(band.remark);
    CHECK_BANDS_OVERLAP(band, *truth);
    CHECK(certainly_less(band.upper - band.lower, Ball(0.2)));
  }
  // Y = 1.3 or -0.7, with mass at infinity: the curve of the composition is a finite sum
  const ComposedLoss loss = two_atoms(0.13, Rational(3, 5), -0.07, Rational(3, 10), 6);
  const PrecisionScope scope(128);
  Ball exact = loss.mass_at_infinity();
  const Ball epsilon(0.25);
  for (int k = 0; k <= 6; ++k) {
    const int ways[] = {1, 6, 15, 20, 15, 6, 1};
    const Ball l = Ball(k) * Ball(0.13) - Ball(6 - k) * Ball(0.07);
    const Ball p = Ball(ways[k]) * power(Ball(Rational(3, 5)), static_cast<std::uint64_t>(k)) *
                   power(Ball(Rational(3, 10)), static_cast<std::uint64_t>(6 - k));
    if (certainly_greater(l, epsilon)) exact += p * (Ball(1) - exp(epsilon - l));
  }
  const Enclosure band =
      accountant("prv(eps_error=0.01)")->open(loss, Goal{})->delta(Rational(1, 4));
  INFO(band.remark);
  CHECK_BAND_HOLDS(band, exact);
  CHECK(width(band) < 0.05);
}

TEST_CASE("prv: small delta, six digits") {
  for (const char* delta : {"1e-15", "1e-30", "1e-100"}) {
    const Query query{"poisson(gaussian(sigma=1.5), rate=0.05)^1000", Direction::remove, true,
                      delta};
    const Enclosure truth = ask("contour", query, 20);
    const Enclosure band = ask("prv(mode=deconvolved)", query, 7);
    INFO(band.method, band.remark);
    CHECK(reached(band, 7));
    CHECK_BAND_HOLDS(band, band_of(truth));
  }
}

TEST_CASE("prv: delta_error above delta gives an honest band") {
  const Query query{"poisson(gaussian(sigma=1.5), rate=0.05)^200", Direction::remove, true,
                    "1e-12"};
  const Enclosure band = ask("prv(mode=published, eps_error=0.05, delta_error=1e-9)", query, 12);
  CHECK_BAND_HOLDS(band, band_of(ask("contour", query, 20)));
  CHECK(!band.upper.is_exact_zero());
}

TEST_CASE("prv: no term of the rounded line may be left out") {
  const PrecisionScope scope(192);
  struct Coarse {
    const char* term;
    const char* spec;
    Direction direction;
    double t;
    double nats;
  };
  const Coarse coarse_ones[] = {
      {"prv.aliasing", "poisson(gaussian(sigma=1), rate=0.3)", Direction::remove, 0.5, 4},
      {"prv.cells", "gaussian(sigma=0.5)", Direction::remove, 1, 6},
      {"prv.cells", "gaussian(sigma=0.5)", Direction::add, 1, 12},
      {"prv.transform", "gaussian(sigma=0.5)", Direction::remove, 1, 35},
  };
  for (const Coarse& coarse : coarse_ones) {
    INFO(std::string(coarse.term), ", ", std::string(coarse.spec), ", t ", coarse.t);
    const Line line(mixture_of(coarse.spec), coarse.direction);
    const Ball t(coarse.t);
    const double deviation = std::sqrt(line.loss->estimate_cumulant(coarse.t).variance);
    const Ball step(0.4 / deviation);
    const LineValues exact = line.loss->mgf_on_line(t, step, 7, 90);
    CHECK(missing(line.line.mgf_on_line(t, step, 7, coarse.nats), exact) == 0);
    const Scaled off(coarse.term, 0);
    CHECK(missing(line.line.mgf_on_line(t, step, 7, coarse.nats), exact) > 0);
  }
}

TEST_CASE("prv: no term of the coupling may be left out") {
  const PrecisionScope scope(128);
  const ComposedLoss loss = loss_from("poisson(gaussian(sigma=0.6), rate=0.3)^8");
  const Enclosure exact = contour_accountant()->open(loss, Goal{15})->delta(2);
  const auto band = [&](double h, long half, double r) {
    CoupledSum sum(loss, Ball(h), half);
    return sum.band(Ball(2), Ball(r), sum.deviation(Ball(r), false));
  };
  const auto wrong_without = [&](const char* term, double h, long half, double r) {
    CHECK_BAND_HOLDS(band(h, half, r), band_of(exact));
    const Scaled off(term, 0);
    return misses(band(h, half, r), band_of(exact));
  };
  CHECK(wrong_without("prv.shift", 0.5, 60, 3));
  CHECK(wrong_without("prv.coupling", 0.5, 60, 0));
}

TEST_CASE("prv: what lies outside the window may not be left out") {
  const PrecisionScope scope(128);
  // Ten steps, each with a rare loss of 20: beyond the window, and nearly all of delta(5).
  const ComposedLoss loss = two_atoms(20, Rational(1, 1000), -0.001, Rational(999, 1000), 10);
  Ball exact;
  Ball weight(1);  // C(10, k)
  for (int k = 1; k <= 10; ++k) {
    weight = weight * Ball(11 - k) / Ball(k);
    const Ball l = Ball(20 * k) + Ball(10 - k) * Ball(-0.001);
    exact += weight * power(Ball(Rational(1, 1000)), static_cast<std::uint64_t>(k)) *
             power(Ball(Rational(999, 1000)), static_cast<std::uint64_t>(10 - k)) *
             (Ball(1) - exp(Ball(5) - l));
  }
  const auto band = [&] {
    CoupledSum sum(loss, Ball(0.25), 78);
    return sum.band(Ball(5), Ball(4), sum.deviation(Ball(4), false));
  };
  CHECK_BAND_HOLDS(band(), exact);
  const Scaled off("prv.tails", 0);
  CHECK(misses(band(), exact));
}

TEST_CASE("prv: what is known of the rounding error may not be left out") {
  const PrecisionScope scope(128);
  {
    // Atoms a third of a cell from the lattice: the variance is above h^2 / 12.
    const auto loss = two_atoms(0.45, Rational(1, 2), -0.45, Rational(1, 2)).terms()[0].loss;
    const Ball variance(0.2025);
    CHECK(certainly_greater_equal(rounding_variance(*loss, Ball(1)), variance));
    const Scaled off("prv.fraction", 0);
    CHECK(certainly_less(rounding_variance(*loss, Ball(1)), variance));
  }
  {
    // Rare huge losses make high derivatives of M large.
    const auto loss = two_atoms(60, Rational(1, 1000), -0.001, Rational(999, 1000)).terms()[0].loss;
    const Ball mean = Ball(60) / Ball(1000) - Ball(-0.001) * Ball(-999) / Ball(1000);
    CHECK(overlaps(finite_mean(*loss), mean));
    const Scaled off("prv.derivative", 0);
    CHECK(!overlaps(finite_mean(*loss), mean));
  }
  // A window that leaves out a rare huge loss: the mean inside is known through Chernoff only.
  const ComposedLoss loss = two_atoms(20, Rational(1, 100), -0.1, Rational(99, 100), 10);
  const auto mean_error = [&] {
    const PrivacyLoss& single = *loss.terms()[0].loss;
    const RoundedFactor factor = rounded(single, Direction::remove, 1, Ball(0.25), 40);
    // inside the window the loss is -0.1, rounded to 0: mu makes that exact
    return certainly_less_equal(abs(factor.law->offset - Ball(-0.1)), factor.drift + Ball(1e-20));
  };
  CHECK(mean_error());
  {
    const Scaled off("prv.mean", 0);
    CHECK(!mean_error());
  }
  // The drift itself: with it the deviation stays trivial, without it the bound is too small.
  CoupledSum honest(loss, Ball(0.25), 40);
  CHECK(certainly_greater_equal(honest.deviation(Ball(0.9), false), Ball(1)));
  const Scaled off("prv.drift", 0);
  CoupledSum wrong(loss, Ball(0.25), 40);
  // X = 0.1 off in every step for certain, as the test above shows
  CHECK(certainly_less(wrong.deviation(Ball(0.9), false), Ball(1)));
}

TEST_CASE(
    "prv and fourier: subsampled Gaussians in fractions of a second, around the contour's band") {
  struct Case {
    const char* spec;
    const char* words;  ///< that the method of prv begins with
  };
  for (const Case& each : {
           Case{"poisson(gaussian(sigma=0.8), rate=0.004)^1000", "tight"},
           Case{"poisson(gaussian(sigma=1), rate=0.01)^10000", "tight"},
           Case{"poisson(gaussian(sigma=0.5), rate=0.01)^100000", "grid of the second order"},
           Case{"poisson(gaussian(sigma=1), rate=0.01)^1000000", "grid of the second order"},
           Case{"poisson(gaussian(sigma=1), rate=0.001)^1000000", "grid of the second order"},
       }) {
    for (const auto direction : {Direction::remove, Direction::add}) {
      const Query query{each.spec, direction, true, "1e-6"};
      const Enclosure exact = ask("contour", query, 12);
      const Enclosure coupled = ask("prv", query, 12);
      const double before = work_done();
      const Enclosure grid = ask("fourier", query, 4);
      CAPTURE(each.spec);
      CAPTURE(name_of(direction));
      for (const Enclosure* band : {&coupled, &grid}) {
        CHECK(certainly_less_equal(band->lower, exact.upper));
        CHECK(certainly_less_equal(exact.lower, band->upper));
      }
      CHECK(width(coupled) < 0.02);
      CHECK(coupled.method.rfind(each.words, 0) == 0);
      CHECK(width(grid) < 1e-3 * std::max(1.0, exact.upper.estimate() / 10));
      CHECK(work_done() - before < 2);
    }
  }
}

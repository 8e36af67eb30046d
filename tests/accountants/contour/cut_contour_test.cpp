// The contour on a composition without its rare draws, and the contour with one residue.
//
// Truth: the one-step closed form, and the plain straight contour. The terms are made large on
// purpose; each, scaled to 0, must make the band miss the truth.
#include "accountants/contour/cut_contour.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "accountants/closed/closed_form.hpp"
#include "accountants/contour/contour.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/mixtures/gaussian_mixture.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "support/containment.hpp"

using namespace plaudit;

namespace {

ComposedLoss subsampled_loss(const char* sigma, const char* rate, std::uint64_t count) {
  const Rational q = parse_rational(rate);
  const GaussianMixture mixture{parse_rational(sigma), {0, 1}, {1 - q, q}};
  return ComposedLoss({{gaussian_mixture_loss(mixture, Direction::remove), count}},
                      Direction::remove);
}

bool meets(const Enclosure& band, const Ball& truth) {
  return certainly_less_equal(band.lower, truth.upper()) &&
         certainly_less_equal(truth.lower(), band.upper);
}

Enclosure cut_band(const ComposedLoss& loss, double log_mass, double epsilon, double nats) {
  const auto cut = cut_composition(loss, log_mass);
  REQUIRE(cut);
  const double log_delta = cut->table.log_delta(epsilon, cut->table.saddle(epsilon));
  const StraightChoice choice = choose_straight(cut->loss, cut->table, epsilon, nats, log_delta);
  REQUIRE(std::isfinite(choice.seconds));
  return CutContour(cut, epsilon, choice).delta(Ball(epsilon));
}

}  // namespace

TEST_CASE("delta lies between the curves without and with the moved mass") {
  const PrecisionScope scope(256);
  const ComposedLoss loss = subsampled_loss("1", "0.1", 30);
  CumulantTable table(loss);
  const double epsilon = 1.5;
  const StraightChoice choice =
      choose_straight(loss, table, epsilon, 40, table.log_delta(epsilon, table.saddle(epsilon)));
  StraightContour plain(loss, table, epsilon, choice);
  const Enclosure truth = plain.delta(Ball(epsilon));
  const Ball middle = hull(truth.lower, truth.upper);
  for (const double log_mass : {-4.0, -7.0, -12.0, -40.0}) {
    INFO("log of the moved mass ", log_mass);
    const Enclosure band = cut_band(loss, log_mass, epsilon, 20);
    CHECK(meets(band, middle));
    // the price is the moved mass, not more
    CHECK((band.upper - band.lower).upper_double() < 4 * std::exp(log_mass) + 1e-7);
    if (log_mass > -10) {
      sabotage::scale("contour.cut", 0);
      CHECK_FALSE(meets(cut_band(loss, log_mass, epsilon, 20), middle));
      sabotage::clear();
    }
  }
}

TEST_CASE("orders beyond the reach of the whole moments") {
  // (4, 0.00033, 10^4) at delta = 1e-100: the whole moments need 300 nats of cancellation here.
  const PrecisionScope scope(512);
  const ComposedLoss loss = subsampled_loss("4", "0.00033", 10000);
  const double epsilon = 0.18;
  CumulantTable table(loss);
  const double log_delta = -230;
  const StraightChoice choice = choose_straight(loss, table, epsilon, 20, log_delta);
  REQUIRE(std::isfinite(choice.seconds));
  const Enclosure plain = StraightContour(loss, table, epsilon, choice).delta(Ball(epsilon));
  const Enclosure cut = cut_band(loss, log_delta - 30, epsilon, 25);
  CHECK(overlaps(hull(plain.lower, plain.upper), hull(cut.lower, cut.upper)));
  CHECK(reached(cut, 9));
}

TEST_CASE("one residue: the Gaussian curve, and its left alias cannot be left out") {
  const PrecisionScope scope(256);
  const GaussianMixture gaussian{Rational(1), {1}, {1}};
  const ComposedLoss loss({{gaussian_mixture_loss(gaussian, Direction::remove), 10000}},
                          Direction::remove);
  CumulantTable table(loss);
  const double epsilon = 5100;
  const Ball truth = gaussian_delta(5000, Ball(epsilon));
  StraightChoice choice = choose_straight(loss, table, epsilon, 30, truth.estimate_log());
  CHECK_FALSE(choice.both_residues);
  CHECK(choice.nodes < 40);
  const Enclosure fine = StraightContour(loss, table, epsilon, choice).delta(Ball(epsilon));
  CHECK(meets(fine, truth));
  CHECK(reached(fine, 10));

  // a period so short that the left alias carries the upper end
  choice.t = 1e-4;
  choice.h = 2 * std::numbers::pi / 250;
  choice.nodes = 12;
  const Enclosure coarse = StraightContour(loss, table, epsilon, choice).delta(Ball(epsilon));
  CHECK(meets(coarse, truth));
  sabotage::scale("contour.left.aliasing", 0);
  const Enclosure broken = StraightContour(loss, table, epsilon, choice).delta(Ball(epsilon));
  sabotage::clear();
  CHECK_FALSE(meets(broken, truth));
}

TEST_CASE("delta near 1: the complement, and it cannot be left out") {
  const PrecisionScope scope(256);
  const GaussianMixture gaussian{Rational(1), {1}, {1}};
  const ComposedLoss loss({{gaussian_mixture_loss(gaussian, Direction::remove), 40}},
                          Direction::remove);
  const Ball truth = gaussian_delta(20, Ball(1));
  const auto band = [&] { return contour_accountant()->open(loss, Goal{1})->delta(1); };
  const Enclosure honest = band();
  CHECK(honest.method.find("but for less") != std::string::npos);
  CHECK(meets(honest, truth));
  sabotage::scale("contour.complement", 0);
  CHECK_FALSE(meets(band(), truth));
  sabotage::clear();

  // far beyond any digits: no nodes are needed
  const ComposedLoss many({{gaussian_mixture_loss(gaussian, Direction::remove), 1000000}},
                          Direction::remove);
  CHECK(reached(contour_accountant()->open(many, Goal{100})->delta(1), 100));
}

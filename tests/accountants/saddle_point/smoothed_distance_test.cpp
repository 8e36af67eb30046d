// The bounds of what a tilted law has against a normal one, or one with Edgeworth's terms: against
// laws whose distribution functions are plain sums, and against the contour.
#include "accountants/saddle_point/smoothed_distance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "accountants/contour/contour.hpp"
#include "accountants/saddle_point/smoothing_plan.hpp"
#include "support/curves.hpp"
#include "support/losses.hpp"
#include "support/random.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

struct PlainAtom {
  double x;
  double mass;
};

/// n steps of high a (mass p) and low b (mass q), tilted at t and as masses of X = (L - m) / d.
std::vector<PlainAtom> binomial(double a, double p, double b, double q, int n, double t) {
  const double high = p * std::exp(t * a);
  const double low = q * std::exp(t * b);
  std::vector<PlainAtom> result;
  for (int k = 0; k <= n; ++k) {
    const double log_mass = std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                            k * std::log(high / (high + low)) +
                            (n - k) * std::log(low / (high + low));
    if (log_mass > -40) result.push_back({k * a + (n - k) * b, std::exp(log_mass)});
  }
  return result;
}

double normal_distribution(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }
double normal_density_at(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0)); }

/// G(x) = Phi(x) - sum_j c_j He_{j-1}(x) phi_0(x).
double form_at(const HermiteCoefficients& c, double x) {
  double sum = normal_distribution(x);
  double former = 0;
  double hermite = 1;
  for (std::size_t j = 1; j < c.size(); ++j) {
    sum -= c[j] * hermite * normal_density_at(x);
    const double next = x * hermite - static_cast<double>(j - 1) * former;
    former = hermite;
    hermite = next;
  }
  return sum;
}

/// A loss that is often +-0.01 and rarely 0.2: skew, with small jumps.
constexpr int usual_steps = 200;
constexpr int rare_steps = 400;
constexpr double order = 1.5;
ComposedLoss skew_loss() {
  ComposedLoss usual = two_atoms(0.01, Rational(1, 2), -0.01, Rational(49, 100), usual_steps);
  const ComposedLoss rare = two_atoms(0.2, Rational(1, 100), 0, Rational(98, 100), rare_steps);
  std::vector<ComposedLoss::Term> terms = usual.terms();
  terms.push_back(rare.terms()[0]);
  return ComposedLoss(std::move(terms), Direction::remove);
}

/// The law of X for a loss that is the sum of two, in increasing order.
std::vector<PlainAtom> sum_law(const std::vector<PlainAtom>& ones,
                               const std::vector<PlainAtom>& others, const LineChoice& choice) {
  std::vector<PlainAtom> result;
  for (const PlainAtom& one : ones) {
    for (const PlainAtom& other : others) {
      const double loss = std::round((one.x + other.x) * 1000) / 1000;
      result.push_back({(loss - choice.mean) / choice.deviation, one.mass * other.mass});
    }
  }
  std::sort(result.begin(), result.end(),
            [](const PlainAtom& a, const PlainAtom& b) { return a.x < b.x; });
  return result;
}

std::vector<PlainAtom> skew_law(const LineChoice& choice) {
  return sum_law(binomial(0.01, 0.5, -0.01, 0.49, usual_steps, order),
                 binomial(0.2, 0.01, 0, 0.98, rare_steps, order), choice);
}

/// sup |F - G|, F being a sum over atoms.
double true_distance(const std::vector<PlainAtom>& law, const HermiteCoefficients& c) {
  double sum = 0;
  double greatest = 0;
  for (std::size_t i = 0; i < law.size(); ++i) {
    const double form = form_at(c, law[i].x);
    if (i > 0 && law[i].x > law[i - 1].x + 1e-9)
      greatest = std::max(greatest, std::fabs(sum - form));
    sum += law[i].mass;
    const bool last = i + 1 == law.size() || law[i + 1].x > law[i].x + 1e-9;
    if (last) greatest = std::max(greatest, std::fabs(sum - form));
  }
  return greatest;
}

}  // namespace

TEST_CASE("the distance holds that of a plain sum, and is near it") {
  const ComposedLoss loss = skew_loss();
  for (const int terms : {0, 1, 3}) {
    CAPTURE(terms);
    const std::optional<LineChoice> choice = choose_line(loss, order, terms > 0);
    REQUIRE(choice);
    const TiltedLine line = tilted_line(loss, *choice);
    const PrecisionScope scope(line.bits);
    const HermiteCoefficients c = form_with(line, terms);
    const FormErrors errors = form_errors(line, c, choose_height(line, c));
    const double truth = true_distance(skew_law(*choice), c);
    CAPTURE(truth);
    CAPTURE(errors.distance.upper_double());
    CHECK(errors.distance.upper_double() >= truth);
    CHECK(errors.distance.upper_double() <= (terms == 0 ? 1.3 : 3) * truth);
  }
}

TEST_CASE("laws on a lattice: half of the greatest jump is bounded by the height") {
  const ComposedLoss loss = two_atoms(0.1, Rational(1, 2), -0.1, Rational(9, 20), 400);
  const std::optional<LineChoice> choice = choose_line(loss, order, false);
  REQUIRE(choice);
  const TiltedLine line = tilted_line(loss, *choice);
  const PrecisionScope scope(line.bits);
  const HermiteCoefficients c = form_with(line, 0);
  std::vector<PlainAtom> law = binomial(0.1, 0.5, -0.1, 0.45, 400, order);
  for (PlainAtom& atom : law) atom.x = (atom.x - choice->mean) / choice->deviation;
  const double truth = true_distance(law, c);
  const FormErrors errors = form_errors(line, c, choose_height(line, c));
  CHECK(errors.distance.upper_double() >= truth);
  CHECK(errors.distance.upper_double() <= 1.3 * truth);
  // far beyond the heights that are known, with a bound of phi that does not fall
  CHECK(form_errors(line, c, {choice->cells, 1024}).distance.upper_double() >= truth);
}

TEST_CASE("what a coarse mesh misses is in the bound") {
  const ComposedLoss loss = skew_loss();
  std::optional<LineChoice> choice = choose_line(loss, order, false);
  REQUIRE(choice);
  choice->step = 8 / choice->deviation;
  choice->cells = 20;
  const TiltedLine line = tilted_line(loss, *choice);
  const PrecisionScope scope(line.bits);
  const HermiteCoefficients normal{1};
  const FormErrors errors = form_errors(line, normal, {20, 1});
  const double truth = true_distance(skew_law(*choice), normal);
  CHECK(errors.distance.upper_double() >= truth);
  CHECK(errors.distance.upper_double() >= 0.05);
}

TEST_CASE("the error without smoothing holds that of delta at every epsilon, and is reached") {
  const ComposedLoss loss = loss_from("poisson(gaussian(sigma=0.65), rate=0.01)^2000");
  const auto truth = contour_accountant()->open(loss, {12});
  for (const int terms : {0, 1, 2, 3}) {
    CAPTURE(terms);
    const std::optional<LineChoice> choice = choose_line(loss, 1.8, terms > 0);
    REQUIRE(choice);
    const TiltedLine line = tilted_line(loss, *choice);
    const PrecisionScope scope(line.bits);
    const HermiteCoefficients c = form_with(line, terms);
    const FormErrors errors = form_errors(line, c, choose_height(line, c));
    double greatest = 0;
    for (double z = -1.5; z <= 1.5; z += 0.25) {
      const Rational epsilon = exactly(choice->mean + z * choice->deviation);
      const Enclosure delta = truth->delta(epsilon);
      const Ball scale = exp(line.log_mgf - Ball(choice->t) * Ball(epsilon));
      const Ball off =
          (hull(delta.lower, delta.upper) - hermite_delta(line, c, Ball(epsilon))) / scale;
      CHECK(abs(off).lower_double() <= errors.smooth.upper_double());
      greatest = std::max(greatest, abs(off).upper_double());
    }
    CAPTURE(greatest);
    CAPTURE(errors.smooth.upper_double());
    if (terms < 2) CHECK(greatest >= 0.55 * errors.smooth.upper_double());
  }
}

TEST_CASE("whatever is chosen: random laws, means, deviations, forms, cells and heights") {
  Random random(20);
  int informative = 0;
  for (int i = 0; i < trials(60); ++i) {
    const double small = 0.01 * static_cast<double>(random.integer(1, 10));
    const double large = 0.05 * static_cast<double>(random.integer(1, 20));
    const int usual = static_cast<int>(random.integer(1, 300));
    const int rare = static_cast<int>(random.integer(1, 300));
    const ComposedLoss loss(
        {two_atoms(small, Rational(1, 2), -small, Rational(2, 5), usual).terms()[0],
         two_atoms(large, Rational(1, 50), 0, Rational(9, 10), rare).terms()[0]},
        Direction::remove);
    const double t = std::exp(random.uniform(-2, 2));
    const int terms = static_cast<int>(random.integer(0, 3));
    std::optional<LineChoice> choice = choose_line(loss, t, terms > 0);
    REQUIRE(choice);
    if (random.one_in(3)) choice->cells = std::max(choice->cells / 2, points_of_cell);
    if (random.one_in(3)) {
      choice->mean += random.uniform(-0.5, 0.5) * choice->deviation;
      choice->deviation *= random.uniform(0.7, 1.3);
    }
    const TiltedLine line = tilted_line(loss, *choice);
    const PrecisionScope scope(line.bits);
    HermiteCoefficients c = form_with(line, terms);
    for (std::size_t j = 1; j < c.size() && i % 5 == 0; ++j) c[j] += random.uniform(-0.03, 0.03);
    const SmoothingHeight height = random.one_in(5)
                                       ? SmoothingHeight{choice->cells, random.uniform(1, 30)}
                                       : choose_height(line, c);
    const FormErrors errors = form_errors(line, c, height);
    const std::vector<PlainAtom> law = sum_law(binomial(small, 0.5, -small, 0.4, usual, t),
                                               binomial(large, 0.02, 0, 0.9, rare, t), *choice);
    CAPTURE(i);
    if (!errors.smooth.is_finite()) continue;
    ++informative;
    CHECK(errors.distance.upper_double() >= true_distance(law, c) - 1e-9);
    for (double z = -2; z <= 2; z += 0.37) {
      double truth = 0;  // E g(X)
      for (const PlainAtom& atom : law) {
        const double above = (atom.x - z) * choice->deviation;
        if (above > 0) truth -= atom.mass * std::exp(-t * above) * std::expm1(-above);
      }
      const Ball epsilon(choice->mean + z * choice->deviation);
      const Ball value = hermite_delta(line, c, epsilon) / exp(line.log_mgf - Ball(t) * epsilon);
      CHECK(std::fabs(value.estimate() - truth) <= form_error(line, errors).upper_double() + 1e-9);
    }
  }
  CHECK(informative > trials(60) / 2);
}

TEST_CASE("no claim where the height is too low, or is not that of the line") {
  const ComposedLoss loss = skew_loss();
  const std::optional<LineChoice> choice = choose_line(loss, order, false);
  REQUIRE(choice);
  const TiltedLine line = tilted_line(loss, *choice);
  const PrecisionScope scope(line.bits);
  const HermiteCoefficients normal{1};
  CHECK_FALSE(form_errors(line, normal, {4, 1}).distance.is_finite());
  CHECK_FALSE(form_errors(line, normal, {choice->cells - 1, 2}).distance.is_finite());
  CHECK_FALSE(form_errors(line, normal, {choice->cells + 1, 1}).smooth.is_finite());
  CHECK_FALSE(form_errors(line, {0.5}, {choice->cells, 1}).distance.is_finite());
}

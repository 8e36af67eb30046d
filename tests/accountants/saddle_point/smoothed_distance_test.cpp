// The bounds of what a tilted law has against a normal one, or one with Edgeworth's terms: against
// laws whose distribution functions are plain sums, and against the contour.
#include "accountants/saddle_point/smoothed_distance.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "accountants/contour/contour.hpp"
#include "accountants/saddle_point/smoothing_plan.hpp"
#include "lib/constants.hpp"
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
        {two_atoms(small, Rational(1, 2), -small, Rational(2, 5), static_cast<std::uint64_t>(usual))
             .terms()[0],
         two_atoms(large, Rational(1, 50), 0, Rational(9, 10), static_cast<std::uint64_t>(rare))
             .terms()[0]},
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

namespace {

/// A line made up of atoms of X, with any bound beyond it.
TiltedLine made_line(const std::vector<PlainAtom>& law, const LineChoice& choice, double beyond) {
  TiltedLine line{choice,
                  128,
                  Ball(choice.step) * Ball(choice.deviation),
                  Ball(choice.reach) * Ball(choice.deviation),
                  Ball(0),
                  {},
                  Ball(0),
                  Ball(beyond)};
  for (std::size_t k = 0; k < choice.cells + points_of_cell / 2; ++k) {
    ComplexBall value;
    for (const PlainAtom& atom : law) {
      const Ball angle = line.mesh * Ball(static_cast<std::uint64_t>(k)) * Ball(atom.x);
      value += ComplexBall(cos(angle) * Ball(atom.mass), sin(angle) * Ball(atom.mass));
    }
    line.values.push_back(value);
  }
  for (const PlainAtom& atom : law) {
    const Ball power = exp(line.radius * Ball(atom.x));
    line.cosh_moment += ldexp((power + Ball(1) / power) * Ball(atom.mass), -1);
  }
  return line;
}

std::complex<double> form_transform(const HermiteCoefficients& c, double s) {
  std::complex<double> sum = 0;
  std::complex<double> power = 1;
  for (const double each : c) {
    sum += each * power;
    power *= std::complex<double>(0, s);
  }
  return sum * std::exp(-s * s / 2);
}

/// |phi - gamma| at s.
double size_at(const std::vector<PlainAtom>& law, const HermiteCoefficients& c, double s) {
  std::complex<double> sum = -form_transform(c, s);
  for (const PlainAtom& atom : law) sum += atom.mass * std::polar(1.0, s * atom.x);
  return std::abs(sum);
}

/// Simpson's rule.
template <class Function>
double integral(double from, double to, int pairs, Function&& f) {
  const double step = (to - from) / (2 * pairs);
  double sum = f(from) + f(to);
  for (int i = 1; i < 2 * pairs; ++i) sum += (i % 2 == 0 ? 2 : 4) * f(from + i * step);
  return sum * step / 3;
}

/// |K(u)| of Prawitz' kernel times u.
double kernel_at(double u) {
  const double pi = std::acos(-1.0);
  return std::hypot(u * (1 - u), u * (1 - u) / std::tan(pi * u) + u / pi) / 2;
}

}  // namespace

TEST_CASE("the kernel's weight holds it on each cell, and is near it on narrow ones") {
  const PrecisionScope scope(64);
  for (const int cells : {1, 3, 20, 1000}) {
    for (int k = 0; k < cells; ++k) {
      CAPTURE(cells);
      CAPTURE(k);
      double greatest = 0;
      for (int i = 1; i < 50; ++i) {
        greatest = std::max(greatest, kernel_at((k + i / 50.0) / cells));
      }
      const double weight =
          kernel_weight(Ball(k) / Ball(cells), Ball(k + 1) / Ball(cells)).upper_double();
      CHECK(weight >= greatest - 1e-12);
      if (cells == 1000 && k < 900) CHECK(weight <= 1.008 * greatest);
    }
  }
}

TEST_CASE("cells: root mean squares between values that are far apart") {
  const PrecisionScope scope(128);
  struct Case {
    double x;      ///< the only atom of X
    double reach;  ///< R
    double mesh;
    HermiteCoefficients c;
    double most;  ///< of the bound, over the truth
  };
  const Case cases[] = {
      {6, 11.0 / 6, 0.36, {1}, infinity},  // the law's derivatives rule, and its mean is missed
      {-6, 11.0 / 6, 0.2, {1}, infinity},
      {0, 1000, 1.2, {1}, infinity},  // the form's do
      {0, 1000, 0.8, {1, 0, 0, 0, 0, 0, 0, 0, 0, 5}, infinity},
      {1, 5, 0.125, {1, 0.1}, 1.0001}};
  for (const Case& each : cases) {
    const LineChoice choice{1, 0, 1, each.reach, each.mesh, 12, 0};
    const std::vector<PlainAtom> law = {{each.x, 1}};
    const std::vector<Ball> norms = cell_norms(made_line(law, choice, 1), each.c, choice.cells);
    for (std::size_t k = 0; k < norms.size(); ++k) {
      const double from = each.mesh * static_cast<double>(k);
      const double mean =
          integral(std::max(from, 1e-8), from + each.mesh, 100,
                   [&](double s) { return std::pow(size_at(law, each.c, s) / s, 2); }) /
          each.mesh;
      CAPTURE(each.x);
      CAPTURE(each.mesh);
      CAPTURE(k);
      CHECK(norms[k].upper_double() >= std::sqrt(mean) * (1 - 1e-6));
      CHECK(norms[k].upper_double() <= std::sqrt(mean) * each.most);
    }
  }
}

TEST_CASE("integrals of the form") {
  const PrecisionScope scope(64);
  const HermiteCoefficients even{1, 0, 0, 0, 0.3, 0, 0, 0, 0.1};  // |gamma| is gamma
  const auto of = [](const HermiteCoefficients& c) {
    return [&](double s) { return std::abs(form_transform(c, s)); };
  };
  const double all = form_integrals(even, Ball(4)).all.upper_double();
  const double truth = integral(0, 30, 3000, of(even));
  CHECK(all >= truth - 1e-9);
  CHECK(all <= truth + 1e-9);
  for (const HermiteCoefficients& c :
       {HermiteCoefficients{1}, even, HermiteCoefficients{1, 0, 0, 0, 0, 0, 0, 0, 0, -2}}) {
    for (const double height : {3.25, 4.5, 25.0}) {
      const double beyond =
          integral(height, height + 12, 3000, [&](double s) { return of(c)(s) / s; });
      const double bound = form_integrals(c, Ball(height)).beyond.upper_double();
      CAPTURE(height);
      CHECK(bound >= beyond);
      if (height == 25 && c[9] != 0) CHECK(bound <= 1.008 * beyond);
    }
  }
  CHECK_FALSE(form_integrals(even, Ball(3.16)).beyond.is_finite());
}

TEST_CASE("D and E hold the integrals that they bound, each part of them") {
  const PrecisionScope scope(128);
  const double pi = std::acos(-1.0);
  const std::vector<PlainAtom> law = {{-1.25, 0.3}, {0.25, 0.5}, {2, 0.2}};
  struct Case {
    double order;
    double deviation;
    double mesh;
    std::size_t cells;
    double times;  ///< T / H
    double beyond;
    HermiteCoefficients c;
    double most_distance;  ///< of the bounds, over the integrals
    double most_smooth;
  };
  const Case cases[] = {
      {0.01, 0.1, 0.015625, 288, 1, 0.5, {1, 0.05, -0.1, 0.03}, 1.06, 1.25},
      // E: what lies beyond H rules, then the cells do
      {0.01, 0.1, 0.015625, 288, 1, 30, {1, 0.05, -0.1, 0.03}, 1.06, 1.03},
      {2, 30, 0.015625, 288, 1, 0, {1}, 1.008, 1.008},
      // D: so does what lies between H and T, then the form beyond a low H
      {2, 1, 0.015625, 288, 40, 3, {1}, 1.4, 1.1},
      {2, 1, 0.0078125, 416, 1, 0, {1, 0, 0, 0, 0, 0, 0, 0, 0, 3}, 3, 6},
  };
  for (const Case& each : cases) {
    const LineChoice choice{
        each.order, 0, each.deviation, 5 / each.deviation, each.mesh / each.deviation,
        each.cells, 0};
    const FormErrors errors =
        form_errors(made_line(law, choice, each.beyond), each.c, {each.cells, each.times});
    const double high = each.mesh * static_cast<double>(each.cells);
    const double top = high * each.times;
    const auto size = [&](double s) { return size_at(law, each.c, s); };
    const auto form = [&](double s) { return std::abs(form_transform(each.c, s)); };
    const auto weight = [&](double s) {
      return 1 / std::hypot(each.order * each.deviation, s) /
             std::hypot((each.order + 1) * each.deviation, s);
    };
    double distance =
        2 * integral(1e-9, high, 2000, [&](double s) { return kernel_at(s / top) * size(s) / s; }) +
        integral(0, 30, 3000, form) / top +
        integral(high, 30, 3000, [&](double s) { return form(s) / s; }) / pi;
    if (each.times > 1) {
      distance += 2 * integral(high / top, 1 - 1e-9, 20000, [&](double u) {
                    return kernel_at(u) / u * (each.beyond + form(u * top));
                  });
    }
    double smooth = integral(1e-9, high, 2000, [&](double s) { return size(s) * weight(s); });
    smooth += integral(1e-9, 1, 20000, [&](double v) {  // s = H / v
      const double s = high / v;
      return (each.beyond + form(s)) * weight(s) * s / v;
    });
    smooth *= each.deviation / pi;
    CAPTURE(each.order);
    CAPTURE(each.beyond);
    CAPTURE(each.times);
    CHECK(errors.distance.upper_double() >= distance);
    CHECK(errors.smooth.upper_double() >= smooth);
    CHECK(errors.distance.upper_double() <= each.most_distance * distance);
    CHECK(errors.smooth.upper_double() <= each.most_smooth * smooth);
  }
}

TEST_CASE("the line: values that may be 0, and moments on either side") {
  const ComposedLoss loss = loss_from("poisson(gaussian(sigma=1), rate=0.3)^3");
  LineChoice choice{1, 0.5, 1, 0.5, 0.5, 20, 40};
  const TiltedLine fine = tilted_line(loss, choice);
  bool disks = false;
  for (const double nats : {-4.0, -10.0, -14.0}) {
    choice.nats = nats;
    const TiltedLine coarse = tilted_line(loss, choice);
    for (std::size_t k = 1; k < coarse.values.size(); ++k) {
      CAPTURE(nats);
      CAPTURE(k);
      CHECK_FALSE(certainly_positive(abs(coarse.values[k] - fine.values[k]).lower()));
      disks =
          disks || (coarse.values[k].may_be_zero() && abs(fine.values[k]).lower_double() > 1e-6);
    }
  }
  CHECK(disks);
  const std::optional<LineChoice> chosen = choose_line(skew_loss(), order, false);
  REQUIRE(chosen);
  const TiltedLine line = tilted_line(skew_loss(), *chosen);
  double truth = 0;
  for (const PlainAtom& atom : skew_law(*chosen)) {
    truth += atom.mass * std::cosh(line.radius.estimate() * atom.x);
  }
  CHECK(line.cosh_moment.upper_double() >= truth * (1 - 1e-9));
  CHECK(line.cosh_moment.upper_double() <= truth * 1.01);
}

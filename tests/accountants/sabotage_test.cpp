// The bounds of the straight contour, broken on purpose one at a time.
//
// Each configuration is deliberately coarse, so that one error term carries the band. The honest
// band holds the truth; with that term scaled to 0 the band must miss it. Since a band is affine in
// every term, the scale from which on it holds the truth is known exactly from the honest band, and
// is tested from both sides: it also says how sharp the bound is.
//
// Terms (grep ErrorTerm):
//   contour.right.aliasing, contour.left.aliasing, contour.truncation    here
//   mixture.quadrature, mixture.tails                                    here
//   contour.quadrature, contour.rounding    only written to the ledger: both are part of the radius
//       of the sum, the first charged as mixture.*; scaling them must change nothing (tested here)
//   bent.*, moments.*                                                    with their accountants
#include <doctest/doctest.h>

#include <numbers>

#include "accountants/closed/closed_form.hpp"
#include "lib/balls/error_term.hpp"
#include "mechanisms/mixtures/mixture_integral.hpp"
#include "support/curves.hpp"
#include "support/reference_table.hpp"
#include "support/wrapped_loss.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// Scales a term for its lifetime.
class Sabotage {
 public:
  Sabotage(const char* term, double factor) { sabotage::scale(term, factor); }
  ~Sabotage() { sabotage::clear(); }
  Sabotage(const Sabotage&) = delete;
  Sabotage& operator=(const Sabotage&) = delete;
};

constexpr const char* right_alias = "contour.right.aliasing";
constexpr const char* left_alias = "contour.left.aliasing";
constexpr const char* truncation = "contour.truncation";

struct Coarse {
  const char* term;
  const char* spec;
  double epsilon;
  double t;
  double period;
  std::size_t nodes;
  double least_needed;  ///< part of the term that the truth needs, at least: its sharpness
};

const char* const gaussians = "gaussian(sigma=1)^100";
const char* const subsampled = "poisson(gaussian(sigma=1.5), rate=0.01)^10000";

const Coarse coarse_ones[] = {
    {right_alias, gaussians, 30, 0.02, 60, 10, 0.1}, {right_alias, gaussians, 30, 0.1, 80, 20, 0.1},
    {right_alias, gaussians, 70, 0.4, 60, 6, 0.05},  {right_alias, subsampled, 1, 2, 3, 8, 0.1},
    {right_alias, subsampled, 1, 4, 5, 14, 0.1},     {left_alias, gaussians, 60, 0.05, 60, 6, 0.9},
    {left_alias, gaussians, 60, 0.05, 80, 20, 0.9},  {left_alias, gaussians, 70, 0.2, 80, 14, 0.9},
    {left_alias, subsampled, 1, 0.3, 3, 8, 0.25},    {left_alias, subsampled, 1, 0.6, 5, 10, 0.1},
    {truncation, gaussians, 60, 0.05, 100, 4, 0.03}, {truncation, gaussians, 60, 0.02, 80, 6, 0.03},
    {truncation, gaussians, 70, 0.1, 100, 6, 0.03},  {truncation, subsampled, 1, 1, 10, 3, 0.05},
    {truncation, subsampled, 1, 0.6, 8, 2, 0.05},    {truncation, subsampled, 1, 0.3, 7, 2, 0.05},
};

Ball truth_of(const Coarse& coarse) {
  if (coarse.spec == gaussians) return gaussian_delta(50, Ball(coarse.epsilon));
  return printed("0.0496014103148257756069437717920834431101", 39);
}

}  // namespace

TEST_CASE("straight contour: no term may be left out") {
  const PrecisionScope scope(256);
  for (const Coarse& coarse : coarse_ones) {
    StraightChoice choice;
    choice.t = coarse.t;
    choice.h = 2 * std::numbers::pi / coarse.period;
    choice.nodes = coarse.nodes;
    choice.nats = 60;
    choice.cancellation = 10;
    const StraightLine line(coarse.spec, Direction::remove, coarse.epsilon, choice);
    const Ball epsilon(coarse.epsilon);
    const Ball truth = truth_of(coarse);
    INFO(std::string(coarse.term), ", ", std::string(coarse.spec), ", epsilon ", coarse.epsilon,
         ", t ", coarse.t, ", period ", coarse.period, ", nodes ", coarse.nodes);
    const Enclosure honest = line.delta(epsilon);
    CHECK_BAND_HOLDS(honest, truth);
    const Ball size = ledger_size(honest, coarse.term);
    // aliases enter the lower end only, the truncation both
    Ball spare = truth - honest.lower;
    if (coarse.term == truncation) spare = min(spare, honest.upper - truth);
    const Ball needed = Ball(1) - spare / size;
    CHECK(needed.lower_double() > coarse.least_needed);
    {
      const Sabotage off(coarse.term, 0);
      CHECK(misses(line.delta(epsilon), truth));
    }
    {
      const Sabotage little(coarse.term, needed.estimate() * 0.999);
      CHECK(misses(line.delta(epsilon), truth));
    }
    {
      const Sabotage enough(coarse.term, needed.estimate() * 1.001);
      CHECK_BAND_HOLDS(line.delta(epsilon), truth);
    }
  }
}

TEST_CASE("terms that are only reported") {
  const StraightLine line(subsampled, Direction::remove, 1, 12);
  const Enclosure honest = line.delta(Ball(1));
  CHECK(certainly_positive(ledger_size(honest, "contour.quadrature")));
  CHECK(certainly_positive(ledger_size(honest, "contour.rounding")));
  for (const char* term : {"contour.quadrature", "contour.rounding"}) {
    const Sabotage off(term, 0);
    const Enclosure same = StraightLine(subsampled, Direction::remove, 1, 12).delta(Ball(1));
    CHECK(overlaps(same.lower - honest.lower, Ball(0)));
    CHECK((same.lower - honest.lower).is_exact_zero());
    CHECK((same.upper - honest.upper).is_exact_zero());
  }
}

namespace {

GaussianMixture pair(const char* sigma, std::vector<Rational> sensitivities,
                     const std::vector<const char*>& probabilities) {
  GaussianMixture mixture{parse_rational(sigma), std::move(sensitivities), {}};
  for (const char* p : probabilities) mixture.probabilities.push_back(parse_rational(p));
  return normalised(mixture);
}

bool holds(const ComplexBall& outer, const ComplexBall& inner) {
  return contains(outer.real(), inner.real()) && contains(outer.imaginary(), inner.imaginary());
}

/// Few nats: honest values hold A(w), those without the term miss it.
void check_integral(const char* term, const GaussianMixture& mixture, double r, double s,
                    double nats) {
  const MixtureIntegral integral(mixture);
  const ComplexBall w{Ball(r), Ball(s)};
  const ComplexBall truth = integral.at(w, nats + 60);
  INFO(std::string(term), ": sigma ", to_string(mixture.sigma), ", w = ", r, " + ", s, " i, nats ",
       nats);
  CHECK(holds(integral.at(w, nats), truth));
  const Sabotage off(term, 0);
  CHECK(!overlaps(integral.at(w, nats), truth));
}

}  // namespace

TEST_CASE("mixture integral: no term may be left out") {
  const char* quadrature = "mixture.quadrature";
  const GaussianMixture half = pair("0.5", {0, 1}, {"0.5", "0.5"});
  const GaussianMixture quarter = pair("0.3", {0, 1}, {"0.75", "0.25"});
  for (const double nats : {2.0, 3.0}) {
    check_integral(quadrature, half, -1, 0, nats);  // poles of 1 / f
    check_integral(quadrature, quarter, 10, 0, nats);
    check_integral(quadrature, quarter, -0.5, 0, nats);
    check_integral(quadrature, half, 3.5, 3, nats);
  }
  check_integral(quadrature, pair("0.3", {0, 1}, {"0.75", "0.25"}), 4, 2, 2);
  check_integral(quadrature, pair("0.2", {0, 1}, {"0.75", "0.25"}), 1.5, 3, 3);
  // Bumps of very different height: the right tail of f^r, r < 0, ends the grid early. (Beside a
  // component at rate 0 the bound of the quadrature alone would hold the truth.)
  const char* tails = "mixture.tails";
  const GaussianMixture group = pair("0.5", {Rational(1, 100), 1, 4}, {"0.9", "0.0999", "0.0001"});
  for (const double nats : {12.0, 16.0, 20.0, 25.0, 30.0}) {
    check_integral(tails, group, -40, 0, nats);
    check_integral(tails, group, -80, 0, nats);
  }
}

TEST_CASE("the truncation bound is the one of Theorem 2, to a tenth of a percent") {
  // For Gaussians sup_{|s| >= S} |M(t + is)| = e^{mu (t (t + 1) - S^2)} in closed form; bands use
  // only part of the bound, so a slightly smaller one would not show in them.
  const PrecisionScope scope(256);
  for (const std::size_t nodes : {4u, 9u, 20u}) {
    StraightChoice choice;
    choice.t = 0.25;
    choice.h = 0.0625;
    choice.nodes = nodes;
    choice.nats = 60;
    choice.cancellation = 10;
    const Enclosure band = StraightLine(gaussians, Direction::remove, 60, choice).delta(Ball(60));
    const Ball t(choice.t);
    const Ball h(choice.h);
    const Ball height = h * Ball(static_cast<long>(nodes + 1));
    const Ball theorem = exp(Ball(50) * (t * (t + Ball(1)) - square(height)) - t * Ball(60)) /
                         (pi() * h * (Ball(static_cast<long>(nodes)) + Ball(0.5)));
    const Ball charged_size = ledger_size(band, truncation);
    CHECK(certainly_greater_equal(charged_size * Ball(1.000001), theorem));
    CHECK(certainly_less_equal(charged_size, theorem * Ball(1.001)));
  }
}

namespace {

/// Of one value on a line only the size is known, and that to a factor of two.
class VagueNode final : public WrappedLoss {
 public:
  VagueNode(std::shared_ptr<const PrivacyLoss> base, std::size_t node)
      : WrappedLoss(std::move(base)), node_(node) {}
  LineValues mgf_on_line(const Ball& t, const Ball& step, std::size_t count,
                         LineAccuracy accuracy) const override {
    LineValues line = base_->mgf_on_line(t, step, count, accuracy);
    line.values[node_] = disk(ldexp(abs(line.values[node_]).upper(), 1));
    return line;
  }

 private:
  std::size_t node_;
};

}  // namespace

TEST_CASE("a node of which only the size is known") {
  const auto gaussian = loss_from("gaussian(sigma=2)").terms()[0].loss;  // mu = 1/8
  const PrecisionScope scope(200);
  for (const std::uint64_t count : {1U, 2U, 5U}) {
    for (const std::size_t node : {0U, 1U, 3U}) {
      const ComposedLoss loss({{std::make_shared<VagueNode>(gaussian, node), count}},
                              Direction::remove);
      CumulantTable table(loss);
      const Rational mean(static_cast<long>(count), 8);
      const double near = 2 * estimate(mean);
      StraightChoice choice;
      choice.t = 1;
      choice.h = 0.5;
      choice.nodes = 40;
      choice.nats = 40;
      StraightContour contour(loss, table, near, choice);
      const Enclosure band = contour.delta(Ball(near));
      INFO("count ", count, ", node ", node);
      CHECK_BAND_HOLDS(band, gaussian_delta(mean, Ball(near)));
      CHECK(relative_width(band.lower, band.upper) > 1e-6);
    }
  }
}

// Laws with public labels without their rare ones: the band of the whole law from the smaller one.
//
// Truth: the straight contour on the whole law; or, where a rare label means a loss that is as good
// as infinite and the others mean none, the probability that it is drawn in any step, which is all
// that the bound allows.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "accountants/contour/frequent_composition.hpp"
#include "accountants/contour/straight_contour.hpp"
#include "lib/balls/precision.hpp"
#include "mechanisms/language/spec.hpp"
#include "mechanisms/laws/labelled_loss.hpp"
#include "mechanisms/mixtures/gaussian_mixture_loss.hpp"
#include "mechanisms/replacement/replacement_loss.hpp"
#include "support/frequent.hpp"
#include "support/sabotage.hpp"

using namespace plaudit;
using namespace plaudit::test;

namespace {

/// Logs of masses, over all steps, at which labels are left out.
struct RareLabels {
  const char* spec;
  std::vector<double> log_masses;
};

const RareLabels rare_labels[] = {
    {"with_replacement(gaussian(sigma=2), batch=6, population=20)^80", {2, -1.5, -4, -8}},
    {"with_replacement(gaussian(sigma=3), batch=12, population=30)^80", {2, -1.5, -4, -8}},
    {"group(without_replacement(gaussian(sigma=2), batch=30, population=100, adjacency=replace), "
     "size=3)^80",
     {4, 3}},
    {"truncated_poisson(gaussian(sigma=2), rate=0.1, cap=14, population=100)^60", {4, 3}}};

/// Two labels: one that says next to nothing, and a rare one that says all.
ComposedLoss all_or_nothing(bool labelled, std::uint64_t steps) {
  std::shared_ptr<const PrivacyLoss> loss;
  if (labelled) {
    const auto law = [](int sensitivity) {
      return gaussian_mixture_loss({Rational(10), {Rational(sensitivity, 1000)}, {Rational(1)}},
                                   Direction::remove);
    };
    loss = std::make_shared<LabelledLoss>(std::vector<LabelledLoss::Label>{
        {[] { return Ball(Rational(19, 20)); }, "19/20", law(1)},
        {[] { return Ball(Rational(1, 20)); }, "1/20", law(400000)}});
  } else {
    loss = std::make_shared<ReplacementLoss>(
        Replacement{Rational(1000), Rational(1), Rational(99999, 100000), {1, 40000}, {19, 1}, 20});
  }
  return ComposedLoss({{loss, steps}}, Direction::remove);
}

}  // namespace

TEST_CASE("the curve of a law with labels lies in the band made without the rare ones") {
  const PrecisionScope scope(256);
  for (const auto& each : rare_labels) {
    const auto& spec = each.spec;
    const auto& log_masses = each.log_masses;
    const ComposedLoss loss = loss_from(spec);
    for (const double epsilon : {0.5, 2.0}) {
      const Enclosure truth = band_of_all(loss, epsilon);
      for (const double log_mass : log_masses) {
        INFO(std::string(spec), ", epsilon ", epsilon, ", log of the mass left out ", log_mass);
        CHECK(certainly_overlap(band_without(loss, log_mass, epsilon), truth));
      }
    }
  }
}

TEST_CASE("labels left out without their error term: a wrong band") {
  const PrecisionScope scope(256);
  for (const auto& each : rare_labels) {
    const auto& spec = each.spec;
    const auto& log_masses = each.log_masses;
    const ComposedLoss loss = loss_from(spec);
    const Enclosure truth = band_of_all(loss, 2);
    const Scaled scaled("contour.rare_components", 0);
    INFO(std::string(spec));
    CHECK_FALSE(certainly_overlap(band_without(loss, log_masses.front(), 2), truth));
  }
}

TEST_CASE(
    "a rare label that says all changes the curve by no more than is said, and by that much") {
  const PrecisionScope scope(128);
  for (const bool labelled : {true, false}) {
    for (const std::uint64_t steps : {1U, 2U, 20U}) {
      const ComposedLoss loss = all_or_nothing(labelled, steps);
      const auto frequent = frequent_composition(loss, std::log(0.06 * static_cast<double>(steps)));
      REQUIRE(frequent->changed());
      const double change = frequent->change(1).at(Ball(1)).upper_double();
      const double drawn = 1 - std::pow(0.95, static_cast<double>(steps));
      INFO(labelled, ", ", steps, " steps: ", change, ", ", drawn);
      CHECK(change >= drawn * (1 - 1e-9));
      CHECK(change <= drawn * (1 + 1e-9));
      // what is left has no part in it
      CHECK((certainly_less(frequent->loss.log_mgf(Ball(1)), Ball(0.01))));
    }
  }
}

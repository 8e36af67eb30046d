// The kind `bent`: few steps and rare events, by a hyperbola in w and bent paths in y.
// docs/certificates/bent.md.
#include "accountants/proof/arithmetic/rejected.hpp"
#include "accountants/proof/kinds/hyperbola.hpp"
#include "verification/checker/kinds.hpp"
#include "verification/checker/laws/costs.hpp"

namespace plaudit::proof {

namespace {

constexpr long most_per_arc = 1000;
constexpr long most_arcs = 10000;
constexpr long most_points_of_path = 1000000;

HyperbolaLaw law_of(const Run& run) {
  HyperbolaLaw law;
  law.removes = run.direction == Direction::remove;
  for (const Factor& factor : run.factors) {
    if (const auto* gaussian = std::get_if<Gaussian>(factor.law.get())) {
      law.mean += gaussian->mu * factor.count;
    } else {
      const auto* mixture = std::get_if<Mixture>(factor.law.get());
      require(mixture != nullptr, "bent: not for these factors");
      law.mixtures.push_back(
          {mixture->rates, mixture->probabilities, factor.count, mixture->radicand});
    }
  }
  require(!law.mixtures.empty(), "bent: not for these factors");
  return law;
}

PathChoices path_of(Fields& fields) {
  PathChoices path;
  path.rise = fields.dyadic("rise");
  path.tilt = fields.dyadic("tilt");
  path.knee = fields.dyadic("knee");
  path.bend = fields.dyadic("bend");
  path.strip = fields.dyadic("strip");
  path.step = fields.dyadic("step");
  path.first = fields.integer("first", -most_points_of_path, most_points_of_path);
  path.last = fields.integer("last", path.first + 1, most_points_of_path);
  path.accuracy = fields.dyadic("accuracy");
  fields.done();
  return path;
}

}  // namespace

Proof prove_bent(Fields& choices, const Run& run, const Rational& epsilon, Budget& budget) {
  HyperbolaChoices given;
  given.center = choices.dyadic("center");
  given.scale = choices.dyadic("scale");
  given.angle = choices.dyadic("angle");
  given.strip = choices.dyadic("strip");
  given.step = choices.dyadic("step");
  given.per_arc = choices.integer("per_arc", 1, most_per_arc);
  given.arcs = choices.integer("arcs", 1, most_arcs);
  given.arcs_beyond = choices.integer("arcs_beyond", 0, most_arcs);
  const HyperbolaLaw law = law_of(run);
  std::vector<Fields> paths = choices.objects("paths", law.mixtures.size());
  if (paths.size() != law.mixtures.size()) {
    choices.fail("paths", "have one entry for each mixture");
  }
  for (Fields& path : paths) given.paths.push_back(path_of(path));
  choices.done();
  HyperbolaSum<Interval> sum(law, given, budget);
  budget.announce(weighed(60 * (2 * given.arcs + 3 * given.arcs_beyond + 4) * Integer(sum.pieces()),
                          working_precision()));
  require(positive(sum.kappa(Interval(epsilon))), "bent: kappa is not positive");
  sum.prepare();
  const ProofOf<Interval> found = sum.at(Interval(epsilon));
  Proof proof;
  proof.low = bottom(found.low);
  proof.high = top(found.high);
  proof.errors = {{"quadrature_z", found.errors[0].size},
                  {"truncation", found.errors[1].size},
                  {"quadrature_y", found.errors[2].size},
                  {"tails", found.errors[3].size}};
  return proof;
}

}  // namespace plaudit::proof

#include "accountants/lattice/lattice_composition.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "accountants/lattice/lattice_spectrum.hpp"
#include "accountants/plan/lattice_plan.hpp"
#include "accountants/plan/lattice_sketch.hpp"
#include "accountants/proof/arithmetic/rejected.hpp"
#include "accountants/proof/evidence.hpp"
#include "lib/balls/precision.hpp"
#include "lib/constants.hpp"
#include "lib/exact/checked_integer.hpp"

namespace plaudit {

namespace {

constexpr ErrorTerm rounding_term{"lattice.rounding", "ball arithmetic (radius of the sum)"};

constexpr double most_nodes = 1 << 18;
constexpr double most_products = 4e7;  ///< of nodes and points of laws
constexpr double points_of_node = 30;  ///< that take as long as what else is done at a node
// So many bounds of ranges, each some microseconds, cost what a transform costs: in any case, and
// for each point of the period.
constexpr double least_bounds = 10000;
constexpr double bounds_of_point = 0.01;
// Longer transforms are thinned, to no fewer points than these, and than this part of the standard
// deviation of the sum in points of the lattice.
constexpr std::size_t shortest_thinned = std::size_t{1} << 16;
constexpr double deviations_of_thinned = 0.4;
constexpr std::size_t longest_thinned = std::size_t{1} << 26;  ///< points of a thinned period

constexpr double period_to_spare = 1.02;  ///< times the length that the plan asks for
constexpr std::size_t shortest_period = 8;
constexpr double near_the_end = 1e-9;       ///< relative, of the greatest loss: no plan is closer
constexpr double errors_of_transform = 10;  ///< times its error is less than the wanted accuracy
constexpr long first_bits = 128;            ///< of the laws from which the tilt is chosen
constexpr long spare_bits = 16;             ///< more, for a checker with another arithmetic

/// The indices i of the masses[i] that are not 0; none where there are more than `most`.
std::vector<long> few_indices(const LatticeLaw& law, std::size_t most) {
  std::vector<long> result;
  for (std::size_t i = 0; i < law.masses.size(); ++i) {
    if (law.masses[i].is_exact_zero()) continue;
    if (result.size() == most) return {};
    result.push_back(static_cast<long>(i));
  }
  if (result.empty()) throw std::domain_error("nothing of a law is left in its window");
  return result;
}

long bits_to_prove_again(long bits, double nats) {
  return std::max(bits, precision_bits(2 * nats / log_two)) + spare_bits;
}

}  // namespace

proof::LawOnLattice<Ball> LatticeComposition::Factor::on_lattice(std::size_t most) const {
  if (noise) return proof::noise_on_lattice<Ball>(*noise);
  proof::LawOnLattice<Ball> result;
  result.offset.value = law->offset;
  result.mesh = proof::Number<Ball>{law->mesh, law->exact_mesh};
  if (!law->exact_mesh && law->mesh.is_exact()) result.mesh->exact = exact_rational(law->mesh);
  result.finite = law->mgf(Ball(0));
  result.infinite = law->infinite;
  result.indices = few_indices(*law, most);
  if (result.indices.empty()) return result;
  long step = 0;
  const long first = result.indices[0];
  for (long& index : result.indices) {
    result.masses.push_back(law->masses[static_cast<std::size_t>(index)]);
    index -= first;
    step = std::gcd(step, index);
  }
  result.offset.value = law->point(law->first + first);
  if (step == 0) {
    result.mesh.reset();
    return result;
  }
  for (long& index : result.indices) index /= step;
  result.mesh->value *= Ball(step);
  if (result.mesh->exact) *result.mesh->exact *= step;
  return result;
}

struct LatticeComposition::State {
  std::vector<Factor> factors;
  double nats = 0;

  LatticeSketch sketch;
  LatticeTilt plan;
  proof::LatticeChoices choices;
  long bits = first_bits;
  std::size_t most_direct = few_points;  ///< points at most of a law that is not transformed
  bool transforms = false;
  std::string transform = "sums over few points";  ///< how values are made, in words

  // At the working precision.
  std::vector<proof::LawOnLattice<Ball>> laws;
  proof::CommonMesh<Ball> mesh;
  bool has_ends = true;  ///< all losses are bounded, by the next two
  Ball least;
  Ball greatest;
  std::unique_ptr<proof::PeriodLine<Ball>> line;
  std::unique_ptr<proof::LatticeContour<Ball>> contour;
  proof::Budget budget = proof::unlimited_budget();

  double steps() const {
    double sum = 0;
    for (const Factor& factor : factors) sum += static_cast<double>(factor.count);
    return sum;
  }
  std::size_t times_of(std::size_t f) const { return static_cast<std::size_t>(mesh.times[f]); }
  double step() const { return mesh.step.value.estimate(); }

  void open(double epsilon);
  void place();
  void choose(double& epsilon);
  void choose_period();
  std::size_t usual_stride() const;
  bool make_contour(double epsilon, std::size_t stride);
  void refine_transforms(const std::vector<TransformedFactor*>& transformed);
  Ball total(const Ball& t) const;
  bool outside_support(const Ball& epsilon, Enclosure& result) const;
};

/// Forms the laws at the working precision, their common mesh and the ends of the support.
void LatticeComposition::State::place() {
  least = Ball(0);
  greatest = Ball(0);
  laws.clear();
  std::vector<std::optional<proof::Number<Ball>>> meshes;
  for (const Factor& factor : factors) {
    laws.push_back(factor.on_lattice(most_direct));
    meshes.push_back(laws.back().mesh);
    has_ends = has_ends && !factor.noise;
    if (factor.noise) continue;
    least += Ball(factor.count) * factor.law->point(factor.law->first);
    greatest += Ball(factor.count) * factor.law->point(factor.law->last());
  }
  if (std::none_of(meshes.begin(), meshes.end(), [](const auto& each) { return each; })) {
    mesh = {{Ball(1)}, std::vector<long>(laws.size(), 0)};  // all on any lattice
  } else {
    mesh = proof::common_mesh(meshes);
  }
}

/// M(t) of all that is finite.
Ball LatticeComposition::State::total(const Ball& t) const {
  Ball sum;
  for (const Factor& factor : factors) sum += Ball(factor.count) * log(factor.law->mgf(t));
  return exp(sum);
}

/// Chooses tilt, period and precision for queries near epsilon, moved below the greatest loss.
void LatticeComposition::State::choose(double& epsilon) {
  const PrecisionScope scope(first_bits);
  place();
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const Factor& factor = factors[f];
    if (factor.noise) {
      sketch.add(factor.cumulant, factor.count);
    } else {
      sketch.add(*factor.law, factor.count);
      transforms = transforms || laws[f].masses.empty();
    }
  }
  const double end = has_ends ? greatest.estimate() : infinity;
  if (has_ends) epsilon = std::min(epsilon, end - near_the_end * std::fabs(end) - 0.5 * step());
  plan = plan_tilt(sketch, epsilon, nats, step(), end);
  choose_period();
  bits = bits_of_lattice(plan, epsilon, nats, steps(), step(), choices.period);
}

void LatticeComposition::State::open(double epsilon) {
  if (factors.empty()) throw std::invalid_argument("no lattice law to compose");
  choose(epsilon);
  if (!transforms) {
    const PrecisionScope scope(bits);
    place();
    if (make_contour(epsilon, 1)) return;
    // bounding so many ranges costs more than transforms of the laws
    most_direct = 1;
    transforms = true;
    place();  // the mesh is now that of all points
    choose_period();
    bits = bits_of_lattice(plan, epsilon, nats, steps(), step(), choices.period);
  }
  const PrecisionScope scope(bits);
  place();
  // Of a long transform every few values serve, and the first ones; the whole where they do not.
  if (!make_contour(epsilon, usual_stride())) make_contour(epsilon, 1);
}

void LatticeComposition::State::choose_period() {
  const double points = period_to_spare * plan.length / step();
  double size = std::ceil(points) + 2;
  if (transforms) {
    size = shortest_period;
    while (size < points && size <= longest_thinned) size *= 2;
  }
  const std::size_t longest = transforms ? longest_thinned : longest_period;
  if (!(size <= static_cast<double>(longest))) throw PeriodTooLong(points * step(), longest);
  choices.period = checked_integer(size, "a period");
  choices.tilt = checked_rational(plan.tilt, "an order");
  choices.right_order = checked_rational(plan.right_order, "an order");
  choices.left_order = checked_rational(plan.left_order, "an order");
}

/// K / K' for the least K' that serves (heuristic). By docs/proofs/lattice.md#between the bound of
/// |F|^n exceeds the values by pi^2 n m2 / (2 m0 K'^2) nats at most near its greatest value: 31 for
/// K' = 0.4 deviations. Beyond the first values, which are known, |F|^n is smaller by more.
std::size_t LatticeComposition::State::usual_stride() const {
  if (!transforms) return 1;
  const auto size = static_cast<std::size_t>(choices.period);
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const bool whole = factors[f].law && laws[f].masses.empty();
    if (whole && factors[f].law->masses.size() * times_of(f) > size) return 1;
  }
  const double deviation = std::sqrt(sketch.cumulant(plan.tilt).variance) / step();
  std::size_t points = shortest_thinned;
  while (static_cast<double>(points) < deviations_of_thinned * deviation && points < size) {
    points *= 2;
  }
  return points < size ? size / points : 1;
}

/// Chooses the nodes and takes the values there. False where the thinned transform does not have
/// one of them, or where laws of few points have more ranges to bound than a transform costs.
bool LatticeComposition::State::make_contour(double epsilon, std::size_t stride) {
  if (stride == 1 && static_cast<std::size_t>(choices.period) > longest_period) {
    throw PeriodTooLong(period_to_spare * plan.length, longest_period);
  }
  line =
      std::make_unique<proof::PeriodLine<Ball>>(mesh.step.value, Ball(plan.tilt), choices.period);
  LatticeFactors parts;
  RangeLaws finite;
  std::vector<TransformedFactor*> transformed;
  double points = points_of_node;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const Factor& factor = factors[f];
    if (!factor.noise && laws[f].masses.empty()) {
      auto part =
          std::make_unique<TransformedFactor>(factor.law, times_of(f), factor.count, *line, stride);
      transformed.push_back(part.get());
      parts.push_back(std::move(part));
      finite.push_back({});
    } else {
      finite.push_back(factor.noise ? RangeLaw{} : RangeLaw{&laws[f], mesh.times[f]});
      parts.push_back(proof::lattice_factor(laws[f], factor.count, mesh.times[f], *line, budget));
      points += static_cast<double>(laws[f].masses.size());
    }
  }
  const long known = transformed.empty() ? choices.period : transformed.front()->known();
  RangeLimits limits{known, std::min(most_nodes, most_products / points)};
  if (!transforms && has_ends) {
    limits.bounds = least_bounds + bounds_of_point * static_cast<double>(choices.period);
  }
  RangePlan nodes = plan_ranges(parts, finite, *line, plan, epsilon, nats, limits);
  if (!nodes.known) return false;
  choices.ranges = std::move(nodes.ranges);
  if (!transformed.empty()) refine_transforms(transformed);
  contour = std::make_unique<proof::LatticeContour<Ball>>(std::move(parts), *line, mesh.step,
                                                          choices, budget);
  return true;
}

/// Has the values at the nodes summed in balls where the transforms are not accurate enough.
void LatticeComposition::State::refine_transforms(
    const std::vector<TransformedFactor*>& transformed) {
  double error = 0;
  for (const TransformedFactor* each : transformed) error += each->power_error();
  const bool in_balls = errors_of_transform * error > std::exp(-nats);
  transform = in_balls ? "sums in balls" : "double transform";
  if (!in_balls) return;
  std::vector<std::size_t> nodes;
  long first = 0;
  for (const proof::LatticeRange& range : choices.ranges) {
    for (long k = first; range.summed && k <= range.last; ++k) {
      nodes.push_back(static_cast<std::size_t>(k));
    }
    first = range.last + 1;
  }
  const UnitRoots roots(static_cast<std::size_t>(choices.period));
  for (TransformedFactor* each : transformed) each->sum_in_balls(nodes, roots);
}

/// Whether epsilon is certainly beyond all losses or below them: then delta needs no sum.
bool LatticeComposition::State::outside_support(const Ball& epsilon, Enclosure& result) const {
  const Ball infinite = contour->infinite();
  Ball value;
  if (!has_ends) return false;
  if (certainly_greater_equal(epsilon, greatest)) {
    value = infinite;
    result.method = "beyond the support";
  } else if (certainly_less_equal(epsilon, least)) {
    value = total(Ball(0)) - total(Ball(-1)) * exp(epsilon) + infinite;
    result.method = "below the support";
  } else {
    return false;
  }
  result.lower = value.lower();
  result.upper = value.upper();
  return true;
}

PeriodTooLong::PeriodTooLong(double period, std::size_t most_points)
    : std::domain_error("the lattice would need a period of more than " +
                        std::to_string(most_points) + " points"),
      length(period) {}

double LatticeComposition::period_length() const { return period_to_spare * state_->plan.length; }

LatticeComposition::LatticeComposition(std::vector<Factor> factors, double epsilon, double nats)
    : state_(std::make_unique<State>()) {
  state_->factors = std::move(factors);
  state_->nats = nats;
  state_->open(epsilon);
}
LatticeComposition::~LatticeComposition() = default;
LatticeComposition::LatticeComposition(LatticeComposition&&) noexcept = default;
LatticeComposition& LatticeComposition::operator=(LatticeComposition&&) noexcept = default;

Enclosure LatticeComposition::delta(const Ball& epsilon) {
  State& s = *state_;
  const PrecisionScope scope(s.bits);
  Enclosure result;
  if (s.outside_support(epsilon, result)) return result;

  const double near = epsilon.estimate();
  const double log_size = log_of_alias(s.plan.log_delta, s.nats);
  const double right = short_order(s.sketch.right_alias(s.plan.tilt, near, log_size).order);
  const double left = short_order(s.sketch.left_alias(s.plan.tilt, near, log_size).order);
  if (right > s.plan.tilt) s.choices.right_order = checked_rational(right, "an order");
  if (left > 0 && left <= 1) s.choices.left_order = checked_rational(left, "an order");
  s.contour->set_orders(s.choices.right_order, s.choices.left_order);

  try {
    const proof::ProofOf<Ball> found = s.contour->at({epsilon});
    for (const auto& error : found.errors) result.ledger.note(*error.term, error.size);
    result.ledger.note(rounding_term, (found.low + found.errors[0].size).radius());
    result.lower = found.low.lower();
    result.upper = found.high.upper();
  } catch (const proof::Rejected& reason) {
    result.lower = Ball(0);
    result.upper = Ball(1);
    result.remark = reason.what();
    return result;
  }
  if (!result.lower.is_finite()) result.lower = Ball(0);
  if (!result.upper.is_finite()) result.upper = positive_infinity();
  result.method = "period of " + std::to_string(s.choices.period) + " points, " +
                  std::to_string(s.contour->nodes().size()) + " nodes, " + s.transform + ", " +
                  std::to_string(s.bits) + " bits";
  return result;
}

std::shared_ptr<const proof::Evidence> LatticeComposition::evidence() const {
  const State& s = *state_;
  if (s.transforms) return nullptr;
  return std::make_shared<proof::Evidence>(
      proof::Evidence{s.choices, bits_to_prove_again(s.bits, s.nats)});
}

}  // namespace plaudit

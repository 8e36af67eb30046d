// random_participation: the law of a curve at points, each proven from integer moments or from the
// Gaussian of a record whose steps are known. Proof: docs/proofs/random_participation.md#pair
#include <algorithm>
#include <memory>

#include "verification/checker/curves/participation.hpp"
#include "verification/checker/specs/builders.hpp"
#include "verification/checker/specs/stated_points.hpp"

namespace plaudit::proof {

namespace {

constexpr std::uint64_t most_rows = 100'000;
constexpr std::size_t most_bands = 200;
constexpr unsigned greatest_order = 40;
constexpr std::size_t most_points_of_moments = 10'000;
constexpr long operations_of_bound = 2000;
constexpr long most_counts = 4'000'000;

Participation scheme_of(const Arguments& arguments, std::string& text) {
  const auto& given = arguments.typed<std::vector<Rational>>("coefficients");
  Participation scheme;
  for (const Rational& each : given) scheme.coefficients.push_back(abs(each));
  while (scheme.coefficients.size() > 1 && scheme.coefficients.back() == 0) {
    scheme.coefficients.pop_back();
  }
  if (given.empty() || scheme.coefficients.size() > most_bands || scheme.coefficients[0] == 0) {
    arguments.fail("coefficients", "must be 1 to 200, the first one not 0");
  }
  const bool by_variance = arguments.has("variance");
  const Rational noise = by_variance ? arguments.variance() : arguments.positive("sigma");
  scheme.steps = arguments.count("steps", most_rows);
  text = "random_participation(coefficients=" + list_text(given) +
         (by_variance ? ", variance=" : ", sigma=") + to_string(noise) +
         ", steps=" + std::to_string(scheme.steps);
  const bool separated = arguments.has("separation");
  const char* by = separated ? "separation" : "bins";
  scheme.period = arguments.count(by, most_rows);
  if (scheme.period < 2 || scheme.period < scheme.coefficients.size()) {
    arguments.fail(by, "must be at least 2, and as many as the coefficients");
  }
  text += std::string(", ") + by + "=" + std::to_string(scheme.period);
  if (separated) {
    scheme.rate = arguments.rate();
    text += ", rate=" + to_string(*scheme.rate);
    if (arguments.has("start")) {
      if (arguments.typed<Name>("start").text != "stationary") {
        arguments.fail("start", "must be stationary");
      }
      scheme.stationary = true;
      text += ", start=stationary";
    }
  }
  const Rational sensitivity = arguments.sensitivity();
  text += sensitivity_text(sensitivity) + ")";
  scheme.ratio = sensitivity * sensitivity / (by_variance ? noise : Rational(noise * noise));
  return scheme;
}

std::vector<MomentChoice> choices_of(Fields& fields, std::size_t count) {
  const auto places = exact_numbers(fields.raw("r"), fields.where() + ".r", most_points_of_moments);
  const auto orders =
      exact_numbers(fields.raw("order"), fields.where() + ".order", most_points_of_moments);
  require(places.size() == count && orders.size() == count,
          fields.where() + " must have a choice for each point");
  std::vector<MomentChoice> result;
  for (std::size_t i = 0; i < count; ++i) {
    require(denominator(orders[i]) == 1 && orders[i] >= 0 && orders[i] <= greatest_order,
            fields.where() + ".order must be from 0 to 40");
    const auto order = static_cast<unsigned>(to_long(numerator(orders[i])));
    require(order % 2 == 0, fields.where() + ".order must be even");
    result.push_back({places[i], order});
  }
  return result;
}

}  // namespace

Mechanism random_participation(const Arguments& arguments) {
  Mechanism result;
  const Participation scheme = scheme_of(arguments, result.text);
  result.adjacency = of_one_record("add_remove");
  result.symmetric = false;
  Fields stated = arguments.supplied.stated(result.text);
  std::vector<CurvePoint> points[2];
  std::vector<MomentChoice> choices[2];
  unsigned most = 0;
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const std::size_t side = direction == Direction::add ? 1 : 0;
    Fields fields = stated.object(side == 0 ? "remove" : "add");
    points[side] = curve_points(fields);
    choices[side] = choices_of(fields, points[side].size());
    fields.done();
    for (const MomentChoice& each : choices[side]) most = std::max(most, each.order);
    require(std::any_of(points[side].begin(), points[side].end(),
                        [](const CurvePoint& point) { return point.delta < 1; }),
            fields.where() + " says nothing");
  }
  stated.done();
  if (most > 0 && scheme.counts(most + 1) > most_counts) {
    arguments.fail("the moments", "need too many counts");
  }
  const auto moments = std::make_shared<ParticipationMoments>(scheme, most + 1);
  if (most > 0) result.operations = scheme.operations(most + 1);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const std::size_t side = direction == Direction::add ? 1 : 0;
    promise_points(arguments.supplied, result.text, points[side], operations_of_bound,
                   [direction, moments, own = points[side], how = choices[side]](std::size_t i,
                                                                                 Budget& budget) {
                     return moments->curve_above(direction, own[i].epsilon, how[i], budget);
                   });
    (side == 0 ? result.remove : result.add) = law(directed_curve_law(points[side]));
  }
  return result;
}

}  // namespace plaudit::proof

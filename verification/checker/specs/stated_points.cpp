#include "verification/checker/specs/stated_points.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "accountants/proof/arithmetic/rejected.hpp"
#include "verification/checker/laws/costs.hpp"
#include "verification/checker/laws/law_text.hpp"

namespace plaudit::proof {

namespace {

constexpr std::size_t most_points = 10'000;  ///< of one direction
constexpr long bits_of_points[] = {128, 256, 512, 1024};

}  // namespace

Fields Supplied::stated(const std::string& mechanism) const {
  const Json* stated = curves_ ? curves_(mechanism) : nullptr;
  require(stated != nullptr, "curves: nothing is stated of the curve of " + in_quotes(mechanism));
  return Fields(*stated, "curves." + in_quotes(mechanism));
}

std::vector<Rational> exact_numbers(const Json& list, const std::string& where, std::size_t most) {
  require(list.is_array() && !list.empty() && list.size() <= most,
          where + " must be a list of 1 to " + std::to_string(most));
  std::vector<Rational> numbers;
  for (const Json& each : list) {
    require(each.is_string(), where + " must be exact numbers as texts");
    numbers.push_back(read_law_number(each.get_ref<const std::string&>(), where));
  }
  return numbers;
}

std::vector<CurvePoint> curve_points(Fields& fields) {
  const std::string& where = fields.where();
  const std::vector<Rational> epsilons =
      exact_numbers(fields.raw("epsilon"), where + ".epsilon", most_points);
  const std::vector<Rational> deltas =
      exact_numbers(fields.raw("delta"), where + ".delta", most_points);
  require(epsilons.size() == deltas.size(), where + " must have a delta for each epsilon");
  std::vector<CurvePoint> points;
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    require(i == 0 || epsilons[i - 1] < epsilons[i], where + ".epsilon must rise");
    require(deltas[i] >= 0 && deltas[i] <= 1, where + ".delta must lie in [0, 1]");
    points.push_back({epsilons[i], deltas[i]});
  }
  return points;
}

Integer operations_at_point(const Law& law) {
  return operations_of_curve + 3 * operations_of_step(law, bits_of_points[1]);
}

void require_at_most(const std::function<Interval()>& number, const Rational& bound,
                     const std::string& sentence) {
  for (const long bits : bits_of_points) {
    const PrecisionScope scope(bits);
    try {
      if (exactly_at_most(number(), bound)) return;
    } catch (const TooDear&) {
      throw;
    } catch (const OutOfTime&) {
      throw;
    } catch (const Rejected&) {  // there is no enclosure with so few bits
      if (bits == bits_of_points[std::size(bits_of_points) - 1]) throw;
    }
  }
  throw Rejected(sentence);
}

void promise_points(Supplied& supplied, const std::string& mechanism,
                    const std::vector<CurvePoint>& points, const Integer& operations,
                    const PointAbove& curve) {
  const auto prove = [mechanism, points, curve](Budget& budget) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points[i].delta == 1) continue;
      require_at_most(
          [&] { return curve(i, budget); }, points[i].delta,
          "curves: the curve of " + in_quotes(mechanism) +
              " is not proven to be so low at epsilon = " + to_string(points[i].epsilon));
    }
  };
  supplied.promise({Integer(operations * Integer(points.size())), prove});
}

void set_stated_curve(Mechanism& mechanism, Supplied& supplied, Fields& stated, bool symmetric,
                      const Integer& operations, const CurveAbove& curve) {
  const auto law_of = [&](const char* name, Direction direction) {
    Fields fields = stated.object(name);
    const std::vector<CurvePoint> points = curve_points(fields);
    fields.done();
    require(std::any_of(points.begin(), points.end(),
                        [](const CurvePoint& point) { return point.delta < 1; }),
            fields.where() + " says nothing");
    require(!symmetric || points.front().epsilon >= 0,
            fields.where() + ".epsilon must not be negative");
    promise_points(supplied, mechanism.text, points, operations,
                   [points, direction, curve](std::size_t i, Budget& budget) {
                     return curve(direction, points[i].epsilon, budget);
                   });
    return law(symmetric ? curve_law(points) : directed_curve_law(points));
  };
  mechanism.symmetric = symmetric;
  if (symmetric) {
    set_law(mechanism, law_of("both", Direction::remove));
  } else {
    mechanism.remove = law_of("remove", Direction::remove);
    mechanism.add = law_of("add", Direction::add);
  }
  stated.done();
}

void set_stated_curve(Mechanism& mechanism, const Arguments& arguments, bool symmetric,
                      const Integer& operations, const CurveAbove& curve) {
  Fields stated = arguments.supplied.stated(mechanism.text);
  set_stated_curve(mechanism, arguments.supplied, stated, symmetric, operations, curve);
}

}  // namespace plaudit::proof

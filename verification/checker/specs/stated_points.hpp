// Mechanisms whose law is that of a curve which a certificate bounds at points: the points are
// read, the law is made, and that the mechanism's curve is below each point is proven.
#pragma once

#include <functional>
#include <string>

#include "verification/checker/curves/curve_laws.hpp"
#include "verification/checker/specs/builders.hpp"

namespace plaudit::proof {

/// The curve of a mechanism in a direction is at most the upper end of this at e^epsilon. Where one
/// law is to serve both directions it is asked for `remove` alone, and must bound both.
using CurveAbove =
    std::function<Interval(Direction direction, const Rational& epsilon, Budget& budget)>;

/// Operations of the curve of a law at a point: so many, and 3 times those of one step.
inline constexpr long operations_of_curve = 2000;
Integer operations_at_point(const Law& law);

/// Sets the laws of a mechanism, whose text is known, and promises the proofs of all points.
/// @param symmetric one law for both directions, by points from epsilon = 0 on.
/// @param operations of the proof of one point.
void set_stated_curve(Mechanism& mechanism, const Arguments& arguments, bool symmetric,
                      const Integer& operations, const CurveAbove& curve);
/// The same where other fields of what is stated are taken already.
void set_stated_curve(Mechanism& mechanism, Supplied& supplied, Fields& stated, bool symmetric,
                      const Integer& operations, const CurveAbove& curve);
/// The curve of a mechanism is at most the upper end of this at the epsilon of point i.
using PointAbove = std::function<Interval(std::size_t i, Budget& budget)>;
/// Promises that the curve is below each point.
void promise_points(Supplied& supplied, const std::string& mechanism,
                    const std::vector<CurvePoint>& points, const Integer& operations,
                    const PointAbove& curve);

/// Exact numbers from a list of texts.
std::vector<Rational> exact_numbers(const Json& list, const std::string& where, std::size_t most);
/// Points from the fields `epsilon` and `delta`: rising epsilons, deltas in [0, 1].
std::vector<CurvePoint> curve_points(Fields& fields);
/// Proves that the upper end of a number is at most a bound, at the precisions that both checkers
/// try. @throws Rejected with the sentence where it is not.
void require_at_most(const std::function<Interval()>& number, const Rational& bound,
                     const std::string& sentence);

}  // namespace plaudit::proof

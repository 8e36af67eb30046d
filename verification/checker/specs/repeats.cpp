// Private selection: the best of a random number of runs of a mechanism. Over a pure mechanism its
// law is known; over others a certificate bounds its curve at points, from bounds of the curve of
// one run. Proof: docs/proofs/repeats.md#bound
#include <algorithm>

#include "verification/checker/curves/one_step.hpp"
#include "verification/checker/laws/released_laws.hpp"
#include "verification/checker/specs/builders.hpp"
#include "verification/checker/specs/stated_points.hpp"

namespace plaudit::proof {

namespace {

/// repeats=NAME and the numbers that belong to it, also as a spec has them.
Repeats repeats_of(const Arguments& arguments, std::string& text) {
  const std::string kind = arguments.typed<Name>("repeats").text;
  text = "repeats=" + kind;
  Repeats repeats;
  const auto shown = [&](const char* key, const Rational& value) {
    text += std::string(", ") + key + "=" + to_string(value);
    return value;
  };
  if (kind == "poisson") {
    repeats.mean = shown("mean", arguments.positive("mean"));
    return repeats;
  }
  if (kind == "binomial") {
    repeats.kind = Repeats::Kind::binomial;
    const std::uint64_t trials = arguments.count("trials", 1'000'000'000);
    repeats.trials = trials;
    shown("trials", Rational(repeats.trials));
    repeats.probability = shown("probability", arguments.positive("probability"));
    if (repeats.probability > 1) arguments.fail("probability", "must be at most 1");
    return repeats;
  }
  repeats.kind = Repeats::Kind::negative_binomial;
  if (kind == "negative_binomial") {
    repeats.eta = shown("eta", arguments.number("eta"));
    if (repeats.eta <= -1) arguments.fail("eta", "must be greater than -1");
  } else if (kind == "geometric" || kind == "logarithmic") {
    repeats.eta = kind == "geometric" ? 1 : 0;
  } else {
    arguments.fail("repeats", "is no law of a number of runs");
  }
  repeats.gamma = shown("gamma", arguments.positive("gamma"));
  if (repeats.gamma >= 1) arguments.fail("gamma", "must be less than 1");
  return repeats;
}

/// 1 - phi(1 - h), phi(s) = E s^K: the probability that some run is in an event of probability h.
Interval any_of(const Repeats& repeats, const Interval& h) {
  if (repeats.kind == Repeats::Kind::poisson) return -expm1(-(Interval(repeats.mean) * h));
  const Interval gamma(repeats.gamma);
  const Interval least = log(gamma);
  const Interval inside = log(gamma + Interval(Rational(1 - repeats.gamma)) * h);
  if (repeats.eta == 0) return 1 - inside / least;
  const Interval exponent(Rational(-repeats.eta));
  return (exp(exponent * least) - exp(exponent * inside)) / expm1(exponent * least);
}

/// log C from bounds of the curve of one run in both directions: ROC(a) <= e^epsilon a + delta for
/// each of them. Proof: docs/proofs/repeats.md#factor
Interval log_factor(const Repeats& repeats, const std::vector<CurvePoint>& curve) {
  if (repeats.kind == Repeats::Kind::poisson) {
    const auto middle = std::find_if(curve.begin(), curve.end(),
                                     [](const CurvePoint& point) { return point.epsilon == 0; });
    require(middle != curve.end(), "curves: one_run has no point at epsilon = 0");
    return Interval(repeats.mean) * Interval(middle->delta);
  }
  const Interval gamma(repeats.gamma);
  const Interval rest(Rational(1 - repeats.gamma));
  Interval most = 1;
  Interval begin = 0;
  for (std::size_t k = curve.size(); k-- > 0;) {
    const Interval slope = exp(Interval(curve[k].epsilon));
    const Interval height(curve[k].delta);
    Interval end = 1;
    if (k > 0) {
      const Interval apart = slope - exp(Interval(curve[k - 1].epsilon));
      end = max(0, min(1, Interval(Rational(curve[k - 1].delta - curve[k].delta)) / apart));
    }
    for (const Interval& share : {begin, end}) {
      most = max(most, (gamma + rest * (slope * share + height)) / (gamma + rest * share));
    }
    begin = end;
  }
  return Interval(Rational(repeats.eta + 1)) * log(most);
}

/// The curve of one run in the worse direction.
Interval curve_of_one_run(const Mechanism& base, const Rational& epsilon, Budget& budget) {
  const Interval at(epsilon);
  const Interval remove = one_step_curve(*base.remove, at, budget).value;
  return base.symmetric ? remove : max(remove, one_step_curve(*base.add, at, budget).value);
}

/// Proof: docs/proofs/repeats.md#bound
void set_curve_of_best(Mechanism& result, const Arguments& arguments, const Mechanism& base,
                       const Repeats& repeats) {
  Supplied& supplied = arguments.supplied;
  Fields stated = supplied.stated(result.text);
  Fields fields = stated.object("one_run");
  const std::vector<CurvePoint> one_run = curve_points(fields);
  fields.done();
  const Rational factor = stated.exact("log_factor");
  require(factor >= 0, "curves: log_factor must not be negative");
  const Integer operations = operations_at_point(*base.remove) + operations_at_point(*base.add);
  promise_points(supplied, base.text, one_run, operations,
                 [base, one_run](std::size_t i, Budget& budget) {
                   return curve_of_one_run(base, one_run[i].epsilon, budget);
                 });
  supplied.promise(
      {Integer(operations_of_curve * Integer(one_run.size())), [repeats, one_run, factor](Budget&) {
         require_at_most([&] { return log_factor(repeats, one_run); }, factor,
                         "curves: log_factor is not proven to be so small");
       }});
  set_stated_curve(result, supplied, stated, true, operations,
                   [base, repeats, factor](Direction, const Rational& epsilon, Budget& budget) {
                     const Rational before = epsilon - factor;
                     return any_of(repeats, max(0, min(1, curve_of_one_run(base, before, budget))));
                   });
}

}  // namespace

// Proof: docs/proofs/repeats.md#pure
Mechanism select(const Arguments& arguments) {
  const Mechanism base = arguments.inner();
  std::string text;
  const Repeats repeats = repeats_of(arguments, text);
  if (!base.adjacency.guarantee) arguments.fail("", "has no guarantee");
  Mechanism result;
  result.text = "select(" + base.text + ", " + text + ")";
  result.adjacency = base.adjacency;
  result.one_record = base.one_record;
  result.operations = base.operations;
  const auto* points = std::get_if<Finite>(base.remove.get());
  const bool pure = base.symmetric && points != nullptr && points->exact().two_points &&
                    !points->exact().two_points->odds && *points->exact().infinite == 0;
  if (pure) {
    set_law(result, law(best_of(points->exact().two_points->value, repeats)));
    return result;
  }
  if (repeats.kind == Repeats::Kind::binomial) arguments.fail("repeats", "is for pure mechanisms");
  for (const auto& each : {base.remove, base.add}) {
    if (!has_closed_curve(*each)) arguments.fail("", "has a curve without a closed form");
  }
  set_curve_of_best(result, arguments, base, repeats);
  return result;
}

}  // namespace plaudit::proof

"""random_participation: the law of a curve at points, each proven from integer moments or from the Gaussian of a record whose steps
are known. docs/proofs/random_participation.md#pair"""
from fractions import Fraction

from ..arithmetic.clock import require
from ..laws import curves
from ..laws.participation import Moments, Participation
from .grammar import printed
from .mechanism import ADD_REMOVE, ONE, Mechanism, with_sensitivity
from .stated_points import numbers, points_of, promise_points

MOST_ROWS, MOST_BANDS, MOST_COUNTS, GREATEST_ORDER, OPERATIONS_OF_BOUND = 100_000, 200, 4_000_000, 40, 2000


def scheme_of(arguments):
    """-> (Participation, canonical text)"""
    given = arguments.typed("coefficients", list)
    require(bool(given) and all(type(c) is Fraction for c in given), "random_participation: coefficients must be numbers")
    coefficients = [abs(c) for c in given]
    while len(coefficients) > 1 and coefficients[-1] == 0:
        coefficients.pop()
    require(len(coefficients) <= MOST_BANDS and coefficients[0] != 0, "random_participation: 1 to 200 coefficients, the first one not 0")
    by_variance = arguments.given("variance")
    require(not (by_variance and arguments.given("sigma")), "random_participation: sigma is given twice")
    noise = arguments.variance() if by_variance else arguments.positive("sigma")
    steps, separated = arguments.count("steps", MOST_ROWS), arguments.given("separation")
    by = "separation" if separated else "bins"
    require(separated == arguments.given("rate") and separated != arguments.given("bins"), "random_participation: bins, or separation and rate")
    period = arguments.count(by, MOST_ROWS)
    require(period >= max(2, len(coefficients)), f"random_participation: {by} must be at least 2, and as many as the coefficients")
    spec = f"random_participation(coefficients=[{', '.join(map(printed, given))}], {'variance' if by_variance else 'sigma'}={printed(noise)}"
    spec += f", steps={steps}, {by}={period}"
    rate, stationary = None, False
    if separated:
        rate, stationary = arguments.probability("rate"), arguments.given("start")
        spec += f", rate={printed(rate)}"
    if arguments.given("start"):
        require(separated, "random_participation: start is for separation and rate")
        spec += f", start={arguments.word('start', ('stationary',))}"
    sensitivity = arguments.positive("sensitivity", ONE)
    ratio = sensitivity ** 2 / (noise if by_variance else noise ** 2)
    return Participation(coefficients, ratio, steps, period, rate, stationary), with_sensitivity(spec, sensitivity) + ")"


def random_participation(arguments):
    scheme, spec = scheme_of(arguments)
    stated, given = arguments.files.curves.stated(spec), {}
    for name in ("remove", "add"):
        fields = stated.fields(name)
        points = points_of(fields)
        places, orders = (numbers(fields.take(key), f"{fields.where}.{key}") for key in ("r", "order"))
        fields.done()
        require(len(places) == len(orders) == len(points), f"{fields.where} must have a choice for each point")
        require(all(order.denominator == 1 and 0 <= order <= GREATEST_ORDER and order % 2 == 0 for order in orders),
                f"{fields.where}.order must be even, from 0 to {GREATEST_ORDER}")
        require(any(delta < 1 for _, delta in points), f"{fields.where} says nothing")
        given[name] = points, places, [int(order) for order in orders]
    stated.done()
    most = 1 + max(max(orders) for _, _, orders in given.values())
    require(most == 1 or scheme.counts(most) <= MOST_COUNTS, "random_participation: the moments need too many counts")
    moments = Moments(scheme, most)
    for name, (points, places, orders) in given.items():
        promise_points(arguments, spec, points, OPERATIONS_OF_BOUND,
                       lambda epsilon, r, order, removes=name == "remove": moments.curve(removes, epsilon, r, order),
                       list(zip(places, orders)))
    both = {name: curves.directed_at(points) for name, (points, _, _) in given.items()}
    return Mechanism(spec, lambda removes: both["remove" if removes else "add"], False, ADD_REMOVE, operations=scheme.operations(most) if most > 1 else 0)

"""Mechanisms whose law is that of a curve which a certificate bounds at points: the points are read, the law is made of them, and
that the curve of the mechanism is below each point is proven. docs/certificates.md, "Curves at points"."""
from ..arithmetic.clock import Rejected, require, watched
from ..arithmetic.real import exceeds, precision
from ..costs import one_step
from ..laws import curves
from .reader import Fields, law_number, shown

MOST_POINTS = 10_000  # of one direction
BITS_OF_POINTS = (128, 256, 512, 1024)
OPERATIONS_OF_CURVE = 2000  # of the curve of a law at a point, beside 3 times those of one step


class Curves:
    """What a certificate states of curves, by mechanisms; each must be stated for a mechanism of the spec that needs it."""

    def __init__(self, given, budget):
        require(given is None or (type(given) is dict and bool(given)), "curves must be an object with bounds of curves")
        self._given, self._needed, self._promises, self._budget = given or {}, set(), [], budget

    def stated(self, spec):
        require(spec in self._given, f"curves: nothing is stated of the curve of {shown(spec)}")
        self._needed.add(spec)
        return Fields(self._given[spec], f"curves.{shown(spec)}")

    def promise(self, operations, prove):
        """A proof that is still owed, with the operations that it takes."""
        self._promises.append((operations, prove))

    def done(self):
        """Requires that all that was stated is needed, and proves it; -> whether anything was: then no lower end follows."""
        for spec in self._given:
            require(spec in self._needed, f"curves: the spec needs nothing of {shown(spec)}")
        for operations, _ in self._promises:
            self._budget.announce(operations)
        for _, prove in self._promises:
            prove()
        return bool(self._promises)


def operations_at_point(law):
    return OPERATIONS_OF_CURVE + 3 * one_step(law, BITS_OF_POINTS[1])


def numbers(value, what, most=MOST_POINTS):
    require(type(value) is list and 1 <= len(value) <= most, f"{what} must be a list of 1 to {most}")
    return [law_number(each, what) for each in watched(value)]


def points_of(fields):
    """[(epsilon, delta)], epsilons rising, deltas in [0, 1]."""
    epsilons, deltas = (numbers(fields.take(name), f"{fields.where}.{name}") for name in ("epsilon", "delta"))
    require(len(epsilons) == len(deltas), f"{fields.where} must have a delta for each epsilon")
    require(all(a < b for a, b in zip(epsilons, epsilons[1:])), f"{fields.where}.epsilon must rise")
    require(all(0 <= d <= 1 for d in deltas), f"{fields.where}.delta must lie in [0, 1]")
    return list(zip(epsilons, deltas))


def require_at_most(number, bound, sentence):
    """Rejects unless the upper end of number(), an interval, is at most the bound at one of the precisions."""
    for bits in BITS_OF_POINTS:
        with precision(bits):
            try:
                if not exceeds(number().b, bound):
                    return
            except Rejected as error:  # there is no enclosure with so few bits
                if type(error) is not Rejected or bits == BITS_OF_POINTS[-1]:
                    raise
    raise Rejected(sentence)


def promise_points(arguments, spec, points, operations, curve, choices=None):
    """That the curve of the mechanism is at most delta at each of them: the upper end of the interval curve(epsilon) bounds it
    at e^epsilon, epsilon a Fraction; or curve(epsilon, *choice), one choice a point; operations: of the proof of one point."""
    def prove():
        for (epsilon, delta), choice in watched(zip(points, choices or [()] * len(points))):
            if delta < 1:
                require_at_most(lambda: curve(epsilon, *choice), delta,
                                f"curves: the curve of {shown(spec)} is not proven to be so low at epsilon = {epsilon}")
    arguments.files.curves.promise(operations * len(points), prove)


def stated_laws(arguments, spec, alike, operations, curve, stated=None):
    """-> law(removes) from the stated points; curve(removes, epsilon) as in promise_points: where one law is to serve both
    directions it is asked for True alone, and must bound both. stated: the fields, where others of
    them were taken already."""
    stated, laws = stated or arguments.files.curves.stated(spec), {}
    for name, removes in (("both", True),) if alike else (("remove", True), ("add", False)):
        fields = stated.fields(name)
        points = points_of(fields)
        fields.done()
        require(any(delta < 1 for _, delta in points), f"{fields.where} says nothing")
        require(not alike or points[0][0] >= 0, f"{fields.where}.epsilon must not be negative")
        promise_points(arguments, spec, points, operations, lambda epsilon, removes=removes: curve(removes, epsilon))
        laws[removes] = curves.bounded_at(points) if alike else curves.directed_at(points)
    stated.done()
    return lambda removes: laws[True if alike else removes]

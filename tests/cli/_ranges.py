"""Certificates of the kinds `straight` (with ranges) and `pinch`, their choices found here in floating point."""
import math
import pathlib
import sys
from fractions import Fraction

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from plaudit_certificates.lines import contour, ranges  # noqa: E402

from plaudit_certificates.laws import laws  # noqa: E402

from plaudit_certificates import statements  # noqa: E402
from plaudit_certificates.arithmetic.budget import Budget  # noqa: E402
from plaudit_certificates.lines.contour import Product  # noqa: E402
from plaudit_certificates.arithmetic.intervals import exact, precision  # noqa: E402
from plaudit_certificates.specs.reader import Fields  # noqa: E402
from plaudit_certificates.specs.specs import Composition  # noqa: E402

MARGIN = 1 + Fraction(1, 10**6)
RANGES_MARGIN = 128  # each checker groups blocks and rounds their falls in its own way


def dyadic(x, bits=40):
    """[m, e] near a positive float."""
    mantissa, exponent = math.frexp(x)
    return [int(mantissa * 2**bits), exponent - bits]


def value(pair):
    return Fraction(pair[0]) * Fraction(2) ** pair[1]


def text(q):
    return f"{q.numerator}/{q.denominator}"


def rounded(q, up):
    """A decimal near a positive number, not below it or not above it."""
    if q <= 0:
        return "0"
    places = 14 - math.floor(math.log10(q)) if q > 1e-300 else 320
    whole = q * 10**places
    return f"{-(-whole // 1) if up else whole // 1}e{-places}"


class Search:
    """Choices for one contour; rate: that of one more Gaussian, or None."""

    def __init__(self, spec, direction, epsilon, rate=None, digits=20):
        self.run, self.digits = Composition(spec, {}, Budget()).run(direction), digits
        self.epsilon = float(epsilon)
        self.given = [{"right": True, "left": True} if isinstance(law, laws.Sampled) else {} for law, _ in self.run.factors]
        with precision(64):
            self.product = Product(Fields({"factors": self.given}, "choices"), self.run, Budget(), False)
            if rate is not None:
                self.product.add(laws.gaussian_at(rate), Budget())
            self._contour()

    def log_moment(self, t):
        return self.product.log_moment(exact(Fraction(t)), "axis").estimate()

    def _contour(self):
        def size(x):
            t = math.exp(x)
            return self.log_moment(t) - t * self.epsilon - math.log(t * (1 + t))
        low, high = -6.0, 8.0
        for _ in range(60):
            a, b = low + (high - low) * 0.382, low + (high - low) * 0.618
            low, high = (low, b) if size(a) < size(b) else (a, high)
        self.t = dyadic(math.exp(low), 20)
        t = float(value(self.t))
        self.level = self.log_moment(t) - t * self.epsilon  # log of M(t) e^(-t eps)
        goal, period = size(math.log(t)) - 2.303 * self.digits, 0.1

        def right(order):
            return (order * math.log(order) - (1 + order) * math.log(1 + order) + self.log_moment(order)
                    - order * self.epsilon)
        rights = [(order, right(order)) for order in (t * (1 + x / 8) for x in range(1, 24))]
        lefts = [(u, self.log_moment(-u) + u * self.epsilon) for u in (x / 16 for x in range(1, 17))]
        while True:
            best_right = min((size - (order - t) * period, order) for order, size in rights)
            best_left = min((size - (t + u) * period, u) for u, size in lefts)
            if best_right[0] < goal and best_left[0] < goal:
                break
            period *= 1.1
        self.goal = goal
        self.h, self.right, self.left = dyadic(2 * math.pi / period), dyadic(best_right[1], 20), dyadic(best_left[1], 20)

    def bounds(self, first):
        """log of the bound of the nodes first .. last, a function of the two."""
        t, h = exact(value(self.t)), exact(value(self.h))
        each = [(ranges._bound(law, line, t, h, first, Budget()), count)
                for law, (line, count) in zip(self.product.laws, self.product.lines)]
        step = float(value(self.h))

        def bound(first, last):
            logs = sum(count * one.logs(first, last - first + 1, 1)[0].estimate() for one, count in each)
            return logs - float(value(self.t)) * self.epsilon + math.log((last - first + 1) / (math.pi * step * first**2))
        return bound

    def nodes(self, slack=0.0):
        """Central nodes: until one is small."""
        with precision(64):
            bound = self.bounds(1)
            k = 1
            while bound(k, k) > self.goal + slack - 5:
                k += max(1, k // 32)
            return k

    def choices(self, nodes, **more):
        return {"t": self.t, "h": self.h, "nodes": nodes, "residues": 1, "right_order": self.right, "left_order": self.left,
                "factors": self.given, **more}

    def halved(self, nodes, last):
        """Ranges up to `last` by halves: bounded where that is small enough, else summed."""
        with precision(64):
            bound = self.bounds(nodes + 1)
            found, todo = [], [(nodes + 1, last)]
            while todo:
                low, high = todo.pop()
                how = 0 if bound(low, high) < self.goal - 5 else 1
                if how and high - low >= 8:
                    middle = (low + high) // 2
                    todo += [(middle + 1, high), (low, middle)]
                elif found and how and found[-1][1]:
                    found[-1] = high, 1
                else:
                    found.append((high, how))
        return {"ends": [end for end, _ in found], "how": [how for _, how in found]}

    def last_node(self, height):
        return int(height / float(value(self.h)))


def statement(kind, spec, direction, epsilon, choices, bits=128):
    """(a statement without a bound, low, high): what the Python checker finds, the errors of ranges RANGES_MARGIN times."""
    contour.bounded_ranges = lambda *given: RANGES_MARGIN * ranges.bounded_ranges(*given)
    try:
        return _statement(kind, spec, direction, epsilon, choices, bits)
    finally:
        contour.bounded_ranges = ranges.bounded_ranges


def _statement(kind, spec, direction, epsilon, choices, bits):
    s = {"direction": direction, "epsilon": epsilon, "kind": kind, "bits": bits, "choices": choices}
    module = statements.kind_module(kind)
    with precision(bits):
        low, high, _ = module.prove(Fields(choices, "choices"), Composition(spec, {}, Budget()).run(direction),
                                         exact(Fraction(epsilon)), Budget())
        return s, low.lower(), high.upper()


def claim(spec, epsilon, s, low, high, adjacency="as_stated"):
    """A certificate of a direction that stands for both where it is as stated, else of this one alone."""
    bounds = [{**s, "at_most": rounded(high, True)}, {**s, "at_least": rounded(low, False)}]
    alone = {} if adjacency == "as_stated" else {"direction": s["direction"]}
    return {"plaudit_certificate": 3, "spec": spec, "laws": Composition(spec, {}).law_list(), "adjacency": adjacency, "group_size": 1, "guarantee": True,
            **alone, "quantity": "delta", "argument": epsilon, "lower": bounds[1]["at_least"], "upper": bounds[0]["at_most"],
            "statements": bounds}

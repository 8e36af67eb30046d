"""Integrals along a path by the trapezoidal rule in a strip. Theorems: docs/certificates/lines.md#strips.

A path (paths.py) knows an analytic integrand F_w = F_r e^{is log g} of one complex variable, r real, s >= 0, and
    log_size(y)             log F_r at a real y
    point(y, eta)           (log |F_r|, its angle, log |g|, angle of g >= 0) at y + i eta
    edge(e, s)              a bound of the integral of |F_w| along Im = e, divided by that of F_r along the axis
    tails(first, last, eta) a bound of what points j d < first and > last add on the line Im = eta
    crude()                 a bound of the integral of F_r along the axis that needs no quadrature
"""
from ..arithmetic.intervals import (Complex, bottom, exact, exp, expm1, hull, minimum, pi, polar, power_sums, require, spread, sqrt,
                        top)

POINTS = 2_000_000


class Rule:
    """A line y + i eta, points j d for first <= j <= last, half-width v of the strip."""

    def __init__(self, fields):
        self.eta, self.v, self.d = (exact(fields.dyadic(name)) for name in ("eta", "v", "d"))
        require(self.eta >= 0 and self.v > 0 and self.d > 0, "a rule without strip or step")
        first = fields.integer("first", -POINTS, POINTS)
        self.steps = range(first, fields.integer("last", first, POINTS) + 1)
        fields.done()
        self.first, self.last = first * self.d, self.steps[-1] * self.d
        self.on_axis = not self.eta > 0

    def points(self):
        return (j * self.d for j in self.steps)

    def share(self):
        """1 / (e^{2 pi v / d} - 1)."""
        return 1 / expm1(2 * pi() * self.v / self.d)


def along_axis(path, rule, budget):
    """Encloses the integral of F_r, a positive function on the axis."""
    if rule is None:
        return hull(0, path.crude())
    require(rule.on_axis, "a rule on the axis has no shift")
    total = rule.d * sum((exp(path.log_size(y)) for y in rule.points()), exact(0))
    rho = top(2 * path.edge(rule.v, exact(0)) * rule.share())
    require(rho < 1, "a rule on the axis is too coarse")
    return hull(bottom(total / (1 + rho)), top((total + path.tails(rule.first, rule.last, exact(0))) / (1 - rho)))


def along_line(path, rule, axis, h, nodes, budget):
    """Boxes of the integrals of F_r e^{ikh log g}, k = 0 .. nodes; `axis` encloses that of F_r."""
    if rule is None:
        wide = spread(top(axis))
        return [Complex(wide, wide)] * (nodes + 1)
    terms = []
    for y in rule.points():
        size, angle, log_g, angle_g = path.point(y, rule.eta)
        terms.append((polar(exp(size) * rule.d, angle), polar(exp(-h * angle_g), h * log_g)))
    sums = power_sums(terms, nodes + 1, budget)
    edges = path.edge(rule.eta + rule.v, nodes * h) + path.edge(rule.eta - rule.v, nodes * h)
    error = spread(top(axis) * edges * rule.share() + path.tails(rule.first, rule.last, rule.eta))
    return [value + Complex(error, error) for value in sums]


def beyond(path, rule, axis, s, budget):
    """An upper bound of the modulus of the integral of F_r e^{is' log g} for all s' >= s."""
    if rule is None:
        return top(axis)
    total = exact(0)
    for y in rule.points():
        size, _, _, angle_g = path.point(y, rule.eta)
        total += exp(size - s * angle_g)
    edges = sqrt(path.edge(rule.eta + rule.v, s) * path.edge(rule.eta - rule.v, s))
    found = total * rule.d + 2 * top(axis) * edges * rule.share() + path.tails(rule.first, rule.last, rule.eta)
    return top(minimum(found, axis.b))

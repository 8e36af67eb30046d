"""delta from a straight contour, for a product of lines (lines.py). Theorems: docs/certificates/straight.md."""
import json

from ..arithmetic.intervals import (argument, bits_now, cos_sin, exact, exp, expm1, log, log1p, log_c, maximum, minimum, pi, require,
                        spread, sqrt, top)
from .lines import line_of
from .ranges import Ranges, bounded_ranges
from ..specs.reader import Fields

NODES = 100_000


def _any(masses):
    """1 - prod (1 - m_i)^n_i"""
    return maximum(-expm1(sum((count * log1p(-mass) for mass, count in masses), exact(0))), 0)


class Product:
    """The factors of a run with the choices made for each.

    What does not depend on epsilon is kept with the run: the next statement may be about the same line at another one. Of
    nodes those of one line are kept, no more than one statement may sum.
    """

    def __init__(self, choices, run, budget, may_cut):
        key = bits_now(), may_cut, json.dumps(choices.value("factors"), sort_keys=True)
        if run.memory.get("key") != key:
            run.memory.clear()
            run.memory["key"] = key
        self.memory = run.memory
        given = choices.each("factors", len(run.factors), len(run.factors))
        self.lines = [(line_of(law, fields, budget, may_cut), count)
                      for (law, count), fields in zip(run.factors, given)]
        self.laws = [law for law, _ in run.factors]
        self.infinite = _any([(line.infinite, count) for line, count in self.lines])
        self.moved = (1 - self.infinite) * _any([(line.moved, count) for line, count in self.lines])
        self.q_mass = minimum(exp(self._sum(lambda line: log(line.q_mass))), 1)

    def add(self, law, budget):
        """One more factor that has no choices, no mass at infinity and M(-1) = 1."""
        self.memory = {}
        self.lines.append((line_of(law, Fields({}, "a factor more"), budget, False), 1))
        self.laws.append(law)

    def _sum(self, value):
        return sum((count * value(line) for line, count in self.lines), exact(0))

    def _known(self, key, find):
        if key not in self.memory:
            self.memory[key] = find()
        return self.memory[key]

    def log_moment(self, order, name):
        return self._known(("moment", name, order.lo, order.hi), lambda: self._sum(lambda line: log(line.moment(order, name))))

    def log_beyond(self, t, s):
        return self._known(("beyond", t.lo, t.hi, s.lo, s.hi), lambda: self._sum(lambda line: log(line.beyond(t, s))))

    def end(self, name):
        """The sum of the ends of the supports."""
        ends = [(getattr(line, name), count) for line, count in self.lines]
        require(all(end is not None for end, _ in ends), "an order is missing")
        return sum((count * end for end, count in ends), exact(0))

    def logarithms(self, t, h, first, count, budget):
        """[(log of the modulus, an angle or None where it is not known)] of prod M_i(t + ikh)^n_i, `count` from `first` on."""
        line = t.lo, t.hi, h.lo, h.hi
        if self.memory.get("line") != line:
            self.memory.update(line=line, nodes={})
        nodes = self.memory["nodes"]
        if (first, count) not in nodes:
            if count + sum(map(len, nodes.values())) > NODES:
                nodes.clear()
            nodes[first, count] = self._logarithms(t, h, first, count, budget)
        return nodes[first, count]

    def _logarithms(self, t, h, first, count, budget):
        budget.hold(8 * count)
        result = [(exact(0), exact(0))] * count
        for line, times in self.lines:
            found = [_logarithm(value) for value in line.values(t, h, first, count)]
            result = [(size + times * more, None if angle is None or turn is None else angle + times * turn)
                      for (size, angle), (more, turn) in zip(result, found)]
        return result


def _logarithm(value):
    """log |M| and an angle of M, or None where the box holds 0."""
    re, im = value.real, value.imag
    size = value.square_of_size()
    if re > 0 or im > 0 or im < 0:
        angle = argument(value)
    elif re < 0:
        angle = argument(-value) + pi()
    else:
        return log(top(size)) / 2, None
    return log(size) / 2, angle


def _order(choices, name, least):
    """The order of the moment that bounds aliases; None where there are to be none, for the period reaches the end of the
    support, which the caller checks."""
    if not choices.has(name):
        return None
    order = choices.dyadic(name)
    require(order > least, f"{name} is too small")
    return exact(order)


def prove_contour(choices, product, epsilon, budget):
    """-> (low, high, errors) of the finite part of delta, of the changed composition where draws were moved to inf."""
    t_exact, h_exact = choices.dyadic("t"), choices.dyadic("h")
    require((t_exact > 0 or t_exact < -1) and h_exact > 0, "t must be positive or below -1, and h positive")
    nodes, residues = choices.integer("nodes", 1, NODES), choices.integer("residues", 1, 2)
    ranges = Ranges(choices.fields("ranges"), nodes, NODES) if choices.has("ranges") else None
    last = nodes if ranges is None else ranges.last
    require(residues == 2 or t_exact > 0, "a line on the left has both residues")
    right_order = _order(choices, "right_order", t_exact) if t_exact > 0 else None
    u = _order(choices, "left_order", max(1, -t_exact) if residues == 2 else 0)
    require(residues == 2 or (u is not None and u <= 1), "the left order must lie in (0, 1]")
    t, h = exact(t_exact), exact(h_exact)
    period = 2 * pi() / h

    value = exact(0)
    for first, count in [(0, nodes + 1)] + (ranges.summed() if ranges else []):
        value += _sum_over_nodes(t, h, first, product.logarithms(t, h, first, count, budget), epsilon)
    value -= (1 - product.infinite - product.moved) / expm1(t * period)
    if residues == 2:
        value += product.q_mass * exp(epsilon) / expm1((t + 1) * period)

    truncation = top(exp(product.log_beyond(t, (last + 1) * h) - t * epsilon) /
                     (pi() * h * (last + exact(1) / 2)))                       # [Theorem 2]
    errors = {"truncation": truncation, "nodes": _width(value)}
    if ranges is not None:
        factors = [(law, line, count) for law, (line, count) in zip(product.laws, product.lines)]
        errors["ranges"] = bounded_ranges(ranges, factors, t, h, epsilon, budget)
        truncation += errors["ranges"]

    right = left = exact(0)
    if t_exact < 0:                               # [Theorem 1'']
        right = top(maximum(top(value + truncation), 0) / expm1(-t * period))
    elif right_order is None:                     # [Theorem 1, A_+]
        require(epsilon + period >= product.end("greatest"), "the period does not reach the end of the support")
    else:
        right = top(exp(log_c(right_order) - right_order * epsilon + product.log_moment(right_order, "right")) /
                    expm1((right_order - t) * period))
    if u is None:                                 # [Theorem 1, A_-], [Theorem 1', B]
        require(epsilon - period <= product.end("least"), "the period does not reach the end of the support")
    else:
        left = exp(u * epsilon + product.log_moment(-u, "left")) / expm1((t + u) * period)
        left = top(left * exp(log_c(u - 1)) if residues == 2 else left)
    errors |= {"right_aliasing": right, "left_aliasing": left}
    low = value - right - truncation - (left if residues == 2 else 0)
    high = value + truncation + (left if residues == 1 else 0)
    return low, high, errors


def _sum_over_nodes(t, h, first, logarithms, epsilon):
    """(h/pi) Re sum' e^(-z eps) M(z) / (z (1+z)) over the nodes from the first on, the term k = 0 halved."""
    total = exact(0)
    for k, (size, angle) in enumerate(logarithms, first):
        s = k * h
        x, y = t * (t + 1) - s * s, s * (2 * t + 1)  # z (1+z) = x + iy
        squared, size = x ** 2 + y ** 2, exp(size - epsilon * t)
        if angle is None:
            term = spread(size / sqrt(squared))
        else:
            cosine, sine = cos_sin(angle - epsilon * s)
            term = size * (cosine * x + sine * y) / squared
        total += term / 2 if k == 0 else term
    return total * h / pi()


def _width(value):
    """The error `nodes`, which proves nothing: half the width of the sum, quadrature and rounding. No two arithmetics round
    alike, so that it is at least 2^-floor(bits/2) of the sum."""
    return top(maximum(value.delta / 2, top(abs(value)) / 2 ** (bits_now() // 2)))

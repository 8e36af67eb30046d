"""Nodes of a contour in ranges beyond those that are summed at first; docs/certificates/straight.md#ranges.

A block of nodes k1 <= k <= k2 = k1 + length - 1 of D adds in modulus at most

    (h/pi) length e^(-t eps) prod B_i^n_i / (k1 h)^2,    B_i >= |M_i(t + is)| for k1 h <= s <= k2 h.

A range that is bounded as a whole is one block. Many blocks go to the vectors of blocks.py where numpy is there; else each law
has an object with
    logs(first, length, count)   log B_i of `count` blocks one after the other, as points
"""
import os
from importlib import import_module

from ..laws import discrete_noise, laws
from ..arithmetic.intervals import exact, exp, log, minimum, pi, polar, precision, require, sizes_of_power_sums, top
from ..arithmetic.real import bits_now

RANGES, FARTHEST, BLOCKS = 100_000, 1 << 40, 1 << 22
BITS, SUM_BITS = 100, 64  # of bounds, and after the point of their sums: fewer make bounds larger, never wrong
AT_ONCE = 4096            # blocks of one call
LEAST, LARGEST_POWER = 1000, 1 << 24  # vectors are for this many blocks at least, and for powers of M of which 30 bits tell
BOUNDED, SUMMED, BLOCKWISE = 0, 1, 2


class Ranges:
    """[(first, last, how)] in `parts`; `last` is the last node of all."""

    def __init__(self, fields, nodes, most_summed):
        ends = fields.integers("ends", nodes + 1, FARTHEST, 1, RANGES)
        how = fields.integers("how", BOUNDED, BLOCKWISE, len(ends), len(ends))
        self.block = fields.integer("block", 1, FARTHEST) if BLOCKWISE in how else None
        fields.done()
        firsts = [nodes + 1] + [end + 1 for end in ends[:-1]]
        self.parts, self.last = list(zip(firsts, ends, how)), ends[-1]
        require(all(first <= last for first, last, _ in self.parts), "the ends of ranges must ascend")
        lengths = [(last - first + 1, each) for first, last, each in self.parts]
        require(nodes + sum(length for length, each in lengths if each == SUMMED) <= most_summed, "too many nodes are summed")
        if self.block is not None:
            in_blocks = [length for length, each in lengths if each == BLOCKWISE]
            require(all(length % self.block == 0 for length in in_blocks), "blocks do not fill a range")
            require(sum(in_blocks) // self.block <= BLOCKS, "ranges have too many blocks")

    def summed(self):
        """[(first, count)]"""
        return [(first, last - first + 1) for first, last, how in self.parts if how == SUMMED]

    def bounded(self):
        """[(first, length of a block, count of blocks)]"""
        result = []
        for first, last, how in self.parts:
            if how == BOUNDED:
                result.append((first, last - first + 1, 1))
            elif how == BLOCKWISE:
                count = (last - first + 1) // self.block
                result += [(first + b * self.block, self.block, min(AT_ONCE, count - b)) for b in range(0, count, AT_ONCE)]
        return result


class FromAtoms:
    """|M| at the middle of a block, and its greatest slope, sum of w_j |l_j - c|: [atoms]."""

    def __init__(self, atoms, h):
        weighted, rest = atoms
        self.h = h
        mass = sum((w for w, _ in weighted), exact(0))
        mean = sum((w * x for w, x in weighted), exact(0)) / mass
        self.slope = sum((w * abs(x - mean) for w, x in weighted), exact(0))
        self.most = top(mass + rest)
        # what no bit of the sums would show goes to the rest
        tiny = self.most / 2 ** (SUM_BITS + 8)
        self.atoms = [(w, x) for w, x in weighted if not w < tiny]
        self.rest = sum((w for w, _ in weighted if w < tiny), rest)

    def logs(self, first, length, count):
        middle = (2 * first + length - 1) * self.h / 2
        one = polar(1, exact(0))
        terms = [(polar(w, middle * x), polar(1, length * self.h * x) if count > 1 else one) for w, x in self.atoms]
        away = (length - 1) * self.h / 2 * self.slope + self.rest
        return [log(minimum(size + away, self.most).b) for size in
                sizes_of_power_sums(terms, count, SUM_BITS)]


class FromLaplace:
    """|M| at the middle of a block, and its slope, at most a M(t) since |L| <= a: [Laplace]."""
    def __init__(self, law, line, t, h):
        self.line, self.t, self.h = line, t, h
        self.most = line.moment(t, "axis")
        self.slope = exact(law.a) * self.most

    def logs(self, first, length, count):
        away = (length - 1) * self.h / 2 * self.slope
        result = []
        for b in range(count):
            twice = 2 * first + length - 1 + 2 * b * length
            middle = self.line.values(self.t, self.h / 2, twice, 1)[0]
            result.append(log(minimum(abs(middle) + away, self.most).b))
        return result


class FromGaussian:
    """Falls with s."""
    def __init__(self, law, t, h):
        self.mu = exact(law.mu)
        self.log_most, self.fall = self.mu * t * (t + 1), self.mu * h * h

    def logs(self, first, length, count):
        return [top(self.log_most - self.fall * (first + b * length) ** 2) for b in range(count)]


class FromNoise:
    """|M| = e^(mu t) |F(x)|, x = s D / (2 pi v): the distance of x from the integers decides, [Noise]."""
    def __init__(self, law, t, h, budget):
        self.noise = discrete_noise.Line(law.variance, law.sensitivity, t, budget)
        d = exact(law.sensitivity)
        self.level, self.step = d * d / (2 * exact(law.variance)) * t, h * d / (2 * pi() * exact(law.variance))

    def logs(self, first, length, count):
        result = []
        for b in range(count):
            k = first + b * length
            low, high = (k * self.step).lower(), ((k + length - 1) * self.step).upper()
            below = low // 1
            distance = min(low - below, below + 1 - high) if high < below + 1 else 0
            result.append(top(self.level + log(self.noise.bound(distance))))
        return result


class FromBeyond:
    """One number for all blocks."""
    def __init__(self, size):
        self.log = top(log(size))

    def logs(self, first, length, count):
        return [self.log] * count


def _bound(law, line, t, h, first, budget):
    atoms = line.atoms(t)
    if atoms is not None:
        return FromAtoms(atoms, h)
    if isinstance(law, laws.Laplace):
        return FromLaplace(law, line, t, h)
    if isinstance(law, laws.Gaussian):
        return FromGaussian(law, t, h)
    if isinstance(law, laws.DiscreteGaussian):
        return FromNoise(law, t, h, budget)
    return FromBeyond(line.beyond(t, first * h))


def vectors_for(blocks, power):
    """The module blocks where it is of use and numpy is there, else None."""
    if blocks < LEAST or power > LARGEST_POWER:
        return None
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # others would reserve memory and do nothing
    try:
        import_module("numpy")
    except ImportError:
        return None
    return import_module(".blocks", __package__)


def bounded_ranges(ranges, factors, t, h, epsilon, budget):
    """An upper bound of what the ranges that are not summed add to D. factors: [(law, line, count)]."""
    calls = ranges.bounded()
    if not calls:
        return exact(0)
    vectors = vectors_for(sum(count for _, _, count in calls), max(count for _, _, count in factors))
    if vectors:
        with precision(BITS):
            return vectors.bounded(calls, factors, t, h, epsilon, ranges.last, budget)
    with precision(min(bits_now(), BITS)):
        bounds = [(_bound(law, line, t, h, ranges.parts[0][0], budget), count) for law, line, count in factors]
        budget.hold(8 * min(AT_ONCE, BLOCKS) * (len(bounds) + 1))
        total = exact(0)
        for first, length, count in calls:
            budget.look()
            each = [-t * epsilon] * count
            for bound, power in bounds:
                each = [x + power * y for x, y in zip(each, bound.logs(first, length, count))]
            found = sum((exp(top(x)) / (first + b * length) ** 2 for b, x in enumerate(each)), exact(0))
            total += found * length
        return top(total / (pi() * h))

"""Kind `atoms`: laws without a continuous part, lattice or not: all combinations of atoms, in two halves.

Theorems and choices: docs/certificates/atoms.md.
"""
from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate
from math import prod
from operator import add, itemgetter, mul

from . import costs
from .laws.discrete_noise import normaliser
from .ends import composed_infinite
from .arithmetic.intervals import bits_now, exact, exp, expm1, floor_of, log1p, maximum, require, top
from .laws.laws import DiscreteGaussian, Finite, Sampled

MOST_POINTS = 1 << 18   # combinations of a half
MOST_ATOMS = 100_000    # modulus of an outcome of noise, and how many are listed
MOST_DRAWS = 1_000_000  # of one factor in one half
FACTORS = 128  # of a factorial, taken at once


def prove(choices, run, epsilon, budget):
    shares = [choices.each(name, len(run.factors), len(run.factors)) for name in ("outer", "inner")]
    halves = [NOTHING for _ in shares]
    for (law, count), pair in zip(run.factors, zip(*shares)):
        powers = [read_share(law, fields, budget) for fields in pair]
        require(sum(n for n, *_ in powers) == count, "the halves have other counts than the composition")
        halves = [half.times(multisets(*power, budget), budget) for half, power in zip(halves, powers)]
    choices.done()
    outer, inner = halves
    finite, infinite = composed_infinite(run)
    rounding = Fraction(1 << 48, 1 << bits_now())  # left_out is a difference of numbers near 1: both checkers state the same
    left_out = top(maximum(finite - outer.mass() * inner.mass(), 0) + rounding)
    value = infinite + product_curve(outer, inner, exact(epsilon), budget)
    return value, value + left_out, {"left_out": left_out}


def law_atoms(law, fields, budget):
    """[(loss, P-mass, Q-mass)], all of them or those of the outcomes that the choices name."""
    if type(law) is Finite:
        return law.table()[0]
    base = law.base if type(law) is Sampled else law
    require(type(base) is DiscreteGaussian, "a law with a continuous part")
    first, last = (fields.integer(name, -MOST_ATOMS, MOST_ATOMS) for name in ("first", "last"))
    require(first <= last <= first + MOST_ATOMS, "the outcomes are out of order")
    v, d, theta = base.variance, base.sensitivity, normaliser(base.variance)
    atoms = []
    for k in range(first, last + 1):  # the outcome is k + d; P centres it at d, Q at 0
        loss = exact((Fraction(d * d, 2) + k * d) / v)
        p, q = (exp(exact(-Fraction(j * j) / (2 * v))) / theta for j in (k, k + d))
        atoms.append((loss, p, q))
    if type(law) is not Sampled:
        return atoms
    g, rest = exact(law.rate), exact(1 - law.rate)
    if law.removes:
        return [(log1p(g * expm1(loss)), rest * q + g * p, q) for loss, p, q in atoms]
    return [(-log1p(g * expm1(-loss)), p, rest * p + g * q) for loss, p, q in atoms]


def read_share(law, fields, budget):
    """-> (draws, atoms, least and greatest number of draws per atom) of one factor in one half."""
    count = fields.integer("count", 0, MOST_DRAWS)
    if count == 0:
        fields.done()
        return 0, [], [], []
    atoms = law_atoms(law, fields, budget)
    lows, highs = (fields.integers(name, 0, count, len(atoms), len(atoms)) for name in ("lows", "highs"))
    fields.done()
    require(all(low <= high for low, high in zip(lows, highs)), "a window is empty")
    return count, atoms, lows, highs


class Points:
    """Combinations (loss, P-mass, Q-mass)."""

    def __init__(self, points):
        self.points = points

    def mass(self):
        return sum((p for _, p, _ in self.points), exact(0))

    def times(self, other, budget):
        require(len(self.points) * len(other.points) <= MOST_POINTS, "a half has too many combinations")
        if self is NOTHING or other is NOTHING:
            return other if self is NOTHING else self
        return Points([(l + m, p * r, q * s) for l, p, q in self.points for m, r, s in other.points])


NOTHING = Points([(exact(0), exact(1), exact(1))])  # no draws


def factorial(n):
    """n!, the product of short exact products: the whole number itself has millions of digits, and is one long call."""
    whole = exact(1)
    for k in range(1, n + 1, FACTORS):
        whole = whole * prod(range(k, min(k + FACTORS, n + 1)))
    return whole


def table(atom, low, high):
    """(k loss, p^k / k!, q^k / k!) for low <= k <= high."""
    loss, p, q = atom
    front = factorial(low)
    x, y, row = p ** low / front, q ** low / front, []
    for k in range(low, high + 1):
        row.append((k * loss, x, y))
        x, y = x * p / (k + 1), y * q / (k + 1)
    return row


def multisets(count, atoms, lows, highs, budget):
    """All (k_i) with low_i <= k_i <= high_i and sum `count`: loss sum k_i l_i, masses count! prod p_i^k_i / k_i!."""
    if count == 0:
        return NOTHING
    size = len(atoms)
    least, most = [0] * (size + 1), [0] * (size + 1)
    for i in reversed(range(size)):
        least[i], most[i] = least[i + 1] + lows[i], most[i + 1] + highs[i]
    require(least[0] <= count <= most[0], "no combination has that many draws")
    entries = sum(high - low + 1 for low, high in zip(lows, highs))
    budget.hold(3 * entries)
    rows = [table(atom, low, high) for atom, low, high in zip(atoms, lows, highs)]
    whole = factorial(count)
    lowest = [(exact(0), exact(1), exact(1))] * (size + 1)  # the least number of draws of each atom from i on
    for i in reversed(range(size)):
        lowest[i] = lowest[i + 1]
        if lows[i]:
            lowest[i] = tuple(op(x, y) for op, x, y in zip((add, mul, mul), rows[i][0], lowest[i + 1]))
    found = []
    stack = [(0, count, exact(0), whole, whole)]
    while stack:
        i, left, loss, p, q = stack.pop()
        if left == least[i]:  # what is left is decided
            more, x, y = lowest[i]
            found.append((loss + more, p * x, q * y))
            require(len(found) <= MOST_POINTS, "a half has too many combinations")
            continue
        first, last = max(lows[i], left - most[i + 1]), min(highs[i], left - least[i + 1])
        for k in range(first, last + 1):
            more, x, y = rows[i][k - lows[i]]
            if k == 0:
                stack.append((i + 1, left, loss, p, q))
            else:
                stack.append((i + 1, left - k, loss + more, p * x, q * y))
    return Points(found)


def product_curve(outer, inner, eps, budget):
    """sum over pairs of (p_a p_i - e^eps q_a q_i)_+: the pairs certainly above eps by suffix sums, those that may be one
    by one. Losses are compared by whole numbers below their lower and above their upper ends, in units of 2^-bits; x > y
    for a whole number x where x > floor(y), and x <= y where x <= floor(y)."""
    bits = bits_now()
    points = sorted(((floor_of(loss.lo, bits), -floor_of((-loss).lo, bits), p, q) for loss, p, q in inner.points),
                    key=itemgetter(0))
    size = len(points)
    p_from, q_from = [exact(0)] * (size + 1), [exact(0)] * (size + 1)
    for i in reversed(range(size)):
        p_from[i], q_from[i] = p_from[i + 1] + points[i][2], q_from[i + 1] + points[i][3]
    starts = [point[0] for point in points]  # increasing
    ends = list(accumulate((point[1] for point in points), max))  # the greatest up to here
    growth, total, cuts = exp(eps), exact(0), []
    for loss, _, _ in outer.points:
        bound = eps - loss
        certain = bisect_right(starts, floor_of(bound.hi, bits))  # from here on all losses exceed the bound
        cuts.append((bisect_right(ends, floor_of(bound.lo, bits)), certain))  # before the first one none does
    budget.announce(costs.weighed(5 * sum(max(0, certain - possible) for possible, certain in cuts), bits))
    for (_, p, q), (possible, certain) in zip(outer.points, cuts):
        grown = growth * q
        part = p * p_from[certain] - grown * q_from[certain]
        for i in range(possible, certain):
            part = part + maximum(p * points[i][2] - grown * points[i][3], 0)
        total = total + part
    return total

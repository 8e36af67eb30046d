"""Kind `lattice`: all losses lie on b + aZ; one period of the contour, K nodes, is the whole contour.

Theorems and choices: docs/certificates/lattice.md.
"""
from fractions import Fraction
from math import gcd

from .laws.discrete_noise import Line
from .ends import composed_infinite
from .arithmetic.intervals import (Complex, any_log, cexp, cos_sin, exact, exp, expm1, hull, log, log_c, maximum, minimum, pi,
                        power_sums, require, sqrt, top)
from .laws.laws import DiscreteGaussian, Finite

MOST_PERIOD = 1 << 22
MOST_INDEX = 1 << 40
MOST_TIMES = 1 << 32  # that a law's mesh is of the common one
BLOCK = 4096  # nodes whose values are held at once


class Places:
    """Where one law's losses lie: loss = offset + index * mesh (exact Fractions, or intervals of one law alone)."""

    def __init__(self, offset, mesh, indices):
        self.offset, self.mesh, self.indices = offset, mesh, indices
        self.rational = type(offset) is Fraction and type(mesh) is Fraction


def places(law):
    if type(law) is DiscreteGaussian:
        v, d = law.variance, Fraction(law.sensitivity)
        return Places(d * d / (2 * v), d / v, None)
    require(type(law) is Finite, "a law is not on a lattice")
    if law.lattice is not None:
        offset, mesh, indices = law.lattice
        return Places(*law.lattice) if len(indices) > 1 else Places(offset + mesh * indices[0], None, [0])
    atoms = law.atoms()
    require(1 <= len(atoms) <= 2, "a law is not known to be on a lattice")
    offset = atoms[0][0]
    if len(atoms) == 1:
        return Places(offset, None, [0])
    mesh = atoms[1][0] - offset
    require(mesh > 0, "two losses are not told apart")
    return Places(offset, mesh, [0, 1])


def common_lattice(found):
    """-> (mesh, [how many meshes each law's own mesh is])."""
    meshes = [p.mesh for p in found if p.mesh is not None]
    require(bool(meshes), "no law has two losses")
    if len(meshes) == 1:
        return meshes[0], [0 if p.mesh is None else 1 for p in found]
    require(all(type(m) is Fraction for m in meshes), "the losses are not known to be on one lattice")
    mesh = meshes[0]
    for m in meshes[1:]:
        numerator = gcd(mesh.numerator * m.denominator, m.numerator * mesh.denominator)
        mesh = Fraction(numerator, mesh.denominator * m.denominator)
    times = [0 if p.mesh is None else int(p.mesh / mesh) for p in found]
    require(max(times) <= MOST_TIMES, "the meshes differ too much")
    return mesh, times


def root(fraction):
    """e^(2 pi i x) of a rational x."""
    return Complex(*cos_sin(2 * pi() * (fraction - round(fraction))))


class Atoms:
    """F(k) = e^(-z b) M(z) = sum_j x_j e^(2 pi i r j k / K), x_j = p_j e^(t a r j), for one finite law on its lattice."""

    def __init__(self, law, place, times, mesh, t, period, count, budget):
        self.count, self.times, self.period, self.budget = count, times, period, budget
        self.indices = place.indices
        self.weights = []
        for (_, p), j in zip(law.atoms(), place.indices):
            require(abs(times * j) <= MOST_INDEX, "an index is too large")
            self.weights.append(p if times * j == 0 else p * exp(t * mesh * (times * j)))
        self.total = sum(self.weights, exact(0))
        # central moments of the indices under the tilted law, about a rational centre
        mean = sum((w * j for w, j in zip(self.weights, self.indices)), exact(0)) / self.total
        self.centre = round(mean.mid.lower())
        away = [abs(j - self.centre) for j in self.indices]
        self.first = sum((w * d for w, d in zip(self.weights, away)), exact(0))
        # E D^2 and E D^4 of the difference D of two independent indices
        moments = [sum((w * (j - self.centre) ** n for w, j in zip(self.weights, self.indices)), exact(0)) / self.total
                   for n in range(1, 5)]
        m1, m2, m3, m4 = moments
        self.second = 2 * (m2 - m1 * m1)
        self.fourth = top(2 * m4 - 8 * m1 * m3 + 6 * m2 * m2)

    def values(self, first, count):
        """F(k) for `count` k from `first` on."""
        turns = [Fraction(self.times * j, self.period) for j in self.indices]
        return power_sums([(root(turn * first) * w, root(turn)) for w, turn in zip(self.weights, turns)], count, self.budget)

    def bound(self, first, last):
        """Of |F(k)| for all real k in [first, last]."""
        period = self.period
        low, high = Fraction(first * self.times, period), Fraction(last * self.times, period)
        best = self.total
        # [Taylor] |F|^2 <= total^2 (1 - V2 x^2/2 + V4 x^4/24) falls while x^2 <= 6 V2 / V4
        near, far = nearest_integer(low, high)
        if near > 0 and self.second > 0:
            x, most = 2 * pi() * near, 2 * pi() * far
            if self.fourth * most * most <= 6 * self.second:
                square = 1 - self.second * x * x / 2 + self.fourth * x ** 4 / 24
                best = minimum(best, self.total * sqrt(maximum(square, 0)))
        # [Lipschitz] from the middle of the range
        middle, half = (low + high) / 2, (high - low) / 2
        at = Complex(exact(0), exact(0))
        turn = 2 * pi() * middle
        for w, j in zip(self.weights, self.indices):
            c, s = cos_sin(turn * (j - self.centre))
            at = at + Complex(c * w, s * w)
        return top(minimum(best, sqrt(at.square_of_size()) + 2 * pi() * half * self.first))


def nearest_integer(low, high):
    """(the least, the greatest) distance of the numbers of [low, high] from the integers next to them."""
    if high - low >= 1:
        return Fraction(0), Fraction(1, 2)
    base = low.numerator // low.denominator
    low, high = low - base, high - base
    ends = [min(x, 1 - x) if x <= 1 else min(x - 1, 2 - x) for x in (low, high)]
    near, far = min(ends), max(ends)
    if low <= 0 or high >= 1:
        near = Fraction(0)
    if low <= Fraction(1, 2) <= high or high >= Fraction(3, 2):
        far = Fraction(1, 2)
    return near, far


class Noise:
    """The same for discrete Gaussian noise."""

    def __init__(self, law, times, t, period, count, budget):
        self.line = Line(law.variance, law.sensitivity, t, budget)
        self.times, self.period, self.count = times, period, count

    def values(self, first, count):
        return [self.line.at(Fraction(k * self.times, self.period)) for k in range(first, first + count)]

    def bound(self, first, last):
        period = self.period
        near, _ = nearest_integer(Fraction(first * self.times, period), Fraction(last * self.times, period))
        return top(self.line.bound(near))


class Point:
    """A law with a single finite loss: F is its mass."""

    def __init__(self, law, count):
        self.count, self.mass = count, law.atoms()[0][1]

    def values(self, _, count):
        return [Complex(self.mass, exact(0))] * count

    def bound(self, *_):
        return self.mass


def log_moment(run, t, budget):
    """log M(t) of the composition, t exact."""
    total = exact(0)
    for law, count in run.factors:
        if type(law) is DiscreteGaussian:
            line = Line(law.variance, law.sensitivity, exact(t), budget)
            mu = exact(Fraction(law.sensitivity) ** 2 / (2 * law.variance))
            value = log(line.at(Fraction(0)).real) + mu * t
        else:
            value = log(sum((p * exp(t * loss) for loss, p in law.atoms()), exact(0)))
        total = total + count * value
    return total


def read_segments(choices, half):
    """Consecutive ranges of indices, by their last ones; they are summed (1) or bounded together (0)."""
    ends = choices.integers("ends", 0, half, least=1, most=100000)
    kinds = choices.integers("summed", 0, 1, least=1, most=100000)
    require(len(ends) == len(kinds), "segments of which number?")
    segments, first = [], 0
    for last, summed in zip(ends, kinds):
        require(first <= last, "segments are not in order")
        segments.append((first, last, summed))
        first = last + 1
    require(first == half + 1, "the segments do not cover the period")
    return segments


def prove(choices, run, epsilon, budget):
    t_exact = choices.dyadic("tilt")
    other_exact, u_exact = choices.dyadic("right_order"), choices.dyadic("left_order")
    period = choices.integer("period", 1, MOST_PERIOD)
    segments = read_segments(choices, period // 2)
    choices.done()
    require(0 < t_exact < other_exact and 0 < u_exact <= 1, "orders are out of order")
    found = [places(law) for law, _ in run.factors]
    mesh, times = common_lattice(found)
    counts = [count for _, count in run.factors]
    rational = type(mesh) is Fraction and all(p.rational or p.mesh is None and type(p.offset) is Fraction for p in found)
    t, eps = exact(t_exact), exact(epsilon)
    factors = []
    for (law, count), place, r in zip(run.factors, found, times):
        if type(law) is DiscreteGaussian:
            factors.append(Noise(law, r, t, period, count, budget))
        elif r == 0:
            factors.append(Point(law, count))
        else:
            factors.append(Atoms(law, place, r, exact(mesh), t, period, count, budget))

    # the places of the lattice next to epsilon; undecided only where the lattice is real
    if rational:
        offset = sum(p.offset * n for p, n in zip(found, counts))
        x = (epsilon - offset) / mesh
        candidates = [x.numerator // x.denominator + 1]
    else:
        offset = sum((p.offset * n for p, n in zip(found, counts)), exact(0))
        x = (eps - offset) / mesh
        low, high = (end.numerator // end.denominator + 1 for end in (x.lower(), x.upper()))
        require(high - low <= 1, "needs more bits to tell the lattice's points apart")
        candidates = list(range(low, high + 1))
    step = exact(mesh)
    width = step * period
    aways = [step * index for index in candidates]  # l0 - b
    gaps = [exp(eps - (away + offset)) for away in aways]
    sums = summed_terms(factors, segments, list(zip(candidates, gaps)), step, t, period, budget)
    scales = [exp(-(t * away)) / period for away in aways]
    finite, infinite = composed_infinite(run)
    total = hull(*(value * scale for value, scale in zip(sums, scales))) - finite / expm1(t * width)
    bounded = top(bounded_terms(factors, segments, hull(*gaps), step, t, period) * hull(*scales))

    greatest = greatest_loss(run)
    if greatest is not None and eps + width >= greatest:
        right = exact(0)
    else:
        right = top(exp(log_c(exact(other_exact)) + log_moment(run, other_exact, budget) - other_exact * eps)
                    / expm1(exact(other_exact - t_exact) * width))
    left = top(exp(log_moment(run, -u_exact, budget) + u_exact * eps) / expm1((t + u_exact) * width))
    low = total - right - bounded + infinite
    high = total + left + bounded + infinite
    return low, high, {"right_aliasing": right, "left_aliasing": left, "bounded": bounded}


def greatest_loss(run):
    total = exact(0)
    for law, count in run.factors:
        if type(law) is not Finite:
            return None
        total = total + law.atoms()[-1][0] * count
    return total


def blocks(segments):
    """(first index, how many) of the summed segments, in parts that are held at once."""
    for first, last, summed in segments:
        if summed:
            for start in range(first, last + 1, BLOCK):
                yield start, min(BLOCK, last + 1 - start)


def summed_terms(factors, segments, points, step, t, period, budget):
    """sum of Re( prod F_f(k)^n_f omega^(-k i) [ 1/(1 - e^(-a z)) - gap/(1 - e^(-a (z+1))) ] ) over the summed segments, for
    each of the points (i, gap). The powers are exponentials of multiples of logarithms; any logarithm will do."""
    near, far = exp(-(t * step)), exp(-((t + 1) * step))
    totals = [exact(0) for _ in points]
    for first, count in blocks(segments):
        powers = [Complex(exact(0), exact(0))] * count
        for factor in factors:
            powers = [power + any_log(value) * factor.count for power, value in zip(powers, factor.values(first, count))]
        backs = power_sums([(root(Fraction(-first, period)), root(Fraction(-1, period)))], count, budget)
        for k, power, back in zip(range(first, first + count), powers, backs):
            close, distant = 1 / (1 - back * near), 1 / (1 - back * far)
            for i, (index, gap) in enumerate(points):
                place = Fraction(-k * index, period)
                turn = 2 * pi() * (place - round(place))
                term = (cexp(Complex(power.real, power.imag + turn)) * (close - distant * gap)).real
                totals[i] = totals[i] + (term if k == 0 or 2 * k == period else 2 * term)
    return totals


def bounded_terms(factors, segments, gap, step, t, period):
    """A bound of the terms of the other segments, without the factor e^(-t a i0)/K: docs/certificates/lattice.md,
    "Ranges that are bounded"."""
    total = exact(0)
    for first, last, summed in segments:
        if summed:
            continue
        size = exact(2 * (last - first + 1))
        for factor in factors:
            size = size * factor.bound(first, last) ** factor.count
        c, s = cos_sin(2 * pi() * Fraction(first, period))
        for weight, order in ((exact(1), t), (gap, t + 1)):
            d = exp(-(order * step))
            total = total + size * weight / sqrt((1 - d * c) ** 2 + (d * s) ** 2)
    return total

"""Blocks of nodes bounded by vectors of 64-bit integers; docs/certificates/straight.md#ranges has what is bounded.

A block is its first node k and its length. Each law has an object with
    log_most                   log of a bound of |M| for all blocks, a point
    falls(first, length)       integers r >= 0, one per block, with |M|^n <= e^(n log_most - r/FINE) on the block
and, of all laws, the nodes of a block amount to at most

    (length / (pi h k^2)) exp(sum n log_most - t eps - sum r/FINE).

The blocks k with K <= k <= 9K/8 are taken together: 1/k^2 <= 1/K^2, and those of one sum of the r are counted. No r exceeds
MOST; a lesser one, such as the least of the sum and MOST, is as true.

Sizes of |M| are integers of units u = most/2^30, compared with the floors of e^(-r/(n FINE)) 2^30.
"""
from fractions import Fraction
from math import isqrt

import numpy as np

from ..laws import discrete_noise, laws

from ..arithmetic import rotations
from ..arithmetic.intervals import bottom, exact, exp, log, look, pi, require, top
from ..arithmetic.rotations import ERROR, ONE, POINT, Angles, integers
from ..arithmetic.sums import rounded

FINE, MOST = 16, 1 << 14  # steps of falls in a nat, and the greatest fall in steps
AT_ONCE = 1 << 14         # blocks in a vector
WIDE = 1 << 31   # units, beyond all sizes: nothing is known of |M| but `most`
WHOLE = 1 << 64
TINY = 38        # weights below most/2^TINY count by their sum
FLOORS = 96      # bits of the floors while they are found


def _each(values, function):
    """function(value) as int64; each different value is asked for once."""
    different, where = np.unique(values, return_inverse=True)
    return integers([function(value) for value in different.tolist()])[where]


class Sized:
    """A law whose falls come from its sizes(first, length), in units of the bound `most` of |M| over 2^30."""

    def __init__(self, most, n):
        self.most, self.log_most = most, top(log(most))
        ratio = int(bottom(exp(exact(Fraction(-1, FINE * n)))).lower() * (1 << FLOORS))
        floors, size = [], 1 << FLOORS
        while len(floors) < MOST and size >> (FLOORS - POINT):
            size = size * ratio >> FLOORS
            floors.append(-(size >> (FLOORS - POINT)))
        self.floors = integers(floors)

    def units(self, x):
        """An integer not below x in units, WIDE at most."""
        x = top(x / self.most).upper() * ONE
        return WIDE if x >= WIDE else -(-x.numerator // x.denominator)

    def near(self, x):
        """(m, e): x >= 0 is m units up to e 2^-30 units."""
        fine, e = rounded(x / self.most, 2 * POINT)
        m = max(0, (fine + ONE // 2) >> POINT)
        return m, abs(fine - (m << POINT)) + e

    def falls(self, first, length):
        return np.searchsorted(self.floors, -self.sizes(first, length), side="right")


def _sizes(x, y, more):
    """At least |x + iy| 2^-30 + more, for |x + iy| below 2^61.4 and more below 2^34: the parts are rounded down, which is 2
    in modulus at most; the root is checked."""
    require(x.dtype == y.dtype == more.dtype == np.int64, "a vector is not of integers")
    x, y = x >> POINT, y >> POINT
    square = x * x + y * y                                    # below (2^31.4 + 2)^2 < 2^63
    root = np.sqrt(square.astype(np.float64)).astype(np.int64) + 1
    require(bool(((root > 0) & (root < 1 << 32) & (root * root >= square)).all()), "a root is too small")
    return root + 2 + more


def _turned(off):
    """What an angle that is off by so many units adds to the error of e^(ix): 2 pi 2^-64 2^30 each, in units 2^-30."""
    return (7 * off >> (64 - POINT)) + 1


class FromAtoms(Sized):
    """[Atoms] with |w_j - m_j u| <= e_j u and the m_j of a sum below 2^31: the sum of m_j (c + is) is below 2^31 (2^30 + 5)."""

    def __init__(self, atoms, h, n, last):
        weighted, rest = atoms
        mass = sum((w for w, _ in weighted), exact(0))
        super().__init__(top(mass + rest), n)
        mean = sum((w * x for w, x in weighted), exact(0)) / mass
        self.away = top(sum((w * abs(x - mean) for w, x in weighted), exact(0)) * h / 2)
        tiny = self.most / 2 ** TINY
        rest = sum((w for w, _ in weighted if w < tiny), rest)
        self.terms, off = [], 0
        for w, x in weighted:
            if not w < tiny:
                (m, e), angles = self.near(w), Angles(h * x / (4 * pi()))
                self.terms.append((m, angles))
                off += e + m * (ERROR + _turned(angles.error(2 * last)))
        require(sum(m for m, _ in self.terms) < 1 << 31, "weights are too large")
        self.error = min(WIDE, self.units(rest) + (off >> POINT) + 1)

    def sizes(self, first, length):
        twice = (2 * first + length - 1).astype(np.uint64)        # the middles, in units of h/2; below 2^42
        x, y = np.zeros(len(first), np.int64), np.zeros(len(first), np.int64)
        for m, angles in self.terms:
            look()
            c, s = rotations.rotations().at(angles.at(twice))
            x += m * c
            y += m * s
        return _sizes(x, y, self.error + _each(length, lambda count: self.units(self.away * (count - 1))))


class FromLaplace(Sized):
    """[Laplace] from M = A (1 + p) + B (1 - p), A = e^(az)/2, B = e^(-a(1+z))/2, p = 1/(2z + 1), |p| < 1.

    With m and m' units for |A| and |B|, up to e and e', m + m' below 2^30 + 4: p is off by less than 2, E (1 + p), E = c + is,
    by less than 2 ERROR + 5 after its parts are rounded down, below 2^31 + 2^5 in modulus, and no product exceeds 2^61.1; the
    sum is below 2^61.1 too. |1 + p| <= 2 doubles the errors of angles, m and m'.
    """

    def __init__(self, law, line, t, h, n, last):
        super().__init__(line.moment(t, "axis"), n)
        a = exact(law.a)
        self.away = top(a * self.most * h / 2)
        (self.up, e), (self.down, more) = self.near(exp(a * t) / 2), self.near(exp(-a * (1 + t)) / 2)
        weight = self.up + self.down
        require(weight < ONE + 4, "weights are too large")
        self.angles = Angles(a * h / (4 * pi()))
        off = 2 * (e + more) + weight * (2 * ERROR + 5 + 2 * _turned(self.angles.error(2 * last)))
        self.error = min(WIDE, (off >> POINT) + 1)
        # v = 2z + 1 = 2t + 1 + i h k, k in units of half a node: real + i step k, each off by 2^-61 of itself at most
        self.bits = 64 + max(0, (1 // bottom(h).lower()).bit_length())
        (self.real, e), (self.step, more) = rounded(2 * t + 1, self.bits), rounded(h, self.bits)
        require(e << 61 <= abs(self.real) and more << 61 <= self.step, "a line is too inexact")

    def _inverse(self, k):
        """p = conj(v)/|v|^2, each part rounded down: in all off by 2^-60 and 1.42 units 2^-30."""
        x, y = self.real, self.step * k
        scale, square = 1 << (self.bits + POINT), x * x + y * y
        return x * scale // square, -y * scale // square

    def sizes(self, first, length):
        twice = 2 * first + length - 1
        c, s = rotations.rotations().at(self.angles.at(twice.astype(np.uint64)))
        p, q = integers([self._inverse(k) for k in twice.tolist()]).T
        x = self.up * ((c * (ONE + p) - s * q) >> POINT) + self.down * ((c * (ONE - p) - s * q) >> POINT)
        y = self.up * ((s * (ONE + p) + c * q) >> POINT) + self.down * ((-s * (ONE - p) - c * q) >> POINT)
        return _sizes(x, y, self.error + _each(length, lambda count: self.units(self.away * (count - 1))))


class FromGaussian:
    """|M|^n = e^(n mu t(t+1) - n mu h^2 k^2): a fall of r from the least k on with n mu h^2 k^2 >= r/FINE."""

    def __init__(self, law, t, h, n, last):
        mu = exact(law.mu)
        self.log_most, fall = top(mu * t * (t + 1)), bottom(n * mu * h * h).lower()
        firsts, r = [], 1
        while r <= MOST and fall > 0:
            square = -(-r * fall.denominator // (FINE * fall.numerator))
            firsts.append(isqrt(square - 1) + 1)
            if firsts[-1] > last:
                break
            r += 1
        self.firsts = integers([min(k, last + 1) for k in firsts])

    def falls(self, first, length):
        return np.searchsorted(self.firsts, first, side="right")


class FromNoise:
    """[Noise]: x = k step; |F| is bounded from each of some distances on, and a fall is known for each.

    With angles off by e units at most, the x of a block lie in [low, low + width] mod 1 in units 2^-64, width = (length - 1)
    step + 2 e: they contain an integer if low = 0 or if that ends beyond 2^64, else their distance is that of an end.
    """

    def __init__(self, law, t, h, n, last, budget):
        noise = discrete_noise.Line(law.variance, law.sensitivity, t, budget)
        d, v = exact(law.sensitivity), exact(law.variance)
        step = h * d / (2 * pi() * v)
        self.angles, self.step = Angles(step), step.upper()
        self.error = self.angles.error(last)
        places = self._places(n * bottom(noise.w).estimate())
        budget.look()
        most = log(noise.bound(0))
        self.log_most = top(d * d / (2 * v) * t + most)
        falls = [bottom((bottom(most) - log(noise.bound(Fraction(x, 1 << 64)))) * n * FINE).lower() for x in places]
        self.places = np.array([0] + places, dtype=np.uint64)
        self.fall = integers([0] + [max(0, min(int(each), MOST)) for each in falls])

    @staticmethod
    def _places(weight):
        """Ascending numbers up to 2^63 where |F|^n has fallen by 1/8, 2/8, ... 64 nats and from then on by 1/200 more each
        time, if log |F|^n is near -weight x^2, and at multiples of 1/256; any others would do."""
        nats, places = 0.125, set(range(1 << 56, (1 << 63) + 1, 1 << 56))
        while weight > 4 * nats and nats * FINE < MOST:
            places.add(int((nats / weight) ** 0.5 * 2.0 ** 64))
            nats = nats + 0.125 if nats < 64 else nats * 1.005
        return sorted(places)

    def falls(self, first, length):
        low = self.angles.at(first.astype(np.uint64)) - np.uint64(min(self.error, WHOLE - 1))
        different, where = np.unique(length, return_inverse=True)
        widths = [min(WHOLE - 1, int((count - 1) * self.step * WHOLE) + 1 + 2 * self.error) for count in different.tolist()]
        width = np.array(widths, dtype=np.uint64)[where]
        left = np.uint64(0) - low                         # 2^64 - low, or 0
        inside = (low > 0) & (width < left)
        distance = np.where(inside, np.minimum(low, left - width), np.uint64(0))
        require(distance.dtype == np.uint64, "a vector is not of integers")
        return self.fall[np.searchsorted(self.places, distance, side="right") - 1]


class FromBeyond:
    """One number for all blocks."""

    def __init__(self, size):
        self.log_most = top(log(size))

    def falls(self, first, length):
        return np.zeros(len(first), np.int64)


def _bound(law, line, t, h, n, start, last, budget):
    atoms = line.atoms(t)
    if atoms is not None:
        budget.look()
        return FromAtoms(atoms, h, n, last)
    if isinstance(law, laws.Laplace):
        return FromLaplace(law, line, t, h, n, last)
    if isinstance(law, laws.Gaussian):
        return FromGaussian(law, t, h, n, last)
    if isinstance(law, laws.DiscreteGaussian):
        return FromNoise(law, t, h, n, last, budget)
    return FromBeyond(line.beyond(t, start * h))


class Exponentials:
    """e^(-r/FINE), from above; each is found once."""

    def __init__(self):
        self.known = {}

    def __getitem__(self, r):
        if r not in self.known:
            self.known[r] = top(exp(exact(Fraction(-r, FINE))))
        return self.known[r]


def _together(first, length, falls, exponentials):
    """An upper bound of the sum of length e^(-fall/FINE) / first^2; first ascends."""
    total, start = exact(0), 0
    while start < len(first):
        k = int(first[start])
        end = int(np.searchsorted(first, k + k // 8, side="right"))
        counts = np.zeros(MOST + 1, np.int64)
        np.add.at(counts, falls[start:end], length[start:end])    # at most 2^14 numbers of at most 2^40
        some = np.flatnonzero(counts)
        found = sum((exponentials[r] * count for r, count in zip(some.tolist(), counts[some].tolist())), exact(0))
        total += found / (k * k)
        start = end
    return total


def bounded(blocks, factors, t, h, epsilon, last, budget):
    """An upper bound of what the blocks add to D. blocks: [(first, length of a block, count of blocks)], ascending;
    factors: [(law, line, count)]."""
    budget.hold(AT_ONCE + MOST // 64 * len(factors))
    bounds = [_bound(law, line, t, h, n, blocks[0][0], last, budget) for law, line, n in factors]
    log_most = sum((n * bound.log_most for bound, (_, _, n) in zip(bounds, factors)), exact(0))
    total, exponentials = exact(0), Exponentials()
    for first, length in _pieces(blocks):
        budget.look()
        falls = np.zeros(len(first), np.int64)
        for bound in bounds:
            found = bound.falls(first, length)
            require(bool((found >= 0).all()), "a fall is negative")
            falls = np.minimum(falls + found, MOST)
        total += _together(first, length, falls, exponentials)
    return top(exp(top(log_most - t * epsilon)) * total / (pi() * h))


def _pieces(blocks):
    """Vectors (first, length) of at most AT_ONCE blocks."""
    firsts, lengths, held = [], [], 0
    for first, length, count in blocks:
        while count:
            some = min(count, AT_ONCE - held)
            firsts.append(first + length * np.arange(some, dtype=np.int64))
            lengths.append(np.full(some, length, np.int64))
            first, count, held = first + some * length, count - some, held + some
            if held == AT_ONCE:
                yield np.concatenate(firsts), np.concatenate(lengths)
                firsts, lengths, held = [], [], 0
    if held:
        yield np.concatenate(firsts), np.concatenate(lengths)

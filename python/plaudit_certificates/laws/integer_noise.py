"""Log-concave noise on the integers, moved by D against itself: Skellam noise, sums of discrete Gaussian noise.

docs/proofs/integer_noise.md#window: each output within a window is an outcome of its own, all those on either side are one.
The curve lies between those of a law below and of a law above, which differ in these two outcomes: one law here encloses both.
"""
from fractions import Fraction
from math import asinh, ceil, isqrt

from ..arithmetic.clock import watched
from ..arithmetic.real import bits_now, bottom, exact, exp, floor_of, hull, log, log1p, minimum, precision, top
from .discrete_noise import normaliser
from .laws import Finite, weighed
from .text import of_law, of_number

NATS = 300   # about -log P(X > m), or less: how little lies outside of a window
MORE = 64    # bits for long products


def window_law(text, m, d, noise, cost):
    """The window is [-m, m + d]. noise(last) -> (f(0) .. f(last), lower and upper bound of P(X > last)); cost(bits): its cost."""
    end = m + d

    def table():
        f, least, most = noise(end)
        between = sum(f[m + 1:], exact(0))
        b = hull(least, most)
        a = between + b
        apart = hull(log1p(between / least), log1p(between / most))  # log(a/b)
        fall = f[m] / f[end]
        atoms = [(-hull(apart, log(fall)), b, hull(a, b * fall))]
        for k in range(-m, end + 1):
            p, q = f[abs(k - d)], f[abs(k)]
            atoms.append((log(p / q), p, q))
        atoms.append((apart, hull(0, a), hull(0, b)))
        return atoms, hull(0, a), hull(1 - a - b, 1)
    law = Finite(text, 2 * m + d + 3, None, table, None, None, None, lambda _: None)
    law.cost = cost
    return law


def skellam_noise(v, last):
    """By the quotients r_k = f(k+1)/f(k): r_(k-1) = 1/(r_k + 2k/v), from an unknown one far away downward."""
    bits = bits_now()
    with precision(bits + MORE):
        far = last + 3 + ceil((bits + MORE) * 0.35 / asinh(float((last + 1) / v)))
        quotients = [None] * far + [hull(0, minimum(1, v / (2 * (far + 1))))]
        for k in range(far, 0, -1):
            quotients[k - 1] = minimum(1 / (quotients[k] + 2 * k / v), 1)  # below 1, as the noise falls
        sizes, total = [exact(1)], exact(0)  # in units of f(0)
        for quotient in quotients:
            sizes.append(sizes[-1] * quotient)
            total = total + sizes[-1]
        rest = sizes[-1] / (1 - quotients[last])  # the quotients fall
        first = 1 / (1 + 2 * (total + hull(0, rest)))
        beyond = first * sizes[last + 1]
        return [first * x for x in sizes[:last + 1]], bottom(beyond), top(beyond / (1 - quotients[last]))


def skellam(v, d):
    m = 1 + NATS // 3 + isqrt(int((Fraction(NATS ** 2, 9) + 2 * v * NATS) // 1))
    return window_law(of_law("Skellam", ("v", of_number(v)), ("D", d)), m, d, lambda last: skellam_noise(v, last),
                      lambda bits: weighed(10 * (int(v // 1) + 4 * (m + d) + 1000), bits))


class Sum:
    """The sum of n variables of parameter v, up to the outcome `last`, in units of 2^-places, within +-reach (#convolution)."""

    def __init__(self, n, v, last, bits):
        self.n, self.v, self.last = n, v, last
        nats = Fraction(last * last) / (2 * n * v) + n / (8 * v)
        self.places = bits + 2 * n.bit_length() + MORE + int(3 * nats / 2 // 1)
        left_out = Fraction(7 * self.places, 10) + n.bit_length() + 2
        self.reach = max(last, 1 + isqrt(int(2 * n * v * left_out // 1)))
        size = 2 * self.places + (2 * self.reach + 1).bit_length() + 2  # bits of a coefficient of a product
        self.words = -(-size // 64)

    def cost(self):
        words = (2 * self.reach + 1) * self.words
        return self.n.bit_length() * words * isqrt(words) // 2

    def one(self):
        """The probabilities of one variable at k = 0 .. reach, in units: (from below, from above)."""
        low, high = [0] * (self.reach + 1), [1] * (self.reach + 1)
        with precision(self.places + MORE):
            front, rate = normaliser(self.v), exact(-1 / (2 * self.v))
            for k in range(self.reach + 1):
                mass = exp(rate * k * k) / front
                ends = floor_of(mass.lo, self.places), floor_of(mass.hi, self.places)
                if ends[1] == 0:
                    break
                low[k], high[k] = ends[0], ends[1] + 1
        return low, high

    def packed(self, numbers):
        """The polynomial with these coefficients for -reach .. reach, at 2^(64 words)."""
        size = 8 * self.words
        parts = [number.to_bytes(size, "little") for number in watched(numbers)]
        return int.from_bytes(b"".join(parts[:0:-1] + parts), "little")

    def times(self, a, b, up):
        size = 8 * self.words
        product = (self.packed(a) * self.packed(b)).to_bytes((4 * self.reach + 2) * size, "little")
        result, unit = [], 1 << self.places
        for k in watched(range(self.reach + 1)):
            at = (2 * self.reach + k) * size
            number = int.from_bytes(product[at:at + size], "little")
            result.append(min(-(-number >> self.places), unit) if up else number >> self.places)
        return result

    def masses(self):
        """P(X_1 + .. + X_n = k), k = 0 .. last: with the powers of two of n, each sum of equally many variables alike."""
        ends = []
        for half, up in zip(self.one(), (False, True)):
            result, n = None, self.n
            while n:
                if n & 1:
                    result = half if result is None else self.times(result, half, up)
                n >>= 1
                if n:
                    half = self.times(half, half, up)
            ends.append(result)
        return [hull(Fraction(low, 1 << self.places), Fraction(high + 1, 1 << self.places))  # less than 1 unit is left out
                for low, high in zip(*(each[:self.last + 1] for each in ends))]


def discrete_gaussian_sum(n, v, d):
    m = 2 + isqrt(int(2 * n * v * NATS // 1))

    def noise(last):
        found = Sum(n, v, last + 1, bits_now()).masses()
        return found[:-1], bottom(found[-1]), top(exp(exact(-Fraction(last + 1) ** 2 / (2 * n * v))))
    return window_law(of_law("DiscreteGaussianSum", ("n", n), ("v", of_number(v)), ("D", d)), m, d, noise,
                      lambda bits: Sum(n, v, m + d + 1, bits).cost())

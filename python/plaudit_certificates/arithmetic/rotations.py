"""e^(2 pi i x) for many x at once, in numpy's 64-bit integers. Proofs that nothing overflows stand beside the sizes.

An angle is a number of turns x mod 1, as an unsigned integer of units 2^-64: there numpy's wrapping is what is meant.
Values have 30 bits after the point: pairs (c, s) of signed integers with |c + is - 2^30 e^(2 pi i x)| <= ERROR.
"""
import numpy as np

from .intervals import cos_sin, exact, pi, precision
from .sums import rounded

POINT = 30
ONE = 1 << POINT
ERROR = 5
INDEX, SHORT, LOW = 16, 46, 22
TAU = 1686629713  # 2 pi 2^28 up to 1/2


def integers(values):
    return np.array(values, dtype=np.int64)


class Angles:
    """The angles k S mod 1 for 0 <= k < 2^42, S an interval of turns.

    S mod 1 is p 2^-86 up to e 2^-86, p = a 2^22 + b with b < 2^22: k S is k a + k b / 2^22 units, up to k e / 2^22 units. k b
    < 2^64 does not wrap; k a and the sum wrap as they should. With the floor of the second part the angle is off by at most
    error(k) units.
    """

    def __init__(self, turns):
        whole, self.off = rounded(turns, 64 + LOW)
        whole %= 1 << (64 + LOW)
        self.high, self.low = np.uint64(whole >> LOW), np.uint64(whole % (1 << LOW))

    def at(self, k):
        """k: an array of uint64."""
        return k * self.high + ((k * self.low) >> np.uint64(LOW))

    def error(self, most):
        """For all k <= most."""
        return (most * self.off >> LOW) + 2


class Rotations:
    """With the tables of 2^30 e^(2 pi i (j + 1/2) / 2^16), j = 0 .. 2^16 - 1.

    *Tables.* Products of two factors in units of 2^-31, each part rounded by at most 1/2 + 2^-20 of those: the product is off
    by at most 2 0.71 + 0.01 of those, which is 0.72 units of 2^-30, and by 0.71 where it is rounded: 1.43 in all. No part
    exceeds 2^31 in modulus (+1 by rounding), no product 2^62 + 2^33, and neither does their sum, the part of a product of
    complex numbers of modulus at most 2^31 + 1; the differences of two products are below 2^63.

    *Values.* x = (j + 1/2)/2^16 + y, |y| <= 2^-17, d = 2 pi y, |d| < 4.8e-5. D, d in units of 2^-44, comes from y in units of
    2^-46 rounded down (|.| <= 2^29), times TAU (< 2^31), rounded down: |D| < 2^30, off by at most 2 pi + 1 + 4 units of
    2^-46 for the three, that is, by less than 2^-42. The value is (c + is)(1 + id) up to |d|^2/2 < 1.24 2^-30, each part of the product rounded
    down: |c|, |s| <= 2^30 + 2 and |c D| < 2^61. In all 1.43 (1 + |d|) + 2^-12 + 1.24 + 1.42 < 4.1 <= ERROR.
    """

    def __init__(self):
        with precision(96):
            coarse, fine = (self._factors(shift) for shift in (8, 16))
        (a, b), (c, d) = coarse, fine
        a, b = a[:, None], b[:, None]
        half, drop = 1 << (61 - POINT), 62 - POINT
        self.cos = (((a * c - b * d) + half) >> drop).ravel()
        self.sin = (((a * d + b * c) + half) >> drop).ravel()

    @staticmethod
    def _factors(shift):
        """2^31 e^(2 pi i j / 2^shift), j = 0 .. 255; the finer ones at j + 1/2."""
        parts = []
        for j in range(256):
            turn = exact(2 * j + (shift == INDEX)) / (1 << (shift + 1))
            parts.append([_nearest(x) for x in cos_sin(2 * pi() * turn)])
        return integers([c for c, _ in parts]), integers([s for _, s in parts])

    def at(self, angles):
        j = (angles >> np.uint64(64 - INDEX)).astype(np.int64)
        y = (angles & np.uint64((1 << (64 - INDEX)) - 1)).astype(np.int64) - (1 << (63 - INDEX))
        d = ((y >> (64 - SHORT)) * TAU) >> 30
        c, s = self.cos.take(j), self.sin.take(j)
        return c - ((s * d) >> 44), s + ((c * d) >> 44)


def _nearest(x):
    """2^31 x up to 1/2 + 2^-20, for a number known to 2^-60 at least."""
    value, _ = rounded(x, 62)
    return (value + (1 << 30)) >> 31


_tables = []


def rotations():
    if not _tables:
        _tables.append(Rotations())
    return _tables[0]

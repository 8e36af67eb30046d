"""Sums of powers, the inner loop of quadrature rules on a line, in integers."""
from math import isqrt

from .boxes import Complex
from .clock import look
from .ends import magnitude
from .real import Interval, bits_now, exact, floor_of, maximum, require

ROUGHEST = 2**30  # by which a term whose base is hardly known may grow, at most


def rounded(x, bits):
    """Integers (m, e) with |x - m 2^-bits| <= e 2^-bits for all members of x."""
    low = floor_of(x.lo, bits)
    high = floor_of(x.hi, bits) + 1
    return (low + high) >> 1, (high - low + 1) // 2 + 1


class _Sums:
    """Integers near the sums of w u^k, in units of 2^exponent, and how far off at most: error(k)."""

    def __init__(self, terms, count, bits, budget):
        """With F bits after the point and w in units of a power of two above all |w|: v_0 = w, v_(k+1) = v_k u, each part
        rounded down. Let the integers of v_k and u be off by at most e_k and d units, D = d 2^-F <= 1/(2 count), |w| <= W
        and |u|^count <= 2. The integer of v_k is at most 2 W + e_k, so e_(k+1) <= (|u| + D) e_k + 2 W D + 2, and as
        (|u| + D)^k <= 2 e^(k D) < 4, e_k <= 4 (e_0 + k (2 W D + 2)). A term whose base is too rough for that is an
        error as a whole: at most W max(1, |u|^2)^count, which does little where it weighs little.
        """
        bits += 16 + (count * max(1, len(terms))).bit_length()
        scale = max([magnitude(end) for w, _ in terms for part in (w.real, w.imag) for end in (part.lo, part.hi)
                     if end[0]], default=0) + 1
        self.exponent = scale - bits
        self.reals, self.imaginaries, self.at_first, self.per_step = [0] * count, [0] * count, 0, 0
        for w, u in terms:
            size = u.square_of_size().b
            vr, error_r = rounded(w.real, bits - scale)
            vi, error_i = rounded(w.imag, bits - scale)
            ur, base_r = rounded(u.real, bits)
            ui, base_i = rounded(u.imag, bits)
            first, off = error_r + error_i, base_r + base_i
            most = abs(vr) + abs(vi) + first
            if not (size - 1) * count <= exact(1) or 2 * count * off > 1 << bits:  # |u|^count <= 2 is not known, or D is large
                growth = maximum(size, 1) ** count
                require(growth <= exact(ROUGHEST), "a base of powers is too inexact")
                self.at_first += most * (floor_of(growth.hi, 0) + 1)
                continue
            self.at_first += 4 * first
            self.per_step += 4 * ((2 * most * off >> bits) + 3)
            self._add(vr, vi, ur, ui, bits)

    def _add(self, vr, vi, ur, ui, bits):
        reals, imaginaries = self.reals, self.imaginaries
        for k in range(len(reals)):
            if k % 256 == 0:
                look()
            reals[k] += vr
            imaginaries[k] += vi
            vr, vi = (vr * ur - vi * ui) >> bits, (vr * ui + vi * ur) >> bits

    def error(self, k):
        return self.at_first + k * self.per_step


def power_sums(terms, count, budget):
    """[sum of w u^k over the (w, u) of terms] for k = 0 .. count - 1; the |u| may exceed 1 only so far that |u|^count <= 2."""
    budget.hold(2 * count)
    sums = _Sums(terms, count, bits_now(), budget)

    def enclosed(value, error):
        return Interval((value - error, sums.exponent), (value + error, sums.exponent)) + 0
    return [Complex(enclosed(x, sums.error(k)), enclosed(y, sums.error(k)))
            for k, (x, y) in enumerate(zip(sums.reals, sums.imaginaries))]


def sizes_of_power_sums(terms, count, bits, budget):
    """Upper bounds, points, of the moduli of the same sums, with so many bits after the point. The caller has announced the
    work: count steps per term."""
    sums = _Sums(terms, count, bits, budget)
    result = []
    for k, (x, y) in enumerate(zip(sums.reals, sums.imaginaries)):
        end = (isqrt(x * x + y * y) + 1 + 2 * sums.error(k), sums.exponent)  # each part is off by the error
        result.append(Interval(end, end))
    return result
